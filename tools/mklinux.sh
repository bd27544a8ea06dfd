#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Have Debian's Linux source in the cache: checkpatch, kernel-doc, the kselftest harness, amdgpu's
# headers for the facts check, and the source of the debug kernel. Prints its path.

. "$(dirname "$0")/lib.sh"

linux="linux-source-6.12"

unpack() {
	bash "$TOP/tools/fetch.sh" "$1/dl" download "$linux"
	# Of arch/ only x86 is wanted, and nobody reads sound drivers here; Kconfig files must be there.
	dpkg-deb --fsys-tarfile "$1/dl/$linux"_*.deb | tar -xO "./usr/src/$linux.tar.xz" |
		tar -xJ -C "$1" --wildcards --exclude="$linux/Documentation/*/*" \
			--exclude="$linux/arch/[!x]*/*.[chS]" --exclude="$linux/arch/*.dts*" \
			--exclude="$linux/sound/*.[ch]"
	mv "$1/$linux" "$1/src"
	rm -r "$1/dl"
}

make_tree() {
	run_logged "Linux source" "$VGPU_CACHE/linux-src.log" unpack "$1"
}

k=$(key "$SUITE" "$linux" "$TOP/tools/mklinux.sh")
cached linux-src "$k" 3000 make_tree
printf '%s\n' "$VGPU_CACHE/linux-src-$k/src"
