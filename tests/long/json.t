#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# --json of each command has the rows of its tables to the last digit, also if the name of a state is a number.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/machine.sh"
. "$top/tests/lib/tables.sh"
build_tools
cd "$tmp" || exit 1

# recording DIR SHIFT: make a recording with states called C1 and 6, and exponential tails from a fixed random sequence
recording() {
	mkdir "$1" && run_tsv "$1/run.tsv" state.3.name 6 "title" 'a "quoted" \ name'
	awk -v shift="$2" 'BEGIN {
		x = 1
		for (i = 0; i < 4000; i++) {
			x = (x * 16807) % 2147483647
			print i % 2 ? "C1" : 6, 100000 + i, int(shift - 3000 * log(x / 2147483647)), 500, i % 50 ? "-" : "nmi"
		}
	}' | samples_tsv "$1/samples.tsv"
}
recording a 20000
recording b 30000
ok "stats makes the tables" "$wakelat" stats -q a

"$wakelat" stats --json a >document
is "$?" 0 "stats --json succeeds"
same_rows stats stats stats a/stats.tsv stats_ci a/stats-ci.tsv
"$wakelat" verdict -b 50us -p 99 -o verdict.tsv a >/dev/null
"$wakelat" verdict -b 50us -p 99 --json a >document
is "$?" 0 "verdict --json: status 0, kept"
same_rows verdict verdict states verdict.tsv
"$wakelat" compare -q -o compare.tsv a b
"$wakelat" compare --json a b >document
is "$?" 4 "compare --json: status 4, they differ"
same_rows compare compare compare compare.tsv
# A simulated machine does not change between the two calls.
make_machine "$tmp/machine"
WAKELAT_ROOT=$tmp/machine "$wakelat" doctor --cpu 1 --tsv --time 0s >doctor.tsv
WAKELAT_ROOT=$tmp/machine "$wakelat" doctor --cpu 1 --json --time 0s >document
is "$?" 0 "doctor --json succeeds"
same_rows doctor doctor doctor doctor.tsv
done_testing
