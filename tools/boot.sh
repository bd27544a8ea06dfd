#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Boot the guest that this checkout built and run a command in it; the exit code is the command's.
#
#   boot.sh [boot.py's options] -- COMMAND...     e.g. boot.sh --devices vgpu -- vgpu-info
#   boot.sh --shell

. "$(dirname "$0")/lib.sh"

kernel=${VGPU_KERNEL:-}
initrd=${VGPU_INITRD:-$BUILD/guest/initramfs}
if [ -z "$kernel" ]; then
	kernel=$(echo "$(root_dir build)"/boot/vmlinuz-*)
	kernel=${kernel#"$(root_dir build)"}
fi
[ -e "$initrd" ] && [ -e "$BUILD/qemu/qemu-system-x86_64" ] || die "no guest is built; run make first"
exec "$TOP/tools/in-root" python3 "$TOP/tools/boot.py" \
	--qemu "$BUILD/qemu/qemu-system-x86_64" --kernel "$kernel" --initrd "$initrd" "$@"
