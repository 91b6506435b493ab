#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat compare: differences that were computed by hand.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# latencies STATE N FACTOR ADD: FACTOR * i + ADD for i = 1..N, mixed: in ascending order they would depend on each other
latencies() {
	seq "$2" | awk -v state="$1" -v n="$2" -v factor="$3" -v add="$4" '
		{ i = n < 100 ? $1 : $1 * 271 % n + 1; print state, 1000, factor * i + add, factor * i + add + 1, "-" }'
}

# difference STATISTIC: of state C6
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

# Ranks at 97.47 %: 465 and 536 of 1000 (p50), 982 and 997 (p99); 225 and 276 of 500, 489 and 500. See intervals.t.
run "$wakelat" compare a b
is "$status$err" 4 "two recordings: they differ, status 4"
is "$(difference p50)" "500.5 600.5 100 19.98 29 171 yes" "median: 465 + 100 - 536, 536 + 100 - 465"
is "$(difference p99)" "990 1090 100 10.10 85 115 yes" "p99"
is "$(difference p99.9)" "- - - - - - -" "p99.9 of 1000: nothing"
is "$(difference min)" "1 101 100 10000.00 - - -" "least, without an interval"
is "$(difference max)" "1000 1100 100 10.00 - - -" "greatest"
is "$(awk '$3 == "p50" { print $12, $13, $14, $15 }' a/compare.tsv)" "469 532 569 632" "each with its own interval"
is "$(head -n 1 a/compare.tsv | tr '\t' ' ')" "state metric statistic run_a run_b n_a n_b a b difference difference_pct a_low a_high b_low b_high difference_low difference_high distinguishable effective_n_a effective_n_b doubt" "columns"
like "$out" '^Differences of latencies \(emulated\)$' "emulated"
like "$out" '^  p50 +0\.50[01] +0\.60[01] +0\.100 +19\.98  0\.029 \.\. 0\.171 +yes$' "the table, in us"
unlike "$out" 'They differ' "nothing differs"

run "$wakelat" compare -q -o a/compare.tsv b a
is "$(difference p50)" "600.5 500.5 -100 -16.65 -171 -29 yes" "a negative difference"
ok "one of another size" "$wakelat" compare -q a c
is "$(difference p50)" "500.5 501 0.5 0.10 -86 87 no" "median: 2 x 225 - 536, 2 x 276 - 465"
is "$(difference p99)" "990 990 0 0.00 -19 18 no" "p99: 2 x 489 - 997, 2 x 500 - 982"
ok "with itself: status 0" "$wakelat" compare -q a a
is "$(difference p50)" "500.5 500.5 0 0.00 -71 71 no" "no difference"
run "$wakelat" compare a b c
is "$(awk '$3 == "p50" { print $4, $5, $10 }' a/compare.tsv | paste -sd ' ' -)" "a b 100 a c 0.5" "three: each with the first"
is "$(printf '%s\n' "$out" | grep -c '(A) and')" 2 "two parts"

# Interrupts on in one of them; a state in one only; 0; one source that is another.
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
is "$status$err" 4 "recordings that differ"
is "$(cut -f 1,2 p/compare.tsv | sort -u | tr '\t\n' ' ;')" "C1 wake_latency;C1E_x intr_latency;state metric;" "states in common, the metric that both have"
is "$(awk '$1 == "C1" && $3 == "p50" { print $8, $9, $10, $11, $18 }' p/compare.tsv)" "0 5 5 - yes" "5 is no percentage of 0"
like "$out" '^They differ in source: hrtimer \| i210 \(each source measures' "says that sources are separate quantities"
like "$out" '^They differ in kernel: 6\.12\.0 \| 6\.12\.1$' "another kernel"
like "$out" '^They differ in ldist_max_ns: 8000000 \| 900000$' "other launch distances"
like "$out" '^Not in all of them: state C6$' "a state in one of them"
run "$wakelat" compare -q p q
is "$out" "" "quiet"
like "$err" '^wakelat compare: They differ in source' "but for what differs"

