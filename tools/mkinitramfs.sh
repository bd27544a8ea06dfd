#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Make the guest's initramfs: busybox, the kernel modules that vgpu.ko and the result ports need,
# the tools, the selftests and the libraries they are linked with. Runs inside the build root.
#
#   mkinitramfs.sh OUTPUT MODULES MODULE-DIR [PROGRAM-DIR:GUEST-DIR...]
#
# MODULES: a directory that has lib/modules/VERSION with vgpu.ko among them; "-": the build root's
# kernel, and the driver is the one module in MODULE-DIR.

set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd -P)
out=$1
modules=$2
module=$3
shift 3
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

mkdir -p "$tree"/{bin,dev,etc,proc,sys,tmp,usr/bin,lib64,lib/x86_64-linux-gnu,selftests}
cp /bin/busybox "$tree/bin"
for applet in $(busybox --list); do
	[ "$applet" = busybox ] || ln -s busybox "$tree/bin/$applet"
done
install -m 755 "$top/tools/guest/init" "$tree/init"
install -m 755 "$top/tools/guest/host" "$tree/bin/host"
cp "$top/tools/guest/motd" "$tree/etc/motd"
echo 'root:x:0:0:root:/tmp:/bin/sh' >"$tree/etc/passwd"

# Modules go in uncompressed: busybox cannot unpack them, and the boot has no time for it. Only the
# driver and what it depends on are taken.
add_modules() {
	local base=$modules version dir file

	[ "$base" != - ] || base=/
	version=$(basename "$(echo "${base%/}"/lib/modules/*)")
	dir=$tree/lib/modules/$version
	mkdir -p "$dir"
	if [ "$modules" = - ]; then
		cp "$module"/*.ko "$dir"
		modinfo -F depends "$module"/*.ko | tr ',' '\n' | grep . || true
	else
		echo vgpu
	fi | while read -r name; do
		modprobe -d "$base" -S "$version" --show-depends "$name" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
	done | sort -u | while read -r file; do
		case $file in
		*.xz) xz -dc "$file" >"$dir/$(basename "$file" .xz)" ;;
		*) cp "$file" "$dir" ;;
		esac
	done
	# Debugging information is most of a module, and of no use to a guest; signatures end with it.
	strip --strip-debug "$dir"/*.ko
	cp "${base%/}/lib/modules/$version"/modules.{builtin,builtin.modinfo,order} "$dir"
	depmod -b "$tree" "$version"
}
add_modules

# The programs, then every library that one of them is linked with.
add_programs() {
	local from=$1 to=$tree$2 file

	[ -d "$from" ] || return 0
	mkdir -p "$to"
	find "$from" -maxdepth 1 -type f ! -name '*.[od]' -exec cp -t "$to" {} +
	find "$to" -maxdepth 1 -type f -perm /111 | while read -r file; do
		# Not of a script, which is no error.
		{ ldd "$file" 2>/dev/null || true; } | sed -n 's/^[^/]*\(\/[^ ]*\) (0x.*/\1/p'
	done
}
for pair in "$@"; do
	add_programs "${pair%%:*}" "${pair#*:}"
done | sort -u | while read -r file; do
	mkdir -p "$tree$(dirname "$file")"
	cp -L "$file" "$tree$file"
done

# libdrm_amdgpu looks names of products up here, and says so when it cannot.
install -D -m 644 -t "$tree/usr/share/libdrm" /usr/share/libdrm/amdgpu.ids

mkdir -p "$(dirname "$out")"
(cd "$tree" && find . -print0 | sort -z | cpio --quiet -0 -o -H newc -R 0:0) >"$out.new"
mv "$out.new" "$out"
