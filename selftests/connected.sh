#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Dies that are connected to the CPU: all of their memory is the machine's, however small the BAR,
# and they have no reset of mode 1. Documentation/hive.rst, "Connected to the CPU".

. ./ktap.sh

PCI=/sys/bus/pci/devices
first=$(dies | sed 1q)
[ -n "$first" ] || skip_all "no die"

bar_bytes() {
	local start end

	read -r start end _ <"$PCI/$1/resource"
	echo $((end - start + 1))
}

vram_bytes() {
	cat "$PCI/$1/mem_info_vram_total"
}

[ "$(bar_bytes "$first")" -lt "$(vram_bytes "$first")" ] || skip_all "all memory is behind the BAR"
[ "$(cat "$PCI/$first/mem_info_vis_vram_total")" -gt "$(bar_bytes "$first")" ] ||
	skip_all "not connected to the CPU"

all_is_visible() {
	local die

	for die in $(dies); do
		[ "$(cat "$PCI/$die/mem_info_vis_vram_total")" = "$(vram_bytes "$die")" ] || return 1
	done
}

demo_runs() {
	demo >/tmp/demo 2>&1 || { sed 's/^/# /' /tmp/demo; return 1; }
}

# Whatever is asked for
resets_by_mode_2() {
	mark
	echo 1 >"$DRI/$first/vgpu_hive_reset" || return 1
	new_messages | grep -q "mode-2 reset of" && ! new_messages | grep -q "mode-1"
}

plan 4
check "the CPU reaches all memory" all_is_visible
check "the demo" demo_runs
check "mode 1 is not to be had" resets_by_mode_2
check "the demo after it" demo_runs
finish
