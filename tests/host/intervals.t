#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat stats: confidence intervals of percentiles, and whether the requested state was reached.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
quantiles=$top/tools/bin/quantiles

# interval N P: print value and intervals of the P-th percentile of the numbers 1 to N, so a value is its rank. The input is counts,
# which have no order. Samples in ascending order would depend on each other.
interval() {
	{
		printf 'source\tstate\treached\tcpu\ttaint\tmetric\tkind\tvalue\tcount\n'
		printf -- '-\t1\tall\t0\t-\t-\tsamples\t-\t%s\n' "$1"
		seq "$1" | sed 's/.*/-\t1\tall\t0\t-\twake_latency\tvalue\t&\t1/'
	} >in.tsv
	"$quantiles" -g state -m wake_latency -p "$2" -i i.tsv in.tsv >/dev/null || return
	sed 1d i.tsv | cut -f 6-10 | tr '\t' ' '
}

# P(B <= 39) = 0.0176 and P(B <= 38) = 0.0105 for B(100, 1/2): ranks 40 and 61, as in textbooks.
is "$(interval 100 50)" "50.5 40 61 39 62" "median of 100: value and intervals"
is "$(head -n 1 i.tsv | tr '\t' ' ')" "state metric percentile n needed value low high low_joint high_joint effective_n clusters_p drift_p unknown" \
	"the columns of stats-ci.tsv"
is "$(interval 10 50)" "5.5 2 9 2 9" "median of 10: value and intervals"
is "$(interval 5 50)" "3 - - - -" "median of 5: 1/32 is more than 0.025 on either side"
is "$(interval 6 50)" "3.5 1 6 - -" "median of 6: 1/64 is less than 0.025, but not than 0.0127"
is "$(interval 367 99)" "363.3 359 - 359 -" "p99 of 367: 0.99^367 = 0.02501"
is "$(interval 368 99)" "364.3 360 368 359 -" "p99 of 368: value and intervals"
is "$(interval 100 99)" "- 97 - 96 -" "too few samples for a value, enough for a lower bound"
# The median of a million: ranks 1.96 (joint: 2.236) standard deviations to either side.
is "$(interval 1000000 50)" "500000.5 499020 500981 498882 501119" "median of a million: value and intervals"

if command -v python3 >/dev/null; then
	python3 - >want.txt 2>check.err <<'PYTHON'
from fractions import Fraction
from math import comb

def at_most(n, p):
    total, table = Fraction(0), []
    for k in range(n + 1):
        total += comb(n, k) * p**k * (1 - p)**(n - k)
        table.append(total)
    return table

for n in (1, 2, 7, 59, 200, 411):
    for text in ('0.7', '25', '50', '97.5', '99'):
        table, out = at_most(n, Fraction(text) / 100), []
        # The second tail is (1 - sqrt(0.95)) / 2.
        for tail in (Fraction(25, 1000), Fraction(126602827826, 10**13)):
            out.append(max((r for r in range(1, n + 1) if table[r - 1] <= tail), default='-'))
            out.append(min((r for r in range(1, n + 1) if 1 - table[r - 1] <= tail), default='-'))
        print(n, text, *out)
PYTHON
	for n in 1 2 7 59 200 411; do
		for p in 0.7 25 50 97.5 99; do
			printf '%s %s %s\n' "$n" "$p" "$(interval "$n" "$p" | cut -d ' ' -f 2-)"
		done
	done >got.txt
	is "$(cat check.err)" "" "python sums the binomial distribution in fractions without an error"
	same got.txt want.txt "the ranks are those that python calculates"
else
	skip 2 "no python3"
fi
full() {
	"$quantiles" -g state -m wake_latency -p 50 -i /dev/full in.tsv >/dev/null
}
refused "cannot write /dev/full: No space left on device" "intervals on a full disk fail" full

# Coverage: samples of a known distribution, deterministic. The interval of the median of 50 uniform numbers
# contains 0.5 in at least 95 % of 400 repetitions, but not in all.
awk 'BEGIN {
	print "g\tx"
	x = 42
	for (r = 0; r < 400; r++)
		for (i = 0; i < 50; i++) {
			x = (x * 16807) % 2147483647
			printf "%d\t%d\n", r, x
		}
}' >in.tsv
"$quantiles" -g g -m x -p 50 -i i.tsv in.tsv >/dev/null
covered=$(awk -F '\t' 'NR > 1 && $7 < 1073741823.5 && $8 > 1073741823.5 { n++ } END { print n }' i.tsv)
ok "the interval contains the median $covered times of 400 (P = 0.967)" test "$covered" -ge 372
ok "the interval sometimes misses the median" test "$covered" -lt 400

# The same numbers in ascending order depend on each other, so their effective number is small.
{
	printf 'g\tx\n'
	seq 1000 | sed 's/^/1\t/'
} >in.tsv
"$quantiles" -g g -m x -p 50 -i i.tsv in.tsv >/dev/null
is "$(awk -F '\t' 'NR > 1 { print ($11 < 50), $7, $8, $14 }' i.tsv)" "1 - - yes" \
	"ascending order: there is no interval, and effective_n is marked as unknown"

