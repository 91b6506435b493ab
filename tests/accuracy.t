#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Every sample against its own record in the truth log: 10,000 per source and state.
# Leaves out/check/errors.tsv.
#
# Bounds, in ns of the emulated machine, which executes one instruction per ns:
# hrtimer: the launch time is the expiry, the hardware is told a little later.
# tsc_deadline: the launch time is the hardware's; what is left is the way from MWAIT to the stamp.
# Where the state is entered with interrupts on, the way into the handler is part of what is measured.
. "$(dirname "$0")/lib/tap.sh"
. "$top/tests/lib/replay.sh"

per_state=10000
intr_median=2000

# measure SOURCE: appends its rows to $tmp/errors.tsv
measure() {
	printf '%s\n' "$1" >"$tmp/source"
	guest_job "$tmp/$1" "$top/tests/guest/accuracy.job" --add "$tmp/source=/source"
	is "$status" 0 "$1: the run was recorded"
	mv "$tmp/$1/truth.tsv" "$tmp/$1/run/truth.tsv"
	ok "$1: its samples can be read" "$top/scripts/wakelat" dump "$tmp/$1/run"
	run "$top/tools/bin/truth" "$tmp/$1/run"
	is "$status" 0 "$1: each sample has its idle period, the right state, and no foreign wake-up without a taint"
	printf '%s\n' "$out" | awk -F '\t' -v OFS='\t' -v header="$([ -e "$tmp/errors.tsv" ] || printf 1)" '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
	# No untainted sample: no error to speak of (a tainted one may have left C1 by another way).
	NR > 1 ? $column["n"] > 0 : header {
		print $column["source"], $column["state"], $column["n"], $column["median_ns"], $column["max_ns"],
			$column["spread_ns"], $column["metric"], $column["min_ns"], $column["tainted"], $column["foreign"],
			$column["silent_median_ns"], $column["silent_min_ns"], $column["silent_max_ns"],
			$column["intr_median_ns"], $column["intr_min_ns"], $column["intr_max_ns"]
	}' >>"$tmp/errors.tsv"
}

# field SOURCE STATE COLUMN: of errors.tsv
field() {
	awk -F '\t' -v source="$1" -v state="$2" -v name="$3" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
	$1 == source && $2 == state { print $column }' "$tmp/errors.tsv"
}

# within SOURCE STATE COLUMN LOW HIGH
within() {
	value=$(field "$1" "$2" "$3")
	ok "$1 $2: $3 ${value:-absent} in [$4, $5]" test "$value" -ge "$4" -a "$value" -le "$5"
}

# judge SOURCE MEDIAN MAX SPREAD: bounds of the error of wake_latency
judge() {
	is "$(field "$1" C1 metric)" intr_latency "$1 C1: entered with interrupts on"
	within "$1" C1 median_ns 0 "$intr_median"
	for state in C1E C6; do
		is "$(field "$1" $state metric)" wake_latency "$1 $state: entered with interrupts off"
		within "$1" "$state" median_ns 0 "$2"
		within "$1" "$state" min_ns 0 "$3"
		within "$1" "$state" max_ns 0 "$3"
		within "$1" "$state" spread_ns 0 "$4"
		# From the interrupt's delivery to the handler, with the way out of the idle loop before it.
		within "$1" "$state" intr_max_ns 0 "$intr_median"
	done
	# tbi is taken on the way to MWAIT, and the event is when the hardware was told, at the earliest.
	for state in C1 C1E C6; do
		within "$1" "$state" silent_min_ns -500 100
		within "$1" "$state" silent_max_ns -500 100
	done
	for state in C1 C1E C6; do
		within "$1" "$state" n "$per_state" "$per_state"
	done
}

measure hrtimer
measure tsc_deadline
mkdir -p "$top/out/check"
cp "$tmp/errors.tsv" "$top/out/check/errors.tsv.partial" &&
	mv "$top/out/check/errors.tsv.partial" "$top/out/check/errors.tsv"
note "emulated; error = measured - injected, ns:"
note "$(cat "$tmp/errors.tsv")"
judge hrtimer 150 500 500
judge tsc_deadline 16 16 2
done_testing
