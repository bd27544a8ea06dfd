#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Third-party suites, unmodified, against the driver: libdrm's amdgpu_test, built from Debian's
# source package. It wants a driver called amdgpu, so the very same objects are linked under that
# name. tools/compat.list says which tests are expected to pass; one that is listed and fails is a
# failure, one that is not listed and passes is news.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tap.sh"

out=$BUILD/compat
logs=$BUILD/log/compat
list=$TOP/tools/compat.list

unpack_libdrm() {
	bash "$TOP/tools/fetch.sh" "$1/dl" source libdrm
	(cd "$1" && "$TOP/tools/in-root" -r compat sh -c 'dpkg-source -x dl/*.dsc src')
	rm -r "$1/dl"
}

fetch_libdrm() {
	run_logged "libdrm source" "$VGPU_CACHE/libdrm-src.log" unpack_libdrm "$1"
}

# The program, and beside it every library it is linked with: some are not in the build root.
build_suite() {
	"$TOP/tools/in-root" -r compat sh -euc '
		[ -e "$2/obj/build.ninja" ] || meson setup "$2/obj" "$1" -Dauto_features=disabled \
			-Damdgpu=enabled -Dtests=true -Dinstall-test-programs=true
		ninja -C "$2/obj" -j "$JOBS" tests/amdgpu/amdgpu_test
		mkdir -p "$2/bin" "$2/lib"
		cp "$2/obj/tests/amdgpu/amdgpu_test" "$2/bin"
		ldd "$2/bin/amdgpu_test" | sed -n "s/^[^/]*\(\/[^ ]*\) (0x.*/\1/p" | grep -v ld-linux |
			xargs cp -L -t "$2/lib"' - "$1" "$out"
}

build_module() {
	rm -rf "$out/module"
	mkdir -p "$out/module/driver"
	cp -r "$TOP/Kbuild" "$TOP/uapi" "$out/module"
	cp "$TOP"/driver/*.[ch] "$TOP/driver/Makefile" "$out/module/driver"
	# shellcheck disable=SC2016 # for the shell in the root
	"$TOP/tools/in-root" sh -c 'make -s -C /lib/modules/*/build M="$1" -j "$JOBS" VGPU_MODULE=amdgpu \
		CONFIG_DEBUG_INFO_BTF_MODULES= modules' - "$out/module"
}

# One process a test: a crash takes nothing else with it. Prints "name: pass|fail".
guest_script() {
	cat <<-'END'
		modprobe amdgpu || exit 1
		cd /compat
		export LD_LIBRARY_PATH=/compat-lib
		while read -r suite test name; do
			timeout 60 ./amdgpu_test -s "$suite" -t "$test" >/tmp/out 2>&1
			code=$?
			# CUnit exits with 0 whatever the asserts said; its summary counts them.
			failed=$(awk '$1 == "asserts" { print $5 }' /tmp/out)
			ran=$(awk '$1 == "tests" { print $3 }' /tmp/out)
			if [ "$code" = 0 ] && [ "$failed" = 0 ] && [ "${ran:-0}" != 0 ]; then
				echo "##$name: pass"
			else
				sed 's/^/    /' /tmp/out | tail -n 25
				echo "##$name: fail"
			fi
		done <<LIST
	END
	grep -v '^#' "$list" | awk 'NF { print $1, $2, $3 }'
	echo LIST
	echo exit 0
}

judge() {
	local suite test name want got

	while read -r suite test name want _; do
		case $suite in '' | '#'*) continue ;; esac
		got=$(sed -n "s/^##$name: //p" "$logs/out")
		case $want/${got:-none} in
		pass/pass)
			passed=$((passed + 1))
			;;
		pass/*)
			failed=$((failed + 1))
			echo "not ok - amdgpu_test $suite.$test $name: ${got:-did not run}"
			;;
		*/pass)
			passed=$((passed + 1))
			echo "amdgpu_test $name passes; compat.list does not know yet"
			;;
		*)
			skipped=$((skipped + 1))
			;;
		esac
	done <"$list"
}

need_dir "$logs"
"$TOP/tools/provision.sh" compat
k=$(key "$SUITE" libdrm)
cached libdrm-src "$k" 200 fetch_libdrm
need_dir "$out"
run_logged "building amdgpu_test" "$logs/build.log" build_suite "$VGPU_CACHE/libdrm-src-$k/src"
run_logged "building amdgpu.ko" "$logs/module.log" build_module
"$TOP/tools/in-root" "$TOP/tools/mkinitramfs.sh" "$out/initramfs" - "$out/module/driver" \
	"$out/bin:/compat" "$out/lib:/compat-lib" "$BUILD/tools:/usr/bin"

code=0
# The suite takes no device but one of AMD's.
VGPU_INITRD=$out/initramfs "$TOP/tools/boot.sh" --devices vgpu,amd-ids=on --log "$logs/kernel" --timeout 900 -- "$(guest_script)" \
	>"$logs/out" 2>"$logs/err" || code=$?
judge
if [ $code != 0 ]; then
	failed=$((failed + 1))
	tail -n 40 "$logs/err"
	echo "not ok - the guest: exit code $code (logs: $logs)"
fi
tap_done
