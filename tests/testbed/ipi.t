#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Source ipi, whose event comes from another CPU: compares each sample with its own line of the truth log. Adds its
# rows to out/check/errors.tsv.
#
# Bounds, in ns of the emulated machine, which executes one instruction per ns. The error is that of a timer source,
# at most 16, plus the instructions from the sender's stamp to the write that wakes the CPU, at most 96, plus each
# sample's own uncertainty of the two clocks. The sender's instructions were counted in the disassembly of Linux
# 6.12: 24 to the call of __smp_call_single_queue(), 67 from there to the cmpxchg of call_function_single_prep_ipi().
# The kernel wakes a CPU by a write to its flags if the idle state monitors them, otherwise by an interrupt. C1 takes
# 8 us here: with the usual 2 us the measured CPU is awake before the turn of the sending CPU ends, has to wait for
# its own, and only 1 sample in 100 can be compared.
# needs: tools qemu kernel:default
# takes: minutes
# tier: first
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/errors.sh"
. "$top/tests/lib/analysis.sh"

states='C1 C1E C6'

# distinct NAME KEY: print each value of this column once
distinct() {
	joined "$tmp/both/$1/samples.tsv" "$2" | tr ' ' '\n' | sort -un | paste -sd ' ' -
}

guest_job "$tmp/both" "$top/tests/guest/ipi.job" --cpus 2 --set C1.latency_ns=8000 --add "$top/tests/guest/record.sh=/record.sh"
is "$status" 0 "the job ran"
replay_checks "$tmp/both" 15
unlike "$(cat "$tmp/both/dmesg.log")" 'WARNING|BUG|Oops|Call Trace' "the kernel log has no warning or bug"
cp "$tmp/both"/truth*.tsv "$tmp/both/ipi/"
ok "dump reads the samples" "$top/scripts/wakelat" dump "$tmp/both/ipi"
is "$(distinct ipi sender)" 0 "each sample names CPU 0 as the sender"
uncertainty=$(distinct ipi offset_max)
uncertainty=${uncertainty##* }
note "offset_max at most $uncertainty ns"
run "$top/tools/bin/truth" "$tmp/both/ipi"
is "$status" 0 "each sample has its idle period, the right state, and is within its bound"
append_errors ipi
publish_errors
for state in $states; do
	[ "$(field ipi "$state" metric)" = wake_latency ] || continue
	compared ipi "$state" 2000
	within ipi "$state" min_ns 0 "$((112 + uncertainty))"
	within ipi "$state" max_ns 0 "$((112 + uncertainty))"
done
is "$(field ipi C1E metric) $(field ipi C6 metric)" "wake_latency wake_latency" "C1E and C6 are entered with interrupts off"

# With a state of 3 ms, the comparison of the clocks would keep interrupts off for too long. The sender therefore
# sleeps until the CPU has left its state.
guest_job "$tmp/slow" "$top/tests/guest/ipi-slow.job" --cpus 2 --set C6.latency_ns=3000000
is "$status" 0 "a state of 3 ms: the job ran"
replay_checks "$tmp/slow" 2
done_testing
