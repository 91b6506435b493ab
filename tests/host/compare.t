#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat compare: compares its differences with differences computed by hand.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# latencies STATE N FACTOR ADD: print FACTOR * i + ADD for i = 1..N in a mixed order, because numbers in
# ascending order depend on each other.
latencies() {
	seq "$2" | awk -v state="$1" -v n="$2" -v factor="$3" -v add="$4" '
		{ i = n < 100 ? $1 : $1 * 271 % n + 1; print state, 1000, factor * i + add, factor * i + add + 1, "-" }'
}

# difference STATISTIC: print the difference for state C6, with its interval.
difference() {
	awk -F '\t' -v s="$1" '$1 == "C6" && $3 == s { print $8, $9, $10, $11, $16, $17, $18 }' a/compare.tsv
}

mkdir a b c p q
for dir in a b c p; do
	run_tsv "$dir/run.tsv"
done
latencies 3 1000 1 0 | samples_tsv a/samples.tsv
latencies 3 1000 1 100 | samples_tsv b/samples.tsv
latencies 3 500 2 0 | samples_tsv c/samples.tsv

# Ranks for 97.47 %: of 1000 samples 465 and 536 (p50), 982 and 997 (p99); of 500 samples 225 and 276, 489 and 500.
# See intervals.t.
run "$wakelat" compare a b
is "$status$err" 4 "two recordings that differ: status 4"
is "$(difference p50)" "500.5 600.5 100 19.98 29 171 yes" "median: the interval is 465 + 100 - 536 to 536 + 100 - 465"
is "$(difference p99)" "990 1090 100 10.10 85 115 yes" "p99: its difference and interval"
is "$(difference p99.9)" "- - - - - - -" "p99.9 of 1000 samples is -"
is "$(difference min)" "1 101 100 10000.00 - - -" "the minimum has a difference without an interval"
is "$(difference max)" "1000 1100 100 10.00 - - -" "the maximum has a difference without an interval"
is "$(awk '$3 == "p50" { print $12, $13, $14, $15 }' a/compare.tsv)" "469 532 569 632" "each p50 has its own interval"
is "$(head -n 1 a/compare.tsv | tr '\t' ' ')" "state metric statistic run_a run_b n_a n_b a b difference difference_pct a_low a_high b_low b_high difference_low difference_high distinguishable effective_n_a effective_n_b doubt uncertainty_a uncertainty_b" \
	"the columns of compare.tsv"
like "$out" '^Differences of latencies \(emulated\)$' "the title says that the recordings are emulated"
like "$out" '^  p50 +0\.50[01] +0\.60[01] +0\.100 +19\.98  0\.029 \.\. 0\.171 +yes$' "the printed table is in us"
unlike "$out" 'recordings differ' "The recordings differ: not printed if all facts are equal"

run "$wakelat" compare -q -o a/compare.tsv b a
is "$(difference p50)" "600.5 500.5 -100 -16.65 -171 -29 yes" "a negative difference has a negative interval"
ok "compare of recordings with different numbers of samples" "$wakelat" compare -q a c
is "$(difference p50)" "500.5 501 0.5 0.10 -86 87 no" "median: the interval is 2 x 225 - 536 to 2 x 276 - 465"
is "$(difference p99)" "990 990 0 0.00 -19 18 no" "p99: the interval is 2 x 489 - 997 to 2 x 500 - 982"
ok "a recording compared with itself: status 0" "$wakelat" compare -q a a
is "$(difference p50)" "500.5 500.5 0 0.00 -71 71 no" "a recording compared with itself: the difference is 0"
run "$wakelat" compare a b c
is "$(awk '$3 == "p50" { print $4, $5, $10 }' a/compare.tsv | paste -sd ' ' -)" "a b 100 a c 0.5" \
	"three recordings: each is compared with the first"
is "$(printf '%s\n' "$out" | grep -c '(A) and')" 2 "three recordings: two tables are printed"

# Recordings of two sources, with interrupts on in one, a state that only one of them has, and a latency of 0.
run_tsv q/run.tsv source tsc_deadline source i210 kernel 6.12.1 ldist_max_ns 900000
sed -i '/^source	\(hrtimer\|tsc_deadline\)$/d; /^kernel	6.12.0$/d; /^ldist_max_ns	8000000$/d' q/run.tsv
{
	latencies 1 10 0 0
	latencies 2 10 1 0
	latencies 3 10 1 0
} | samples_tsv p/samples.tsv
{
	latencies 1 10 0 5
	latencies 2 10 1 0 | awk '{ $3 = "-"; print }'
} | samples_tsv q/samples.tsv
sed -i 's/\thrtimer\t/\ti210\t/' q/samples.tsv
run "$wakelat" compare p q
is "$status$err" 4 "recordings with different facts: status 4"
is "$(cut -f 1,2 p/compare.tsv | sort -u | tr '\t\n' ' ;')" "C1 wake_latency;C1E_x intr_latency;state metric;" \
	"only common states are compared, by a metric that both have"
