#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# results/kvm-guest: its tables, made anew of its samples, are those that are committed, and its README has their numbers.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
set=$top/results/kvm-guest
command -v gnuplot >/dev/null || skip_all "gnuplot is missing"

ok "made anew" "$set/make" "$tmp/made"
same "$tmp/made/summary.tsv" "$set/summary.tsv" "summary.tsv is what is committed"
for recording in timer passive wake; do
	same "$tmp/made/$recording-halting/stats.tsv" "$set/$recording-halting/stats.tsv" "$recording: stats.tsv as well"
done
is "$(sed -n '/^| source | N/,/^$/p' "$set/README.md" | sed '1,2d; s/^| //; s/ |$//; s/ | /\t/g; /^$/d')" \
	"$(sed 1d "$set/summary.tsv" | cut -f 1,5-)" "the README has these numbers"
is "$(awk -F '\t' 'NR > 1 { n += $5 } END { print n }' "$set/summary.tsv")" \
	"$(sed -n 's/.*three sources, \([0-9,]*\) wake-ups.*/\1/p' "$top/results/README.md" | tr -d ,)" "and the list of data sets their sum"
like "$(cat "$set"/*/stats.txt)" "^Latency from idle states \(guest: contains the hypervisor's latency\)" "whose latency it is"
unlike "$(cat "$set"/data/*/run.tsv)" '^(hostname|cmdline)' "nothing tells whose machine it was"
done_testing
