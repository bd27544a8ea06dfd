#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Have everything that building and booting needs: host packages checked, build roots and sources
# in the cache. Costs nothing when it is all there.
#
#   provision.sh [WHAT...]   build, docs, ...: a root of tools/root.d/; qemu: the prepared QEMU tree;
#                            linux: the kernel source; nothing: check the host

. "$(dirname "$0")/lib.sh"

# Commands the host must have, with the packages that bring them.
host_needs() {
	cat <<-END
		mmdebstrap mmdebstrap
		unshare util-linux
		flock util-linux
		apt-get apt
		dpkg-deb dpkg
		sha256sum coreutils
		xz xz-utils
	END
	[ "$(id -u)" = 0 ] || echo "newuidmap uidmap"
}

check_host() {
	local cmd pkg missing=()

	[ "$(uname -m)" = x86_64 ] || die "this host is $(uname -m); only x86_64 hosts are supported"
	while read -r cmd pkg; do
		command -v "$cmd" >/dev/null || missing+=("$pkg")
	done < <(host_needs)
	[ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || missing+=(debian-archive-keyring)
	[ ${#missing[@]} = 0 ] || install_host "${missing[@]}"
	[ "$(id -u)" = 0 ] || check_rootless
}

# Ids of others that this user may hand out, and a kernel that lets him.
check_rootless() {
	local user file

	user=$(id -un)
	for file in /etc/subuid /etc/subgid; do
		grep -qsE "^($user|$(id -u)):" "$file" ||
			die "rootless use needs ids for $user in $file: usermod --add-subuids 100000-165535" \
				"--add-subgids 100000-165535 $user"
	done
	unshare --map-auto --map-root-user true 2>/dev/null ||
		die "rootless use needs user namespaces, which this host refuses; run as root"
}

install_host() {
	local log=$VGPU_CACHE/host-packages.log

	[ "$(id -u)" = 0 ] || die "missing host packages: apt-get install $*"
	run_logged "installing host packages: $*" "$log" bash -c '
		apt-get -q update
		DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends "$@"' - "$@"
}

# Roots may be left by an older version of their inputs; the cache keeps them until it is removed.
provision_root() {
	local profile=$1

	[ -f "$TOP/tools/root.d/$profile.list" ] || die "no such thing to provision: $profile"
	cached "root-$profile" "$(root_key "$profile")" 4000 make_root "$profile"
}

make_root() {
	run_logged "Debian $SUITE root '$1'" "$VGPU_CACHE/root-$1.log" \
		as_root unshare -m -- bash "$TOP/tools/mkroot.sh" "$1" "$2"
}


need_dir "$VGPU_CACHE"
# What is made of other provisioned things checks it once.
[ -n "${VGPU_HOST_CHECKED:-}" ] || check_host
export VGPU_HOST_CHECKED=1
for what in "$@"; do
	case $what in
	qemu) "$TOP/tools/mkqemu.sh" >/dev/null ;;
	linux) "$TOP/tools/mklinux.sh" ;;
	*) provision_root "$what" ;;
	esac
done
