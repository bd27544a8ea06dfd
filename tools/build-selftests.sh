#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Build the selftests with the kernel's own kselftest makefile and harness, install them the way
# kselftest does, and write their list.
#
#   build-selftests.sh OUTPUT      OUTPUT/bin: programs, scripts and files; OUTPUT/list: names

. "$(dirname "$0")/lib.sh"

out=${1:?usage: build-selftests.sh OUTPUT}
linux=$("$TOP/tools/mklinux.sh")

ksft() {
	"$TOP/tools/in-root" make -s -C selftests KSELFTEST_DIR="$linux/tools/testing/selftests" \
		OUTPUT="$out/obj" COLLECTION=vgpu -j "$JOBS" "$@"
}

mkdir -p "$out/obj"
rm -rf "${out:?}/bin"
ksft install INSTALL_PATH="$out/bin"
ksft emit_tests | sed -n 's/^vgpu://p' >"$out/list"
