#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Load and unload the module 20 times: all rings pass their tests each time, and nothing of it is
# left behind. It is not unloaded while somebody uses it. Documentation/architecture.rst, "The life of a die".

. ./ktap.sh

ROUNDS=20
RINGS=6

modprobe vgpu || skip_all "no module"
count=$(dies | wc -l)
[ "$count" -gt 0 ] || skip_all "no die"

# Of each round: messages of the rings, the nodes, the driver's files
came_up() {
	local rings nodes

	mark
	modprobe vgpu || return 1
	rings=$(new_messages | grep -cE 'vgpu .* (gfx|sdma[0-4]): ring test [0-9]+ us, IB test')
	nodes=$(find /dev/dri -name 'renderD*' | wc -l)
	[ "$rings" = $((RINGS * count)) ] && [ "$nodes" = "$count" ] && return
	note "rings $rings of $((RINGS * count)), render nodes $nodes of $count"
	return 1
}

# gone WHAT COMMAND...: it prints nothing
gone() {
	local what=$1 left

	shift
	left=$("$@" 2>/dev/null)
	[ -z "$left" ] && return
	note "left behind: $what: $left"
	return 1
}

workers() {
	ps | grep -E '\[.*(vgpu|gfx|sdma[0-4]).*\]$'
}

went_away() {
	local ok=0

	rmmod vgpu || return 1
	gone module grep '^vgpu ' /proc/modules || ok=1
	gone nodes ls /dev/dri || ok=1
	gone debugfs ls $DRI || ok=1
	gone interrupts grep -i vgpu /proc/interrupts || ok=1
	gone "BAR regions" grep vgpu /proc/iomem || ok=1
	gone "vmalloc areas" grep '\[vgpu\]' /proc/vmallocinfo || ok=1
	# A link is the name of a merged cache, which the kernel keeps.
	gone "slab caches" find /sys/kernel/slab -maxdepth 1 -type d -name 'vgpu*' || ok=1
	gone tracepoints ls -d /sys/kernel/tracing/events/vgpu || ok=1
	gone driver ls -d /sys/bus/pci/drivers/vgpu || ok=1
	gone threads workers || ok=1
	return $ok
}

# Without what the kernel keeps only as long as nobody wants the memory
available() {
	echo 3 >/proc/sys/vm/drop_caches
	awk '/^MemAvailable:/ { print $2 }' /proc/meminfo
}

# busy COMMAND...: rmmod is refused as long as it holds what it opened, and harmless.
refused() {
	if rmmod vgpu 2>/dev/null; then
		note "rmmod was not refused"
		modprobe vgpu
		return 1
	fi
	works "$count"
}

refused_with_file() {
	local code

	exec 8<>/dev/dri/renderD128
	refused
	code=$?
	exec 8>&-
	return $code
}

refused_with_debugfs() {
	local code

	exec 8<$DRI/0/vgpu_ih
	refused
	code=$?
	exec 8>&-
	return $code
}

plan $((2 * ROUNDS + 5))
check "refused with an open file" refused_with_file
check "refused with an open debugfs file" refused_with_debugfs
rmmod vgpu

round=1
while [ $round -le $ROUNDS ]; do
	check "load $round" came_up
	# Every other round something runs meanwhile.
	[ $((round % 2)) = 0 ] || works "$count" || note "round $round: submission failed"
	check "unload $round" went_away
	# Caches and pools have their size after some rounds.
	[ $round = 4 ] && before=$(available)
	round=$((round + 1))
done
after=$(available)

# What a die takes at least: its pool of IBs, 2 MiB. That lost each time would show.
lost=$((before - after))
note "memory available: $before KiB, $((ROUNDS - 4)) rounds later $after KiB"
[ $lost -lt $(((ROUNDS - 4) * count * 1024)) ]
result $? "memory comes back"

check "load at the end" came_up
check "work at the end" works "$count"
finish
