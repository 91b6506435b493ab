#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat record in several runs: CPUs in turn, warm-up, ends; interrupted and resumed. And what dump makes of it.
# needs: tools qemu kernel:default
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/record.sh"

# Latencies that vary: with none that do, a step of a sweep can fall in step with the tick.
record_job record-plan 63 --cpus 3 --model skylake-sp-jitter
plan=$tmp/record-plan

# rows DIR EXPRESSION: of samples.tsv, that awk's expression over run, state and taint is true of
rows() {
	awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ run = $at["run"]; state = $at["state"]; taint = $at["taint"] }
		'"$2"' { n++ }
		END { print n + 0 }' "$1/samples.tsv"
}

ok "dump" "$top/scripts/wakelat" dump "$plan/turn"
is "$(rows "$plan/turn" 'taint ~ /warmup/')" "$(rows "$plan/turn" 'run % 2')" "samples of a warm-up have the taint"
is "$(rows "$plan/turn" 'taint == "-"')" 160 "and the others are those that were asked for"
run "$top/scripts/wakelat" stats "$plan/turn"
is "$status" 0 "stats"
like "$out" 'N +' "which has a table"

ok "dump of a recording that was resumed" "$top/scripts/wakelat" dump "$plan/many"
is "$(rows "$plan/many" 'taint == "-"')" 300 "has each run once"
is "$(awk -F '\t' 'NR > 1 { print $1 }' "$plan/many/samples.tsv" | sort -u | wc -l)" 6 "under its number"
rm "$plan/many/trace-1.dat"
run "$top/scripts/wakelat" dump "$plan/many"
is "$status" 3 "a part that is missing: samples are missing"
like "$err" 'is incomplete: run [0-9]* on CPU 1 has 0 of' "and it says so"
done_testing
