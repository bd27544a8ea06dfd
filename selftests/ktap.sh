# SPDX-License-Identifier: GPL-2.0-only OR MIT
# KTAP for the tests that are scripts, and what several of them look at.
# shellcheck shell=sh

n=0 failed=0 marks=0
DRI=/sys/kernel/debug/dri

plan() {
	echo "TAP version 13"
	echo "1..$1"
}

# result CODE NAME
result() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n $2"
	else
		echo "not ok $n $2"
		failed=$((failed + 1))
	fi
}

# check NAME COMMAND...: it has to succeed
check() {
	local name=$1

	shift
	"$@"
	result $? "$name"
}

# Nothing to test here: KTAP's way to say so
skip_all() {
	echo "TAP version 13"
	echo "1..0 # SKIP $*"
	exit 4
}

finish() {
	[ $failed = 0 ]
	exit
}

note() {
	echo "# $*"
}

# count_of FILE...: how many of them there are; a pattern that matches nothing is none
count_of() {
	local file num=0

	for file in "$@"; do
		[ ! -e "$file" ] || num=$((num + 1))
	done
	echo $num
}

# PCI addresses of the dies, in their order
dies() {
	local dir

	for dir in /sys/bus/pci/drivers/vgpu/*:*; do
		[ -e "$dir" ] && basename "$dir"
	done
}

# works COUNT: as many dies, from the first on, run a packet
works() {
	local index=0

	while [ $index -lt "$1" ]; do
		vgpu-submit -q -d $index -e NOP1 >/dev/null || return 1
		index=$((index + 1))
	done
}

# Kernel messages since the last mark; they stay in the log, which others read for splats.
mark() {
	marks=$((marks + 1))
	echo "vgpu-selftest: mark $$ $marks" >/dev/kmsg
}

new_messages() {
	dmesg | awk -v mark="vgpu-selftest: mark $$ $marks" 'found; index($0, mark) { found = 1 }'
}
