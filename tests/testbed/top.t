#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat top shows the numbers of a recording during the recording, and changes none of them.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/errors.sh"
. "$top/tests/lib/measuring.sh"

wakelat=$top/scripts/wakelat
words "$(guest_tools top)" measure top "$top/tests/guest/top.job" --cpus 2 --model skylake-sp-jitter \
	--add "$top/tests/guest/record.sh=/record.sh"
replay_checks "$tmp/top" 16
run=$tmp/top/run
cat "$tmp/top/view" >"$tmp/view"
note "$(cat "$tmp/view")"
like "$(cat "$tmp/view")" '^CPU 1, source hrtimer, emulated$' "the view names CPU and source, and says that the run is emulated"
is "$(awk 'length > 79' "$tmp/view")" "" "the view fits into 80 columns"

# The errors are the same as without top: counting begins after the end of a sample.
for state in C1E C6; do
	[ -n "$(field top "$state" n)" ] || continue
	within top "$state" median_ns 0 16
	within top "$state" max_ns 0 24
done

# view STATE COLUMN: print a cell of the view
view() {
	awk -v state="$1" -v column="$2" '$1 == state && NF == 5 { print $column }' "$tmp/view"
}
# said STATE COLUMN: print a cell of the table of stats for the whole recording, in us
said() {
	"$wakelat" stats --json "$run" | python3 -c 'import json, sys
for row in json.load(sys.stdin)["stats"]:
    if row["state"] == sys.argv[1]:
        print(row[sys.argv[2]] / 1000)' "$1" "$2"
}
# The latencies are uniform over 13 us: 4 us is more than three standard deviations of the p50 of 100 samples.
ok "C6: the view shows $(view C6 2) samples, at least 100" test "$(view C6 2)" -ge 100
awk -v a="$(view C6 3)" -v b="$(said C6 wake_latency_p50)" 'BEGIN { exit !(a > b - 4 && a < b + 4) }'
is "$?" 0 \
	"C6: the p50 of the view, $(view C6 3) us, is within 4 us of the recording's $(said C6 wake_latency_p50) us"

ok "dump reads the recording" "$wakelat" dump "$run"
# The longest latency of the view is exactly that of a sample of the recording.
longest=$(tr '\n' ' ' <"$tmp/view" | sed -n 's/.*longest without taint: \([0-9]*\)\.\([0-9]*\) us, CPU \([0-9]*\), \([A-Z0-9]*\), silent time [0-9.]* us, event \([0-9]*\)\..*/\1\2 \3 \4 \5/p')
is "$(awk -F '\t' -v wanted="$longest" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ split(wanted, w, " ") }
	$at["cpu"] == w[2] && $at["seq"] == w[4] && ($at["wake_latency"] == w[1] + 0 || $at["intr_latency"] == w[1] + 0) { print "there"; exit }' "$run/samples.tsv")" \
	there "the longest latency of the view, $longest, is in samples.tsv"
done_testing
