#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Run the selftests in guests and count. Tests share a guest with those that want the same one,
# as selftests/guests says. TESTS picks some; --debug builds and takes the debug kernel.
#
# A test fails as its KTAP says; besides, each guest gives one more result: its kernel log has no
# splat (and, under --debug, kmemleak found nothing). When a guest dies, the test that ran has
# failed and the rest go on in a new one. JOBS guests run at a time: each waits much of its time.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tap.sh"

debug=
# Two emulated processors that spin on a lock keep each other from running on a busy host for longer
# than RCU's patience; a real deadlock is found by lockdep, the hung-task check and the timeouts.
append=rcupdate.rcu_cpu_stall_timeout=240
seconds=300 memory=1G
if [ "${1:-}" = --debug ]; then
	debug=1 seconds=1200 memory=2G
	shift
fi
bin=$BUILD/selftests/bin
logs=$BUILD/log/guest${debug:+-debug}

# guests TEST: the guests it wants, a line each, as selftests/guests says; "!" before a line: not on
# the debug kernel.
guests() {
	sed -n "s/#.*//; ${debug:+/^!/d;} s/^!//; s/^$1[[:space:]]\{1,\}//p" "$TOP/selftests/guests" |
		grep . || echo default
}

make_image() {
	if [ -n "$debug" ]; then
		export VGPU_KERNEL=$BUILD/debug/vmlinuz
		modules=$BUILD/debug
	else
		modules=
	fi
	export VGPU_INITRD=$logs/initramfs
	"$TOP/tools/in-root" "$TOP/tools/mkinitramfs.sh" "$VGPU_INITRD" "${modules:--}" \
		"$BUILD/module" "$BUILD/tools:/usr/bin" "$bin:/selftests"
}

# What the guest runs. The marks on a line of their own tell the tests' outputs apart. A test is its
# name and, behind commas, the module's parameters that it wants.
guest_script() {
	cat <<-'END'
		cd /selftests
		kmemleak=/sys/kernel/debug/kmemleak
		# A scan takes a processor half a minute; we say when.
		[ ! -e $kmemleak ] || echo scan=off >$kmemleak
		loaded=
		run() {
			local name=${1%%,*} params=

			[ "$name" = "$1" ] || params=$(echo "${1#*,}" | tr , ' ')
			echo "##test $1"
			echo "vgpu-selftest: $1" >/dev/kmsg
			if [ "$params" != "$loaded" ] && [ -d /sys/module/vgpu ]; then
				rmmod vgpu 2>&1 || echo "not ok 1 - $1: other parameters"
			fi
			[ -d /sys/module/vgpu ] || modprobe vgpu $params
			loaded=$params
			timeout -s KILL "$2" "./$name" 2>&1
			echo "##exit $1 $?"
		}
		leaks() {
			[ -e $kmemleak ] || return 0
			rmmod vgpu
			# An object must be some seconds old before kmemleak calls it lost.
			sleep 6
			echo scan >$kmemleak
			echo scan >$kmemleak
			echo "##test kmemleak"
			cat $kmemleak >/tmp/leaks
			[ -s /tmp/leaks ] && cat /tmp/leaks && echo not ok 1 - kmemleak || echo ok 1 - kmemleak
			echo "##exit kmemleak 0"
		}
	END
	for test in "$@"; do
		echo "run $test $seconds"
	done
	echo leaks
	echo exit 0
}

# split LOG: the part of each test that ended to LOG.NAME, then count it.
split() {
	local log=$1 name code

	awk -v prefix="$log." '
		/^##test / { name = $2; file = prefix name; printf "" >file; next }
		/^##exit / { print $2, $3; close(file); file = ""; next }
		file { print >file; fflush(file) }
		END { if (file) print name, "died" }' "$log" >"$log.done"
	ended=()
	while read -r name code; do
		ended+=("$name")
		if [ "$code" = died ]; then
			code=125
			echo "not ok - $name: the guest ended in it"
		fi
		tap_count "$name" "$log.$name" "$code"
	done <"$log.done"
}

