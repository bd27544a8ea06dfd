#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Run check scripts one after the other, whatever the ones before said, and close with the sum.
#
#   check.sh SCRIPT...      e.g. check-host.sh "check-guest.sh --debug" lint.sh

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tap.sh"

need_dir "$BUILD"
VGPU_RESULT=$BUILD/result
export VGPU_RESULT
for script in "$@"; do
	echo "== ${script%.sh*}"
	rm -f "$VGPU_RESULT"
	# shellcheck disable=SC2086 # a script may bring arguments
	"$TOP"/tools/$script || code=$?
	if read -r p f s 2>/dev/null <"$VGPU_RESULT"; then
		passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	else
		echo "not ok - $script ended early, exit code ${code:-0}"
		failed=$((failed + 1))
	fi
done
unset VGPU_RESULT
tap_done
