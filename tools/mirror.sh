#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Where packages come from: the Debian archive and the transport options (proxy, timeouts, ...) that
# the host's own apt uses. apt parses its configuration for us, whatever form it is written in.
#
#   mirror.sh uri       the archive's base address; VGPU_MIRROR overrides
#   mirror.sh options   apt.conf lines

. "$(dirname "$0")/lib.sh"

host_codename() {
	# shellcheck disable=SC1091 # describes the host
	(. /etc/os-release && printf '%s\n' "${VERSION_CODENAME:-}")
}

# Prefer an entry for the suite we want, then the host's own, then any that is Debian's.
archive_uri() {
	local want uri

	if [ -n "${VGPU_MIRROR:-}" ]; then
		printf '%s\n' "$VGPU_MIRROR"
		return
	fi
	for want in "$SUITE" "$(host_codename)" bookworm forky sid stable testing unstable; do
		[ -n "$want" ] || continue
		# shellcheck disable=SC2016 # apt's own format string
		uri=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
			awk -v s="$want" '$2 == s && $3 == "main" && !/security/ { print $1; exit }')
		if [ -n "$uri" ]; then
			printf '%s\n' "$uri"
			return
		fi
	done
	die "apt on this host knows no Debian archive; set VGPU_MIRROR to its address"
}

# How apt fetches is the host's business; what it fetches and where it keeps it is not taken over.
acquire_options() {
	apt-config dump | grep '^Acquire::' |
		grep -vE '^Acquire::(IndexTargets|CompressionTypes|Changelogs|Languages|cdrom|GzipIndexes)' |
		grep -v ' "";$' || true
}

case ${1:-} in
uri) archive_uri ;;
options) acquire_options ;;
*) die "usage: mirror.sh uri|options" ;;
esac