# --- whether the residency counter of the requested state advanced
mkdir d
run_tsv d/run.tsv state.1.desc 'MWAIT 0x00' state.2.desc 'MWAIT 0x01' state.3.desc 'MWAIT 0x20' tsc_khz 2000000
samples_tsv d/samples.tsv <<'END'
3 1000 133000 134000 -
3 1000 133000 134000 -
3 1000 2000 3000 -
3 1000 133000 134000 smi
1 1000 - 2500 -
2 1000 10000 11000 -
2 1000 10000 11000 -
0 1000 - 700 -
END
add_columns d/samples.tsv mperf_cyc aperf_cyc cc1_cyc cc6_cyc <<'END'
100 200 0 500
300 400 0 18446744073709551614
200 300 40 0
100 900 0 9
10 - 7 0
0 0 9 -
0 0 - -
10 20 7 7
END
run "$wakelat" stats --all d
is "$status$err" 0 "stats of a recording with counters"
is "$(cut -f 1,3-4 d/stats-reached.tsv | tr '\t\n' ' ;')" \
	"state reached n;POLL - 1;C1 yes 1;C1E_x - 1;C1E_x yes 1;C6 no 1;C6 yes 2;" \
		"stats-reached.tsv: samples that reached the state, did not, or have no counter"
is "$(joined d/stats-reached.tsv wake_latency_max)" "- - 10000 10000 2000 133000" \
	"stats-reached.tsv has the latencies of each row"
is "$(joined d/stats-reached.tsv tainted)" "0 0 0 0 0 1" "stats-reached.tsv counts the tainted samples of each row"
like "$out" '^not reached +- +0 +0 +1$' "the printed table counts samples that did not reach the state"
like "$out" '^reached % +- +100\.0 +100\.0 +66\.7$' "the printed table has their share"
like "$out" '^ +C6 no +C6 yes$' "samples that reached the state and those that did not are next to each other"
is "$(joined d/stats-frequency.tsv mhz)" "4000.0 - - 3000.0" \
	"APERF counts 1.5 times as fast as MPERF: 3 GHz at 2 GHz; no frequency if a counter is 0 or missing"
like "$out" '^MHz +4000\.0 +- +- +3000\.0$' "the printed table has the frequency"
is "$(head -n 1 d/stats.tsv | tr '\t' '\n' | grep -c _cyc)" 0 "stats.tsv has no columns of counters"
is "$(joined d/stats.tsv n)" "1 1 1 2" "stats.tsv counts only the samples that reached the state, where one did"
is "$(joined d/stats.tsv wake_latency_min) $(joined d/stats.tsv intr_latency_max)" "- - 10000 133000 700 2500 11000 134000" \
	"stats.tsv has the latencies of the samples that reached the state"
is "$(joined d/stats.tsv tainted)" "0 0 0 1" "stats.tsv counts the tainted samples of the state"
like "$out" '^Left out, because it is not known whether they reached the requested state: 1 of C1E_x, 1 of C6; stats-reached.tsv has their statistics\.$' \
	"a note names the samples that are left out"
like "$out" '^Left out as tainted: 1 of 8 samples \(1 smi\)\.$' "the samples that are left out count as samples"
is "$(cut -f 3 d/stats-ci.tsv | sort -u | paste -sd ' ' -)" "intr_latency metric wake_latency" "stats-ci.tsv has no other metrics"
is "$(awk '$1 == "C6" && $3 == "wake_latency" && $4 == 99' d/stats-ci.tsv | tr '\t' ' ')" \
	"C6 hrtimer wake_latency 99 2 299 - 133000 - 133000 - 2 - - no" \
		"stats-ci.tsv: the interval is that of the samples that reached the state"

for pair in 0x10:cc3 0x1F:cc3 0x2f:cc6 0x30:cc7 0x60:cc7 0x01:cc1 0x100:cc7; do
	printf 'state.3.desc\tMWAIT %s\n' "${pair%:*}" >hint.tsv
	printf 'cc1_cyc\tcc3_cyc\tcc6_cyc\tcc7_cyc\n' >header.tsv
	is "$("$top/tools/bin/answer" counters hint.tsv header.tsv)" "state:3=${pair#*:}_cyc" \
		"hint ${pair%:*}: the counter is ${pair#*:}"
done

mkdir n
run_tsv n/run.tsv state.3.desc 'MWAIT 0x20'
printf '3 1000 133000 134000 -\n' | samples_tsv n/samples.tsv
: >n/stats-reached.tsv
run "$wakelat" stats n
is "$status$err" 0 "stats of a recording without counters"
not_ok "without counters, an old stats-reached.tsv is removed" test -e n/stats-reached.tsv
unlike "$out" 'reached|MHz' "without counters, the printed table has neither reached nor MHz"

done_testing
