#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Make a Debian root with the packages of tools/root.d/PROFILE.list, then run PROFILE.hook on it.
# Called by provision.sh, which keeps the result in the cache under the hash of these files.

. "$(dirname "$0")/lib.sh"

profile=$1
root=$2
conf=$TOP/tools/root.d/$profile
uri=$("$TOP/tools/mirror.sh" uri)
options=$(mktemp)
trap 'rm -f "$options"' EXIT

"$TOP/tools/mirror.sh" options >"$options"
hook=()
[ ! -f "$conf.hook" ] || hook=(--customize-hook="bash $conf.hook \"\$1\"")

# The target keeps its package lists: the QEMU source is fetched through them later. Documentation
# is left out and dpkg does not sync each file: an interrupted root is thrown away whole.
mmdebstrap --mode=root --variant=apt --architectures=amd64 --skip=cleanup/apt/lists \
	--include="$(sed 's/#.*//' "$conf.list" | xargs | tr ' ' ',')" \
	--aptopt="$options" \
	--aptopt='Acquire::Languages "none"' \
	--dpkgopt='force-unsafe-io' \
	--dpkgopt='path-exclude=/usr/share/doc/*' \
	--dpkgopt='path-exclude=/usr/share/man/*' \
	--dpkgopt='path-exclude=/usr/share/info/*' \
	--dpkgopt='path-exclude=/usr/share/locale/*' \
	"${hook[@]}" \
	"$SUITE" "$root" - <<END
deb $uri $SUITE main
deb-src $uri $SUITE main
END
