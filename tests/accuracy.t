#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Every sample of a run against its own record in the truth log: 10,000 per state, source hrtimer.
# Leaves out/check/errors.tsv.
#
# Bounds: the launch time is the expiry of the timer, the hardware is told a little later. Where the state is
# entered with interrupts on, the way into the handler is part of what is measured.
. "$(dirname "$0")/lib/tap.sh"
. "$top/tests/lib/replay.sh"

per_state=10000
wake_median=150
wake_max=500
intr_median=2000

guest_job "$tmp/out" "$top/tests/guest/accuracy.job"
is "$status" 0 "the run was recorded"
mv "$tmp/out/truth.tsv" "$tmp/out/run/truth.tsv"
ok "its samples can be read" "$top/scripts/wakelat" dump "$tmp/out/run"

run "$top/tools/bin/truth" "$tmp/out/run"
truth=$status
printf '%s\n' "$out" >"$tmp/errors.tsv"
is "$truth" 0 "each sample has its idle period, the right state, and no foreign wake-up without a taint"

mkdir -p "$top/out/check"
awk -F '\t' -v OFS='\t' '
NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
{ print $column["source"], $column["state"], $column["n"], $column["median_ns"], $column["max_ns"], $column["spread_ns"],
	$column["metric"], $column["min_ns"], $column["tainted"], $column["foreign"] }' "$tmp/errors.tsv" >"$tmp/errors.out" &&
	mv "$tmp/errors.out" "$top/out/check/errors.tsv"
note "emulated; error = measured - injected, ns:"
note "$(column -t "$top/out/check/errors.tsv" 2>/dev/null || cat "$top/out/check/errors.tsv")"

# field STATE COLUMN: of errors.tsv
field() {
	awk -F '\t' -v state="$1" -v name="$2" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
	$2 == state { print $column }' "$top/out/check/errors.tsv"
}

# within STATE COLUMN LOW HIGH
within() {
	value=$(field "$1" "$2")
	ok "$1: $2 ${value:-absent} in [$3, $4]" test "$value" -ge "$3" -a "$value" -le "$4"
}

is "$(field C1 metric)" intr_latency "C1 is entered with interrupts on"
for state in C1E C6; do
	is "$(field $state metric)" wake_latency "$state: with interrupts off"
	within "$state" median_ns 0 "$wake_median"
	within "$state" min_ns 0 "$wake_max"
	within "$state" max_ns 0 "$wake_max"
done
within C1 median_ns 0 "$intr_median"
for state in C1 C1E C6; do
	within "$state" n "$per_state" "$per_state"
done
done_testing
