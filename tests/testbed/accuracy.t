#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Compares each sample with its own line of the truth log: 10,000 per source and state, or
# WAKELAT_SAMPLES.
# Writes out/check/errors.tsv.
#
# Bounds, in ns of the emulated machine, which executes one instruction per ns:
# The launch time is read from the hardware, so the error is the path from MWAIT to the stamp. In a
# state that is entered with interrupts on, the measured latency includes the path into the handler.
# needs: tools qemu kernel:default
# tier: first WAKELAT_SAMPLES=2000
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/errors.sh"

per_state=${WAKELAT_SAMPLES:=10000}
printf '%s\n' "$per_state" >"$tmp/samples"
intr_median=2000

# judge SOURCE MEDIAN MAX SPREAD: check that the errors of wake_latency are within these bounds
judge() {
	is "$(field "$1" C1 metric)" intr_latency "$1 C1: entered with interrupts on"
	within "$1" C1 median_ns 0 "$intr_median"
	for state in C1E C6; do
		is "$(field "$1" $state metric)" wake_latency "$1 $state: entered with interrupts off"
		within "$1" "$state" median_ns 0 "$2"
		within "$1" "$state" min_ns 0 "$3"
		within "$1" "$state" max_ns 0 "$3"
		within "$1" "$state" spread_ns 0 "$4"
		# The error includes the path out of the idle loop, and from the interrupt's delivery to the handler.
		within "$1" "$state" intr_max_ns 0 "$intr_median"
	done
	# tbi is taken before MWAIT, and the event never comes before the time that the hardware was set to.
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
