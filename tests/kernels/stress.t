#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# tests/stress runs all actions at once for a short time, on a kernel with checks such as KASAN.
# make stress runs it for an hour.
# needs: qemu kernel:kasan
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"

config=$(dirname "$("$top/scripts/dev/build-kernel" --flavour kasan)")/config
for option in KASAN DEBUG_KMEMLEAK DEBUG_OBJECTS_TIMERS PROVE_LOCKING DEBUG_ATOMIC_SLEEP DETECT_HUNG_TASK; do
	ok "built with $option" grep -qx "CONFIG_$option=y" "$config"
done

ok "stress: no splat, no leak, no process stuck, all sources work afterwards" "$top/tests/stress" --minutes 0 --seconds 15 --out "$tmp/out" kasan
[ "$status" -eq 0 ] || diag "$(cut -c 1-2000 "$tmp/out/faults.tsv")"
table=$tmp/out/done.tsv

# tried ACTOR MINIMUM: checks that the actor has done at least so many different things
tried() {
	ok "$1: at least $2 things were tried, and done" awk -F '\t' -v actor="$1" -v wanted="$2" '
		$1 == actor && $5 > 0 { n++ } END { print n + 0; exit n < wanted }' "$table"
}
tried write 12
tried read 20
tried run 6
tried hotplug 2
tried suspend 2
tried module 4
tried card 3
tried trace 5
is "$(awk -F '\t' '$1 == "write" && $4 == 0 { print $2 }' "$table")" "" "each control file has refused some writes"
note "$(cat "$table")"
# Run the same machine again, with a report planted in the kernel's log.
printf 'sleep 1\necho "BUG: KASAN: slab-use-after-free in planted_by_a_test" >/dev/kmsg\n' >"$tmp/plant"
not_ok "a planted report in the log makes stress fail" env STRESS_PLANT="$tmp/plant" "$top/tests/stress" --minutes 0 --seconds 2 --out "$tmp/planted" kasan
like "$(cat "$tmp/planted/faults.tsv")" '^kasan	1	BUG: KASAN: slab-use-after-free in planted_by_a_test' "faults.tsv has the planted report"
is "$(sed 1d "$tmp/planted/faults.tsv" | wc -l)" 1 "faults.tsv has no other report"
done_testing
