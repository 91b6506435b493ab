#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Latencies of a real Xeon that Intel published: wakelat computes the same table, to two decimals, and checks the tail.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
data=$top/results/ivt-wult

command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1 || skip_all "R with its package evd is not installed"

ok "results/ivt-wult/make succeeds" "$data/make" "$tmp/made"
is "$(sed 1d made/published.tsv | wc -l)" 18 "the table has all 18 numbers of wult"
while IFS="$(printf '\t')" read -r set statistic theirs ours equal supported; do
	[ "$set" != set ] || continue
	is "$ours" "$theirs" "$set $statistic is the number that wult gives (equal: $equal, supported: $supported)"
done <made/published.tsv
is "$(awk '$6 == "no" { print $1, $2 }' made/published.tsv | paste -sd , -)" \
	"nic p99.999,nic p99.99,tdt p99.999,tdt p99.99" "10,000 samples do not support p99.99 and p99.999"
for set in nic tdt; do
	is "$(joined "made/$set/stats.tsv" wake_latency_p99.99) $(joined "made/$set/stats.tsv" wake_latency_p99.999)" "- -" \
		"$set: stats.tsv has no unsupported percentile"
	for table in stats stats-ci verdict; do
		same "made/$set/$table.tsv" "$data/$set/$table.tsv" "$set: $table.tsv is the same as the committed table"
	done
done
for table in published compare; do
	same "made/$table.tsv" "$data/$table.tsv" "$table.tsv is the same as the committed table"
done
done_testing
