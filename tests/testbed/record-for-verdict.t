#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat record --for-verdict: as many samples as it takes, and what wakelat verdict says of them then.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/record.sh"

# When to look, and what is said, by R: ln(0.025) / ln(0.99), and pbinom() of the number that is longer.
look() {
	awk -v percentile="$1" -v tail=50000 -v look="$2" ${3:+-v n="$3" -v over="$4"} -f "$top/scripts/lib/common/enough.awk" \
		-f "$top/scripts/lib/record/looks.awk"
}
is "$(look 99 1) $(look 99 2) $(look 99 3) $(look 99.9 1) $(look 99.99 1)" "3000 6000 12000 3688 36887" "the samples double"
is "$(look 99 1 368 0) $(look 99 1 367 0)" "kept undecided" "one less is not enough"
is "$(look 99 2 736 1) $(look 99 2 736 2)" "kept undecided" "the second look wants more: pbinom(1, 736, 0.01) = 0.0052 < 1/120"
is "$(look 99.9 1 3688 10) $(look 99.9 1 3688 8)" "exceeded undecided" "1 - pbinom(9, 3688, 0.001) = 0.0047"
is "$(look 99.99 7 2360768 5000) $(look 99.99 7 2360768 236) $(look 99.9999 1)" "exceeded undecided 3688878" "far beyond what a double holds"
is "$(look 50 1 20 3) $(look 50 1 20 6) $(look 50 1 20 17)" "kept undecided exceeded" "of the median"

wakelat=$top/scripts/wakelat
for wrong in 50:99 us: 50us:x 50us:max 50us:100 50us:49 0us; do
	refused '^wakelat record: --for-verdict: ' "--for-verdict $wrong" "$wakelat" record --for-verdict "$wrong"
done
for other in '--ldist-steps=1ms:2ms:2' '--steady=5' '--duration=5s' --each-cpu; do
	refused '^wakelat record: --for-verdict and ' "with $other" "$wakelat" record --for-verdict 50us "$other"
done

record_job record-for-verdict 13 --model skylake-sp-jitter
record_job record-for-verdict-smp 4 --cpus 3 --model skylake-sp-jitter
# verdict_of DIR BUDGET: its status, and the error that is left for the last look
verdict_of() {
	"$wakelat" dump "$tmp/$1" >/dev/null && run "$wakelat" verdict -p 99 -b "$2" "$tmp/$1"
	printf '%s %s\n' "$status" "$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ printf "%s%s %s", comma, $at["budget_verdict"], $at["error_pct"]; comma = ", " }' "$tmp/$1/verdict.tsv")"
}
is "$(verdict_of record-for-verdict/kept 200us)" "0 kept 2.5" "kept, says verdict as well"
is "$(verdict_of record-for-verdict/exceeded 100us)" "4 kept 2.5, exceeded 2.5" "kept and exceeded"
is "$(verdict_of record-for-verdict/open 146190ns)" "5 undecided 0.4166" "undecided, after three looks"
is "$(verdict_of record-for-verdict-smp/two 10ms)" "0 kept 2.5" "kept by two CPUs together"
done_testing