# Two nodes, with a CPU and half of the memory each
numa_args() {
	local half=$((${memory%G} * 512))M

	echo "-smp 2,sockets=2 -object memory-backend-ram,id=m0,size=$half" \
		"-object memory-backend-ram,id=m1,size=$half -numa node,memdev=m0,cpus=0" \
		"-numa node,memdev=m1,cpus=1 -numa dist,src=0,dst=1,val=21"
}

# boot GUEST DEVICES TEST...: one guest after the other until every test had its turn.
boot() {
	local guest=$1 devices=$2 log=$logs/guest-$1 code left test tests again=1 qemu=

	shift 2
	tests=("$@")
	case $devices in
	default | apart*) devices= ;;
	numa) devices='' qemu=$(numa_args) ;;
	esac
	while [ ${#tests[@]} -gt 0 ]; do
		code=0
		say "guest $guest (${devices:-default}): ${tests[*]}"
		"$TOP/tools/boot.sh" ${devices:+--devices "$devices"} --memory "$memory" --append "$append" \
			--qemu-args "$qemu" --timeout $((seconds * (${#tests[@]} + 1))) --log "$log.kernel" -- \
			"$(guest_script "${tests[@]}")" >"$log.out" 2>"$log.err" || code=$?
		split "$log.out"
		if [ $code = 0 ]; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			tail -n 60 "$log.err"
			echo "not ok - guest $guest: exit code $code (logs: $log.*)"
		fi
		left=()
		for test in "${tests[@]}"; do
			[[ " ${ended[*]} " == *" $test "* ]] || left+=("$test")
		done
		if [ ${#left[@]} = ${#tests[@]} ]; then
			failed=$((failed + ${#left[@]}))
			echo "not ok - could not run: ${left[*]}"
			return
		fi
		tests=("${left[@]}")
		again=$((again + 1))
		log=$logs/guest-$guest-$again
	done
}

# Tests that share a guest, by its devices: a line each, with a number. The longest first.
guests_of_all() {
	local test guest devices params word groups

	declare -A groups=()
	while read -r test; do
		tap_wanted "$test" || continue
		while read -r guest; do
			devices='' params=''
			for word in $guest; do
				case $word in
				vgpu.*) params+=,${word#vgpu.} ;;
				*) devices+=${devices:+ }$word ;;
				esac
			done
			groups[${devices:-default}]+=" $test$params"
		done < <(guests "$test")
	done <"$BUILD/selftests/list"
	for devices in "${!groups[@]}"; do
		echo "$devices;${groups[$devices]}"
	done | awk -F';' '{ print split($2, words, " ") ";" $0 }' | sort -t';' -k1,1nr | cut -d';' -f2- |
		awk '{ print NR ";" $0 }'
}

# One line of guests_of_all(): what it prints appears when it is over.
one_guest() {
	local guest devices tests

	IFS=';' read -r guest devices tests <<<"$1"
	# shellcheck disable=SC2086 # a list of names
	boot "$guest" "$devices" $tests >"$logs/report-$guest"
	cat "$logs/report-$guest"
	echo "$passed $failed $skipped" >"$logs/sum-$guest"
}

if [ "${1:-}" = --one ]; then
	one_guest "$2"
	exit
fi

rm -rf "$logs"
need_dir "$logs"
[ -z "$debug" ] || "$TOP/tools/build-debug.sh"
make_image
guests_of_all >"$logs/guests"
xargs -r -d '\n' -n 1 -P "$JOBS" "$0" ${debug:+--debug} --one <"$logs/guests" || true
while IFS=';' read -r guest _; do
	if read -r p f s 2>/dev/null <"$logs/sum-$guest"; then
		passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	else
		echo "not ok - guest $guest: its tests were not run to the end"
		failed=$((failed + 1))
	fi
done <"$logs/guests"
tap_done
