#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Run the selftests in guests and count. Tests share a guest with those that want the same one,
# as selftests/guests says. TESTS picks some; --debug builds and takes the debug kernel.
#
# A test fails as its KTAP says; besides, each guest gives one more result: its kernel log has no
# splat (and, under --debug, kmemleak found nothing). When a guest dies, the test that ran has
# failed and the rest go on in a new one.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tap.sh"

debug=
# Two emulated processors that spin on a lock keep each other from running on a busy host for longer
# than RCU's patience; a real deadlock is found by lockdep, the hung-task check and the timeouts.
append=rcupdate.rcu_cpu_stall_timeout=240
seconds=300 memory=1G
[ "${1:-}" != --debug ] || { debug=1 seconds=1200 memory=2G; }
bin=$BUILD/selftests/bin
logs=$BUILD/log/guest${debug:+-debug}
number=0

# guests TEST: the guests it wants, a line each, as selftests/guests says.
guests() {
	sed -n "s/#.*//; s/^$1[[:space:]]\{1,\}//p" "$TOP/selftests/guests" | grep . || echo default
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

# What the guest runs. The marks on a line of their own tell the tests' outputs apart.
guest_script() {
	cat <<-'END'
		cd /selftests
		kmemleak=/sys/kernel/debug/kmemleak
		run() {
			echo "##test $1"
			echo "vgpu-selftest: $1" >/dev/kmsg
			[ -d /sys/module/vgpu ] || modprobe vgpu
			timeout -s KILL "$2" "./$1" 2>&1
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
		END { if (file) print name, "died" }' "$log" >"$logs/done"
	ended=()
	while read -r name code; do
		ended+=("$name")
		if [ "$code" = died ]; then
			code=125
			echo "not ok - $name: the guest ended in it"
		fi
		tap_count "$name" "$log.$name" "$code"
	done <"$logs/done"
}

# boot GUEST TEST...: one guest after the other until every test had its turn.
boot() {
	local guest=$1 words=() params=$append log code left test tests word

	for word in $guest; do
		case $word in
		alone | default) ;;
		vgpu.*) params+=" $word" ;;
		*) words+=("$word") ;;
		esac
	done
	shift
	tests=("$@")
	while [ ${#tests[@]} -gt 0 ]; do
		number=$((number + 1))
		log=$logs/guest-$number
		code=0
		say "guest $number ($guest): ${tests[*]}"
		"$TOP/tools/boot.sh" ${words:+--devices "${words[*]}"} --memory "$memory" --append "$params" \
			--timeout $((seconds * (${#tests[@]} + 1))) --log "$log.kernel" -- \
			"$(guest_script "${tests[@]}")" >"$log.out" 2>"$log.err" || code=$?
		split "$log.out"
		if [ $code = 0 ]; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			tail -n 60 "$log.err"
			echo "not ok - guest $number: exit code $code (logs: $log.*)"
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
	done
}

rm -rf "$logs"
need_dir "$logs"
[ -z "$debug" ] || "$TOP/tools/build-debug.sh"
make_image

# Tests of one guest, by what selftests/guests calls it.
declare -A groups=()
while read -r test; do
	tap_wanted "$test" || continue
	while read -r guest; do
		if [[ " $guest " == *" alone "* ]]; then
			boot "$guest" "$test"
		else
			groups[$guest]+=" $test"
		fi
	done < <(guests "$test")
done <"$BUILD/selftests/list"
for guest in "${!groups[@]}"; do
	# shellcheck disable=SC2086 # a list of names
	boot "$guest" ${groups[$guest]}
done
tap_done
