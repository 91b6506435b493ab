#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat record --threshold: a model whose C6 sometimes takes 60 us longer. outliers.tsv has the samples of the recording
# that took longer, with the events around them.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/record.sh"
. "$top/tests/lib/measuring.sh"
build_tools

words "$(guest_tools outliers)" record_job record-threshold 32 --cpus 2 --set C6.tail_ns=60000 --set C6.tail_ppm=10000
cd "$tmp/record-threshold" || exit 1

# beyond DIR: print cpu, state, seq, ltime, taint and latency of the samples above 160 us
beyond() {
	awk -F '\t' -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ latency = $at["irqs_on"] ? $at["intr_latency"] : $at["wake_latency"] }
		latency != "-" && latency > 160000 { print $at["cpu"], $at["state"], $at["seq"], $at["ltime"], $at["taint"], latency }' \
		"$1/samples.tsv" | sort
}

# outliers DIR: print the same of the samples in outliers.tsv
outliers() {
	awk -F '\t' -v OFS='\t' 'NR > 1 && !seen[$1]++ { print $2, $3, $4, $7, $6, $5 }' "$1/outliers.tsv" | sort
}

for dir in all first; do
	ok "$dir: dump reads the recording" "$wakelat" dump "$dir"
	beyond "$dir" >"$tmp/beyond"
	outliers "$dir" >"$tmp/outliers"
	note "$dir: $(wc -l <"$tmp/beyond") samples above 160 us, $(wc -l <"$tmp/outliers") with events (emulated)"
	is "$(comm -13 "$tmp/beyond" "$tmp/outliers")" "" "$dir: each outlier is a sample of the recording, with the same values"
	is "$(awk '$1 == "beyond" { print $2 }' "$dir/run.tsv")" "$(wc -l <"$tmp/beyond")" "$dir: run.tsv has the number of all samples above the threshold"
	is "$(awk '$1 == "outliers" { print $2 }' "$dir/run.tsv")" "$(wc -l <"$tmp/outliers")" "$dir: run.tsv has the number of those with events"
done
beyond all >"$tmp/beyond"
outliers all >"$tmp/outliers"
is "$(($(wc -l <"$tmp/beyond") >= 15))" 1 "all: the model makes at least 15 samples above the threshold"
# The reader keeps CPU 0 busy for a while, during which the emulator runs CPU 1 late. A sample that comes 0.3 s after the one
# before it finds the instance recording.
sort -n -t "$(printf '\t')" -k 4 "$tmp/beyond" | awk -F '\t' '$4 - last > 3e8 { print } { last = $4 }' | sort >"$tmp/apart"
is "$(($(wc -l <"$tmp/apart") >= 10))" 1 "all: at least 10 samples above the threshold are 0.3 s apart"
is "$(comm -23 "$tmp/apart" "$tmp/outliers")" "" "all: each of these has its events"
is "$(outliers first | awk -F '\t' '$5 == "-"' | wc -l)" 1 "first: --stop ends the run at the first untainted one"

# The last events of each outlier that is only a long exit: the state before the event, and all others after it.
awk -F '\t' '$6 == "-" && $8 < 0 { before[$1] = $9 } $6 == "-" && $8 >= 0 { after[$1] = after[$1] " " $9; latency[$1] = $5; exit_at[$1] += $9 == "exit" ? $8 : 0 }
	END { for (i in after) if (before[i] == "idle" && after[i] == " exit interrupt timer") { n++; if (exit_at[i] < latency[i] || exit_at[i] > latency[i] + 1000) wrong++ }
		printf "%d %d\n", n >= 10, wrong }' all/outliers.tsv >"$tmp/ends"
is "$(cat "$tmp/ends")" "1 0" "all: exit, interrupt and timer follow the event of at least 10 outliers; the exit comes within 1 us after the wake-up"
ok "all: the timer has its function's name" grep -q '	timer	timer_expired$' all/outliers.tsv
ok "all: another CPU that woke the CPU is named with its task" grep -q '	flag	by CPU 0, [a-z]' all/outliers.tsv
like "$(cat all/record.log)" '[0-9]+ samples longer than 160000 ns: [0-9]+ with their events in .*; the longest of these: [0-9.]+ us on CPU 1, .*interrupt vector 0xec' \
	"the log says how many there are, and what the longest one's events are"
done_testing