is "$(awk '$1 == "C1" && $3 == "p50" { print $8, $9, $10, $11, $18 }' p/compare.tsv)" "0 5 5 - yes" \
	"no percentage if the first value is 0"
like "$out" '^The recordings differ in source: hrtimer \| i210 \(sources measure different quantities' \
	"The recordings differ: sources are named, because each measures something else"
like "$out" '^The recordings differ in kernel: 6\.12\.0 \| 6\.12\.1$' "The recordings differ: kernels are named"
like "$out" '^The recordings differ in ldist_max_ns: 8000000 \| 900000$' "The recordings differ: launch distances are named"
like "$out" '^Not in all recordings: state C6$' "a state that is not in all recordings is named"
run "$wakelat" compare -q p q
is "$out" "" "-q prints nothing on stdout"
like "$err" '^wakelat compare: The recordings differ in source' "-q prints the facts that differ on stderr"

# Medians of 49.0 and 49.5 us, each 4.9 us uncertain: the true difference may be -9.3 to 10.3 us and more.
mkdir ipi1 ipi2
for pair in ipi1:48500 ipi2:49000; do
	run_tsv "${pair%:*}/run.tsv"
	latencies 3 1000 1 "${pair#*:}" | samples_tsv "${pair%:*}/samples.tsv"
done
run "$wakelat" compare ipi1 ipi2
is "$status $(awk '$1 == "C6" && $3 == "p50" { print $16, $17, $18 }' ipi1/compare.tsv)" "4 429 571 yes" \
	"latencies without uncertainty: the medians differ"
for dir in ipi1 ipi2; do
	yes 4900 | head -n 1000 | add_columns "$dir/samples.tsv" uncertainty
	rm -f "$dir"/stats*
done
run "$wakelat" compare ipi1 ipi2
is "$status $(awk '$1 == "C6" && $3 == "p50" { print $16, $17, $18 }' ipi1/compare.tsv)" "0 -9371 10371 no" \
	"latencies that are 4.9 us uncertain: the medians do not differ, and each end moves by twice the uncertainty"
like "$out" '^ipi2, C6: the uncertainty of launch times widens the intervals by at most 4\.9 us' \
	"compare says that the uncertainty widens the intervals"
"$wakelat" stats -q ipi1
is "$(joined ipi1/stats-ci.tsv low | cut -d ' ' -f 1) $(joined ipi1/stats-ci.tsv high | cut -d ' ' -f 1)" "44069 53932" \
	"stats: the ends of the interval are order statistics minus and plus the uncertainty: 48969 - 4900, 49032 + 4900"
rm -rf ipi1 ipi2

# Two halves of one autoregressive recording. If dependence were ignored, half of such pairs would differ.
mkdir half1 half2
for half in half1 half2; do
	run_tsv "$half/run.tsv"
	awk -v seed="${half#half}" 'BEGIN {
		srand(seed + 4)
		for (i = 1; i <= 4000; i++) {
			for (sum = k = 0; k < 12; k++)
				sum += rand()
			x = 0.95 * x + 0.312 * (sum - 6)
			v = int(30000 + 1000 * x)
			print 3, 1000, v, v + 1, "-"
		}
	}' | samples_tsv "$half/samples.tsv"
done
run "$wakelat" compare half1 half2
is "$(awk -F '\t' 'NR > 1 && $3 == "p50" { print $18, ($19 < 400), ($20 < 400) }' half1/compare.tsv)" "no 1 1" \
	"dependent samples: they count as a tenth at most, and the difference is not distinguishable"
like "$out" '^half1, C6: samples may depend on each other: the intervals count them as at least [0-9]+ samples instead of 4000\.?$' \
	"dependent samples: a message states the effective number"
mkdir drift
run_tsv drift/run.tsv
{
	latencies 3 500 1 0
	latencies 3 500 1 1000
} | samples_tsv drift/samples.tsv
run "$wakelat" compare drift half1
like "$out" '^DOUBT: drift, C6: latencies changed during the recording' \
	"latencies that changed during a recording: DOUBT is printed"
