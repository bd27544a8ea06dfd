#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Make the guest's initramfs: busybox, the kernel modules that vgpu.ko and the result ports need,
# the tools, the selftests and the libraries they are linked with. Runs inside the build root.
#
#   mkinitramfs.sh OUTPUT KERNEL-VERSION MODULE-DIR [PROGRAM-DIR:GUEST-DIR...]
#
# KERNEL-VERSION "-" makes one for a kernel without modules; MODULE-DIR has vgpu.ko, or is "-".

set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd -P)
out=$1
version=$2
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

# Modules go in uncompressed: busybox cannot unpack them, and the boot has no time for it.
add_modules() {
	local dir=$tree/lib/modules/$version name file wanted=()

	mkdir -p "$dir/extra"
	if [ -f "$module/vgpu.ko" ]; then
		cp "$module/vgpu.ko" "$dir/extra"
		mapfile -t wanted < <(modinfo -F depends "$module/vgpu.ko" | tr ',' '\n' | grep .)
	fi
	for name in "${wanted[@]}"; do
		modprobe -S "$version" --show-depends "$name" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
	done | sort -u | while read -r file; do
		xz -dc "$file" >"$dir/$(basename "$file" .xz)"
	done
	cp "/lib/modules/$version"/modules.{builtin,builtin.modinfo,order} "$dir"
	depmod -b "$tree" "$version"
}
[ "$version" = - ] || add_modules

# The programs, then every library that one of them is linked with.
add_programs() {
	local from=$1 to=$tree$2 file

	[ -d "$from" ] || return 0
	mkdir -p "$to"
	find "$from" -maxdepth 1 -type f ! -name '*.[od]' -exec cp -t "$to" {} +
	find "$to" -maxdepth 1 -type f -perm /111 | while read -r file; do
		ldd "$file" 2>/dev/null | sed -n 's/.*\(\/[^ ]*\) (0x.*/\1/p'
	done
}
for pair in "$@"; do
	add_programs "${pair%%:*}" "${pair#*:}"
done | sort -u | while read -r file; do
	mkdir -p "$tree$(dirname "$file")"
	cp -L "$file" "$tree$file"
done

mkdir -p "$(dirname "$out")"
(cd "$tree" && find . -print0 | sort -z | cpio --quiet -0 -o -H newc -R 0:0) >"$out.new"
mv "$out.new" "$out"