# Two halves of one recording, autoregressive: without the effective number of samples half of these differed.
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
	"dependent samples: worth a tenth of them at most, and not distinguishable"
like "$out" '^half1, C6: samples may depend on each other: intervals are those of [0-9]+, or more, of 4000$' "dependent samples: said"
mkdir drift
run_tsv drift/run.tsv
{
	latencies 3 500 1 0
	latencies 3 500 1 1000
} | samples_tsv drift/samples.tsv
run "$wakelat" compare drift half1
like "$out" '^DOUBT: drift, C6: latencies changed during the recording' "latencies that changed: doubt"
rm -rf half1 half2 drift

if command -v python3 >/dev/null; then
	"$wakelat" compare --json p q >j.json 2>err.txt
	is "$(python3 -c 'import json; j = json.load(open("j.json")); print(j["command"], [r["distinguishable"] for r in j["compare"] if r["state"] == "C1"][1], j["compare"][0]["a"])')" \
		"compare yes 0" "JSON"
fi
refused "--quiet and --json" "quiet JSON" "$wakelat" compare -q --json p q
mkdir few
run_tsv few/run.tsv
latencies 3 4 1 0 | samples_tsv few/samples.tsv
run "$wakelat" compare few few
is "$status" 5 "too few samples for any percentile: undecided, status 5"

run_tsv b/run.tsv run.1.cpu0.samples 1001
run "$wakelat" compare a b
is "$status" 3 "samples are missing: status 3"
like "$out" '^INCOMPLETE' "and it says so"

refused "name at least two directories" "one recording" "$wakelat" compare a
refused "nowhere: no such directory" "a missing directory" "$wakelat" compare a nowhere
refused "unknown option" "an unknown option" "$wakelat" compare -z a b
refused "needs a value" "no file" "$wakelat" compare -o
printf '3 1000 5 6 -\n' | samples_tsv c/samples.tsv
printf '2 1000 5 6 -\n' | samples_tsv a/samples.tsv
cp a/compare.tsv before
refused "no state in common" "no state in common" "$wakelat" compare a c
same a/compare.tsv before "leaves the last comparison"
refused "none/x cannot be written" "an unwritable file" "$wakelat" compare -q -o none/x p p

# Options stand where they like.
run "$wakelat" compare p q -q --output=behind.tsv
is "$status" 4 "options behind the directories"
same behind.tsv p/compare.tsv "are options"
refused "-o needs a value" "one without its value" "$wakelat" compare p q -o
refused "unknown option '-z'" "an unknown one" "$wakelat" compare p -z q
refused "-q: no such directory" "behind -- there is none" "$wakelat" compare -- p -q

# What an output can be called, and what it can be.
mkdir there
refused "^wakelat compare: there: a directory" "a directory for the file" "$wakelat" compare -q -o there p p
is "$(ls there)" "" "nothing is put into it"
ln -s target.tsv link
refused "link: a symbolic link is in the place" "a symbolic link" "$wakelat" compare -q -o link p q
is "$([ -L link ] && ls target.tsv 2>&1)" "ls: cannot access 'target.tsv': No such file or directory" "stays one, and nothing is written through it"
mkfifo pipe
cat pipe >from-pipe &
run "$wakelat" compare -q -o pipe p q
is "$status" 4 "a pipe"
wait
same from-pipe p/compare.tsv "is written into"
run "$wakelat" compare -q -o /dev/stdout p q
is "$out" "$(cat p/compare.tsv)" "as is standard output"
refused "^wakelat compare: /dev/full cannot be written" "a device that is full" "$wakelat" compare -q -o /dev/full p q
run "$wakelat" compare -q -o -c p q
is "$status" 4 "an output called like an option"
same ./-c p/compare.tsv "is a file"
if [ "$(id -u)" -eq 0 ] && mknod null c 1 3 2>/dev/null; then
	run "$wakelat" compare -q -o null p q
	is "$status" 4 "a device"
	ok "stays one" [ -c null ]
else
	skip 2 "devices cannot be made here"
fi
done_testing
