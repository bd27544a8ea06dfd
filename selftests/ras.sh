#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Bad pages outlive the driver, and too many of them end the use of a die. Without poison an error of
# the memory is fatal. Documentation/ras.rst, "Bad pages".

. ./ktap.sh

PCI=/sys/bus/pci/devices
die=$(dies | sed 1q)
count=$(dies | wc -l)
[ -n "$die" ] || skip_all "no die"

ctrl() {
	echo "$*" 2>/dev/null >"$DRI/$die/ras/ras_ctrl"
}

# Of every die: whoever was before, in this guest, may have left bad pages on the others too.
new_table() {
	local each

	for each in $(dies); do
		echo 1 >"$DRI/$each/ras/ras_eeprom_reset" || return 1
	done
}

reload() {
	rmmod vgpu && modprobe vgpu "$@"
}

# listed PAGE STATE
listed() {
	grep -q "^$1 : 0x00001000 : $2\$" "$PCI/$die/ras/gpu_vram_bad_pages"
}

pages() {
	wc -l <"$PCI/$die/ras/gpu_vram_bad_pages"
}

kept_over_reload() {
	ctrl retire_page 0x3000000 && listed 0x00003000 R || return 1
	ctrl inject umc poison 0 0x3100000 0 || return 1
	# Reading the count has the report looked at. Of an error 8 pages may be meant.
	grep -q '^ue: 1$' "$PCI/$die/ras/umc_err_count" || return 1
	cp "$PCI/$die/ras/gpu_vram_bad_pages" /tmp/before
	[ "$(pages)" = 9 ] || { note "$(pages) pages"; return 1; }
	reload && cmp -s /tmp/before "$PCI/$die/ras/gpu_vram_bad_pages" &&
		grep -q '^ue: 0$' "$PCI/$die/ras/umc_err_count" && works "$count"
}

forgotten_with_the_table() {
	new_table && reload && [ "$(pages)" = 0 ]
}

# complaints TEXT: how many lines of the log say so since the last mark
complaints() {
	new_messages | grep -c "$1"
}

threshold() {
	reload bad_page_threshold=3 || return 1
	mark
	ctrl retire_page 0x3000000 && ctrl retire_page 0x3001000 || return 1
	[ "$(complaints 'reach the threshold')" = 0 ] || return 1
	ctrl retire_page 0x3002000 && [ "$(complaints '3 bad pages reach the threshold of 3')" = 1 ]
}

too_many_bad_pages() {
	mark
	reload bad_page_threshold=3
	[ "$(complaints '3 bad pages, threshold 3: the die is not used')" = 1 ] &&
		[ "$(dies | wc -l)" = $((count - 1)) ] && ! dies | grep -q "$die" &&
		works $((count - 1))
}

larger_threshold() {
	reload bad_page_threshold=4 && [ "$(dies | wc -l)" = "$count" ] && [ "$(pages)" = 3 ] &&
		works "$count"
}

only_warned() {
	ctrl retire_page 0x3003000 && mark && reload && [ "$(pages)" = 4 ] &&
		[ "$(complaints 'replace this die')" = 1 ] && works "$count"
}

no_retirement() {
	reload bad_page_threshold=0 && [ "$(pages)" = 0 ] && ! ctrl retire_page 0x3004000 &&
		ctrl inject umc poison 0 0x3200000 0 &&
		grep -q '^ue: 1$' "$PCI/$die/ras/umc_err_count" && [ "$(pages)" = 0 ]
}

# The limit only ends a test that hangs.
reset_after() {
	local tries=0

	while [ "$(cat "$DRI/$1/vgpu_hive_reset")" = "$2" ]; do
		tries=$((tries + 1))
		[ $tries -lt 1200 ] || return 1
		usleep 100000
	done
}

fatal_without_poison() {
	local before

	reload ras_poison=0 || return 1
	! ctrl inject umc poison 0 0x3300000 0 || return 1
	before=$(cat "$DRI/$die/vgpu_hive_reset")
	ctrl inject umc ue 0 0x3300000 0 && reset_after "$die" "$before" || return 1
	grep -q '^ue: 1$' "$PCI/$die/ras/umc_err_count" && listed 0x00003300 R && works "$count"
}

plan 9
check "with a new table there are no bad pages" forgotten_with_the_table
check "bad pages are kept over a reload" kept_over_reload
check "with a new table they are forgotten" forgotten_with_the_table
check "the threshold is reported when it is reached" threshold
check "a die with too many bad pages is not used" too_many_bad_pages
check "with a larger threshold it is" larger_threshold
check "without one it is, with a warning" only_warned
check "threshold 0 retires nothing" no_retirement
check "without poison an error of the memory is fatal" fatal_without_poison
new_table
reload
finish
