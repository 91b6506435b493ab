#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A CPU that begins to wake before its timer is due, beside one that does not: wakelat compare shows what is hidden.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

printf 'tsc_deadline\n' >"$tmp/source"
printf '500\n' >"$tmp/samples"
for model in skylake-sp skylake-sp-prewake; do
	guest_job "$tmp/$model" "$top/tests/guest/accuracy.job" --model "$model" \
		--add "$tmp/source=/source" --add "$tmp/samples=/samples"
	is "$status" 0 "$model: recorded"
	ok "$model: statistics" "$top/scripts/wakelat" stats "$tmp/$model/run"
done
run "$top/scripts/wakelat" compare -o "$tmp/compare.tsv" "$tmp/skylake-sp/run" "$tmp/skylake-sp-prewake/run"
is "$status$err" 4 "compared: they differ"
note "$out"
like "$out" 'C6, wake latency' "C6 by its wake latency"
like "$out" 'C1, interrupt latency|C1.*interrupt latency' "C1 by its interrupt latency"
like "$out" 'p50 +133\.009 +2\.009 +-131\.000 .* yes$' "C6: the median is 131 us shorter, the latency of C1 is left"
like "$out" 'p50 +10\.009 +2\.009 +-8\.000 .* yes$' "C1E: 8 us shorter"
done_testing
