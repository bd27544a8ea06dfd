#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# HTML of Documentation/ and of the kernel-doc comments, in build/docs. Warnings are errors.

. "$(dirname "$0")/lib.sh"

cd "$TOP"
out=$BUILD/docs
"$TOP/tools/provision.sh" docs
mkdir -p "$out" "$BUILD/log"

sphinx() {
	"$TOP/tools/in-root" -r docs sphinx-build -q -W --keep-going -b html -C -D project=vgpu \
		-D html_theme=alabaster -D highlight_language=none -D master_doc=index \
		Documentation "$out"
}

run_logged "documentation" "$BUILD/log/docs.log" sphinx
say "see $out/index.html"
