#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Unit tests that need no guest: the device's core, and the tools' libraries, all under ASan and
# UBSan. TESTS picks some by name.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tap.sh"

need_dir "$BUILD/log"
run_logged "building host tests" "$BUILD/log/host-tests.log" "$TOP/tools/in-root" \
	make -f tools/host-tests.mk OUTPUT="$BUILD/host-test" -j "$JOBS"

for test in "$BUILD"/host-test/test-*; do
	name=$(basename "$test")
	[ -z "${TESTS:-}" ] || [[ " $TESTS " == *" $name "* ]] || continue
	tap_run "$name" 300 "$TOP/tools/in-root" "$test"
done
tap_done
