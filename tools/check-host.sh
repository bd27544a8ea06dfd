#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Tests that need no guest: the device's core and the tools' libraries, all under ASan and UBSan, and
# the scripts. TESTS picks some by name.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tap.sh"

cd "$TOP"
need_dir "$BUILD/log"
run_logged "building host tests" "$BUILD/log/host-tests.log" "$TOP/tools/in-root" \
	make -f tools/host-tests.mk OUTPUT="$BUILD/host-test" -j "$JOBS"

for test in "$BUILD"/host-test/test-* tools/test-*.py; do
	name=$(basename "$test" .py)
	! tap_wanted "$name" || tap_run "$name" 300 "$TOP/tools/in-root" "$test"
done
for test in "$TOP"/tools/test-*.sh; do
	name=$(basename "$test" .sh)
	! tap_wanted "$name" || tap_run "$name" 300 "$test"
done
tap_done
