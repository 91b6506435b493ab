#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat tail: how often its intervals contain the true level, for samples of known distributions.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/extras/tail/tests/lib/coverage.sh"
Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1 || skip_all "R with its package evd is not installed"
cd "$tmp" || exit 1

build_tools
# 60 repetitions of each distribution. 95 % of them are 57; 52 is three standard deviations less (binomial distribution).
# extras/tail/tests/bench/coverage makes 1,000 repetitions. The Weibull distribution and mode_1_pct (1 % of the samples are from a second, slower mode) have no Pareto tail.
mkdir rows
Rscript --vanilla "$top/extras/tail/tests/lib/coverage.R" "$top/extras/tail" "$top/tools/bin/effective-n" 10000 60 rows \
	exponential,normal,weibull_0.5,mode_1_pct,pareto_pairs,slow_body,drifting
coverage_table rows >coverage.tsv
is "$(sed 1d coverage.tsv | wc -l)" 7 "the table has seven distributions"
while IFS='	' read -r name repetitions refused by estimable share above below; do
	case $name in
	distribution) ;;
	drifting) ok "$name: tail refuses $refused of $repetitions, at least 57 ($by)" test "$refused" -ge 57 ;;
	*)
		# Two gates refuse a fit because of its result: the interval says nothing, or the maximum contradicts it. They are meant
		# to refuse many fits of the families that have no Pareto tail, or a very heavy one.
		said=$(printf '%s\n' "$by" | tr ',' '\n' | awk '$1 == "interval" || $1 == "maximum" { n += $2 } END { print n + 0 }')
		ok "$name: $estimable of $repetitions are estimable, or not by maximum or interval, at least 50 (refused: $by)" \
			test "$((estimable + said))" -ge 50
		ok "$name: $share of the intervals contain the true level ($above are above it, $below below it)" \
			test "$((estimable - above - below))" -ge "$((estimable * 52 / 60))"
		;;
	esac
done <coverage.tsv
done_testing