run "$wakelat" compare drift half1 half2
unlike "$out" 'p50, .*p50' "DOUBT of three recordings: each statistic is named once"
rm -rf half1 half2 drift

if command -v python3 >/dev/null; then
	"$wakelat" compare --json p q >j.json 2>err.txt
	is "$(python3 -c 'import json; j = json.load(open("j.json")); print(j["command"], [r["distinguishable"] for r in j["compare"] if r["state"] == "C1"][1], j["compare"][0]["a"])')" \
		"compare yes 0" "--json prints the differences"
fi
refused "--quiet and --json" "--quiet with --json is refused" "$wakelat" compare -q --json p q
mkdir few
run_tsv few/run.tsv
latencies 3 4 1 0 | samples_tsv few/samples.tsv
run "$wakelat" compare few few
is "$status" 5 "too few samples for any percentile: undecided, status 5"

run_tsv b/run.tsv run.1.cpu0.samples 1001
run "$wakelat" compare a b
is "$status" 3 "samples are missing: status 3"
like "$out" '^INCOMPLETE' "missing samples: INCOMPLETE is printed"

refused "name at least two directories" "compare of one recording is refused" "$wakelat" compare a
refused "nowhere: no such directory" "a missing directory is refused" "$wakelat" compare a nowhere
refused "unknown option" "an unknown option is refused" "$wakelat" compare -z a b
refused "needs a value" "-o without a file is refused" "$wakelat" compare -o
printf '3 1000 5 6 -\n' | samples_tsv c/samples.tsv
printf '2 1000 5 6 -\n' | samples_tsv a/samples.tsv
cp a/compare.tsv before
refused "no state in common" "recordings without a common state are refused" "$wakelat" compare a c
same a/compare.tsv before "a refused compare leaves the last compare.tsv"
refused "cannot write none/x: No such file or directory" "a file that cannot be written is refused" "$wakelat" compare -q -o none/x p p

# --- options may be anywhere
run "$wakelat" compare p q -q --output=behind.tsv
is "$status" 4 "compare accepts options after the directories"
same behind.tsv p/compare.tsv "options after the directories take effect"
refused "-o needs a value" "an option without its value at the end is refused" "$wakelat" compare p q -o
refused "unknown option '-z'" "an unknown option between the directories is refused" "$wakelat" compare p -z q
refused "-q: no such directory" "after -- there are no options" "$wakelat" compare -- p -q

# --- names and kinds of output files
mkdir there
refused "^wakelat compare: there is a directory" "a directory as output is refused" "$wakelat" compare -q -o there p p
is "$(ls there)" "" "a directory refused as output stays empty"
ln -s target.tsv link
refused "cannot write link: it is a symbolic link" "a symbolic link as output is refused" "$wakelat" compare -q -o link p q
is "$([ -L link ] && ls target.tsv 2>&1)" "ls: cannot access 'target.tsv': No such file or directory" \
	"a symbolic link stays a link, and its target is not written"
mkfifo pipe
cat pipe >from-pipe &
run "$wakelat" compare -q -o pipe p q
is "$status" 4 "compare accepts a pipe as output"
wait
same from-pipe p/compare.tsv "a pipe receives the table"
run "$wakelat" compare -q -o /dev/stdout p q
is "$out" "$(cat p/compare.tsv)" "standard output receives the table"
refused "^wakelat compare: cannot write /dev/full: No space left on device" "a full device is an error" "$wakelat" compare -q -o /dev/full p q
if [ "$(id -u)" -eq 0 ]; then
	chmod 755 "$tmp"
	run setpriv --reuid 65534 --regid 65534 --clear-groups "$wakelat" compare -q -o /dev/stdout p q
	is "$status $err" "1 wakelat compare: cannot write /dev/stdout: it cannot be opened" "a standard output that another user has opened is an error"
else
	skip 1 "needs root"
fi
run "$wakelat" compare -q -o -c p q
is "$status" 4 "compare accepts an output with a name like an option"
same ./-c p/compare.tsv "a name like an option becomes a file"
if [ "$(id -u)" -eq 0 ] && mknod null c 1 3 2>/dev/null; then
	run "$wakelat" compare -q -o null p q
	is "$status" 4 "compare accepts a device as output"
	ok "a device stays a device" [ -c null ]
else
	skip 2 "devices cannot be made here"
fi

