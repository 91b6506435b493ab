#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat probe measures with trace-cmd if BPF does not work, here on a kernel without BTF in the virtual Xeon
# (testbed/run). Compares each sample with its own line of the truth log. host/probe.t tests probe if neither works.
# needs: tools qemu kernel:base
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/probe.sh"
ready_to_probe base

programs="stock timers check-tables quantiles"
[ ! -x "$top/tools/bin/probe" ] || programs="$programs probe"
probe_job "$tmp/out" probe-trace 9 "$programs" --add "$top/tests/guest/record.sh=/record.sh"
for state in C1E C6; do
	cp "$tmp/out/truth.tsv" "$tmp/out/$state/" && with_cycles "$tmp/out/$state" "$tmp/out/clock.txt"
	run "$top/tools/bin/truth" "$tmp/out/$state"
	is "$status" 0 "$state: each sample matches an idle period in the truth log and has its state; samples with a foreign wake-up are tainted"
	note "emulated: $out"
	judged=$(printf '%s\n' "$out" | awk -F '\t' -v state="$state" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["state"] == state { print ($at["n"] >= 300), ($at["min_ns"] >= 0), ($at["median_ns"] <= 450), ($at["max_ns"] <= 700) }')
	is "$judged" "1 1 1 1" "$state: 300 samples or more, median error at most 450 ns, none above 700"
	like "$(cat "$tmp/out/$state.table")" 'Systematic error, source stock.*380 ns' "$state: the table states the systematic error"
	like "$(cat "$tmp/out/$state.table")" "us to wake from $state" "$state: the answer follows the table"
done
like "$(cat "$tmp/out/said")" 'no BTF.*: measured with trace-cmd: wake_latency includes the path' \
	"one line says that probe measured with trace-cmd, and names the error"
done_testing
