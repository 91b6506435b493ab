#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the kernel could not check is counted, and said in a sentence.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/counts.sh"
build_tools
cd "$tmp" || exit 1

# with_words DIR PROGRAM: make a recording with the column `unknown`, whose cells awk's PROGRAM prints for the rows of samples.tsv
with_words() {
	three_states "$1" 0 note "$1"
	awk -F '\t' "NR > 1 { $2 }" "$1/samples.tsv" | add_columns "$1/samples.tsv" unknown
}

# says TEXT NAME: check that one line of the last output has TEXT
says() {
	is "$(printf '%s\n' "$out" | grep -cF -e "$1")" 1 "$2"
}

# array NAME: print the array of a JSON document
array() {
	python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin)[sys.argv[1]]))' "$1"
}

sleep='whether the CPU slept (no counter of awake cycles can tell, so only samples with a silent time below 20 us have the taint no_sleep).'
with_words all 'print NR % 3 ? "sleep" : "sleep,clock"'
for form in stats 'stats --all' verdict; do
	words "$form all" run "$wakelat"
	says "Not known for 9000 of 9000 samples: $sleep" "$form: says which property is unknown for all samples"
	says "Not known for 3000 of 9000 samples: whether the clock stepped (" "$form: says which property is unknown for some samples"
done
is "$(tr '\t\n' ' ;' <all/stats-unknown.tsv)" "unknown n samples;clock 3000 9000;sleep 9000 9000;" \
	"stats-unknown.tsv has the numbers, those of tainted samples included"
rows='[{"unknown": "clock", "n": 3000, "samples": 9000}, {"unknown": "sleep", "n": 9000, "samples": 9000}]'
is "$("$wakelat" stats --json all | array stats_unknown)" "$rows" "stats --json has the numbers"
is "$("$wakelat" verdict --json all | array unknown)" "$rows" "verdict --json has the numbers"
run "$wakelat" stats -w 'state == C6' all
says "Not known for 3000 of 3000 samples: $sleep" "stats --where counts the selected samples"
ok "report writes a page" "$wakelat" report -q all
is "$(grep -c 'Not known for 9000 of 9000 samples: whether the CPU slept' all/report.html)" 2 \
	"the page has the sentence beside the verdict, and below the tables"

run "$wakelat" report --mail all
says 'Unknown  whether the clock stepped (3000 of 9000 samples); whether the' "the mail names what is unknown"
says '         CPU slept' "the mail wraps it"

with_words newer 'print NR == 2 ? "0x100" : "-"'
run "$wakelat" verdict newer
says "Not known for 1 of 9000 samples: 0x100." "verdict: a word of a newer kernel stands for itself"

# Everything is known, or the recording is older than the column.
with_words known 'print "-"'
cp all/stats-unknown.tsv known/
three_states old 0 note old
for recording in known old; do
	for form in stats 'stats --json' verdict 'verdict --json' 'report --mail'; do
		words "$form $recording" run "$wakelat"
		unlike "$out" 'Not known for|"(stats_)?unknown": \[|^Unknown' "$form: does not mention unknown properties ($recording)"
	done
done

# Counts say what their recording says, and those of two recordings say the sum.
with_words half 'print NR % 2 ? "-" : "sleep"'
# counted RECORDING: make RECORDING.counts, and the directory counts/RECORDING from it
mkdir counts
counted() {
	"$wakelat" stats -q --counts "$1.counts" "$1" && "$wakelat" import -q -o "counts/$1" "$1.counts"
}
for recording in all half known old; do
	counted "$recording"
done
# unknowns OPTION... DIR: print what a command says to be unknown, without the names of recordings
unknowns() {
	"$wakelat" "$@" | sed -n 's/.*Not known for/Not known for/p; /^Unknown/,/^[^ U]/p; /"[a-z_]*unknown": \[/,/]/p'
}
for form in stats 'stats --all' 'stats --json' verdict 'verdict --json' 'report --mail'; do
	for recording in all half; do
		said=$(words "$form $recording" unknowns)
		like "$said" '[Uu]nknown|Not known' "$form: a recording has unknown properties ($recording)"
		is "$(words "$form counts/$recording" unknowns)" "$said" "$form: counts say what their recording says ($recording)"
	done
	for recording in known old; do
		is "$(words "$form counts/$recording" unknowns)" "" "$form: counts without unknown properties say nothing ($recording)"
	done
done
run "$wakelat" compare counts/all half
is "$(printf '%s\n' "$out" | grep -c '^counts/all: Not known for [39]000 of 9000 samples: ')" 2 "compare says what is unknown in counts"
says "half: Not known for 4500 of 9000 samples: $sleep" "compare says what is unknown in a recording"
"$wakelat" report -q counts/all
is "$(grep -o 'Not known for[^<]*' counts/all/report.html)" "$(grep -o 'Not known for[^<]*' all/report.html)" "the page of counts has the sentences"

"$wakelat" merge -q -o two.counts half.counts all.counts && "$wakelat" import -q -o counts/two two.counts
for form in stats verdict; do
	run "$wakelat" "$form" counts/two
	says "Not known for 13500 of 18000 samples: $sleep" "$form: counts of two recordings are added"
	says "Not known for 3000 of 18000 samples: whether the clock stepped (" "$form: the property of one recording stays"
done
"$wakelat" merge -q -o mixed.counts old.counts all.counts && "$wakelat" import -q -o counts/mixed mixed.counts
run "$wakelat" verdict counts/mixed
says "Not known for 9000 of 9000 samples: $sleep" "verdict: samples of a recording without the column are not counted as known"

# Files of counts of earlier versions have the column but no numbers.
sed '1d; $d; /	unknown:/d' all.counts | sealed before.counts
"$wakelat" import -q -o counts/before before.counts
for form in stats verdict; do
	is "$(unknowns "$form" counts/before)" "" "$form: counts of an earlier version are read"
done
run "$wakelat" merge -o out.counts all.counts before.counts
is "$status" 1 "merge leaves out a recording whose earlier counts lack what is unknown: it is there twice, and different"

# bad SED NAME: change the lines of all.counts that count unknown properties
bad() {
	sed "1d; \$d; /	unknown:/$1" all.counts | sealed bad.counts
	run "$wakelat" merge -o out.counts known.counts bad.counts
	is "$status $(printf '%s\n' "$err" | grep -c 'bad.counts: left out: recording [0-9a-f]*: line [0-9]* of its recording: ')" "3 1" \
		"$2: left out, one line says so"
}
bad 's/3000	3000$/3001	3001/' "more samples with unknown properties than there are"
bad 's/	3000$/	2999/' "a number that differs from its sum"
bad 's/3000	/-1	/' "a negative number"
bad 's/3000	.*/3000/' "a missing cell"
bad 'p' "a line that is there twice"
bad 's/^\(.*\):sleep\(,clock\)*\(.*\)/\1:sleep\3\n\1:smi\3/' "two lines that are too much together"
# Other programs may write a list in another way.
sed '1d; $d; s/	unknown:sleep,clock	/	unknown:sleep,,clock,sleep	/' all.counts | sealed strange.counts
"$wakelat" import -q -o counts/strange strange.counts || bail "strange.counts"
with_words strange 'print NR % 3 ? "sleep" : "sleep,,clock,sleep"'
for form in stats verdict; do
	for recording in counts/strange strange; do
		is "$(unknowns "$form" "$recording")" "$(unknowns "$form" all)" "$form: a word that is in a list twice, or empty, is not counted ($recording)"
	done
done
not_ok "stats removes the stats-unknown.tsv of an earlier recording" test -e known/stats-unknown.tsv
done_testing
