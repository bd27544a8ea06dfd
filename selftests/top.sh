#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# vgpu-top under traffic that is known: bytes of a link and jobs of a ring, exactly; a die that goes
# away, and an end by signal. Documentation/tools.rst, "vgpu-top".

. ./ktap.sh

DRIVER=/sys/bus/pci/drivers/vgpu

all=$(dies)
[ -n "$all" ] || skip_all "no die"
[ -d $DRI ] || skip_all "no debugfs"
count=$(echo "$all" | grep -c .)
last=$(echo "$all" | tail -n 1)
rm -f /tmp/top
mkfifo /tmp/top

# watch COMMAND...: run it under vgpu-top, after its first sample and before its last, which it
# takes when it is told to end.
watch() {
	local top copy code line

	vgpu-top -b -d 0.1 >/tmp/top &
	top=$!
	exec 7</tmp/top
	read -r line <&7
	echo "$line" >/tmp/lines
	# One line is written with all of its sample.
	cat <&7 >>/tmp/lines &
	copy=$!
	"$@" >/tmp/watched
	code=$?
	kill -INT $top
	wait $top || code=1
	exec 7<&-
	wait $copy
	return $code
}

# The last sample that was taken
last_sample() {
	grep '^sample ' /tmp/lines | tail -n 1
}

# Every engine of both dies copies 1 MiB to the peer and 1 MiB from there: four MiB each way.
link_bytes() {
	watch ./hive -t peer_copies || return 1
	awk '
		$1 == "link" { n++; to += $9; back += $11 }
		END {
			if (!n || to != 4194304 || back != 4194304)
				print "# " to " bytes to, " back " back"
			exit !n || to != 4194304 || back != 4194304
		}' /tmp/lines
}

ten_jobs() {
	local i=0

	while [ $i -lt 10 ]; do
		vgpu-submit -q -d 0 -r gfx -e NOP1 >/dev/null || return 1
		i=$((i + 1))
	done
}

ring_jobs() {
	watch ten_jobs || return 1
	awk -v die="$(echo "$all" | head -n 1)" '
		$1 == "ring" && $2 == die && $3 == "gfx" { jobs += $5; pending += $7 }
		$1 == "ring" && $2 != die { other += $5 }
		END {
			if (jobs != 10 || other)
				print "# " jobs " jobs, of others " other
			exit jobs != 10 || other
		}' /tmp/lines
}

# What it says of a die is what sysfs says.
memory() {
	vgpu-top -b -n 1 >/tmp/lines || return 1
	for die in $all; do
		grep -q "^die $die .* vram $(cat "/sys/bus/pci/devices/$die/mem_info_vram_used") of\
 $(cat "/sys/bus/pci/devices/$die/mem_info_vram_total") " /tmp/lines || return 1
	done
	[ "$(grep -c '^die ' /tmp/lines)" = "$count" ]
}

resets() {
	local before

	before=$(cat "$DRI/$last/vgpu_hive_reset")
	echo 2 >"$DRI/$last/vgpu_hive_reset" || return 1
	vgpu-top -b -n 1 | grep -q "^die $last .* resets $((before + 1)) "
}

gone() {
	echo "$last" >$DRIVER/unbind
}

back() {
	echo "$last" >$DRIVER/bind
}

# One die less from some sample on; the others are still told of.
die_goes() {
	watch gone && grep -q "^sample 0 .* dies $count$" /tmp/lines &&
		last_sample | grep -q " dies $((count - 1))$" || return 1
	watch back
	# It may have nothing to show when no die is left.
	[ "$count" = 1 ] || last_sample | grep -q " dies $count$"
}

# The picture for people, where no terminal is
picture() {
	vgpu-top -n 2 -d 0.1 </dev/null >/tmp/lines || return 1
	[ "$(grep -c '^vgpu-top: ' /tmp/lines)" = 2 ] && ! grep -q "$(printf '\033')" /tmp/lines
}

refuses() {
	! vgpu-top -n 0 2>/dev/null && ! vgpu-top -d x 2>/dev/null && ! vgpu-top -d -1 2>/dev/null &&
		! vgpu-top rubbish 2>/dev/null
}

# Without a die it says so.
none() {
	local code=0

	rmmod vgpu
	vgpu-top -n 1 >/tmp/lines 2>&1 && code=1
	[ "$(grep -c . /tmp/lines)" = 1 ] || code=1
	modprobe vgpu && [ $code = 0 ]
}

plan 8
if [ "$(count_of /sys/bus/pci/devices/*/xgmi_physical_id)" = 2 ]; then
	check "bytes of a link" link_bytes
else
	result 0 "bytes of a link # SKIP not two dies in a hive"
fi
check "jobs of a ring" ring_jobs
check "memory" memory
check "resets" resets
check "a die goes and comes" die_goes
check "without a terminal" picture
check "wrong arguments" refuses
check "no die" none
finish
