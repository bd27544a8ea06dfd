#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# libFuzzer over the device's core, FUZZ_SECONDS (60) for each target; TESTS picks some. What was
# found interesting stays in build/corpus/; an input that crashes is kept and named.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tap.sh"

export FUZZ_SECONDS=${FUZZ_SECONDS:-60}
need_dir "$BUILD/log"
"$TOP/tools/provision.sh" fuzz
run_logged "building fuzzers" "$BUILD/log/fuzz-build.log" "$TOP/tools/in-root" -r fuzz \
	make -f tools/host-tests.mk FLAVOUR=fuzz OUTPUT="$BUILD/host-fuzz" -j "$JOBS"

fuzz() {
	local name=$1 seeds=()

	mkdir -p "$BUILD/corpus/$name"
	[ ! -d "$TOP/qemu-device/tests/corpus/$name" ] || seeds=("$TOP/qemu-device/tests/corpus/$name")
	"$TOP/tools/in-root" -r fuzz "$BUILD/host-fuzz/$name" -max_total_time="$FUZZ_SECONDS" -timeout=20 -len_control=0 \
		-print_final_stats=1 -artifact_prefix="$BUILD/log/$name-" "$BUILD/corpus/$name" "${seeds[@]}"
}

for target in "$BUILD"/host-fuzz/fuzz-*; do
	name=$(basename "$target")
	tap_wanted "$name" || continue
	say "$name: $FUZZ_SECONDS s"
	tap_check "$name" fuzz "$name"
	grep -E 'stat::number_of_executed_units|^#.*DONE' "$BUILD/log/$name.log" || true
done
tap_done
