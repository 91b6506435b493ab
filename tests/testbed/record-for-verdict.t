#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat record --for-verdict takes as many samples as the verdict needs, and wakelat verdict agrees with it.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/record.sh"

# Test after how many samples record looks at them, and what it then decides. The expected values are computed with R:
# ln(0.025) / ln(0.99), and pbinom() of the number of samples above the budget.
look() {
	awk -v percentile="$1" -v tail=50000 -v look="$2" ${3:+-v n="$3" -v over="$4"} -f "$top/scripts/lib/common/enough.awk" \
		-f "$top/scripts/lib/record/looks.awk"
}
is "$(look 99 1) $(look 99 2) $(look 99 3) $(look 99.9 1) $(look 99.99 1)" "3000 6000 12000 3688 36887" \
	"looks: the first is at 3000 samples or more, and each next one at twice as many"
is "$(look 99 1 368 0) $(look 99 1 367 0)" "kept undecided" \
	"p99, first look: 0 of 368 above the budget is kept, 0 of 367 undecided"
is "$(look 99 2 736 1) $(look 99 2 736 2)" "kept undecided" \
	"p99, second look: 1 of 736 above the budget is kept, 2 undecided: pbinom(1, 736, 0.01) = 0.0052 < 1/120"
is "$(look 99.9 1 3688 10) $(look 99.9 1 3688 8)" "exceeded undecided" \
	"p99.9, first look: 10 of 3688 above the budget are exceeded, 8 undecided: 1 - pbinom(9, 3688, 0.001) = 0.0047"
is "$(look 99.99 7 2360768 5000) $(look 99.99 7 2360768 236) $(look 99.9999 1)" "exceeded undecided 3688878" \
	"p99.99: the verdicts are right for probabilities that a double cannot hold"
# The expected values are ln(0.05 / (k (k + 1))) / ln(p), rounded up, for the k-th test: 4786 = ln(0.008333) / ln(0.999).
each() {
	awk -v percentile="$1" -v tail=50000 -v look="$2" -v each=1 -f "$top/scripts/lib/common/enough.awk" -f "$top/scripts/lib/record/looks.awk"
}
is "$(each 99 1) $(each 99.9 1) $(each 99.9 2) $(each 99 7)" "368 3688 4786 699" "looks: the number of samples with which a look can decide kept"
is "$(look 50 1 20 3) $(look 50 1 20 6) $(look 50 1 20 17)" "kept undecided exceeded" \
	"p50, first look: 3 of 20 above the budget are kept, 6 undecided, 17 exceeded"

wakelat=$top/scripts/wakelat
for wrong in 50:99 us: 50us:x 50us:max 50us:100 50us:49 0us 50us:99:x 50us:99:5ms; do
	refused '^wakelat record: --for-verdict: ' "--for-verdict $wrong is refused" "$wakelat" record --for-verdict "$wrong"
done
for other in '--ldist-steps=1ms:2ms:2' '--steady=5' '--duration=5s' --each-cpu; do
	refused '^wakelat record: --for-verdict and ' "--for-verdict with $other is refused" \
		"$wakelat" record --for-verdict 50us "$other"
done

record_job record-for-verdict 15 --model skylake-sp-jitter
record_job record-for-verdict-smp 5 --cpus 3 --model skylake-sp-jitter
# verdict_of DIR BUDGET: print the status of wakelat verdict, and each state's verdict and error_pct
verdict_of() {
	"$wakelat" dump "$tmp/$1" >/dev/null && run "$wakelat" verdict -p 99 -b "$2" "$tmp/$1"
	printf '%s %s\n' "$status" "$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ printf "%s%s %s", comma, $at["budget_verdict"], $at["error_pct"]; comma = ", " }' "$tmp/$1/verdict.tsv")"
}
is "$(verdict_of record-for-verdict/kept 200us)" "0 kept 2.5" "verdict: C6 is kept, with 2.5 % error for the first look"
is "$(verdict_of record-for-verdict/exceeded 100us)" "4 kept 2.5, exceeded 2.5" "verdict: C1 is kept, C6 is exceeded"
is "$(verdict_of record-for-verdict/open 146190ns)" "5 undecided 0.4166" \
	"verdict: C6 is undecided, with 0.4166 % error for the third look"
is "$(verdict_of record-for-verdict-smp/two 10ms)" "0 kept 2.5" "verdict: the samples of two CPUs together are kept"
done_testing
