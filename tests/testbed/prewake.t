#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat compare shows how much shorter wake-ups by timer are on a CPU that begins to wake up before its timer expires.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

printf 'tsc_deadline\n' >"$tmp/source"
printf '500\n' >"$tmp/samples"
for model in skylake-sp skylake-sp-prewake; do
	guest_job "$tmp/$model" "$top/tests/guest/accuracy.job" --model "$model" \
		--add "$tmp/source=/source" --add "$tmp/samples=/samples"
	is "$status" 0 "$model: record succeeds"
	ok "$model: stats succeeds" "$top/scripts/wakelat" stats "$tmp/$model/run"
done
run "$top/scripts/wakelat" compare -o "$tmp/compare.tsv" "$tmp/skylake-sp/run" "$tmp/skylake-sp-prewake/run"
is "$status$err" 4 "compare says by status 4 that the recordings differ"
note "$out"
like "$out" 'C6, wake latency' "compare compares C6 by its wake latency"
like "$out" 'C1, interrupt latency|C1.*interrupt latency' "compare compares C1 by its interrupt latency"
like "$out" 'p50 +133\.009 +2\.009 +-131\.000 .* yes$' "C6: the median is 131 us shorter, equal to C1's latency"
like "$out" 'p50 +10\.009 +2\.009 +-8\.000 .* yes$' "C1E: the median is 8 us shorter"
done_testing
