#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat tail: how often its intervals hold the true level, of samples whose distribution is known.
# needs: nothing
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1 || skip_all "R with its package evd is not installed"
cd "$tmp" || exit 1

# 60 repetitions of each distribution; binomial: 95 % is 57, three standard deviations less are 52. (Of
# 1,000 repetitions: make bench.)
Rscript --vanilla "$top/tests/lib/coverage.R" "$top/scripts/lib/tail" 1000 60 199 exponential,mixture,exponential_pairs,slow_body >coverage.tsv
is "$(sed 1d coverage.tsv | wc -l)" 4 "four distributions"
while read -r name repetitions estimable covered share above below failed; do
	[ "$name" != distribution ] || continue
	ok "$name: $estimable of $repetitions estimable" test "$estimable" -ge 50
	ok "$name: $covered of them hold the truth ($share; above $above, below $below; failed $failed)" \
		test "$covered" -ge "$((estimable * 52 / 60))"
done <coverage.tsv
done_testing
