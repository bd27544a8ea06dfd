#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Say in one line why QEMU cannot be built from what QEMU_SRC names, if so, before it is unpacked.

. "$(dirname "$0")/lib.sh"

series=10.0
source=${QEMU_SRC:-}

[ -n "$source" ] || exit 0
if [ -d "$source" ]; then
	version=$(cat "$source/VERSION" 2>/dev/null) && [ -f "$source/hw/misc/meson.build" ] ||
		die "QEMU_SRC=$source is no source of QEMU"
elif [ -f "$source" ]; then
	version=$(tar -xOf "$source" --wildcards --no-wildcards-match-slash --occurrence=1 '*/VERSION' \
		2>/dev/null) || die "QEMU_SRC=$source is no tarball of QEMU"
else
	die "QEMU_SRC=$source is neither a tree nor a tarball"
fi
[[ $version == "$series".* ]] ||
	die "QEMU_SRC=$source is QEMU $version; the device is written for $series"
