#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Source ipi, whose event is another CPU: every sample against its own record in the truth log. Adds its rows to
# out/check/errors.tsv.
#
# Bounds, in ns of the emulated machine, which executes one instruction per ns: to what is left of a timer come the instructions
# from the sender's stamp to the write that sends the interrupt, and each sample's own uncertainty, of the two clocks. Where the
# sender has more to do than C1's 2 us, the other one has to wait for its turn: such samples are not judged.
# A flag is seen by the CPU that watches it when the sender's turn ends, which is long if it has much to do: an artefact of the
# testbed. So of that method the median is judged, and that no sample is early or of something else.
# needs: tools qemu kernel:default
# tier: first
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/errors.sh"
. "$top/tests/lib/analysis.sh"

states='C1 C1E C6'

# distinct NAME KEY: its values, each once
distinct() {
	joined "$tmp/both/$1/samples.tsv" "$2" | tr ' ' '\n' | sort -un | paste -sd ' ' -
}

guest_job "$tmp/both" "$top/tests/guest/ipi.job" --cpus 2 --add "$top/tests/guest/record.sh=/record.sh"
is "$status" 0 "the job ran"
replay_checks "$tmp/both" 23
unlike "$(cat "$tmp/both/dmesg.log")" 'WARNING|BUG|Oops|Call Trace' "the kernel has nothing to complain about"
for method in interrupt flag; do
	cp "$tmp/both"/truth*.tsv "$tmp/both/$method/"
	ok "$method: its samples can be read" "$top/scripts/wakelat" dump "$tmp/both/$method"
	like "$(cat "$tmp/both/$method/run.tsv")" "method[= ]$method" "$method: the recording says by which method"
	is "$(distinct "$method" sender)" 0 "$method: who sent it is in each sample"
	note "$method: offset_max $(distinct "$method" offset_max) ns"
done
run "$top/tools/bin/truth" "$tmp/both/interrupt"
is "$status" 0 "interrupt: each sample has its idle period, the right state, and is within its bound"
append_errors ipi
run "$top/tools/bin/truth" --bound ipi=1000000000 "$tmp/both/flag"
is "$status" 0 "flag: each sample has its idle period, the right state, and is the sender's"
append_errors ipi-flag
publish_errors

is "$(field ipi C1 metric)" intr_latency "ipi C1: entered with interrupts on"
within ipi C1 n 20 1000
within ipi C1 max_ns 0 2000
for state in C1E C6; do
	is "$(field ipi "$state" metric)" wake_latency "ipi $state: entered with interrupts off"
	within ipi "$state" n 950 1000
	within ipi "$state" min_ns 0 128
	within ipi "$state" max_ns 0 128
done
for state in $states; do
	is "$(field ipi-flag "$state" metric)" wake_latency "ipi-flag $state: no handler runs, whatever the state"
	within ipi-flag "$state" n 950 1000
	within ipi-flag "$state" median_ns 0 5000
	within ipi-flag "$state" min_ns 0 5000
	is "$(field ipi-flag "$state" intr_median_ns)" "-" "ipi-flag $state: and there is no intr_latency"
done
done_testing
