#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# debugfs, sysfs and tracepoints: every file can be read, also while jobs run, and says what is
# known from elsewhere; each step of a submission has its tracepoint.
# Documentation/driver.rst, "Looking inside".

. ./ktap.sh

TRACE=/sys/kernel/tracing
FILES="vgpu_blocks vgpu_fences vgpu_gtt vgpu_ih vgpu_path vgpu_vm vgpu_vram"
RINGS="gfx kiq comp0 comp1 comp2 comp3 comp4 comp5 comp6 comp7 sdma0 sdma1 sdma2 sdma3 sdma4"

die=$(dies | head -n 1)
[ -n "$die" ] || skip_all "no die"
[ -d $DRI ] || skip_all "no debugfs"

readable() {
	[ -n "$(cat "$DRI/$die/$1")" ]
}

# The last packets that vgpu-submit put in: what the decoder has to show
submit() {
	vgpu-submit -q -r "$1" -e "$2" >/dev/null
}

gfx_decoded() {
	submit gfx NOP1 && grep -q 'INDIRECT_BUFFER' "$DRI/$die/vgpu_ring_gfx" &&
		grep -q 'RELEASE_MEM' "$DRI/$die/vgpu_ring_gfx"
}

compute_decoded() {
	submit comp5 NOP1 && grep -q 'INDIRECT_BUFFER' "$DRI/$die/vgpu_ring_comp5" &&
		grep -q 'RELEASE_MEM' "$DRI/$die/vgpu_ring_comp5"
}

# What it did last: it answered a request.
kiq_decoded() {
	grep -q 'WRITE_DATA' "$DRI/$die/vgpu_ring_kiq"
}

sdma_decoded() {
	submit sdma1 'NOP' && grep -q 'INDIRECT' "$DRI/$die/vgpu_ring_sdma1" &&
		grep -q 'FENCE' "$DRI/$die/vgpu_ring_sdma1" &&
		grep -q 'TRAP' "$DRI/$die/vgpu_ring_sdma1"
}

emitted() {
	awk '$1 == "gfx" { print $2 }' "$DRI/$die/vgpu_fences"
}

# One submission is one fence.
fence_counted() {
	local before

	before=$(emitted)
	submit gfx NOP1 && [ "$(emitted)" = $((before + 1)) ]
}

# "N MiB at ADDRESS, used N KiB; ..." against sysfs
vram_agrees() {
	local used

	used=$(sed -n '1s/.*, used \([0-9]*\) KiB; .*/\1/p' "$DRI/$die/vgpu_vram")
	[ "$used" = $(($(cat "/sys/bus/pci/devices/$die/mem_info_vram_used") / 1024)) ]
}

# Recording takes 0 and 1 and nothing else.
path_switch() {
	echo 1 >"$DRI/$die/vgpu_path" || return 1
	submit gfx NOP1
	grep -q '^waiter awake' "$DRI/$die/vgpu_path" || return 1
	echo 0 >"$DRI/$die/vgpu_path" || return 1
	! echo rubbish 2>/dev/null >"$DRI/$die/vgpu_path"
}

# What a file owns is there as long as it is open.
file_listed() {
	local code

	grep -q "^pid $$," "$DRI/$die/vgpu_gem" && return 1
	exec 8<>/dev/dri/renderD128
	grep -q "^pid $$," "$DRI/$die/vgpu_gem"
	code=$?
	exec 8>&-
	[ $code = 0 ] && ! grep -q "^pid $$," "$DRI/$die/vgpu_gem"
}

# Readers and jobs at once.
busy() {
	local i=0 code=0 reader

	while :; do
		cat "$DRI/$die"/vgpu_* >/dev/null 2>&1
	done &
	reader=$!
	while [ $i -lt 10 ]; do
		submit gfx NOP1 && submit sdma0 'NOP' || code=1
		i=$((i + 1))
	done
	kill $reader
	wait $reader 2>/dev/null
	return $code
}

# The steps in the trace of one submission, in this order.
traced() {
	local step last=0 line

	echo 0 >$TRACE/tracing_on
	echo >$TRACE/trace
	echo 1 >$TRACE/events/vgpu/enable || return 1
	echo 1 >$TRACE/tracing_on
	submit gfx NOP1
	echo 0 >$TRACE/tracing_on
	echo 0 >$TRACE/events/vgpu/enable
	for step in vgpu_cs_ioctl vgpu_sched_run_job vgpu_ring_write vgpu_doorbell vgpu_irq vgpu_iv \
		vgpu_fence_signal; do
		line=$(awk -v step="$step:" -v last=$last '
			/vgpu_cs_ioctl:/ { begun = 1 }
			begun && NR > last && index($0, step) { print NR; exit }' $TRACE/trace)
		if [ -z "$line" ]; then
			note "no $step behind line $last of the trace"
			return 1
		fi
		last=$line
	done
}

plan $(($(echo "$FILES $RINGS" | wc -w) + 10))
for file in $FILES; do
	check "$file" readable "$file"
done
for ring in $RINGS; do
	check "vgpu_ring_$ring" readable "vgpu_ring_$ring"
done
check "gfx ring is decoded" gfx_decoded
check "compute ring is decoded" compute_decoded
check "KIQ is decoded" kiq_decoded
check "SDMA ring is decoded" sdma_decoded
check "a submission is a fence" fence_counted
check "VRAM use agrees with sysfs" vram_agrees
check "the path is switched on and off" path_switch
check "open files are listed" file_listed
check "readers do not disturb jobs" busy
check "every step is traced" traced
finish
