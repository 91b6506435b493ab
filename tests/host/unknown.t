#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What the kernel could not check is counted, and said in a sentence.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# with_words DIR PROGRAM: make a recording with the column `unknown`, whose cells awk's PROGRAM prints for the rows of samples.tsv
with_words() {
	three_states "$1"
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

sleep='whether the CPU slept (it has no usable counter of awake cycles, so only samples with a silent time below 20 us have the taint no_sleep).'
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
three_states old
for recording in known old; do
	for form in stats 'stats --json' verdict 'verdict --json' 'report --mail'; do
		words "$form $recording" run "$wakelat"
		unlike "$out" 'Not known for|"(stats_)?unknown": \[|^Unknown' "$form: does not mention unknown properties ($recording)"
	done
done
# Counts do not have the words.
"$wakelat" stats -q --counts all.counts all && "$wakelat" import -q -o counts all.counts
for command in stats verdict; do
	run "$wakelat" "$command" counts
	like "$status$err" '^[04]$' "$command: counts of a recording with the column are read"
done
not_ok "stats removes the stats-unknown.tsv of an earlier recording" test -e known/stats-unknown.tsv
done_testing
