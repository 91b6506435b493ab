#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat record in several runs: CPUs in turn, warm-up, the conditions that end a run, a recording that is
# interrupted and resumed. Also how dump reads such recordings.
# needs: tools qemu kernel:default
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/record.sh"

# The latencies vary. If they were constant, the events of one step of a sweep could synchronise with the tick.
record_job record-plan 65 --cpus 3 --model skylake-sp-jitter
plan=$tmp/record-plan

# rows DIR EXPRESSION: print how many rows of samples.tsv match this awk expression over run, state and taint
rows() {
	awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ run = $at["run"]; state = $at["state"]; taint = $at["taint"] }
		'"$2"' { n++ }
		END { print n + 0 }' "$1/samples.tsv"
}

ok "dump reads a recording of CPUs in turn" "$top/scripts/wakelat" dump "$plan/turn"
is "$(rows "$plan/turn" 'taint ~ /warmup/')" "$(rows "$plan/turn" 'run % 2')" "the samples of each warm-up have the taint warmup"
is "$(rows "$plan/turn" 'taint == "-"')" 160 "there are as many untainted samples as requested"
run "$top/scripts/wakelat" stats "$plan/turn"
is "$status" 0 "stats succeeds"
like "$out" 'N +' "stats prints a table"

ok "dump reads a recording that was resumed" "$top/scripts/wakelat" dump "$plan/many"
is "$(rows "$plan/many" 'taint == "-"')" 300 "the resumed recording has the samples of each run once"
is "$(awk -F '\t' 'NR > 1 { print $1 }' "$plan/many/samples.tsv" | sort -u | wc -l)" 6 \
	"the runs of the resumed recording have six numbers"
rm "$plan/many/trace-1.dat"
run "$top/scripts/wakelat" dump "$plan/many"
is "$status" 3 "dump: a recording without one of its parts gives status 3"
like "$err" 'is incomplete: run [0-9]* on CPU 1 has 0 of' "dump names the run whose samples are missing"
done_testing
