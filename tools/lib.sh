# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Common parts of the provisioning scripts: paths, messages, the content-keyed cache.
# Sourced by the other scripts in tools/. Documentation/development.rst tells how they fit together.
# shellcheck shell=bash

set -euo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
BUILD=${BUILD:-$TOP/build}
VGPU_CACHE=${VGPU_CACHE:-$BUILD/cache}
SUITE=trixie
JOBS=${JOBS:-$(nproc)}
export VGPU_CACHE JOBS
# chroot and depmod, which an ordinary user's PATH may lack.
PATH=$PATH:/usr/sbin:/sbin

# Ctrl-C reaches everything in the foreground. A command that turns it into an exit code of its own
# must not make a script go on with the next one.
trap 'exit 130' INT
trap 'exit 143' TERM

say() {
	printf 'vgpu: %s\n' "$*" >&2
}

# Every failure that a user can do something about is one line and exit code 1.
die() {
	say "error: $*"
	exit 1
}

# One directory that must exist and be ours to write.
need_dir() {
	local why

	why=$(mkdir -p "$1" 2>&1) || die "cannot create $1: ${why##*: }"
	[ -w "$1" ] || die "no permission to write to $1"
}

need_space() {
	local free

	free=$(df -Pk "$1" | awk 'NR == 2 { print int($4 / 1024) }')
	[ "$free" -ge "$2" ] || die "no disk space: $1 has $free MiB free, $2 MiB are needed"
}

# Run as root over many uids: root is that already, others get it from a user namespace.
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		unshare --map-auto --map-root-user -- "$@"
	fi
}

# key FILE-OR-STRING...: the content key of a cached directory.
key() {
	local arg

	for arg in "$@"; do
		if [ -f "$arg" ]; then cat "$arg"; else printf '%s\n' "$arg"; fi
	done | sha256sum | cut -c1-16
}

# The last line of a log worth showing, cut to the width of a terminal.
log_tail() {
	tail -c 4096 "$1" 2>/dev/null | tr '\r' '\n' | grep -v '^[[:space:]]*$' | tail -n 1 |
		tr -d '\000-\010\013-\037' | cut -c1-90
}

# Show every few seconds what runs, for how long, and the last line of its log, until stdin ends:
# whoever holds its other end is done or dead.
ticker() {
	local what=$1 log=$2 start=$SECONDS step=10

	[ -t 2 ] && step=1
	# A lock is held as long as somebody has it open.
	[ -z "${LOCK_FD:-}" ] || exec {LOCK_FD}>&-
	# More than 128: nothing came in time.
	while read -r -t "$step" || [ $? -gt 128 ]; do
		if [ -t 2 ]; then
			printf '\r\033[Kvgpu: %s: %ds: %s' "$what" $((SECONDS - start)) "$(log_tail "$log")" >&2
		else
			say "$what: $((SECONDS - start))s: $(log_tail "$log")"
		fi
	done
}

# run_logged WHAT LOG COMMAND...: the command in the foreground, so that Ctrl-C reaches it.
run_logged() {
	local what=$1 log=$2 start=$SECONDS rc=0 running pid

	shift 2
	say "$what ..."
	: >"$log"
	exec {running}> >(ticker "$what" "$log" >/dev/null)
	pid=$!
	# A subshell, not "||": errexit must stay in force in a function that is run here.
	set +e
	(
		exec {running}>&-
		set -e
		"$@"
	) >>"$log" 2>&1 </dev/null
	rc=$?
	set -e
	exec {running}>&-
	wait "$pid" || true
	[ -t 2 ] && printf '\r\033[K' >&2
	[ "$rc" = 0 ] || explain "$what" "$log" "$rc"
	say "$what: done in $((SECONDS - start))s"
}

# Turn the log of a failed step into one line.
explain() {
	local what=$1 log=$2 rc=$3 line

	[ "$rc" != 130 ] || exit 130
	# A script that failed inside has said it already.
	line=$(sed -n 's/^vgpu: error: //p' "$log" | tail -n 1)
	[ -z "$line" ] || die "$line"
	if grep -q 'No space left on device' "$log"; then
		die "$what: no disk space (log: $log)"
	fi
	line=$(grep -m 1 -E \
		'Could not (resolve|connect|handshake)|Cannot initiate|Failed to fetch|Temporary failure|Unable to connect|Connection (timed out|refused)|does not have a Release file' \
		"$log" | sed 's/^ *//' | cut -c1-160) || true
	[ -z "$line" ] || die "$what: no network or archive out of reach: $line (log: $log)"
	if grep -q 'Permission denied' "$log"; then
		die "$what: no permission: $(grep -m 1 'Permission denied' "$log" | cut -c1-160) (log: $log)"
	fi
	grep -E -A 20 -m 3 '(error|Error|ERROR|FAILED)[: ]' "$log" | tail -n 60 >&2 || tail -n 20 "$log" >&2
	die "$what failed with exit code $rc (log: $log)"
}

# with_lock NAME COMMAND...: one user of a cached thing at a time; the lock dies with the process.
with_lock() {
	local outer=${LOCK_FD:-} name=$1

	shift
	need_dir "$VGPU_CACHE"
	exec {LOCK_FD}>"$VGPU_CACHE/$name.lock"
	if ! flock -n "$LOCK_FD"; then
		say "waiting for another build that uses $name"
		flock "$LOCK_FD"
	fi
	"$@"
	exec {LOCK_FD}>&-
	LOCK_FD=$outer
}

# cached NAME KEY MIB COMMAND...: have $VGPU_CACHE/NAME-KEY, made by COMMAND in the directory it
# gets as its last argument. The directory gets its name only when it is whole, so an interruption
# at any point leaves nothing that could be taken for a result.
cached() {
	[ -e "$VGPU_CACHE/$1-$2/.done" ] || with_lock "$1" make_cached "$@"
}

make_cached() {
	local name=$1 dir=$VGPU_CACHE/$1-$2 tmp stale

	[ ! -e "$dir/.done" ] || return 0
	"$TOP/tools/provision.sh"
	need_space "$VGPU_CACHE" "$3"
	shift 3
	for stale in "$VGPU_CACHE/$name"-*.tmp; do
		[ ! -e "$stale" ] || as_root rm -rf --one-file-system "$stale"
	done
	tmp=$dir.tmp
	mkdir "$tmp"
	"$@" "$tmp"
	as_root touch "$tmp/.done"
	mv -T "$tmp" "$dir"
}

# The directory of a build root, by the name of its profile in tools/root.d/.
root_dir() {
	printf '%s/root-%s-%s\n' "$VGPU_CACHE" "$1" "$(root_key "$1")"
}

root_key() {
	local hook=$TOP/tools/root.d/$1.hook

	[ -f "$hook" ] || hook=none
	key "$SUITE" "$TOP/tools/root.d/$1.list" "$hook" "$TOP/tools/mkroot.sh"
}
