#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Have a QEMU source tree in the cache with a place for our device: hw/misc/vgpu. It comes from
# Debian's source package or from QEMU_SRC (a tree or a tarball). Prints nothing when it is there.

. "$(dirname "$0")/lib.sh"

unpack() {
	local tree

	if [ -z "${QEMU_SRC:-}" ]; then
		bash "$TOP/tools/fetch.sh" "$1/dl" source qemu
		(cd "$1" && "$TOP/tools/in-root" sh -c 'dpkg-source -x dl/*.dsc src')
		rm -r "$1/dl"
	elif [ -d "$QEMU_SRC" ]; then
		mkdir "$1/src"
		tar -C "$QEMU_SRC" --exclude=./build --exclude=./.git -c . | tar -C "$1/src" -x
	elif [ -f "$QEMU_SRC" ]; then
		mkdir "$1/src"
		tar -C "$1/src" --strip-components=1 -xf "$QEMU_SRC"
	else
		die "QEMU_SRC=$QEMU_SRC is neither a tree nor a tarball"
	fi
	tree=$1/src
	[ -f "$tree/hw/misc/meson.build" ] || die "this is no QEMU source: ${QEMU_SRC:-archive}"
	hook "$tree"
}

# The lines that make QEMU build hw/misc/vgpu, with its Kconfig symbol and its trace events. The
# directory is empty here: build-qemu.sh brings its contents.
hook() {
	local misc=$1/hw/misc

	grep -q "subdir('vgpu')" "$misc/meson.build" || echo "subdir('vgpu')" >>"$misc/meson.build"
	grep -q 'source vgpu/Kconfig' "$misc/Kconfig" || echo 'source vgpu/Kconfig' >>"$misc/Kconfig"
	grep -q "'hw/misc/vgpu'" "$1/meson.build" ||
		sed -i "s,^\( *\)'hw/misc/macio'\,,&\n\1'hw/misc/vgpu'\,," "$1/meson.build"
	grep -q "'hw/misc/vgpu'" "$1/meson.build" || die "cannot hook hw/misc/vgpu into this QEMU"
	cp "$TOP/tools/qemu-devices.mak" "$1/configs/devices/x86_64-softmmu/vgpu.mak"
	mkdir -p "$misc/vgpu"
	touch "$misc/vgpu/meson.build" "$misc/vgpu/Kconfig" "$misc/vgpu/trace-events"
	hook_object "$1/qapi/qom.json"
}

# -object takes only types that the QAPI schema lists.
hook_object() {
	! grep -q VgpuHiveProperties "$1" || return 0
	sed -i -e "s/^    'tls-creds-x509',$/&\n    'vgpu-hive',/" \
		-e "s/^      'tls-creds-x509': .*/&\n      'vgpu-hive':                  'VgpuHiveProperties',/" "$1"
	cat >>"$1" <<-'END'

	##
	# @VgpuHiveProperties:
	#
	# Properties for vgpu-hive objects.
	#
	# @segment: global address space that each node owns (default: 64 GiB)
	#
	# @nodes: dies that the hive has places for (default: 2)
	#
	# Since: 10.0
	##
	{ 'struct': 'VgpuHiveProperties',
	  'data': { '*segment': 'size', '*nodes': 'uint32' } }
	END
	[ "$(grep -c "'vgpu-hive'" "$1")" = 2 ] || die "cannot hook vgpu-hive into this QEMU"
}

make_tree() {
	run_logged "QEMU source" "$VGPU_CACHE/qemu-src.log" unpack "$1"
}

k=$(key "$SUITE" "${QEMU_SRC:-archive}" "$TOP/tools/mkqemu.sh" "$TOP/tools/qemu-devices.mak")
cached qemu-src "$k" 1500 make_tree
printf '%s\n' "$VGPU_CACHE/qemu-src-$k/src"
