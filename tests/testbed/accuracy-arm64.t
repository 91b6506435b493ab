#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Every sample on the emulated arm64 machine against its own record in the truth log: 10,000 per source and state, or
# WAKELAT_SAMPLES. Adds its rows to out/check/errors.tsv.
#
# Bounds, in ns of the emulated machine, which executes one instruction per ns: a step of the counter, 16 ns, and the way from WFI
# or from the PSCI call to the stamp, at most 100 ns.
# needs: tools qemu-arm64 kernel:arm64
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/errors.sh"

samples=${WAKELAT_SAMPLES:-10000}
step=16
declared kernel:arm64

# judge NAME STATE...
judge() {
	judge_name=$1
	shift
	for state; do
		is "$(field "$judge_name" "$state" metric)" wake_latency "$judge_name $state: entered with interrupts off"
		within "$judge_name" "$state" n "$samples" "$samples"
		within "$judge_name" "$state" min_ns "-$step" $((100 + step))
		within "$judge_name" "$state" max_ns "-$step" $((100 + step))
		within "$judge_name" "$state" silent_min_ns -500 100
		within "$judge_name" "$state" silent_max_ns -500 100
	done
}

# measure_on NAME STATES OPTIONS [TESTBED-OPTION...]: OPTIONs of wakelat record
measure_on() {
	measure_on_name=$1
	printf '#!/bin/sh\nexec wakelat record -o /out/run --each-state --states %s --samples %s %s\n' "$2" "$samples" "$3" \
		>"$tmp/$measure_on_name.job"
	shift 3
	measure "$measure_on_name" "$tmp/$measure_on_name.job" --machine arm64 --kernel "$kernel" "$@"
}

kernel=$("$top/scripts/dev/build-kernel" --flavour arm64) || bail "no kernel"
measure_on arm64-hrtimer WFI,retention '--source hrtimer --ldist 50us:8ms'
judge arm64-hrtimer WFI retention
publish_errors
done_testing
