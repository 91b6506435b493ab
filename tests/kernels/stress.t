#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Everything at once, for a while, on a kernel that watches itself (tests/stress); make stress does it for an hour.
# needs: qemu kernel:kasan
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"

config=$(dirname "$("$top/scripts/dev/build-kernel" --flavour kasan)")/config
for option in KASAN DEBUG_KMEMLEAK DEBUG_OBJECTS_TIMERS PROVE_LOCKING DEBUG_ATOMIC_SLEEP DETECT_HUNG_TASK; do
	ok "built with $option" grep -qx "CONFIG_$option=y" "$config"
done

ok "no splat, no leak, nobody stuck, all sources work afterwards" "$top/tests/stress" --minutes 0 --seconds 15 --out "$tmp/out" kasan
[ "$status" -eq 0 ] || diag "$(cut -c 1-2000 "$tmp/out/faults.tsv")"
table=$tmp/out/done.tsv

# tried ACTOR MINIMUM: so many different things, each at least once
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
is "$(awk -F '\t' '$1 == "write" && $4 == 0 { print $2 }' "$table")" "" "there is no control file that takes everything"
note "$(cat "$table")"
# What was planted is found: the same machine, with a line in the kernel's log.
printf 'sleep 1\necho "BUG: KASAN: slab-use-after-free in planted_by_a_test" >/dev/kmsg\n' >"$tmp/plant"
not_ok "a report in the log is a fault" env STRESS_PLANT="$tmp/plant" "$top/tests/stress" --minutes 0 --seconds 2 --out "$tmp/planted" kasan
like "$(cat "$tmp/planted/faults.tsv")" '^kasan	1	BUG: KASAN: slab-use-after-free in planted_by_a_test' "that one"
is "$(sed 1d "$tmp/planted/faults.tsv" | wc -l)" 1 "and nothing else"
done_testing
