#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Build the debug kernel of tools/debug.config with the driver of this checkout in its tree as
# drivers/gpu/drm/vgpu; kernel and module go to build/debug/. The tree and its objects are in the
# cache and shared: a change of the driver compiles the driver.

. "$(dirname "$0")/lib.sh"

linux=$("$TOP/tools/mklinux.sh")
dir=$VGPU_CACHE/linux-debug-$(key "$linux" "$TOP/tools/debug.config")
src=$dir/src
out=$dir/out

# A tree of hard links: what is changed here is replaced, never written into.
make_tree() {
	as_root rm -rf "$dir"
	mkdir -p "$out"
	cp -al "$linux" "$src"
	# shellcheck disable=SC2016 # a variable of make
	sed -i '/^obj-y.*+= tiny\//a obj-$(CONFIG_DRM_VGPU) += vgpu/' "$src/drivers/gpu/drm/Makefile"
	sed -i '/^source "drivers\/gpu\/drm\/vc4\/Kconfig"/a source "drivers/gpu/drm/vgpu/Kconfig"' \
		"$src/drivers/gpu/drm/Kconfig"
	grep -q vgpu "$src/drivers/gpu/drm/Makefile" || die "cannot hook vgpu into this kernel's Makefile"
	grep -q vgpu "$src/drivers/gpu/drm/Kconfig" || die "cannot hook vgpu into this kernel's Kconfig"
	touch "$dir/.tree"
}

sync_driver() {
	local stage=$VGPU_CACHE/debug-sync

	rm -rf "$stage"
	mkdir "$stage"
	cp "$TOP"/driver/*.[ch] "$TOP"/driver/{Kconfig,Makefile} "$stage"
	cp -r "$TOP/uapi" "$stage/uapi"
	echo 'ccflags-y += -Werror' >>"$stage/Makefile"
	"$TOP/tools/in-root" rsync -rc --delete "$stage/" "$src/drivers/gpu/drm/vgpu"
	rm -r "$stage"
}

# Every option asked for must be in the result: a checker that is silently off proves nothing.
configure() {
	local line missing=0

	"$TOP/tools/in-root" make -s -C "$src" O="$out" tinyconfig
	"$TOP/tools/in-root" "$src/scripts/kconfig/merge_config.sh" -m -O "$out" \
		"$out/.config" "$TOP/tools/debug.config"
	"$TOP/tools/in-root" make -s -C "$src" O="$out" olddefconfig
	while read -r line; do
		grep -qxF "$line" "$out/.config" || {
			echo "error: not in the kernel's configuration: $line"
			missing=1
		}
	done < <(grep '^CONFIG_' "$TOP/tools/debug.config")
	[ $missing = 0 ]
	touch "$out/.configured"
}

compile() {
	"$TOP/tools/in-root" make -C "$src" O="$out" -j "$JOBS" bzImage modules
}

install_result() {
	local dst=$BUILD/debug

	rm -rf "$dst.new"
	mkdir -p "$dst.new"
	"$TOP/tools/in-root" make -s -C "$src" O="$out" INSTALL_MOD_PATH="$dst.new" modules_install
	cp "$out/arch/x86/boot/bzImage" "$dst.new/vmlinuz"
	rm -rf "$dst"
	mv "$dst.new" "$dst"
}

build() {
	need_space "$VGPU_CACHE" 3000
	[ -e "$dir/.tree" ] || run_logged "preparing the debug kernel's tree" "$VGPU_CACHE/debug-tree.log" make_tree
	sync_driver
	[ -e "$out/.configured" ] ||
		run_logged "configuring the debug kernel" "$VGPU_CACHE/debug-configure.log" configure
	run_logged "building the debug kernel" "$VGPU_CACHE/debug-build.log" compile
	install_result
}

need_dir "$BUILD"
with_lock linux-debug build
