#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Dies join and leave their hive in every order, and everybody knows who is there. Two hives in a
# guest have nothing to do with each other, nor with a die that is in none; vgpu-info draws each as
# sysfs has it.
# Documentation/hive.rst, "The hive in the driver".

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

# Who is in a hive, and who is not: a blank around each
members=" " loners=" "
for die in $all; do
	if [ -n "$(hive_of "$die")" ]; then
		members="$members$die "
	else
		loners="$loners$die "
	fi
done

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

# alone DIE: nothing of it speaks of a hive.
alone() {
	[ ! -e "$1/xgmi_hive_info" ] && [ ! -e "$1/xgmi_device_id" ] && [ ! -e "$1/xgmi_num_hops" ] &&
		return
	note "${1##*/} speaks of a hive"
	return 1
}

# Everybody who is bound knows just those who are bound, of the same hive.
agreed() {
	local die

	survey
	for die in $DRIVER/*:*; do
		[ -e "$die" ] || continue
		case $loners in
		*" ${die##*/} "*) alone "$die" || return 1 ;;
		*) knows "$die" || return 1 ;;
		esac
	done
}

# One goes, the rest are told; it comes back.
leave_and_join() {
	unbind "$1" && agreed && bind "$1" && agreed
}

# reload LEAVE JOIN: all go in one order, and come back in the other.
reload() {
	local die

	for die in $1; do
		unbind "$die" && agreed || return 1
	done
	for die in $2; do
		bind "$die" && agreed || return 1
	done
	works "$(dies | wc -l)"
}

# order N: all, from the N-th on around
order() {
	local skip=$1 die first="" rest=""

	for die in $all; do
		skip=$((skip - 1))
		if [ $skip -gt 0 ]; then
			rest="$rest $die"
		else
			first="$first $die"
		fi
	done
	echo "$first$rest"
}

backwards() {
	local die list=

	for die in $1; do
		list="$die $list"
	done
	echo "$list"
}

# A reset counts for the members of the hive, and for nobody else.
resets() {
	cat "$DRI/$1/vgpu_hive_reset"
}

# reset_is_the_hives MODE DIE: it asks
reset_is_the_hives() {
	local first=$2 die before="" after want

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
	works "$(dies | wc -l)"
}

# place_of DIE: into place, where it stands in every list of members, which is in the order they
# joined: where it is no hop from itself.
place_of() {
	local hops hop

	place=1
	read -r hops <"$PCI/$1/xgmi_num_hops"
	for hop in $hops; do
		[ "$hop" != 00 ] || return
		place=$((place + 1))
	done
}

# pick LIST N: into picked, the N-th of hexadecimal numbers
pick() {
	local n=$2

	# shellcheck disable=SC2086 # a list
	set -- $1
	shift $((n - 1))
	picked=$((0x$1))
}

# What vgpu-info has to draw, from sysfs alone: nodes, rows of the matrix, links
drawing_of() {
	local hive=$1 die id node other place picked vram hops links row order="" number=0

	for node in 0 1 2 3 4 5 6 7; do
		for die in $all; do
			{ read -r id <"$PCI/$die/xgmi_hive_info/xgmi_hive_id" &&
				read -r other <"$PCI/$die/xgmi_physical_id"; } 2>/dev/null || continue
			[ "$id/$other" = "$hive/$node" ] || continue
			place_of "$die"
			order="$order $node:$die:$place"
			number=$((number + 1))
		done
	done
	echo "nodes $number"
	for node in $order; do
		die=${node#*:}
		die=${die%:*}
		node=${node%%:*}
		read -r vram <"$PCI/$die/mem_info_vram_total"
		read -r hops <"$PCI/$die/xgmi_num_hops"
		read -r links <"$PCI/$die/xgmi_num_links"
		echo "node $node $die $((vram >> 20)).0"
		row=
		for other in $order; do
			pick "$hops" "${other##*:}"
			row="$row $picked"
			other=${other%%:*}:${other##*:}
			if [ "$picked" = 1 ] && [ "$node" -lt "${other%:*}" ]; then
				pick "$links" "${other#*:}"
				echo "link $node ${other%:*} $picked up"
			fi
		done
		echo "hops $node$row"
	done
}

# drawn HIVE: the same from vgpu-info
drawn() {
	vgpu-info --hive | tr -d , | awk -v hive="$(printf '%#x:' "$1")" '
		$1 == "hive" { mine = $2 == hive; matrix = 0; if (mine) print "nodes", $3; next }
		!mine { next }
		$1 == "node" { print "node", $2, $3, $(NF - 2) }
		$4 == "width" { print "link", $1, $3, $5, $6 }
		matrix { print "hops " $0 }
		$1 == "hops" { matrix = 1 }' |
		sed 's/  */ /g' | sort
}

draws_hives() {
	local hive

	for hive in $(for die in $all; do hive_of "$die"; done | sort -u); do
		drawing_of "$hive" | sort >/tmp/want
		drawn "$hive" >/tmp/have
		cmp -s /tmp/want /tmp/have && continue
		note "want:" && sed 's/^/# /' /tmp/want
		note "have:" && sed 's/^/# /' /tmp/have
		return 1
	done
}

draws_loners() {
	local die

	for die in $loners; do
		vgpu-info --hive | grep -qx "$die: in no hive" || return 1
	done
}

# shellcheck disable=SC2086 # lists
set -- $members
member=${1:-}
# shellcheck disable=SC2086
set -- $loners
loner=${1:-}

# What a die in no hive has to do, whoever else is there
alone_tests=0
[ -z "$loner" ] || alone_tests=3
alone_checks() {
	[ -n "$loner" ] || return 0
	check "vgpu-info says who is in no hive" draws_loners
	check "mode-2 reset of a die by itself" reset_is_the_hives 2 "$loner"
	check "mode-1 reset of a die by itself" reset_is_the_hives 1 "$loner"
}

if [ -z "$member" ]; then
	plan $((alone_tests + 1))
	check "no file speaks of a hive" agreed
	alone_checks
	finish
fi

# Of two dies every order; of more, each is the first once, and they leave forwards and backwards.
orders=$count
[ "$count" != 2 ] || orders=4

plan $((count + orders + alone_tests + 7))
check "everybody knows everybody" agreed
check "vgpu-info draws it" draws_hives
for die in $all; do
	check "leave and join: $die" leave_and_join "$die"
done
i=1
while [ $i -le $orders ]; do
	leave=$(order 1)
	[ $i -le $(((orders + 1) / 2)) ] || leave=$(backwards "$leave")
	join=$(order $(((i - 1) % count + 1)))
	check "leave $leave, join $join" reload "$leave" "$join"
	i=$((i + 1))
done
check "vgpu-info draws what joined in another order" draws_hives
check "a mode-2 reset is the hive's" reset_is_the_hives 2 "$member"
check "a mode-1 reset is the hive's" reset_is_the_hives 1 "$member"
alone_checks
check "leave and join after it" leave_and_join "$member"
again() {
	rmmod vgpu && modprobe vgpu && agreed && works "$(dies | wc -l)"
}
check "load again" again
finish
