#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A read-only recording that has only the files of wakelat record. Each command that prints numbers works with --output,
# and does not try to write to the recording.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# Root could write to read-only directories.
unprivileged() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --bounding-set=-dac_override "$@"
	else
		"$@"
	fi
}
cleanup() {
	chmod -R u+w "$tmp"
}

# recording DIRECTORY ADD: make a read-only recording of 400 samples whose wake latencies begin at ADD ns
recording() {
	mkdir "$1"
	run_tsv "$1/run.tsv"
	awk -v add="$2" 'BEGIN {
		for (i = 1; i <= 400; i++)
			printf "sample 0 %d run=1 source=1 state=3 wake_latency=%d intr_latency=%d\n", i, i * 7 % 401 + add, i * 7 % 401 + add + 500
		print "end 0 401 run=1 cpu=0 samples=400"
	}' | trace "$1/trace.dat"
	chmod a-w "$1"
}
recording a 100000
recording b 200000
unprivileged test ! -w a 2>/dev/null || skip_all "this user can write to read-only directories"
before=$(ls -l --time-style=full-iso a b)

run unprivileged "$wakelat" stats -q -o stats a
is "$status" 0 "stats -o succeeds"
unlike "$err" '/' "stats -o: stderr names no temporary path"
is "$(joined stats/stats.tsv n) $(joined stats/stats.tsv wake_latency_max)" "400 100400" "stats -o uses all samples"
refused "cannot write a, and its tables are missing: name a directory for them with --output" \
	"stats without --output" unprivileged "$wakelat" stats -q a
run unprivileged "$wakelat" stats -m seq a
is "$status" 0 "stats --metric of another column succeeds"
like "$out" '^seq$' "stats --metric prints the column"
run unprivileged "$wakelat" stats -w 'wake_latency > 100us' --last 5 a
like "$out" '^SELECTED: 5 of 400 samples' "stats --where prints a selection"
run unprivileged "$wakelat" verdict -q -p 50 -b 150us -o verdict.tsv a
is "$status" 0 "verdict -o succeeds"
is "$(joined verdict.tsv budget_verdict)" kept "verdict -o writes its table"
run unprivileged "$wakelat" verdict -p 50 -b 50us a
is "$status" 4 "verdict without -o exits with 4"
like "$err" 'a is not writable: verdict\.tsv was not saved$' "verdict without -o says that it was not saved"
run unprivileged "$wakelat" compare -o compare.tsv a b
is "$status$err" 4 "compare -o finds a difference"
is "$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["statistic"] == "p50" && $at["metric"] == "wake_latency" { print $at["difference"] }' compare.tsv)" \
	100000 "compare -o: the difference is that of the two recordings"
not_ok "compare without --output fails" unprivileged "$wakelat" compare a b
if command -v gnuplot >/dev/null; then
	run unprivileged "$wakelat" plot -q -k svg -f ccdf,differences -o figures a b
	is "$status" 0 "plot -o of two recordings succeeds"
	ok "plot -o draws a figure" test -s figures/ccdf.svg
	run unprivileged "$wakelat" report -q -o page.html a
	is "$status" 0 "report -o succeeds"
	like "$(cat page.html)" '<td[^>]*>100\.400' "report -o: the page has the tables of the samples"
	run unprivileged "$wakelat" report -q --paper paper a
	is "$status" 0 "report --paper succeeds"
	is "$(joined paper/stats.tsv n)" 400 "report --paper writes the statistics"
	not_ok "plot without --output fails" unprivileged "$wakelat" plot -q a
fi
is "$(ls -l --time-style=full-iso a b)" "$before" "the recordings have not changed"

# Existing tables are neither used nor changed.
chmod u+w a
"$wakelat" stats -q a 2>/dev/null
awk -F '\t' -v OFS='\t' 'NR > 1 { for (i = 1; i <= NF; i++) if ($i == 400) $i = 401 } { print }' a/stats.tsv >planted.tsv && cp planted.tsv a/stats.tsv
chmod a-w a
run unprivileged "$wakelat" stats a
like "$status $out" '^0 .*
N +400$' "stats computes the statistics of the samples, whatever tables there are"
same a/stats.tsv planted.tsv "stats does not change tables in a read-only directory"
done_testing
