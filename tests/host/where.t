#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat stats --where, --first, --last: which samples they select, and which conditions are refused.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
select=$top/tools/bin/select-samples

mkdir d
run_tsv d/run.tsv state.4.name C1-HSW.x
samples_tsv d/samples.tsv <<'END'
3 100000 133070 134000 -
1 200000 - 2500 -
3 300000 133080 134010 smi
3 400000 133090 134020 nmi,smi
4 500000 -20 -10 -
1 600000 - 2600 foreign_irq
3 700000 9223372036854775807 134030 -
END
add_columns d/samples.tsv cc6_cyc <<'END'
0
5
18446744073709551614
-
7
8
9
END
add_columns d/samples.tsv event <<'END'
timer
flag
ipi
-
timer
flag
flag
END

# left CONDITION: print seq of the samples that it selects
left() {
	"$select" -w "$1" d/run.tsv d/samples.tsv left.tsv >count.txt || return
	joined left.tsv seq
}

while IFS='|' read -r wanted condition; do
	is "$(left "$(printf '%s' "$condition" | tr '~' '|')")" "$wanted" "$condition"
done <<'END'
1 3 4 7|state == C6
1 3 4 7|C6==state
1 3 4 7|state == "C6"
2 5 6|'C6' != state
2 5 6|state!=C6
1 3 4 7|state == 3
5|state==C1-HSW.x
2 6|state==C1
3 4 7|silent_time>=300us && state==C6
4 7|silent_time>300us && state==C6
3 4 7|silent_time >= 0.3ms && wake_latency > 1us
4 7|400000 <= silent_time && state == C6
4|silent_time == 0.0004s
1 2 5 7|taint == none
3 4|taint==smi
4|taint==nmi
1 2 3 5 6 7|taint!=nmi
3 4 6|!(taint==none)
1 2 4|!!(seq<=2)~~(seq==4)
1 4 5|seq==1 ~~ seq>3 && seq<6
4 5|(seq==1 ~~ seq>3) && seq<6 && seq!=1
2 6|wake_latency==none
1 3 4 5 7|wake_latency!=none
5|wake_latency<0
5|wake_latency == -20
5|wake_latency<-19.0ns
7|wake_latency>=intr_latency
3|cc6_cyc > 9s
3 5 6 7|cc6_cyc>5
1 2 3 4 5 6 7|source==hrtimer
2 6 7|event == flag
1 2 4 5 6 7|event!=ipi
4|event == none
7|event == flag && state == C6
|source!=hrtimer
END
is "$(cat count.txt)" "0 of 7" "the number of selected samples and of all samples is printed"
same left.tsv "$(head -n 1 d/samples.tsv >header.tsv && printf header.tsv)" "the header is kept"

# bad CONDITION POSITION ERE: check that the condition is refused with this position and a message that matches ERE
bad() {
	refused "'.*': at character $2: $3" "refused: '$1'" "$select" -w "$1" d/run.tsv d/samples.tsv left.tsv
}
bad '' 1 'the condition ends here'
bad 'state==C9' 8 'there is no state C9'
bad 'state=C6' 6 'expected == '
bad 'state' 6 'expected == '
bad 'stat==C6' 1 'there is no column stat'
bad 'seq==x' 6 'there is no column x to compare with seq, which has numbers'
bad 'state==C6 silent_time>3' 11 'expected && or '
bad 'state==C6 && ' 14 'the condition ends here'
bad '(state==C6' 11 'expected \)'
bad 'state==C6)' 10 'expected && or '
bad 'state>C6' 7 'C6 can only be compared with == and !='
bad 'state=="C6' 8 'the quote has no end'
bad 'state==""' 8 'the quotes are empty'
bad 'seq=="5"' 6 'there is no column 5 to compare with seq, which has numbers'
bad 'seq>5m' 6 'unknown unit'
bad 'seq>1.5' 5 '1\.5 is not a whole number'
bad 'seq>1.5ns' 5 '1\.5ns is not a whole number of ns'
bad 'seq>1234567890123456789' 5 'more than 18 digits'
bad '5<6' 1 'no column'
bad 'seq>5 & seq<7' 7 'expected && or '
bad 'seq>$' 5 'expected a column, name or number'
deep=$(printf '%0300d' 0 | tr 0 '(')
bad "$deep" '[0-9]*' 'more than 200 levels'
refused "samples.tsv:2: source: 'hrtimer' is not a number" "a column of words cannot be compared with a number" \
	"$select" -w 'source>5' d/run.tsv d/samples.tsv left.tsv

