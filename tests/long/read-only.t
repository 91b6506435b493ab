#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A recording that is kept read-only, with nothing but what wakelat record wrote: --output is enough for each command that
# prints numbers, and nothing is tried in the directory.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# Root may write everywhere else.
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

# recording DIRECTORY ADD: 400 samples
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
unprivileged test ! -w a 2>/dev/null || skip_all "nothing is read-only here"
before=$(ls -l --time-style=full-iso a b)

run unprivileged "$wakelat" stats -q -o stats a
is "$status" 0 "statistics"
unlike "$err" '/' "no path that is gone by now"
is "$(joined stats/stats.tsv n) $(joined stats/stats.tsv wake_latency_max)" "400 100400" "of all samples"
refused "a: cannot be written to, and its tables are missing: name a directory for them with --output" \
	"statistics, without --output" unprivileged "$wakelat" stats -q a
run unprivileged "$wakelat" stats -m seq a
is "$status" 0 "other columns"
like "$out" '^seq$' "are only printed"
run unprivileged "$wakelat" stats -w 'wake_latency > 100us' --last 5 a
like "$out" '^SELECTED: 5 of 400 samples' "some of the samples as well"
run unprivileged "$wakelat" verdict -q -p 50 -b 150us -o verdict.tsv a
is "$status" 0 "a verdict"
is "$(joined verdict.tsv budget_verdict)" kept "is written"
run unprivileged "$wakelat" verdict -p 50 -b 50us a
is "$status" 4 "or printed"
like "$err" 'a is not writable: verdict\.tsv was not saved$' "which is said"
run unprivileged "$wakelat" compare -o compare.tsv a b
is "$status$err" 4 "a comparison"
is "$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["statistic"] == "p50" && $at["metric"] == "wake_latency" { print $at["difference"] }' compare.tsv)" \
	100000 "of the right recordings"
not_ok "without --output it fails" unprivileged "$wakelat" compare a b
if Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1; then
	run unprivileged "$wakelat" tail -q -o tail a
	is "$status" 0 "the tail"
	is "$(joined tail/tail.tsv n)" 400 "of all samples"
	run unprivileged "$wakelat" tail -q -o tail_some -w 'wake_latency > 100100' a
	is "$status $(joined tail_some/tail.tsv n)" "0 300" "of some"
else
	skip 3 "R with its package evd is not installed"
fi
if command -v gnuplot >/dev/null; then
	run unprivileged "$wakelat" plot -q -k svg -f ccdf,differences -o figures a b
	is "$status" 0 "figures of two"
	ok "are drawn" test -s figures/ccdf.svg
	run unprivileged "$wakelat" report -q -o page.html a
	is "$status" 0 "a page"
	like "$(cat page.html)" '<td[^>]*>100\.400' "with the tables of the samples"
	run unprivileged "$wakelat" report -q --paper paper a
	is "$status" 0 "a directory for a paper"
	is "$(joined paper/stats.tsv n)" 400 "with them"
	not_ok "without --output figures fail" unprivileged "$wakelat" plot -q a
fi
is "$(ls -l --time-style=full-iso a b)" "$before" "the recordings are as they were"

# Tables that are there are used if they are known to be made of these samples.
chmod u+w a
"$wakelat" stats -q a 2>/dev/null
awk -F '\t' -v OFS='\t' 'NR > 1 { for (i = 1; i <= NF; i++) if ($i == 400) $i = 401 } { print }' a/stats.tsv >marked && cp marked a/stats.tsv
cp a/stats.tsv planted.tsv
as_made stats a
chmod a-w a
run unprivileged "$wakelat" stats a
like "$out" '^N +401$' "tables that this user has made are believed"
chmod u+w a
printf '#\n' >>a/run.tsv
chmod a-w a
run unprivileged "$wakelat" stats a
like "$status $out" '^0 .*
N +400$' "tables that are not known to be of these samples are made anew, elsewhere"
same a/stats.tsv planted.tsv "tables in a directory that cannot be written to stay"
done_testing
