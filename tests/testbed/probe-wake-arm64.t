#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat probe --source wake on Debian's own kernel in the arm64 machine. Wake-ups by another CPU measure a state that
# stops the CPU's timer. A wake-up from WFI by a timer does not count as a wake-up from this state.
#
# Bound, in ns of the emulated machine: 400 + 1800 as in tests/testbed/probe-arm64.t where the core loses its context,
# plus 1000 from sched_waking to the write to the GIC.
# needs: tools tools-arm64 qemu-arm64 image-arm64
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/errors.sh"
. "$top/tests/lib/probe.sh"
ready_to_probe image-arm64

words "$(guest_tools_arm64)" guest_job "$tmp/out" "$top/tests/guest/probe-wake-arm64.job" --machine arm64 --model arm64-juno --cpus 2 \
	--kernel "$kernel" --memory 1024 --add "$tmp/clocks=/clocks"
is "$status" 0 "the arm64 machine was probed" || bail "no files of the job"

# truth_of DIR SOURCE: compare DIR's samples with the log. SOURCE is ipi for another CPU's interrupt, probe_timer for a timer.
truth_of() {
	cp "$tmp"/out/truth*.tsv "$tmp/out/$1/" && with_cycles "$tmp/out/$1" "$tmp/out/clock.txt"
	sed -i "s/\tprobe_wake\t/\tipi\t/" "$tmp/out/$1/samples.tsv"
	run "$top/tools/bin/truth" --bound "$2=2200" "$tmp/out/$1"
	is "$status" 0 "$1: each sample has its idle period, the right state, and no foreign wake-up without a taint"
	append_errors "$2"
}
truth_of wake ipi
note "$out"
within ipi cpu-sleep-0 n 30 60
within ipi cpu-sleep-0 min_ns 0 3200
within ipi cpu-sleep-0 max_ns 0 3200
truth_of timer probe_timer
within probe_timer WFI max_ns 0 416
is "$(field probe_timer cpu-sleep-0 n)" "" "a CPU whose own timer has to wake it does not enter the state"
done_testing
