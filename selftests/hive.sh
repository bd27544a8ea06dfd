#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Dies join and leave their hive in every order, and everybody knows who is there. Two hives in a
# guest have nothing to do with each other. Documentation/hive.rst, "The hive in the driver".

. ./ktap.sh

PCI=/sys/bus/pci/devices
DRIVER=/sys/bus/pci/drivers/vgpu

all=$(dies)
count=$(echo "$all" | grep -c .)
[ "$count" -gt 0 ] || skip_all "no die"

unbind() {
	echo "$1" >$DRIVER/unbind
}

bind() {
	echo "$1" >$DRIVER/bind
}

# hive_of DIE: its hive's id; empty: none
hive_of() {
	cat "$PCI/$1/xgmi_hive_info/xgmi_hive_id" 2>/dev/null
}

# members HIVE: of the dies that are bound, those in it, by node
members() {
	local die id node

	for node in 0 1 2 3 4 5 6 7; do
		for die in $DRIVER/*:*; do
			die=${die##*/}
			read -r id 2>/dev/null <"$PCI/$die/xgmi_hive_info/xgmi_hive_id" || continue
			[ "$id" = "$1" ] && read -r id <"$PCI/$die/xgmi_physical_id" &&
				[ "$id" = $node ] && echo "$die"
		done
	done
}

# A member's links lead to all members, by node, and to nobody else; it knows a way to each.
knows() {
	local die=$1 link path have="" hop hops=0 zeroes=0

	for link in "$PCI/$die"/xgmi_hive_info/node*; do
		path=$(readlink -f "$link")
		have="$have${path##*/} "
	done
	for hop in $(cat "$PCI/$die/xgmi_num_hops"); do
		hops=$((hops + 1))
		[ "$hop" != 00 ] || zeroes=$((zeroes + 1))
	done
	shift
	[ "$have" = "$* " ] && [ $hops = $# ] && [ $zeroes = 1 ] && return
	note "$die knows $have, not $*; hops: $hops, to itself: $zeroes"
	return 1
}

# Everybody who is bound knows just those who are bound, of the same hive.
agreed() {
	local die list

	for die in $DRIVER/*:*; do
		[ -e "$die" ] || continue
		die=${die##*/}
		list=$(members "$(hive_of "$die")")
		# shellcheck disable=SC2086 # names
		knows "$die" $list || return 1
	done
}

works() {
	local n=0

	for die in $(dies); do
		vgpu-submit -q -d $n -e NOP1 >/dev/null || return 1
		n=$((n + 1))
	done
}

# One goes, the rest are told; it comes back.
leave_and_join() {
	unbind "$1" && agreed && bind "$1" && agreed
}

# All go, and come back in the order given.
reload() {
	local die

	for die in $(dies); do
		unbind "$die" && agreed || return 1
	done
	for die in "$@"; do
		bind "$die" && agreed || return 1
	done
	works
}

reversed() {
	echo "$all" | sed '1!G;h;$!d'
}

# The way out and the way in each start at another die.
rotated() {
	echo "$all" | sed 1d
	echo "$all" | sed 1q
}

# A reset counts for the members of the hive, and for nobody else.
resets() {
	cat "$DRI/$1/vgpu_hive_reset"
}

# reset_is_the_hives MODE
reset_is_the_hives() {
	local first die before="" after want

	first=$(echo "$all" | sed 1q)
	for die in $all; do
		before="$before $die:$(resets "$die")"
	done
	echo "$1" >"$DRI/$first/vgpu_hive_reset" || return 1
	for die in $all; do
		want=$(echo "$before" | xargs -n 1 | sed -n "s/^$die://p")
		if [ "$die" = "$first" ]; then
			want=$((want + 1))
		elif [ -n "$(hive_of "$die")" ] && [ "$(hive_of "$die")" = "$(hive_of "$first")" ]; then
			want=$((want + 1))
		fi
		after=$(resets "$die")
		[ "$after" = "$want" ] || { note "$die: $after resets, not $want"; return 1; }
	done
	works
}

# Without a hive there is none of its files, and the reset is the die's alone.
if [ -z "$(hive_of "$(echo "$all" | sed 1q)")" ]; then
	plan 3
	! ls "$PCI"/*/xgmi_* >/dev/null 2>&1
	result $? "no file speaks of a hive"
	check "mode-2 reset of a die by itself" reset_is_the_hives 2
	check "mode-1 reset of a die by itself" reset_is_the_hives 1
	finish
fi

plan $((count + 8))
check "everybody knows everybody" agreed
for die in $all; do
	check "leave and join: $die" leave_and_join "$die"
done
# shellcheck disable=SC2046,SC2086 # lists of names
check "reload in order" reload $all
# shellcheck disable=SC2046
check "reload in reverse" reload $(reversed)
# shellcheck disable=SC2046
check "reload from the middle" reload $(rotated)
check "a mode-2 reset is the hive's" reset_is_the_hives 2
check "a mode-1 reset is the hive's" reset_is_the_hives 1
check "leave and join after it" leave_and_join "$(echo "$all" | sed 1q)"
again() {
	rmmod vgpu && modprobe vgpu && agreed && works
}
check "load again" again
finish
