#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Every sample against its own record in the truth log: 10,000 per source and state, or WAKELAT_SAMPLES.
# Leaves out/check/errors.tsv.
#
# Bounds, in ns of the emulated machine, which executes one instruction per ns:
# The launch time is the hardware's; what is left is the way from MWAIT to the stamp.
# Where the state is entered with interrupts on, the way into the handler is part of what is measured.
# needs: tools qemu kernel:default
# tier: first WAKELAT_SAMPLES=2000
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/errors.sh"

per_state=${WAKELAT_SAMPLES:=10000}
printf '%s\n' "$per_state" >"$tmp/samples"
intr_median=2000

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

for source in hrtimer tsc_deadline; do
	printf '%s\n' "$source" >"$tmp/source"
	measure "$source" "$top/tests/guest/accuracy.job" --add "$tmp/source=/source" --add "$tmp/samples=/samples"
done
publish_errors
judge hrtimer 16 16 2
judge tsc_deadline 16 16 2
done_testing
