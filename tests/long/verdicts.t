#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat verdict on random recordings of known distributions: compare its answers with the truth. tests/bench/verdicts uses a
# hundred times as many recordings.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/verdicts.sh"
. "$top/tests/lib/looks.sh"
build_tools
recordings=${VERDICTS:-100}
cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -o "$tmp/mkverdict" "$top/tests/fixtures/mkverdict.c" -lm ||
	bail "tests/fixtures/mkverdict.c does not build"
cd "$tmp" || exit 1

judge_recordings 1 "$recordings" "$tmp" >judged 2>said
is "$(cat said)" "" "judging the recordings prints nothing on stderr"
like "$(wc -l <judged)" '^[ 0-9]{3,}$' "at least 100 answers are judged"
count_judged <judged >counted
sed 's/^/# /' counted

# rows WHAT...: print the number of answers on these subjects, and how many are wrong
rows() {
	awk -F '\t' -v what=" $* " 'index(what, " " $1 " ") { n += $3; wrong += $7 } END { print n + 0, wrong + 0 }' counted
}
# Each verdict errs with a probability of at most 5 %. The number of errors exceeds the mean by four standard deviations with a
# probability of about 1 in 10,000.
few() {
	[ "$1" -gt 0 ] && awk -v n="$1" -v wrong="$2" 'BEGIN { exit !(wrong <= 0.05 * n + 4 * sqrt(0.05 * 0.95 * n)) }'
}
words "$(rows advertised budget)" ok "verdicts: at most 5 % are wrong ($(rows advertised budget))" few
words "$(rows limit)" ok "limits: at most 5 % admit a state that takes longer ($(rows limit))" few
is "$(awk -F '\t' '$2 == "far" && $7 > 0' counted)" "" "no verdict is wrong if the limit is far from the truth"
is "$(grep -c '^table	accepted' counted)$(grep '^table	refused' judged)" 1 \
	"the kernel would accept each table for intel_idle"
is "$(grep -E '^(paste|status|recording)' judged)" "" "verdict --paste prints the limit, and the exit status fits the verdict"
is "$(awk -F '\t' '$1 == "budget" { n += $4 + $5 } END { print (n > 50) }' counted)" 1 "more than 50 budgets are kept or exceeded"

# --- each CPU by itself

build_rates || bail "tests/fixtures/verdict-rates.c does not build"
# above PERCENT FILE: print the families in FILE whose share of wrong verdicts is above PERCENT
above() {
	awk -F '\t' -v most="$1" '$10 > most + 0 { print $1, "p" $2, $3 " CPUs:", $10 " %" }' "$2"
}
# 5 % of 20,000 has a standard deviation of 0.154 %. With four of them, 5.62 % is above one of 56 right rates with a probability of at most
# 0.2 %; the seed is always the same. With bounds that err with 8 %, the hardest families are far above it.
rates_rows 20000 50000 >rates
sed 's/^/# /' rates
is "$(wc -l <rates | tr -d ' ')" 56 "each family is simulated with 1, 2, 8 and 16 CPUs"
is "$(above 5.62 rates)" "" "CPUs: at most 5 % of the verdicts are wrong in each family"
is "$(awk -F '\t' '$1 == "above" && $10 < 3 || $1 == "at" && $10 < 2' rates)" "" "CPUs: the hardest families use more than 2 % of the 5 %"
rates_rows 20000 80000 >rates-8
is "$(above 5.62 rates-8 | grep -c '^above')" 8 "CPUs: bounds that err with 8 % are found in each family with one CPU above the limit"

# The real program on recordings with the same numbers of samples above the limit
while read -r family cpus n percentile last; do
	judged_by_cpu "$family" "$cpus" "$n" "$percentile" 1 "$last" </dev/null >by-cpu
	is "$(wc -l <by-cpu | tr -d ' ')" "$last" "$family, $cpus CPUs, N = $n, p$percentile: each recording has a verdict"
	# With dependence found by chance, the program has wider bounds, so it may be undecided.
	is "$(awk -F '\t' '$1 != $2 && $2 != "undecided"' by-cpu)" "" "$family, $cpus CPUs, N = $n: no verdict contradicts the simulation"
	is "$(awk -F '\t' '{ same += $1 == $2 } END { print same >= 0.8 * NR }' by-cpu)" 1 \
		"$family, $cpus CPUs, N = $n: at least 80 % of the verdicts are those of the simulation"
