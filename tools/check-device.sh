#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What QEMU says to properties of the device and its hive that are wrong, and what it tells of a
# hive over QMP. No guest runs.
#
#   check-device.sh          run and count
#   check-device.sh --tap    only run

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tap.sh"

qemu() {
	timeout 60 "$TOP/tools/in-root" "$BUILD/qemu/qemu-system-x86_64" -machine q35 -accel tcg -nodefaults \
		-display none -S -L /usr/share/seabios -L /usr/share/qemu \
		-device pcie-root-port,id=rp0,chassis=1 -device pcie-root-port,id=rp1,chassis=2 "$@" 2>&1
}

result() {
	number=$((number + 1))
	echo "$1 $number - $2"
}

# refused WHAT LINE ARGS...: QEMU does not start and says LINE.
refused() {
	local what=$1 line=$2 said code=0

	shift 2
	said=$(qemu -monitor none "$@") || code=$?
	if [ "$code" = 1 ] && [[ "$said" == *"$line"* ]]; then
		result ok "$what"
	else
		echo "# exit code $code: $said"
		result "not ok" "$what"
	fi
}

# tells WHAT PATTERN COMMANDS ARGS...: with ARGS, the answers to the QMP commands match PATTERN.
tells() {
	local what=$1 pattern=$2 commands=$3 said

	shift 3
	said=$(printf '{"execute":"qmp_capabilities"}\n%s\n{"execute":"quit"}\n' "$commands" |
		qemu -qmp stdio "$@" | tr -d '\r\n')
	if [[ "$said" =~ $pattern ]]; then
		result ok "$what"
	else
		echo "# $said"
		result "not ok" "$what"
	fi
}

qom() {
	printf '{"execute":"qom-%s","arguments":{"path":"/objects/h0",%s}}\n' "$1" "$2"
}

# hive OPTIONS ARGS...: into args, a hive and what comes with it.
hive() {
	args=(-object "vgpu-hive,id=h0$1" "${@:2}")
}

run_checks() {
	local number=0 args

	echo "1..24"
	hive ,nodes=0
	refused "no nodes" "nodes must be 1 to 16" "${args[@]}"
	hive ,nodes=17
	refused "too many nodes" "nodes must be 1 to 16" "${args[@]}"
	hive ,segment=1M
	refused "odd segment" "segment must be a multiple of 16 MiB" "${args[@]}"
	hive ,segment=2T
	refused "large segment" "segment must be below 2 TiB" "${args[@]}"
	hive ,nodes=4,links=0-1,,1-4
	refused "unknown node" "link 1-4: node 4 does not exist, the hive has nodes 0 to 3" "${args[@]}"
	hive ,links=0-1:4,,1-0
	refused "link twice" "link 0-1 is there twice" "${args[@]}"
	hive ,links=1-1
	refused "link to itself" "link 1-1 connects a node with itself" "${args[@]}"
	hive ,links=0-1:99
	refused "width" "link 0-1: its width must be 1 to 16, not 99" "${args[@]}"
	hive ,links=01
	refused "no link" "'01' is not a list of links such as '0-1:4,1-2'" "${args[@]}"
	hive ,nodes=3,links=0-1,down=1-2
	refused "no such link is down" "there is no link 1-2" "${args[@]}"
	hive ,latency=2000000000
	refused "latency" "latency must be at most 1000000000 ns" "${args[@]}"
	hive ,bandwidth=2000000
	refused "bandwidth" "bandwidth must be at most 1000000 GB/s" "${args[@]}"
	hive "" -device vgpu,bus=rp0,hive=h0,node=0 -device vgpu,bus=rp1,hive=h0,node=0
	refused "node twice" "node 0 of the hive is taken by another die" "${args[@]}"
	hive "" -device vgpu,bus=rp0,hive=h0,node=2
	refused "node out of range" "node 2 does not exist: the hive has nodes 0 to 1" "${args[@]}"
	hive ,segment=256M -device vgpu,bus=rp0,hive=h0,vram=257M
	refused "VRAM larger than the segment" "257 MiB of VRAM do not fit the hive's segment of 256 MiB" \
		"${args[@]}"
	refused "node without a hive" "node needs a hive" -device vgpu,bus=rp0,node=1
	refused "no hive of that name" "h7" -device vgpu,bus=rp0,hive=h7

	hive ,nodes=3,links=0-1:4,,1-2
	tells "links" '"width": 4.*"width": 1|"width": 1.*"width": 4' \
		"$(qom get '"property":"link-state"')" "${args[@]}"
	tells "a link breaks" '"up": false.*"up": true' \
		"$(qom set '"property":"down","value":"1-0"'
		qom get '"property":"link-state"')" "${args[@]}"
	tells "no such link" 'there is no link 0-2' "$(qom set '"property":"down","value":"0-2"')" "${args[@]}"
	tells "links do not change" 'cannot change links of a hive that is in use' \
		"$(qom set '"property":"links","value":"0-2"')" "${args[@]}"

	refused "stuck from the start" "only engines of a die that is there get stuck" \
		-device vgpu,bus=rp0,stuck=1
	refused "connected to the CPU twice" "connected-to-cpu: the memory at 0x4000000000 is somebody else's" \
		-device vgpu,bus=rp0,connected-to-cpu=on -device vgpu,bus=rp1,connected-to-cpu=on
	tells "stuck" '"return": 2' \
		"$(printf '{"execute":"qom-%s","arguments":{"path":"/machine/peripheral/g0",%s}}\n' \
			set '"property":"stuck","value":2' get '"property":"stuck"')" \
		-device vgpu,bus=rp0,id=g0
}

[ -x "$BUILD/qemu/qemu-system-x86_64" ] || die "no QEMU: make build/qemu/qemu-system-x86_64"
if [ "${1:-}" = --tap ]; then
	run_checks
	exit
fi
! tap_wanted device-options || tap_run device-options 600 "$0" --tap
tap_done