# --- recordings of several CPUs
# C6 takes 30 us longer on CPU 1 of both, and CPU 0 of the second takes 500 ns more than that of the first.
mkdir pooled1 pooled2
for pair in pooled1:0 pooled2:500; do
	run_tsv "${pair%:*}/run.tsv"
	sed -i 's/^cpus	0$/cpus	0,1/' "${pair%:*}/run.tsv"
	latencies 3 3000 1 10000 | samples_tsv "${pair%:*}/samples.tsv"
	awk -F '\t' -v OFS='\t' -v more="${pair#*:}" 'NR > 1 { cpu = $5 % 4 == 0; $2 = cpu; $12 += cpu ? 30000 : more } { print }' \
		"${pair%:*}/samples.tsv" >with-cpus && mv with-cpus "${pair%:*}/samples.tsv"
done
run "$wakelat" compare pooled1 pooled2
ratio_text=$(awk -F '\t' 'NR > 1 { print $2, $12 }' pooled1/samples.tsv | sort -n -k 2 | awk '
	{ all[NR] = $2; if ($1 == 1) one[++n] = $2 }
	END { printf "C6, p50: %.3f us, all CPUs: %.3f us", (one[n / 2] + one[n / 2 + 1]) / 2000, (all[NR / 2] + all[NR / 2 + 1]) / 2000 }')
like "$out" "^pooled1: 2 CPUs are compared together; CPU 1 differs most \\($ratio_text\\); to compare one: --where cpu==CPU\$" \
	"several CPUs: says that they are compared together, and which differs most"
is "$(printf '%s\n' "$out" | grep -c 'CPUs are compared together')" 2 "several CPUs: one line for each recording"
cp pooled1/compare.tsv before
run "$wakelat" compare -w cpu==1 pooled1 pooled2
like "$status $out" '^0 Diff' "--where: CPU 1 does not differ"
like "$out" '^C6, wake latency \(us\); N = 750 and 750$' "--where: only the selected samples are compared"
unlike "$out" 'compared together' "--where: one CPU is not several"
like "$out" '^SELECTED: samples with cpu==1$' "--where: the table says which samples were compared"
same pooled1/compare.tsv before "--where without -o leaves compare.tsv"
if command -v python3 >/dev/null; then
	"$wakelat" compare --json -w cpu==1 pooled1 pooled2 >where.json
	is "$(python3 -c 'import json; print(*[(r["n_a"], r["n_b"], r["difference"]) for r in json.load(open("where.json"))["compare"] if r["statistic"] == "p50"])')" \
		"(750, 750, 0)" "--json --where: only the selected samples are compared"
else
	skip 1 "no python3"
fi
run "$wakelat" compare -q -w cpu==0 -o cpu0.tsv pooled1 pooled2
is "$status $(awk -F '\t' '$3 == "p50" { print $6, $10, $18 }' cpu0.tsv)" "4 2250 500 yes" "--where with -o: the differences of CPU 0 are written"
not_ok "compare writes no statistics into a recording" test -e pooled1/stats.tsv
refused "nothing to do: --quiet and --where need --output" "--quiet with --where without -o is refused" "$wakelat" compare -q -w cpu==0 pooled1 pooled2
refused "the condition excludes all of 3000" "a condition that no sample meets is refused" "$wakelat" compare -w cpu==2 pooled1 pooled2
rm -rf pooled1 pooled2

# --- the tables of each recording
three_states two-cpus
three_states one-cpu 500
sed -i 's/^cpus	0$/cpus	0,1/' two-cpus/run.tsv
sed -i '/^1	0	hrtimer	3	.*1$/s/^1	0/1	1/; s/^1	0\(	hrtimer	3	.*[02468]	\)/1	1\1/' two-cpus/samples.tsv
if command -v gnuplot >/dev/null; then
	ok "report --paper of a recording of two CPUs and one of one" "$wakelat" report -q --paper paper two-cpus one-cpu
	ok "a recording of two CPUs has a table of CPUs" test -s paper/two-cpus/stats-cpu.tsv
	not_ok "a recording of one CPU has none, also after one of two" test -e paper/one-cpu/stats-cpu.tsv
	for dir in one-cpu two-cpus; do
		"$wakelat" stats -q "$dir"
		for table in "paper/$dir"/stats*.tsv; do
			same "$dir/${table##*/}" "$table" "$dir: ${table##*/} is the same as of wakelat stats"
		done
	done
else
	skip 3 "gnuplot is missing"
fi
done_testing
