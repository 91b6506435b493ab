#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tail of Intel's samples is as in the committed tables.
# needs: tools

. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
data=$top/results/ivt-wult

command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1 || skip_all "R with its package evd is not installed"

ok "results/ivt-wult/make succeeds" "$data/make" "$tmp/made"
tail_of() {
	joined "made/$1/tail.tsv" "$2"
}
is "$(tail_of nic result)" "NOT ESTIMABLE" "nic: the tail is not estimable"
is "$(tail_of nic failed)" "stability" "nic: only the check of stability fails"
is "$(tail_of nic level_ns)" - "nic: there is no level"
is "$(tail_of tdt result) $(tail_of tdt failed)" "estimable -" "tdt: the tail is estimable"
low=$(tail_of tdt level_low_ns)
level=$(tail_of tdt level_ns)
high=$(tail_of tdt level_high_ns)
ok "tdt: the level is above the longest sample: $low < $level < $high" \
	awk -v low="$low" -v level="$level" -v high="$high" 'BEGIN { exit !(63232 < low && low < level && level < high) }'
# Another version of R may differ in the last digits.
for column in level_low_ns level_ns level_high_ns threshold_ns shape; do
	ok "tdt: $column is within 1 % of the committed value" \
		awk -v made="$(tail_of tdt $column)" -v committed="$(joined "$data/tdt/tail.tsv" $column)" '
			function size(x) { return x < 0 ? -x : x }
			BEGIN { exit !(committed != "" && made != "" && size(made - committed) <= size(committed) / 100) }'
done
done_testing
