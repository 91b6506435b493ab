#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat tail: how often its intervals hold the true level, of samples whose distribution is known.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/table.sh"
Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1 || skip_all "R with its package evd is not installed"
cd "$tmp" || exit 1

build_tools
# 60 repetitions of each distribution; binomial: 95 % is 57, three standard deviations less are 52. (Of
# 1,000 repetitions: tests/bench/coverage.) Weibull's and the mode of 1 % are no Pareto distributions.
mkdir rows
Rscript --vanilla "$top/tests/lib/coverage.R" "$top/scripts/lib/tail" "$top/tools/bin/effective" 10000 60 rows \
	exponential,normal,weibull_0.5,mode_1_pct,pareto_pairs,slow_body,drifting
coverage_table rows >coverage.tsv
is "$(sed 1d coverage.tsv | wc -l)" 7 "seven distributions"
while IFS='	' read -r name repetitions refused by estimable share above below; do
	case $name in
	distribution) ;;
	drifting) ok "$name: $refused of $repetitions refused ($by)" test "$refused" -ge 57 ;;
	*)
		ok "$name: $estimable of $repetitions estimable (refused: $by)" test "$estimable" -ge 50
		ok "$name: $share of them hold the truth (above $above, below $below)" \
			test "$((estimable - above - below))" -ge "$((estimable * 52 / 60))"
		;;
	esac
done <coverage.tsv
done_testing
