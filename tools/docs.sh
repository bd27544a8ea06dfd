#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# HTML of Documentation/ in build/docs. Warnings are errors, and so is a reference that leads nowhere.

. "$(dirname "$0")/lib.sh"

cd "$TOP"
out=$BUILD/docs
"$TOP/tools/provision.sh" docs
mkdir -p "$out" "$BUILD/log"

sphinx() {
	"$TOP/tools/in-root" -r docs sphinx-build -q -W --keep-going -n -b html -d "$BUILD/docs.cache" \
		Documentation "$out"
}

"$TOP/tools/in-root" -r docs python3 tools/check-doc-refs
run_logged "documentation" "$BUILD/log/docs.log" sphinx
say "see $out/index.html"
