#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat top: the numbers of a recording while it is made, and that it changes none of them.
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
like "$(cat "$tmp/view")" '^CPU 1, source hrtimer, emulated$' "what is measured, and that it is emulated"
is "$(awk 'length > 79' "$tmp/view")" "" "80 columns"

# The error is what it is without: counting begins when the sample is over.
for state in C1E C6; do
	[ -n "$(field top "$state" n)" ] || continue
	within top "$state" median_ns 0 16
	within top "$state" max_ns 0 24
done

# view STATE COLUMN
view() {
	awk -v state="$1" -v column="$2" '$1 == state && NF == 5 { print $column }' "$tmp/view"
}
# What the samples say: LINE of stats, of the whole recording, in us
said() {
	"$wakelat" stats --json "$run" | python3 -c 'import json, sys
for row in json.load(sys.stdin)["stats"]:
    if row["state"] == sys.argv[1]:
        print(row[sys.argv[2]] / 1000)' "$1" "$2"
}
ok "C6: $(view C6 2) samples were seen" test "$(view C6 2)" -ge 100
awk -v a="$(view C6 3)" -v b="$(said C6 wake_latency_p50)" 'BEGIN { exit !(a > b - 4 && a < b + 4) }'
is "$?" 0 "C6: p50 $(view C6 3) us, of all $(said C6 wake_latency_p50) us (uniform over 13 us: 4 us is more than three standard deviations of 100 samples)"

# The longest is a sample of the recording, exactly.
longest=$(tr '\n' ' ' <"$tmp/view" | sed -n 's/.*longest without taint: \([0-9]*\)\.\([0-9]*\) us, CPU \([0-9]*\), \([A-Z0-9]*\), after [0-9.]* us of silence, event \([0-9]*\)\..*/\1\2 \3 \4 \5/p')
is "$(awk -F '\t' -v wanted="$longest" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ split(wanted, w, " ") }
	$at["cpu"] == w[2] && $at["seq"] == w[4] && ($at["wake_latency"] == w[1] + 0 || $at["intr_latency"] == w[1] + 0) { print "there"; exit }' "$run/samples.tsv")" \
	there "the longest, $longest, is in samples.tsv"
done_testing
