#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Every check of the sources that runs nothing of them; each is one result.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tap.sh"

cd "$TOP"
need_dir "$BUILD/log"
linux=$("$TOP/tools/mklinux.sh")
qemu=$("$TOP/tools/mkqemu.sh")

# files PATTERN...: tracked or new, but not ignored
files() {
	git ls-files --cached --others --exclude-standard "$@" | sort -u | while read -r file; do
		[ ! -f "$file" ] || echo "$file"
	done
}

in_root() {
	"$TOP/tools/in-root" "$@"
}

# What checkpatch must not say of a directory, and why: names of registers and of libdrm are not
# ours to spell; uapi/ has no kernel to take macros from, and names that fill a line; user space has
# stdint.h, signal handlers with a volatile sig_atomic_t, and macros that end a test; tracepoints are
# laid out as the kernel's own are.
declare -A ignored=(
	[driver]="CAMELCASE"
	[uapi]="CAMELCASE,BIT_MACRO,PREFER_DEFINED_ATTRIBUTE_MACRO,MACRO_ARG_REUSE"
	[selftests]="CAMELCASE,PREFER_KERNEL_TYPES,BIT_MACRO,ARRAY_SIZE,MACRO_ARG_REUSE,VOLATILE,MACRO_WITH_FLOW_CONTROL"
	[tools]="CAMELCASE,PREFER_KERNEL_TYPES,BIT_MACRO,ARRAY_SIZE,MACRO_ARG_REUSE"
	[driver/vgpu_trace.h]="CAMELCASE,OPEN_ENDED_LINE,PARENTHESIS_ALIGNMENT"
)

kernel_style() {
	local -a list
	local length=100

	[ "$1" != uapi ] || length=110
	mapfile -t list < <(files "$1/*.[ch]" "$1" | grep '\.[ch]$' | sort -u)
	[ "$1" != driver ] || mapfile -t list < <(printf '%s\n' "${list[@]}" | grep -v vgpu_trace.h)
	[ ${#list[@]} = 0 ] || in_root perl "$linux/scripts/checkpatch.pl" --strict --no-tree --terse \
		--show-types --no-summary --max-line-length=$length --ignore "${ignored[$1]}" \
		-f "${list[@]}"
}

# Lines of 81 to 90 columns only get a warning there; QEMU's own code has them where it reads better.
# Tests have macros that stand for several dwords of a packet. Streaming stores are those of one host.
qemu_style() {
	local -a list

	mapfile -t list < <(files 'qemu-device/*.[ch]')
	in_root perl "$qemu/scripts/checkpatch.pl" --no-tree --terse --no-summary -f "${list[@]}" \
		>"$BUILD/log/qemu-checkpatch.txt" || true
	! grep -v 'line over 80 characters' "$BUILD/log/qemu-checkpatch.txt" |
		grep -v '/tests/.*Macros with complex values' |
		grep -v 'core/stream.c.*architecture specific' | grep -E '(ERROR|WARNING):'
}

# A copy, so that objects with other flags do not get into the real build.
module_copy() {
	local dir=$BUILD/lint

	rm -rf "$dir"
	mkdir -p "$dir"
	cp -r Kbuild uapi "$dir"
	mkdir "$dir/driver"
	cp driver/*.[ch] driver/Makefile "$dir/driver"
}

module_clean() {
	local log=$BUILD/log/module-lint.txt

	module_copy
	in_root sh -c 'make -s -C /lib/modules/*/build M="$1" -j "$JOBS" KCFLAGS=-Werror \
		CONFIG_DEBUG_INFO_BTF_MODULES= "$2" modules' - "$BUILD/lint" "$1" >"$log" 2>&1 || {
		cat "$log"
		return 1
	}
	! grep -E '(warning|error):' "$log"
}

kernel_doc() {
	local -a list

	mapfile -t list < <(files 'driver/*.[ch]' 'uapi/*.h')
	in_root perl "$linux/scripts/kernel-doc" -none -Werror "${list[@]}"
}

# The guest's shell is busybox, which has local.
shell_scripts() {
	local -a list

	mapfile -t list < <(files tools selftests .ci | while read -r file; do
		head -n 1 "$file" | grep -qE '^#!.*\b(ba)?sh$' && echo "$file"
	done)
	in_root shellcheck -S warning -e SC3043 -x -P tools "${list[@]}" tools/lib.sh tools/tap.sh
}

python_scripts() {
	local -a list

	mapfile -t list < <(files 'tools/*.py')
	in_root python3 -W error - "${list[@]}" <<-'END'
		import ast, sys
		for name in sys.argv[1:]:
		    ast.parse(open(name).read(), name)
	END
}

# First line of every source file, and no leftovers.
licences() {
	local file bad=0

	for file in $(files '*.[ch]' '*.sh' '*.py' '*.rst' '*/Makefile' Makefile Kbuild); do
		head -n 3 "$file" | grep -q 'SPDX-License-Identifier: ' || {
			echo "$file: no SPDX line"
			bad=1
		}
	done
	files driver uapi qemu-device selftests 'tools/*.[ch]' |
		xargs grep -nE '\b(TODO|FIXME|XXX)\b' && bad=1
	[ $bad = 0 ]
}

facts() {
	in_root tools/check-facts "$linux"
}

facts_caught() {
	in_root tools/check-facts --selftest "$linux"
}

documents() {
	in_root tools/check-doc-refs
}

for part in "${!ignored[@]}"; do
	tap_check "checkpatch-${part//\//-}" kernel_style "$part"
done
tap_check checkpatch-qemu-device qemu_style
tap_check module-W1 module_clean W=1
tap_check module-sparse module_clean C=2
tap_check kernel-doc kernel_doc
tap_check register-facts facts
tap_check register-facts-selftest facts_caught
tap_check shellcheck shell_scripts
tap_check python python_scripts
tap_check licences licences
tap_check documents documents
tap_done
