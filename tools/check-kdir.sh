#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Say in one line why the module cannot be built against the kernel of make KDIR=..., if so: it is
# another version than the driver is written for, or lacks an option that the driver stands on.
#
#   check-kdir.sh KDIR

. "$(dirname "$0")/lib.sh"

series=6.12
kdir=$1

[ -f "$kdir/Makefile" ] || die "KDIR=$kdir has no headers of a kernel; on Debian, apt-get install linux-headers-amd64"
release=$(cat "$kdir/include/config/kernel.release" 2>/dev/null) ||
	die "KDIR=$kdir is a kernel that is not configured"
[[ $release == "$series".* ]] || die "KDIR=$kdir is Linux $release; the driver is written for $series"
for option in $(sed -n 's/^\tselect //p' "$TOP/driver/Kconfig") MODULES DRM PCI; do
	grep -q "^CONFIG_$option=" "$kdir/include/config/auto.conf" ||
		die "KDIR=$kdir: this kernel was built without CONFIG_$option"
done
