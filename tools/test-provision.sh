#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# What the provisioning does on a host that it cannot work on: one line and exit code 1. And that an
# interruption leaves nothing in its way. Speaks TAP; downloads nothing. Runs on the host itself.
# Documentation/development.rst, "What is provisioned".

. "$(dirname "$0")/lib.sh"

# A check that fails is counted by result().
set +e
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
tools=$TOP/tools
number=0 bad=0

# result NAME: of the command before; what it printed is in $tmp/out.
result() {
	local code=$?

	number=$((number + 1))
	if [ $code = 0 ]; then
		echo "ok $number - $1"
		return
	fi
	bad=1
	sed 's/^/# /' "$tmp/out"
	echo "not ok $number - $1"
}

# A fresh cache, and a PATH whose first directory has what stub() puts there.
fresh() {
	rm -rf "${tmp:?}"/*
	mkdir "$tmp/stub" "$tmp/cache"
	: >"$tmp/out"
}

# stub NAME SCRIPT: in place of a command of the host.
stub() {
	printf '#!/bin/bash\n%s\n' "$2" >"$tmp/stub/$1"
	chmod +x "$tmp/stub/$1"
}

# The user is an ordinary one who has what rootless use needs.
rootless() {
	# shellcheck disable=SC2016 # for the stubs
	stub id '[ "$1" = -un ] && echo somebody || echo 4242'
	stub newuidmap 'exit 0'
	# shellcheck disable=SC2016
	stub grep '[[ "$*" == *"/etc/sub${subids:-}"* ]] || exec /usr/bin/grep "$@"'
	stub unshare 'exit 0'
}

run() {
	local code=0

	PATH=$tmp/stub:$PATH VGPU_CACHE=$cache "$@" >"$tmp/out" 2>&1 </dev/null || code=$?
	return $code
}

# refuses TEXT COMMAND...: exit code 1, and one line besides those that tell what is being done.
refuses() {
	local text=$1 code=0

	shift
	run "$@" || code=$?
	[ $code = 1 ] && [ "$(grep -cv '^vgpu: .* \.\.\.$' "$tmp/out")" = 1 ] &&
		grep -q "^vgpu: error: .*$text" "$tmp/out"
}

# A namespace that has no network, and in which one may mount; needs no privilege but that.
namespace=(unshare -n -m)
[ "$(id -u)" = 0 ] || namespace+=(-r)

# namespaced NAME TEXT SETUP COMMAND...: refuses() behind SETUP, a shell command.
namespaced() {
	local name=$1 text=$2 setup=$3

	shift 3
	if ! "${namespace[@]}" true 2>/dev/null; then
		number=$((number + 1))
		echo "ok $number - $name # SKIP no namespaces here"
		return
	fi
	# shellcheck disable=SC2016
	refuses "$text" "${namespace[@]}" bash -c 'eval "$0" && exec "$@"' "$setup" "$@"
	result "$name"
}

host() {
	local file

	cache=$tmp/cache
	fresh
	stub uname 'echo riscv64'
	refuses 'this host is riscv64' "$tools/provision.sh"
	result "another architecture"

	fresh
	mkdir "$tmp/host"
	ln -s /usr/bin/* "$tmp/host"
	rm -f "$tmp/host"/{mmdebstrap,newuidmap}
	# shellcheck disable=SC2016
	stub id '[ "$1" = -un ] && echo somebody || echo 4242'
	PATH=$tmp/host refuses 'missing host packages: apt-get install mmdebstrap uidmap$' \
		"$tools/provision.sh"
	result "host packages missing, and no right to install them"

	for file in uid gid; do
		fresh
		rootless
		subids=${file/#uid/gid} && [ $file = uid ] || subids=uid
		export subids
		refuses "needs ids for somebody in /etc/sub$file" "$tools/provision.sh"
		result "nothing in /etc/sub$file"
		unset subids
	done

	fresh
	rootless
	stub unshare 'exit 1'
	refuses 'needs user namespaces' "$tools/provision.sh"
	result "no user namespaces"

	fresh
	rootless
	run "$tools/provision.sh"
	result "an ordinary user who has it all"
}

places() {
	fresh
	: >"$tmp/file"
	cache=$tmp/file/cache
	refuses "cannot create $cache: Not a directory" "$tools/provision.sh"
	result "the cache below a file"

	cache=$tmp/cache
	fresh
	namespaced "the cache on a read-only file system" "no permission to write to $cache" \
		"mount -t tmpfs -o ro none $cache" "$tools/provision.sh"
	fresh
	namespaced "the cache below a read-only file system" "cannot create .*: Read-only" \
		"mount -t tmpfs -o ro none $tmp/cache; VGPU_CACHE=$tmp/cache/new" "$tools/provision.sh"
	fresh
	namespaced "a small disk" "no disk space: $cache has .* MiB free, 4000 MiB are needed" \
		"mount -t tmpfs -o size=8m none $cache" "$tools/provision.sh" build
	fresh
	namespaced "a disk that fills up" "thing: no disk space" \
		true bash -c '. "$0"; run_logged thing "$VGPU_CACHE/log" cp "$0" /dev/full' "$tools/lib.sh"
	fresh
	namespaced "no network" "Linux source: no network or archive out of reach: " \
		"export VGPU_MIRROR=http://192.0.2.1/debian" "$tools/mklinux.sh"
}

# tree VERSION: what looks like a source of QEMU
tree() {
	mkdir -p "$tmp/qemu/hw/misc"
	: >"$tmp/qemu/hw/misc/meson.build"
	echo "$1" >"$tmp/qemu/VERSION"
}

# source_refused NAME WHAT TEXT: QEMU_SRC=$tmp/WHAT
source_refused() {
	QEMU_SRC=$tmp/$2 refuses "QEMU_SRC=$tmp/$2 $3" "$tools/build-qemu.sh"
	result "QEMU_SRC: $1"
}

qemu_src() {
	cache=$tmp/cache
	fresh
	tree 7.2.9
	mkdir "$tmp/empty"
	echo junk >"$tmp/junk.tar.gz"
	tar -C "$tmp" -czf "$tmp/qemu.tar.gz" qemu
	source_refused "not there" none "is neither a tree nor a tarball"
	source_refused "another directory" empty "is no source of QEMU"
	source_refused "another version" qemu "is QEMU 7.2.9; the device is written for"
	source_refused "a tarball of another version" qemu.tar.gz "is QEMU 7.2.9"
	source_refused "no tarball" junk.tar.gz "is no tarball of QEMU"
	[ -z "$(ls "$cache")" ]
	result "QEMU_SRC: nothing of that is in the cache"
}

# kernel RELEASE OPTION...: what looks like its headers
kernel() {
	local kdir=$tmp/kernel option

	mkdir -p "$kdir/include/config"
	: >"$kdir/Makefile"
	echo "$1" >"$kdir/include/config/kernel.release"
	shift
	for option in "$@"; do
		echo "CONFIG_$option=m"
	done >"$kdir/include/config/auto.conf"
}

kdir() {
	local options

	options=$(sed -n 's/^\tselect //p' "$TOP/driver/Kconfig")
	cache=$tmp/cache
	fresh
	refuses "KDIR=$tmp/none has no headers" "$tools/check-kdir.sh" "$tmp/none"
	result "KDIR that is not there"
	# shellcheck disable=SC2086 # a list
	kernel 6.1.0-37-amd64 $options MODULES DRM PCI
	refuses "KDIR=$tmp/kernel is Linux 6.1.0-37-amd64" "$tools/check-kdir.sh" "$tmp/kernel"
	result "KDIR of another version"
	# shellcheck disable=SC2086
	kernel 6.12.99-amd64 $options MODULES PCI
	refuses "this kernel was built without CONFIG_DRM$" "$tools/check-kdir.sh" "$tmp/kernel"
	result "KDIR of a kernel without DRM"
	# shellcheck disable=SC2086
	kernel 6.12.99-amd64 $options MODULES DRM PCI
	run "$tools/check-kdir.sh" "$tmp/kernel"
	result "KDIR that will do"
}

# interrupted SIGNAL: a group of processes that makes a thing in the cache gets the signal when it
# is halfway. Its exit code goes to $code.
interrupted() {
	local pid

	mkfifo "$tmp/halfway" "$tmp/never"
	# shellcheck disable=SC2016
	# In the background SIGINT is ignored, unless one asks for it.
	env --default-signal=INT setsid bash -c '
		. "$0/tools/lib.sh"
		# A signal can get lost in a shell that has forked and not yet run the command, so the
		# command itself says that it is there.
		make_thing() {
			: >"$1/half"
			sh -c "echo >\"\$1/halfway\"; exec cat \"\$1/never\"" sh "$VGPU_CACHE/.."
		}
		make_logged() {
			run_logged thing "$VGPU_CACHE/log" make_thing "$1"
		}
		cached thing 1 1 make_logged
		echo >"$VGPU_CACHE/went-on"' "$TOP" >"$tmp/out" 2>&1 </dev/null &
	pid=$!
	read -r <"$tmp/halfway"
	kill "-$1" "-$pid"
	code=0
	wait "$pid" 2>/dev/null || code=$?
	rm "$tmp/halfway" "$tmp/never"
}

interruption() {
	local signal

	cache=$tmp/cache
	export VGPU_CACHE=$cache
	for signal in INT:130 TERM:143 KILL:137; do
		fresh
		interrupted "${signal%:*}"
		[ "$code" = "${signal#*:}" ] && [ ! -e "$cache/went-on" ] && [ ! -e "$cache/thing-1" ]
		result "SIG${signal%:*} ends it all, with nothing that looks whole"
		# shellcheck disable=SC2016
		run bash -c '. "$0/tools/lib.sh"; cached thing 1 1 touch' "$TOP" &&
			[ -e "$cache/thing-1/.done" ] && [ ! -e "$cache/thing-1/half" ] &&
			[ ! -e "$cache/thing-1.tmp" ]
		result "and the next run makes it"
		# shellcheck disable=SC2016
		run bash -c '. "$0/tools/lib.sh"; cached thing 1 1 false' "$TOP" && [ ! -s "$tmp/out" ]
		result "and the one after that nothing"
	done
}

# Called from wherever: the directory is there inside, if the root has nothing of its own there.
directories() {
	fresh
	cache=$real_cache
	mkdir "$tmp/elsewhere"
	echo here >"$tmp/elsewhere/file"
	# shellcheck disable=SC2016
	run bash -c 'cd "$1" && "$0/tools/in-root" cat file' "$TOP" "$tmp/elsewhere" &&
		[ "$(cat "$tmp/out")" = here ]
	result "in-root from a directory outside the checkout"
	refuses "call it from another directory" bash -c 'cd /etc && "$0/tools/in-root" true' "$TOP"
	result "in-root from one that the root has too"
}

real_cache=$VGPU_CACHE
host
places
qemu_src
kdir
interruption
[ ! -e "$(VGPU_CACHE=$real_cache root_dir build)/.done" ] || directories
echo "1..$number"
exit $bad
