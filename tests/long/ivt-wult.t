#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Latencies of a real Xeon that Intel published: the same table, to two decimals, and what can be said of the tail.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
data=$top/results/ivt-wult

command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1 || skip_all "R with its package evd is not installed"

ok "made anew" "$data/make" "$tmp/made"
is "$(sed 1d made/published.tsv | wc -l)" 18 "the figures of wult's table"
while IFS="$(printf '\t')" read -r set statistic theirs ours equal supported; do
	[ "$set" != set ] || continue
	is "$ours" "$theirs" "$set $statistic (equal: $equal, supported: $supported)"
done <made/published.tsv
is "$(awk '$6 == "no" { print $1, $2 }' made/published.tsv | paste -sd , -)" \
	"nic p99.999,nic p99.99,tdt p99.999,tdt p99.99" "those that 10,000 samples do not support"
for set in nic tdt; do
	is "$(joined "made/$set/stats.tsv" wake_latency_p99.99) $(joined "made/$set/stats.tsv" wake_latency_p99.999)" "- -" \
		"$set: they are not in stats.tsv"
	for table in stats stats-ci verdict; do
		same "made/$set/$table.tsv" "$data/$set/$table.tsv" "$set: $table.tsv is what is committed"
	done
done
for table in published compare; do
	same "made/$table.tsv" "$data/$table.tsv" "$table.tsv is what is committed"
done

tail_of() {
	joined "made/$1/tail.tsv" "$2"
}
is "$(tail_of nic result)" "NOT ESTIMABLE" "the network card's set"
is "$(tail_of nic failed)" "stability" "has no stable shape; its longest do not cluster, and do not change"
is "$(tail_of nic level_ns)" - "no level"
is "$(tail_of tdt result) $(tail_of tdt failed)" "estimable -" "the timer's set"
low=$(tail_of tdt level_low_ns)
level=$(tail_of tdt level_ns)
high=$(tail_of tdt level_high_ns)
ok "a level beyond the longest sample: $low < $level < $high" \
	awk -v low="$low" -v level="$level" -v high="$high" 'BEGIN { exit !(63232 < low && low < level && level < high) }'
# Another version of R may differ in the last digits.
for column in level_low_ns level_ns level_high_ns threshold_ns shape; do
	ok "tdt: $column is within 1 % of what is committed" \
		awk -v made="$(tail_of tdt $column)" -v committed="$(joined "$data/tdt/tail.tsv" $column)" '
			function size(x) { return x < 0 ? -x : x }
			BEGIN { exit !(committed != "" && made != "" && size(made - committed) <= size(committed) / 100) }'
done
done_testing
