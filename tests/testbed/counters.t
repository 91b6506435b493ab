#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Counters against the truth log, and a state that is entered with interrupts on.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

guest_job "$tmp/out" "$top/tests/guest/counters.job"
is "$status" 0 "the runs were recorded"
ok "its samples can be read" "$top/scripts/wakelat" dump "$tmp/out/run"
ok "those of POLL as well" "$top/scripts/wakelat" dump "$tmp/out/poll"

# Time that the truth log has for the idle periods of the samples of each state, beside what the state's counter has.
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

# close STATE-INDEX COLUMN NAME: equal to the truth within 0.1 %
close() {
	ok "$3 agrees with the truth within 0.1 %" awk -v state="$1" -v column="$2" '
	$1 == state { d = $column / $2 - 1; found = 1 } END { exit !(found && d < 0.001 && d > -0.001) }' "$tmp/sums"
}

close 1 3 "C1: core C1"
close 2 3 "C1E: core C1"
close 3 4 "C6: core C6"
close 3 5 "C6: package C6"
is "$(awk '$1 == 1 || $1 == 2 { n += $4 } END { print n }' "$tmp/sums")" 0 "C1 and C1E: no core C6, and a counter that reads zero is kept"
is "$(awk '$1 == "absent" { print $2 }' "$tmp/sums")" 0 "no counter that the CPU has is absent"
# MPERF stands still in the idle state and on the way out of it.
ok "C6: MPERF counts only what was executed" awk '$1 == 3 { exit !($6 > $2) }' "$tmp/sums"

poll=$tmp/out/poll/samples.tsv
# column NAME: of the untainted samples
column() {
	awk -F '\t' -v name="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) { if ($i == name) column = i; if ($i == "taint") taint = i }; next }
	$taint == "-" { print $column }' "$poll"
}
is "$(column irqs_on | sort -u)" 1 "POLL: the handler runs inside the state"
is "$(column wake_latency | sort -u)" - "POLL: no wake latency"
ok "POLL: intr_latency of $(column intr_latency | sort -n | sed -n '$p') ns at most" \
	test "$(column intr_latency | sort -n | sed -n '$p')" -le 2000
is "$(column cc1_cyc | sort -u)" - "a counter that is switched off is absent"
done_testing
