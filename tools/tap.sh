# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Run programs that speak TAP or KTAP, show what failed, count. Sourced by the check scripts.
# shellcheck shell=bash

passed=0 failed=0 skipped=0

# tap_wanted NAME: TESTS picks some by name; without it all are wanted.
tap_wanted() {
	[ -z "${TESTS:-}" ] || [[ " $TESTS " == *" $1 "* ]]
}

# tap_count NAME FILE EXIT-CODE: count the results in a file. A program that ends badly without
# saying which test failed, says nothing, or stops short of its plan is itself a failed test.
tap_count() {
	local name=$1 file=$2 code=$3 p f s plan

	read -r p f s plan < <(awk '
		/^(    )*1\.\.[0-9]+/ { sub(/^ */, ""); if ($0 ~ /^1\.\./) plan += substr($1, 4) }
		/^ok [0-9]+/ { if (toupper($0) ~ /# *SKIP/) s++; else p++ }
		/^not ok [0-9]+/ { if (toupper($0) ~ /# *(XFAIL|TODO)/) p++; else f++ }
		END { print p + 0, f + 0, s + 0, plan + 0 }' "$file")
	# kselftest's exit code for "cannot be tested here"
	if [ "$code" = 4 ] && [ $((p + f)) = 0 ]; then
		s=$((s > 0 ? s : 1))
	elif [ "$code" != 0 ] && [ "$f" = 0 ]; then
		f=1
		echo "not ok - $name: exit code $code"
	elif [ $((p + f + s)) = 0 ]; then
		f=1
		echo "not ok - $name: ran no test"
	elif [ "$plan" != 0 ] && [ $((p + f + s)) -lt "$plan" ]; then
		f=$((f + 1))
		echo "not ok - $name: planned $plan tests, ran $((p + f + s - 1))"
	fi
	# Of a program that ended badly, nothing else may be left.
	[ "$f" = 0 ] || grep -v -E '^ok ' "$file" | tail -n 60 || true
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	printf '%-40s %4d passed %3d failed %3d skipped\n' "$name" "$p" "$f" "$s"
}

# tap_run NAME SECONDS COMMAND...: run it, then count.
tap_run() {
	local name=$1 seconds=$2 log=$BUILD/log/$1.tap code=0

	shift 2
	mkdir -p "$(dirname "$log")"
	# In the foreground, where Ctrl-C reaches it.
	timeout --foreground "$seconds" "$@" >"$log" 2>&1 </dev/null || code=$?
	tap_count "$name" "$log" "$code"
}

# A single check that is no TAP program: tap_check NAME COMMAND...
tap_check() {
	local name=$1 log=$BUILD/log/$1.log

	shift
	mkdir -p "$(dirname "$log")"
	if "$@" >"$log" 2>&1 </dev/null; then
		passed=$((passed + 1))
		echo "ok - $name"
	else
		failed=$((failed + 1))
		tail -n 60 "$log"
		echo "not ok - $name (log: $log)"
	fi
}

# The end of a check script: its counts for check.sh, or the closing line when it runs alone.
tap_done() {
	if [ -n "${VGPU_RESULT:-}" ]; then
		echo "$passed $failed $skipped" >"$VGPU_RESULT"
	else
		if [ $((passed + failed + skipped)) = 0 ]; then
			failed=1
			echo "not ok - no test is called ${TESTS:-anything}"
		fi
		echo "$passed passed, $failed failed, $skipped skipped"
	fi
	[ "$failed" = 0 ]
}
