#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Build QEMU with the device of this checkout and put the binary into build/qemu/. The QEMU tree and
# its objects are in the cache and shared: only what differs in qemu-device/ and uapi/ is compiled.

. "$(dirname "$0")/lib.sh"

"$TOP/tools/check-qemu-src.sh"
src=$("$TOP/tools/mkqemu.sh")
out=${src%/src}/build

configure=(--cc='ccache gcc' --host-cc='ccache gcc' --target-list=x86_64-softmmu
	--without-default-features --without-default-devices --with-devices-x86_64=vgpu
	--enable-system --enable-tcg --enable-kvm --disable-download --disable-debug-info --disable-install-blobs
	--extra-cflags=-O2)

# Contents decide, not times: checkouts take turns on this tree.
sync_device() {
	local dst=$src/hw/misc/vgpu stage=$VGPU_CACHE/qemu-sync

	rm -rf "$stage"
	cp -rT "$TOP/qemu-device" "$stage"
	mkdir -p "$stage/uapi"
	cp -r "$TOP/uapi/hw" "$stage/uapi"
	touch -a "$stage/trace-events"
	# meson looks for sources only when it configures. An interruption must not make it forget that.
	"$TOP/tools/in-root" rsync -rcin --delete "$stage/" "$dst" >"$stage.changes"
	! grep -qE '^(>f\+|\*del)' "$stage.changes" || touch "$dst/meson.build"
	"$TOP/tools/in-root" rsync -rc --delete "$stage/" "$dst"
	rm -r "$stage" "$stage.changes"
}

# What -object takes is in a schema of QEMU's; ours is the last entry of it (see mkqemu.sh).
sync_schema() {
	local schema=$src/qapi/qom.json line

	line=$(grep -n '^# @VgpuHiveProperties:' "$schema") || die "no vgpu-hive in $schema"
	head -n $((${line%%:*} - 3)) "$schema" | cat - "$TOP/qemu-device/hive.json" >"$schema.new"
	if cmp -s "$schema.new" "$schema"; then
		rm "$schema.new"
	else
		mv "$schema.new" "$schema"
	fi
}

configure_qemu() {
	mkdir -p "$out"
	(cd "$out" && "$TOP/tools/in-root" ../src/configure "${configure[@]}")
	key "${configure[@]}" >"$out/.configured"
}

configured() {
	[ -e "$out/build.ninja" ] || return
	[ "$(cat "$out/.configured" 2>/dev/null)" = "$(key "${configure[@]}")" ]
}

build() {
	local log=$VGPU_CACHE/qemu-build.log

	need_space "$VGPU_CACHE" 1000
	sync_device
	sync_schema
	configured ||
		run_logged "configuring QEMU" "$VGPU_CACHE/qemu-configure.log" configure_qemu
	run_logged "building QEMU" "$log" "$TOP/tools/in-root" ninja -C "$out" -j "$JOBS" qemu-system-x86_64
	mkdir -p "$BUILD/qemu"
	cp "$out/qemu-system-x86_64" "$BUILD/qemu/.new"
	mv "$BUILD/qemu/.new" "$BUILD/qemu/qemu-system-x86_64"
}

need_dir "$BUILD"
with_lock qemu-build build
