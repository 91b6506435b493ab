#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat probe on Debian's own kernel in the arm64 machine (testbed/run): compares each sample of sources timer and passive with
# its own line of the truth log. Adds its rows to out/check/errors.tsv.
#
# Bounds, in ns of the emulated machine, which executes one instruction per ns. The path from the idle instruction to the BPF
# program takes at most 400, the smallest bound of the virtual Xeon (tests/testbed/probe-accuracy.t). The path from firmware
# through the kernel's PSCI driver takes 600 more if the core keeps its context, 1800 more if the kernel restores it. These
# are longer than in tests/testbed/accuracy-arm64.t (480 and 1080), because Debian's kernel restores more, such as performance
# counters. All samples of a state have the same path, so their errors differ by at most two steps of the counter.
# needs: tools tools-arm64 qemu-arm64 image-arm64
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/errors.sh"
. "$top/tests/lib/probe.sh"

ready_to_probe image-arm64
aarch64-linux-gnu-gcc -O2 -Wall -static -o "$tmp/sleeper" "$top/tests/bench/sleeper.c" || bail "no compiler"

# One machine with a state of each kind: WFI, one that keeps the core's context, one that loses it.
cat >"$tmp/kinds.model" <<'END'
machine = arm64
base = arm64-standby
states = retention cpu_sleep_0
cpu_sleep_0.param = 0x00010000
cpu_sleep_0.latency_ns = 300000
cpu_sleep_0.dt_entry_us = 300
cpu_sleep_0.dt_exit_us = 1200
cpu_sleep_0.dt_min_residency_us = 2000
END
step=16
keeps=600
loses=1800
# Fewer samples of cpu-sleep-0: QEMU is slow if a core loses its context.
printf '%s %s\n' WFI 300 retention 300 cpu-sleep-0 100 >"$tmp/states"
words "$(guest_tools_arm64)" guest_job "$tmp/out" "$top/tests/guest/probe-arm64.job" --machine arm64 --model "$tmp/kinds.model" \
	--kernel "$kernel" --memory 1024 --add "$tmp/clocks=/clocks" --add "$tmp/sleeper=/sleeper" --add "$tmp/states=/states"
is "$status" 0 "the arm64 machine was probed" || bail "no files of the job"
replay_checks "$tmp/out" 1

# check_errors SOURCE STATE SAMPLES MORE: check the state and the taint of each sample, and the
# bounds of its error. MORE: the path from firmware through the kernel, in ns.
check_errors() {
	errors_dir=$tmp/out/$1-$2
	cp "$tmp/out/truth.tsv" "$errors_dir/" && with_cycles "$errors_dir" "$tmp/out/clock.txt"
	# This bound is wide enough for each state's path back from firmware. The bounds below are
	# narrower.
	run "$top/tools/bin/truth" --bound "probe_$1=1000" "$errors_dir"
	is "$status" 0 "$1 $2: each sample has its idle period, the right state, and no foreign wake-up without a taint"
	append_errors "probe_arm64_$1"
	is "$(field "probe_arm64_$1" "$2" metric)" wake_latency "$1 $2: entered with interrupts off"
	within "probe_arm64_$1" "$2" n "$3" "$3"
	within "probe_arm64_$1" "$2" min_ns 0 $((400 + $4))
	within "probe_arm64_$1" "$2" max_ns 0 $((400 + $4 + step))
	within "probe_arm64_$1" "$2" spread_ns 0 $((2 * step))
}
for source in timer passive; do
	check_errors $source WFI 300 0
	check_errors $source retention 300 "$keeps"
	check_errors $source cpu-sleep-0 100 "$loses"
done
is "$(cat "$tmp"/out/*/run.tsv | awk -F '\t' '$1 ~ /^lost_/ { n += $2 } END { print n }')" 0 "probe lost no event"
is "$(grep -h missing_tracepoints "$tmp"/out/*/run.tsv)" "" "tracepoints that only x86 has are not reported as missing"
ok "some samples are tainted foreign_timer, because another timer was due first" \
	grep -q "	[a-z_,]*foreign_timer" "$tmp/out/timer-retention/samples.tsv" "$tmp/out/timer-cpu-sleep-0/samples.tsv"
like "$(sed -n 's/^systematic_error	//p' "$tmp/out/timer-WFI/run.tsv")" 'irq_handler_entry' "run.tsv names the systematic error of all latencies"
publish_errors
run "$wakelat" stats "$tmp/out/timer-retention"
like "$out" 'Latency from idle states \(emulated\)' "the table says that it is emulated"
done_testing