# --first and --last apply to each state, after the condition.
"$select" -f 2 d/run.tsv d/samples.tsv left.tsv >count.txt
is "$(joined left.tsv seq)" "1 2 3 5 6" "first 2 of each state"
"$select" -l 2 d/run.tsv d/samples.tsv left.tsv >count.txt
is "$(joined left.tsv seq)" "2 4 5 6 7" "last 2 of each state"
"$select" -l 1 -w 'taint!=none' d/run.tsv d/samples.tsv left.tsv >count.txt
is "$(joined left.tsv seq) $(cat count.txt)" "4 6 2 of 7" "last 1 of each state that a condition selects"
# The rows of CPU 2 come after those of CPU 1, which has three times as many. C6 is state 3.
{
	head -n 1 d/samples.tsv
	awk -F '\t' -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == 2 { for (i = 1; i <= 12; i++) { $at["cpu"] = 1 + (i > 9); $at["state"] = 3; $at["seq"] = i; print } }' d/samples.tsv
} >cpus.tsv
"$select" -f 4 d/run.tsv cpus.tsv left.tsv >count.txt
is "$(joined left.tsv seq)" "1 2 3 10" "first 4 of two CPUs, one after the other: each has its share"
"$select" -l 4 d/run.tsv cpus.tsv left.tsv >count.txt
is "$(joined left.tsv seq)" "7 8 9 12" "last 4 of two CPUs: each has its share"
"$select" -f 5 d/run.tsv cpus.tsv left.tsv >count.txt
is "$(wc -l <left.tsv) $(cat count.txt)" "6 5 of 12" "first 5 of two CPUs: 5, although their shares are no whole numbers"
for n in 0 -1 x ''; do
	refused "--first: '$n' is not a number above 0" "refused: --first '$n'" "$select" -f "$n" d/run.tsv d/samples.tsv left.tsv
done
full() {
	"$select" -f 1 d/run.tsv d/samples.tsv /dev/full
}
refused "cannot write /dev/full: " "a full disk is an error" full

# The command.
ok "stats reads all samples" "$wakelat" stats -q d
cp d/stats.tsv all.tsv
run "$wakelat" stats d --where 'state==C6 && taint==none' --first=1
is "$status$err" 0 "stats reads selected samples"
like "$out" '^SELECTED: 1 of 7 samples, where state==C6 && taint==none, first 1 of each state$' "the table says which samples are selected"
like "$out" '^N +1$' "the table counts only selected samples"
same d/stats.tsv all.tsv "stats.tsv still has all samples"
ok "stats of selected samples can be written with -o" "$wakelat" stats -q -w 'state!=C6' -o some d
is "$(joined some/stats.tsv n)" "1 1" "the written statistics are those of the selected samples"
ok "the intervals of the selected samples are written" test -s some/stats-ci.tsv
refused "the condition excludes all of 7" "refused: a condition that selects no sample" "$wakelat" stats -w 'seq>100' d
refused "wakelat stats: 'seq>': at character 5" "refused: a bad condition" "$wakelat" stats -w 'seq>' d
refused "--first and --last exclude each other" "refused: --first with --last" "$wakelat" stats --first 1 --last 1 d
refused "nothing to do" "refused: -q without -o" "$wakelat" stats -q --first 1 d
refused "needs a value" "refused: --where without a condition" "$wakelat" stats d --where
refused "needs a value" "refused: an empty condition" "$wakelat" stats d --where=
refused "cannot create .*all.tsv/x" "refused: an output below a file" "$wakelat" stats -o all.tsv/x d

# What woke the CPU: untainted samples by state and kind.
unlike "$("$wakelat" stats d)" '^woken by' "without woken_by in run.tsv: no table of what woke the CPU"
printf 'woken_by\ttimer,flag,ipi\n' >>d/run.tsv
sed 's/	9223372036854775807	/	150001	/' d/samples.tsv >rows && cp rows d/samples.tsv
printf 'source\tpassive\n' >>d/run.tsv
# kinds: print the rows of the table
kinds() { printf '%s\n' "$out" | sed -n '/^woken by/,/^[^a-z]/p' | sed -n '/^\(timer\|flag\|ipi\)/p' | tr -s ' ' | sort; }
run "$wakelat" stats d
is "$(kinds)" "$(printf '%s\n' 'flag C1 1 - 2.500' 'flag C6 1 - 150.001' 'timer C1-HSW.x 1 - -0.020' 'timer C6 1 - 133.070' | sort)" \
	"stats prints number and maximum of each state and of what woke the CPU, and no median of one sample"
cp -r d five
awk 'NR == 1 { print; next } { for (i = 0; i < 5; i++) print }' d/samples.tsv >five/samples.tsv
run "$wakelat" stats five
is "$(kinds)" "$(printf '%s\n' 'flag C1 5 2.500 2.500' 'flag C6 5 150.001 150.001' 'timer C1-HSW.x 5 -0.020 -0.020' \
	'timer C6 5 133.070 133.070' | sort)" "stats prints the median of five samples"
run "$wakelat" stats -w 'event == flag' d
is "$(printf '%s\n' "$out" | grep -c '^timer ')" 0 "stats --where selects what woke the CPU"

done_testing
