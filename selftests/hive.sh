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

# What follows is asked of every die after every change: nothing of it starts a process, which is
# what takes time in an emulated guest.

# All dies that are bound: "HIVE/NODE/ID " each
survey() {
	local die hive node id

	bound=
	for die in $DRIVER/*:*; do
		{ read -r hive <"$die/xgmi_hive_info/xgmi_hive_id" &&
			read -r node <"$die/xgmi_physical_id" &&
			read -r id <"$die/xgmi_device_id"; } 2>/dev/null || continue
		bound="$bound$hive/$node/$id "
	done
}

# knows DIE: its links lead to the members of its hive, by node, and to nobody else; it knows a way
# to each, and none is as short as that to itself.
knows() {
	local die=$1 hive node id hop entry want="" have="" count=0 hops=0 zeroes=0

	read -r hive <"$die/xgmi_hive_info/xgmi_hive_id" || return 1
	for node in 0 1 2 3 4 5 6 7; do
		for entry in $bound; do
			case $entry in
			"$hive/$node/"*)
				want="$want$((node + 1)):${entry##*/} "
				count=$((count + 1)) ;;
			esac
		done
		if [ -e "$die/xgmi_hive_info/node$((node + 1))" ]; then
			read -r id <"$die/xgmi_hive_info/node$((node + 1))/xgmi_device_id" || return 1
			have="$have$((node + 1)):$id "
		fi
	done
	read -r entry <"$die/xgmi_num_hops" || return 1
	for hop in $entry; do
		hops=$((hops + 1))
		[ "$hop" != 00 ] || zeroes=$((zeroes + 1))
	done
	[ "$have" = "$want" ] && [ $hops = $count ] && [ $zeroes = 1 ] && return
	note "${die##*/} knows $have, not $want; hops: $entry"
	return 1
}

# Everybody who is bound knows just those who are bound, of the same hive.
agreed() {
	local die

	survey
	for die in $DRIVER/*:*; do
		[ ! -e "$die" ] || knows "$die" || return 1
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
