#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# The figures, each beside its control in the same run: the device's core on the host, submissions
# and copies in a guest, and what two dies and the driver add to a boot. Nothing is asserted: a
# figure of a busy machine is a figure of that machine. Documentation/development.rst, "Figures".

. "$(dirname "$0")/lib.sh"

BOOTS=3

now_ms() {
	date +%s%3N
}

# boot_ms DEVICES COMMAND: milliseconds from starting QEMU to the guest's end.
boot_ms() {
	local start

	start=$(now_ms)
	"$TOP/tools/boot.sh" --devices "$1" -- "$2" >/dev/null 2>"$BUILD/log/bench-boot.log" ||
		die "the guest failed; see $BUILD/log/bench-boot.log"
	echo $(($(now_ms) - start))
}

median() {
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

need_dir "$BUILD/log"
run_logged "building benchmarks" "$BUILD/log/bench-build.log" "$TOP/tools/in-root" \
	make -f tools/host-tests.mk FLAVOUR=bench OUTPUT="$BUILD/host-bench" -j "$JOBS"

echo "# core/ alone, one host thread (aim: 20 M/s; copy to memcpy 0.8)"
for bench in "$BUILD"/host-bench/bench-*; do
	[ ! -x "$bench" ] || "$TOP/tools/in-root" "$bench"
done

echo "# in a guest (aim: a submission in 3 traps)"
"$TOP/tools/boot.sh" -- 'modprobe vgpu && vgpu-bench' 2>"$BUILD/log/bench-guest.log" ||
	die "the guest failed; see $BUILD/log/bench-guest.log"

# Memory of each die is enough for the two copies; one that nobody touches costs nothing.
for dies in 2 8; do
	echo "# $dies dies in a guest (aims: cost no more than the number of dies; reset of 8 in 1.5 times that of 2)"
	"$TOP/tools/boot.sh" --devices "dies=$dies,vram=192M" -- 'modprobe vgpu && vgpu-bench hive' \
		2>"$BUILD/log/bench-hive.log" || die "the guest failed; see $BUILD/log/bench-hive.log"
done

echo "# boot to power-off, median of $BOOTS (aim: 1 s more with two dies and the driver)"
dies='vgpu-hive,id=h0,segment=64G vgpu,hive=h0,node=0 vgpu,hive=h0,node=1'
for ((i = 0; i < BOOTS; i++)); do
	boot_ms "$dies" 'modprobe vgpu' >>"$BUILD/log/bench-with.$$"
	boot_ms none true >>"$BUILD/log/bench-without.$$"
done
with=$(median <"$BUILD/log/bench-with.$$")
without=$(median <"$BUILD/log/bench-without.$$")
rm -f "$BUILD/log/bench-with.$$" "$BUILD/log/bench-without.$$"
echo "boot-with-dies $with ms"
echo "boot-without $without ms"
echo "boot-difference $((with - without)) ms"
