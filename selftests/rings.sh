#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Ring and IB tests: every ring of every die is ready, says how long both tests took, and has
# written the fence it emitted. Documentation/submission.rst, "Rings".

. ./ktap.sh

RINGS="gfx comp0 comp1 comp2 comp3 comp4 comp5 comp6 comp7 sdma0 sdma1 sdma2 sdma3 sdma4"

[ -n "$(dies)" ] || skip_all "no die"

# ready DIE RING
ready() {
	head -n 1 "$DRI/$1/vgpu_ring_$2" | grep -q ', ready$'
}

# Both times are there and not zero: nothing takes no time at all.
timed() {
	sed -n 3p "$DRI/$1/vgpu_ring_$2" |
		grep -qE '^ring test: [1-9][0-9]* us, IB test: [1-9][0-9]* us$'
}

# Everything in it was read, in whole blocks. The read pointer of an SDMA engine counts on past the
# end of the ring, the one of the CP does not.
drained() {
	sed -n 2p "$DRI/$1/vgpu_ring_$2" | {
		read -r _ rptr _ wptr _
		[ $((rptr & 8191)) = $((wptr & 8191)) ] && [ $((wptr)) -gt 0 ]
	}
}

# The IB test's fence at the least, and none pending.
fenced() {
	awk -v ring="$2" '$1 == ring { ok = $2 > 0 && $2 == $3 && $4 == 0 } END { exit !ok }' \
		"$DRI/$1/vgpu_fences"
}

plan $(((4 * $(echo "$RINGS" | wc -w) + 1) * $(dies | wc -l)))
for die in $(dies); do
	# It has neither IBs nor fences.
	check "$die kiq ready" ready "$die" kiq
	for ring in $RINGS; do
		check "$die $ring ready" ready "$die" "$ring"
		check "$die $ring times" timed "$die" "$ring"
		check "$die $ring drained" drained "$die" "$ring"
		check "$die $ring fence" fenced "$die" "$ring"
	done
done
finish
