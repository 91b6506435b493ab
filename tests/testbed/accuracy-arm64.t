#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Compares each sample of the emulated arm64 machine with its own line of the truth log: 10,000 per source and
# state, or WAKELAT_SAMPLES. Adds its rows to out/check/errors.tsv.
#
# Bounds, in ns of the emulated machine, which executes one instruction per ns. All samples of a state have the
# same code path, so their errors differ by at most two steps of the counter. The path from WFI to the stamp takes
# at most 16 ns. Through the kernel's PSCI driver it takes 480 ns, or 1080 ns if the driver restores the core's
# context. The path from the sender's stamp to its write to the GIC takes 340 ns.
# needs: tools qemu-arm64 kernel:arm64
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/errors.sh"

samples=${WAKELAT_SAMPLES:-10000}
declared kernel:arm64

# judge NAME STEP STATE MOST: check that each error is from 0 to MOST, give or take the counter's STEP
judge() {
	is "$(field "$1" "$3" metric)" wake_latency "$1 $3: entered with interrupts off"
	compared "$1" "$3" "$samples"
	within "$1" "$3" min_ns "-$2" "$4"
	within "$1" "$3" max_ns "-$2" $(($4 + $2))
	within "$1" "$3" spread_ns 0 $((2 * $2))
}

# measure_on NAME SOURCE STATES LDIST [TESTBED-OPTION...]
measure_on() {
	measure_on_name=$1
	printf '#!/bin/sh\nexec wakelat record -q -o /out/run --source %s --each-state --states %s --ldist %s --samples %s\n' \
		"$2" "$3" "$4" "$samples" >"$tmp/$measure_on_name.job"
	shift 4
	measure "$measure_on_name" "$tmp/$measure_on_name.job" --machine arm64 --kernel "$kernel" "$@"
}

kernel=$("$top/scripts/dev/build-kernel" --flavour arm64) || bail "no kernel"

measure_on arm64-hrtimer hrtimer WFI,retention 50us:8ms
judge arm64-hrtimer 16 WFI 16
judge arm64-hrtimer 16 retention 480

measure_on arm64-sleep hrtimer cpu-sleep-0,cluster-sleep-0 2ms:8ms --model arm64-sleep
judge arm64-sleep 20 cpu-sleep-0 1080
judge arm64-sleep 20 cluster-sleep-0 1080

# WFI is left out: the CPUs take turns, and this one would be awake again before the turn of the sending CPU ends.
measure_on arm64-ipi ipi retention 50us:8ms --cpus 2
judge arm64-ipi 16 retention $((480 + 340))

publish_errors
done_testing
