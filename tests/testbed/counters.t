#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Compares the counters with the truth log, and checks a state that is entered with interrupts on.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

guest_job "$tmp/out" "$top/tests/guest/counters.job"
is "$status" 0 "record succeeds with all counters, and in POLL"
ok "dump reads the samples of C1, C1E and C6" "$top/scripts/wakelat" dump "$tmp/out/run"
ok "dump reads the samples of POLL" "$top/scripts/wakelat" dump "$tmp/out/poll"

# For each state, add up the idle time of its samples in the truth log, and the counts of its counters.
# Sums of cycles stay below 2^53.
awk -F '\t' '
FNR == 1 { delete column; for (i = 1; i <= NF; i++) column[$i] = i; next }
FILENAME ~ /truth/ { n++; enter[n] = $column["enter_cyc"]; wake[n] = $column["wake_cyc"]; run[n] = $column["run_cyc"]; next }
{
	stamp = $column["irqs_on"] ? $column["tintr_cyc"] : $column["tai_cyc"]
	while (at < n && run[at + 1] <= stamp) at++
	state = $column["state"]
	true[state] += wake[at] - enter[at]
	cc1[state] += $column["cc1_cyc"]
	cc6[state] += $column["cc6_cyc"]
	pc6[state] += $column["pc6_cyc"]
	mperf[state] += $column["mperf_cyc"]
	tsc[state] += $column["tsc_cyc"]
	absent += $column["smi"] == "-" || $column["cc7_cyc"] == "-"
}
END {
	for (state in true) print state, true[state], cc1[state], cc6[state], pc6[state], tsc[state] - mperf[state]
	print "absent", absent
}' "$tmp/out/truth.tsv" "$tmp/out/run/samples.tsv" >"$tmp/sums"
note "$(cat "$tmp/sums")"

# close STATE-INDEX COLUMN NAME: check that a counter's sum is equal to the truth within 0.1 %
close() {
	ok "$3 agrees with the truth log within 0.1 %" awk -v state="$1" -v column="$2" '
	$1 == state { d = $column / $2 - 1; found = 1 } END { exit !(found && d < 0.001 && d > -0.001) }' "$tmp/sums"
}

close 1 3 "C1: the core C1 counter"
close 2 3 "C1E: the core C1 counter"
close 3 4 "C6: the core C6 counter"
close 3 5 "C6: the package C6 counter"
is "$(awk '$1 == 1 || $1 == 2 { n += $4 } END { print n }' "$tmp/sums")" 0 "C1 and C1E: the core C6 counter does not count"
is "$(awk '$1 == "absent" { print $2 }' "$tmp/sums")" 0 "each sample has the SMI and core C7 counters"
# MPERF stands still in the idle state and during the exit latency.
ok "C6: MPERF does not count idle time or exit latencies" awk '$1 == 3 { exit !($6 > $2) }' "$tmp/sums"

poll=$tmp/out/poll/samples.tsv
# column NAME: print this column of the untainted samples
column() {
	awk -F '\t' -v name="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) { if ($i == name) column = i; if ($i == "taint") taint = i }; next }
	$taint == "-" { print $column }' "$poll"
}
is "$(column irqs_on | sort -u)" 1 "POLL: the handler runs inside the state"
is "$(column wake_latency | sort -u)" - "POLL: no wake latency"
ok "POLL: the longest intr_latency is $(column intr_latency | sort -n | sed -n '$p') ns, at most 2000 ns" \
	test "$(column intr_latency | sort -n | sed -n '$p')" -le 2000
is "$(column cc1_cyc | sort -u)" - "POLL: a counter that is switched off is absent"
done_testing
