#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat record --for-verdict takes as many samples as the verdict needs, and wakelat verdict agrees with it.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/record.sh"

# Test after how many samples record looks at them, and what it then decides. The expected values are computed with R:
# ln(0.025) / ln(0.99), and pbinom() of the number of samples above the budget.
looks() {
	awk -v percentile="$1" -v tail=50000 -v look="$2" ${3:+-v judge=1} -f "$top/scripts/lib/common/enough.awk" \
		-f "$top/scripts/lib/record/looks.awk"
}
# look PERCENTILE LOOK [N OVER]...: print the number of samples of the look, or the answer with N samples of each CPU
look() {
	look_percentile=$1 look_number=$2
	shift 2
	[ $# -gt 0 ] || { looks "$look_percentile" "$look_number"; return; }
	look_cpu=0
	[ $# -gt 2 ] || { printf '%s\n' "0 $1 $2" | looks "$look_percentile" "$look_number" judge | cut -d ' ' -f 1; return; }
	while [ $# -gt 0 ]; do
		printf '%s %s %s\n' "$look_cpu" "$1" "$2"
		look_cpu=$((look_cpu + 1))
		shift 2
	done | looks "$look_percentile" "$look_number" judge
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
is "$(look 50 1 20 3) $(look 50 1 20 6) $(look 50 1 20 17)" "kept undecided exceeded" \
	"p50, first look: 3 of 20 above the budget are kept, 6 undecided, 17 exceeded"

# Two CPUs: "exceeded" may err with 0.025 / 3. 1 - pbinom(9, 3688, 0.001) = 0.0047, 1 - pbinom(8, 3688, 0.001) = 0.0134.
is "$(look 99.9 1 3688 0 3688 0), $(look 99.9 1 3688 0 3688 1), $(look 99.9 1 3688 0 3688 10), $(look 99.9 1 3688 9 3688 0)" \
	"kept 0 3688 0, undecided 1 3688 1, exceeded 1 3688 10, undecided 0 3688 9" "two CPUs: the worst CPU decides and is named"
# 1 - pbinom(14, 7376, 0.001) = 0.0090, 1 - pbinom(15, 7376, 0.001) = 0.0037
is "$(look 99.9 1 3688 8 3688 8), $(look 99.9 1 3688 8 3688 7)" "exceeded all 7376 16, undecided 0 3688 8" \
	"two CPUs: all CPUs together exceed the limit, although none does"
# 0 of 5980 are kept: 0.999^5980 = 0.0025 < 0.025. p99.9 needs 2995 samples of a CPU.
is "$(look 99.9 1 2990 0 2990 0), $(look 99.9 1 0 0 3688 0)" "kept all 5980 0, undecided 0 0 0" \
	"two CPUs: with too few samples of a CPU all CPUs are judged together, but a CPU without samples leaves the state undecided"

wakelat=$top/scripts/wakelat
for wrong in 50:99 us: 50us:x 50us:max 50us:100 50us:49 0us 50us:99:x 50us:99:5ms; do
	refused '^wakelat record: --for-verdict: ' "--for-verdict $wrong is refused" "$wakelat" record --for-verdict "$wrong"
done
for other in '--ldist-steps=1ms:2ms:2' '--steady=5' '--duration=5s' --each-cpu; do
	refused '^wakelat record: --for-verdict and ' "--for-verdict with $other is refused" \
		"$wakelat" record --for-verdict 50us "$other"
done

record_job record-for-verdict 15 --model skylake-sp-jitter
refused '^wakelat record: --pooled needs --for-verdict' "--pooled without --for-verdict is refused" "$wakelat" record --pooled
record_job record-for-verdict-smp 13 --cpus 4 --model skylake-sp-jitter --set threads=2
# verdict_of DIR BUDGET [OPTION]...: print the status of wakelat verdict, and each state's verdict and error_pct
verdict_of() {
	verdict_dir=$1 verdict_budget=$2
	shift 2
	"$wakelat" dump "$tmp/$verdict_dir" >/dev/null && run "$wakelat" verdict -p 99 -b "$verdict_budget" "$@" "$tmp/$verdict_dir"
	printf '%s %s\n' "$status" "$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ printf "%s%s %s", comma, $at["budget_verdict"], $at["error_pct"]; comma = ", " }' "$tmp/$verdict_dir/verdict.tsv")"
}
is "$(verdict_of record-for-verdict/kept 200us)" "0 kept 2.5" "verdict: C6 is kept, with 2.5 % error for the first look"
is "$(verdict_of record-for-verdict/exceeded 100us)" "4 kept 2.5, exceeded 2.5" "verdict: C1 is kept, C6 is exceeded"
is "$(verdict_of record-for-verdict/open 146190ns)" "5 undecided 0.4166" \
	"verdict: C6 is undecided, with 0.4166 % error for the third look"
is "$(verdict_of record-for-verdict-smp/two 10ms)" "0 kept 2.5" "verdict: each of two CPUs is kept"
is "$(verdict_of record-for-verdict-smp/slow 137us -p 50) $(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ print $at["cpu"] }' "$tmp/record-for-verdict-smp/slow/verdict.tsv")" "4 exceeded 2.5 3" "verdict: the slow CPU exceeds the limit"
done_testing