done <<END
within 1 2000 99 30
within 2 2000 99 30
within 8 1000 99 10
at 2 2000 99 30
at 8 1000 99 30
above 2 2000 99 30
above 8 3000 99 10
all-above 8 200 99 30
within 16 200 99 10
END

# --- record --for-verdict, which judges each CPU by itself, several times

for percentile_cpus in '99 1' '99 16' '99.9 4' '50 2'; do
	is "$(same_rules "${percentile_cpus% *}" "${percentile_cpus#* }")" "" \
		"looks: looks.awk decides as the bounds of verdict do, p${percentile_cpus% *}, ${percentile_cpus#* } CPUs"
done
looks_rows 2000 >looks
sed 's/^/# /' looks
is "$(cut -f 3 looks | sort -n | uniq -c | awk '{ printf "%s%s:%s", comma, $2, $1; comma = " " }')" "1:15 2:10 8:10 16:15 64:10" \
	"looks: five families are simulated with 1 to 64 CPUs"
# 5 % of 2,000 has a standard deviation of 0.487 %. Four of them: 6.95 %. Looks that err with 20 % are above it.
most_wrong() { awk -F '\t' -v most="$2" '$9 > most + 0 { print $1, $2, $3 " CPUs:", $9 " %" }' "$1"; }
is "$(most_wrong looks 6.95)" "" "looks: at most 5 % of the verdicts are wrong in each family"
is "$(awk -F '\t' '$1 == "above" && $2 == "p99" && $9 < 2' looks)" "" "looks: with one CPU above the limit, more than 2 % of the 5 % are used"
is "$(awk -F '\t' '$1 == "bad" && $6 < 0.999 * $4' looks)" "" "looks: one CPU of 16 or 64 that exceeds the limit five times as often is found"
looks_rows 2000 200000 99 >looks-20
is "$(most_wrong looks-20 6.95 | grep -c '^above')" 5 "looks: bounds that err with 20 % are found with one CPU above the limit, for each number of CPUs"
while read -r family cpus percentile last; do
	looks_judged "$family" "$cpus" "$percentile" 1 "$last" </dev/null >by-looks
	is "$(wc -l <by-looks | tr -d ' ')" "$last" "looks: $family, $cpus CPUs: each recording has a verdict"
	is "$(awk -F '\t' '$1 != $2 && $2 != "undecided" || sprintf("%.3f", $6) != sprintf("%.3f", int(50000 / ($5 * ($5 + 1))) / 10000)' by-looks)" "" \
		"looks: $family, $cpus CPUs: no verdict contradicts the looks, and its bounds allow for their number"
	is "$(awk -F '\t' '{ same += $1 == $2 } END { print same >= 0.8 * NR }' by-looks)" 1 \
		"looks: $family, $cpus CPUs: at least 80 % of the verdicts are those of the looks"
done <<END
within 1 99 10
within 2 99 10
bad 4 99 10
above 2 99 3
END

# The checker of tables finds faults.
wrong_table() {
	printf 'intel_idle.table=%s\n' "$1" >wrong
	printf 'state.%s\n' '0.name	POLL' '0.latency_ns	0' '0.residency_ns	0' '1.name	C1' '1.latency_ns	2000' '1.residency_ns	2000' \
		'2.name	C6' '2.latency_ns	133000' '2.residency_ns	600000' >wrong-run
	awk -F '\t' -f "$top/tests/lib/intel-idle.awk" wrong-run wrong
}
is "$(wrong_table C1:2:2,C6:133:600)" "" "the checker accepts a good table"
for bad in C1:13:13,C6:13:20 C1:0:2 C6:5001:5001 C6:133:100001 C6:133:132 C6:2:600 C1:3:600 C7:1:1 C1:1 C1:1:x; do
	is "$(wrong_table "$bad" | wc -l)" 1 "the checker refuses a bad table: $bad"
done
done_testing
