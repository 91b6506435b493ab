#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A deep idle state empties the caches, so that the next entry takes 20 us in this model, and 150 us in another. An event that
# comes during the entry finds the CPU not yet asleep, long after the stamp before idle. Each such sample must have a
# taint.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/conditions.sh"

kernel default
boot cold --set C6.cold_ns=20000 <<"J"
try "an entry of 20 us after C6" "hrtimer tsc_deadline" C6 --ldist 1us:60us
J
boot cold-long --set C6.cold_ns=150000 <<"J"
try "an entry of 150 us after C6" "hrtimer tsc_deadline" C6 --ldist 1us:400us
J
start_boots
judge_boots
note "emulated; error = measured - injected, ns:"
note "$(cat "$tmp/conditions.tsv")"
for recording in cold/1/5000 cold/2/5000 cold-long/1/100000 cold-long/2/100000; do
	least=${recording##*/}
	awk -F '\t' -v least="$least" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["taint"] ~ /no_sleep/ && $at["silent_time"] > least' "$tmp/boots/${recording%/*}/samples.tsv" >"$tmp/late"
	ok "${recording%/*}: $(wc -l <"$tmp/late") events over $least ns after the stamp are tainted no_sleep, at least 100" \
		test "$(wc -l <"$tmp/late")" -ge 100
done
done_testing
