#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat stats: JSON, choice of columns and percentiles, several CPUs, and percentiles that the samples do not support.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# in_json EXPRESSION FILE: print the value of a python EXPRESSION; j is the document.
in_json() {
	python3 -c 'import json, sys
j = json.load(open(sys.argv[2]))
print(eval(sys.argv[1]))' "$1" "$2" 2>&1
}

# Two CPUs, counters, and values that a double cannot hold.
mkdir d
run_tsv d/run.tsv cpus 0-1 state.3.desc 'MWAIT 0x20' tsc_khz 2000000 run.1.cpu0.samples 5 run.1.cpu1.samples 2 \
	run.1.reason samples note 'a\b "c"'
samples_tsv d/samples.tsv <<'END'
3 1000 9007199254740993 134000 -
3 1000 133080 134010 -
3 1000 -9223372036854775808 134020 -
3 1000 133100 134030 smi
1 1000 - 2500 -
3 1000 9223372036854775807 134040 -
1 1000 - 2600 -
END
awk 'BEGIN { FS = OFS = "\t" } NR > 6 { $2 = 1 } { print }' d/samples.tsv >d/new && mv d/new d/samples.tsv
sed -i '/^cpus	0$/d' d/run.tsv
yes '7 3 5 0' | head -n 7 | tr ' ' '\t' >columns
add_columns d/samples.tsv mperf_cyc aperf_cyc cc6_cyc cc1_cyc <columns
run "$wakelat" stats -q -w 'state==3' -o selected d
is "$status$err" 0 "a selection is not an incomplete recording"
run "$wakelat" stats --all d
is "$status$err" 0 "stats of two CPUs"
is "$(cut -f 1-4 d/stats-cpu.tsv | tr '\t\n' ' ;')" \
	"state source cpu n;C1 hrtimer 0 1;C1 hrtimer 1 1;C6 hrtimer 0 3;C6 hrtimer 1 1;" \
		"stats-cpu.tsv has a row for each state and CPU"
is "$(joined d/stats-cpu.tsv wake_latency_max)" "- - 9007199254740993 9223372036854775807" \
	"stats-cpu.tsv has the latencies of each CPU"
is "$(joined d/stats-cpu.tsv tainted)" "0 0 1 0" "stats-cpu.tsv counts the tainted samples of each CPU"
like "$out" '^By CPU \(us\)$' "the printed table has a part by CPU"
like "$out" '^C1 \(intr\.\) +1 +1 +2\.600 +- +- +2\.600 +0$' "the part by CPU has a line for each state and CPU"

if command -v python3 >/dev/null; then
	"$wakelat" stats --json d >j.json 2>err.txt
	ok "--json prints valid JSON" python3 -m json.tool j.json
	is "$(in_json "j['stats'][1]['wake_latency_max'], j['stats'][1]['wake_latency_min'], j['stats_cpu'][2]['wake_latency_max']" j.json)" \
		"(9223372036854775807, -9223372036854775808, 9007199254740993)" "--json: integers are exact"
	is "$(in_json "j['run']['note'], j['run']['lost_overrun'], j['run']['emulated']" j.json)" \
		"('a\\\\b \"c\"', '0', 'yes')" "--json has the facts of run.tsv, and the lost events"
	is "$(in_json "j['run']['cmdline']" j.json)" 'quiet <&> "x"' "--json: quotes and other special characters"
	is "$(in_json "j['stats'][1]['tainted'], j['stats'][1]['smi'], j['stats'][0]['wake_latency_p50'], j['complete'], j['selected']" j.json)" \
		"(1, 1, None, True, None)" "--json: taints are numbers, absent values are null"
	is "$(in_json "sorted(j)" j.json)" \
		"['command', 'complete', 'format', 'means_nothing', 'run', 'selected', 'stats', 'stats_ci', 'stats_cpu', 'stats_frequency', 'stats_reached']" \
		"--json has each table"
	# Each cell of the tables must be in the document.
	cat >check.py <<'END'
import json
j = json.load(open('j.json'), parse_float=str)
for name in ('stats', 'stats-ci', 'stats-cpu', 'stats-frequency', 'stats-reached'):
    lines = [l.rstrip('\n').split('\t') for l in open('d/%s.tsv' % name)]
    rows = [dict(zip(lines[0], l)) for l in lines[1:]]
    text = j[name.replace('-', '_')]
    assert len(rows) == len(text), name
    for row, other in zip(rows, text):
        assert {k: '-' if v is None else str(v) for k, v in other.items()} == row, (row, other)
END
	ok "--json and the tables have the same content" python3 check.py
	printf 'hostname\tb\377x\n' >>d/run.tsv
	sed -i '/^hostname	box/d' d/run.tsv
	"$wakelat" stats --json -w 'state == C6 && wake_latency > 5' d >j.json
	is "$(in_json "j['run']['hostname'], j['selected'], len(j['stats'])" j.json)" \
		"('bx', 'SELECTED: 4 of 7 samples, where state == C6 && wake_latency > 5', 1)" \
			"--json: invalid UTF-8 is removed; a selection is named"
else
	skip 9 "no python3"
fi
json_full() {
	"$wakelat" stats --json d >/dev/full
}
refused "No space left" "--json to a full disk fails" json_full
refused "--quiet and --json" "--quiet with --json is refused" "$wakelat" stats -q --json d

# Other columns and percentiles are only printed. No file of the directory changes.
cp -r d was
run "$wakelat" stats -m silent_time,mperf_cyc,seq -p 50 d
is "$status$err" 0 "stats of other columns"
like "$out" '^silent_time \(us\)$' "other columns: times are printed in us"
like "$out" '^mperf_cyc$' "other columns: cycles are printed unchanged"
like "$out" '^  max +7 +7$' "other columns: the maximum of cycles"
ok "other columns: no file is written" diff -r d was
ok "other columns with --output" "$wakelat" stats -q -m mperf_cyc -p 50,75.5 -o o d
cp d/stats.tsv stats.before
for option in "-m mperf_cyc" "-p 50" --unsupported "--where state==C6" "--last 1"; do
	words "$option -o d/ d" refused "^wakelat stats: d: --output: results of a selection" \
		"$option with the directory itself as --output is refused" "$wakelat" stats -q
done
same d/stats.tsv stats.before "a refused --output leaves the tables unchanged"
ok "--output with the directory itself, for the usual statistics" "$wakelat" stats -q -o d d
cut -f 1,3- d/stats.tsv >older && mv older d/stats.tsv
run "$wakelat" stats -a d
like "$out" '^C6 +' "stats with an old stats.tsv that has no sources"
same d/stats.tsv stats.before "the old stats.tsv is replaced"

# --- several stats at the same time
mkdir together
cp d/run.tsv d/samples.tsv together
for i in 1 2 3 4 5 6; do
	{
		"$wakelat" stats -q together 2>&1
		printf '%s\n' $?
	} >"together.$i" &
done
wait
is "$(cat together.? | paste -sd ' ' -)" "0 0 0 0 0 0" "several stats of one directory at the same time succeed"
is "$(names together)" "$(names d)" "several stats at the same time leave the files of one"
mkdir no-iconv
for tool in awk basename cat cut dirname env find grep head id mktemp mv paste readlink rm sed sh sort stat tail tr wc; do
	ln -s "$(command -v "$tool")" "no-iconv/$tool"
done
run env PATH="$tmp/no-iconv" "$wakelat" stats --json d
is "$status$err" 0 "--json needs no iconv"
for name in k=v -s sl/; do
	run "$wakelat" stats -p 50,75.5 -m mperf_cyc -o "$name" d
	is "$status$err" 0 "--output $name: stats succeeds"
	same "./$name/stats.tsv" o/stats.tsv "--output $name has the usual table"
done
is "$(head -n 1 o/stats.tsv | cut -f 1-9 | tr '\t' ' ')" \
	"state source advertised_ns n mperf_cyc_min mperf_cyc_p50 mperf_cyc_p75.5 mperf_cyc_max mperf_cyc_mean" \
	"--output: stats.tsv has the chosen columns and percentiles"
refused "d/samples\.tsv:1: no column speed" "-m with an unknown column is refused" "$wakelat" stats -m speed d
refused "samples\.tsv:2: source: 'hrtimer' is not an integer" "-m with a column of text is refused" "$wakelat" stats -m source d
refused "-p: '100' is not a percentage" "-p with a wrong percentage is refused" "$wakelat" stats -p 100 d
refused "-m: seq occurs twice" "-m with a repeated column is refused" "$wakelat" stats -m seq,cpu,seq d
refused "-p: 50 occurs twice" "-p with a repeated percentile is refused" "$wakelat" stats -p 50,99,50 d
"$wakelat" stats -q -p 99,50,9.5 -o order d
is "$(head -n 1 order/stats.tsv | tr '\t' '\n' | grep -c wake_latency)" 7 "-p accepts percentiles in any order"
like "$(head -n 1 order/stats.tsv | tr '\t' ' ')" 'wake_latency_p9\.5 wake_latency_p50 wake_latency_p99 ' \
	"percentiles are printed in ascending order"
refused "nothing to do" "-q -m without --output is refused" "$wakelat" stats -q -m seq d
refused "-m needs a value" "-m without a value is refused" "$wakelat" stats -m

# Percentiles that the samples do not support.
mkdir u
run_tsv u/run.tsv
seq 1000 | sed 's/.*/3 1000 &000 &000 -/' | samples_tsv u/samples.tsv
run "$wakelat" stats --unsupported u
like "$out" '^  p99 +990\.010$' "-u: a supported percentile has no mark"
like "$out" '^  p99\.9 +999\.001\*$' "-u: an unsupported percentile has a mark"
like "$out" '^\*: NOT SUPPORTED' "-u: the mark is explained"
not_ok "-u: stats.tsv is not written" test -e u/stats.tsv
run "$wakelat" stats u
like "$out" '^  p99\.9 +-$' "without -u an unsupported percentile is -"
"$wakelat" stats -q --unsupported -o u2 u
is "$(joined u2/stats.tsv wake_latency_p99.999)" "999990*" "-u: the mark is in the table, so the cell is not a number"

# The short table: three states and all notes fit on one screen.
mkdir short
run_tsv short/run.tsv run.1.cpu0.samples 7500 run.1.cpu0.armed 9500 run.1.cpu0.not_idle 2000 run.1.reason samples
seq 7500 | awk '{ s = 1 + $1 % 3; print s, 1000, (s == 1 ? "-" : 10000 + $1), 12000 + $1, ($1 > 7490 ? "smi" : "-") }' |
	samples_tsv short/samples.tsv
run "$wakelat" stats short
is "$(printf '%s\n' "$out" | awk '{ if (length($0) > 80 && !/^All of it/) long = 1 } END { print (NR <= 24), long + 0 }')" "1 0" \
	"the short table fits 24 lines of 80 columns"
is "$(printf '%s\n' "$out" | sed -n '4,18{s/  [- 0-9.]*$//; s/^ *//; p;}' | paste -sd , -)" \
	"advertised (us),N,tainted,wake latency (us),min,p50,p99,p99.9,max,interrupt latency (us),min,p50,p99,p99.9,max" \
		"the short table has these rows"
like "$out" '^-.*p99\.9 2995\)\.$' "the short table explains -"
like "$out" '^All of it: .*wakelat stats --all short  \(DOUBT: C1, C1E_x, C6: samples depend on each other\)$' \
	"the short table names the command for all of it, and says that ascending samples depend on each other"
cp short/stats.tsv short.tsv
run "$wakelat" stats --all short
for row in '  p90' '  p99\.999' '  mean' '  std' 'wake latency, 95 % confidence \(us\)' 'Armed 9500 events' 'kernel 6'; do
	like "$out" "^$row" "--all prints: $row"
done
unlike "$out" '^All of it' "--all does not refer to itself"
same short/stats.tsv short.tsv "stats.tsv is the same with and without --all"

# --- a state table of another machine
mkdir w
run_tsv w/run.tsv
printf '9 1000 5 6 -\n' | samples_tsv w/samples.tsv
run "$wakelat" stats w
like "$out" '^state9 is not in the state table of run\.tsv' \
	"a state that is not in run.tsv's state table is named by its number"

# HdrHistogram's plotters read four columns. The last column is missing at 100 %.
mkdir hg
run_tsv hg/run.tsv
seq 100 | sed 's/.*/3 1000 &000 5 -/' | samples_tsv hg/samples.tsv
ok "--hgrm writes histograms" "$wakelat" stats -q --hgrm hg/out hg
is "$(names hg/out)" "C6-intr_latency.hgrm C6-wake_latency.hgrm" "--hgrm writes a file for each state and metric"
is "$(awk 'NF == 4 && $2 == "0.500000000000" { print $1, $3, $4 }' hg/out/C6-wake_latency.hgrm)" "50.000 50 2.00" \
	"--hgrm: the median in us"
is "$(awk '$2 == "1.000000000000" { print NF, $1, $3 }' hg/out/C6-wake_latency.hgrm)" "3 100.000 100" "--hgrm: the maximum"

# The latency is 100 us in the 30 samples of C6 that reached C6, and 1 us in the 70 that did not. C1E_x never moves its counter,
# so all its samples count. C1 has no counter.
mkdir hr
run_tsv hr/run.tsv state.3.desc 'MWAIT 0x20' state.2.desc 'MWAIT 0x01' tsc_khz 2000000
awk 'BEGIN {
	for (i = 1; i <= 100; i++) {
		print 3, 1000, (i <= 30 ? 100000 : 1000), 200000, "-" >"hr/rows"
		print (i <= 30 ? "10 30 5 0" : "10 10 0 0") >"hr/cells"
		print 2, 1000, i <= 50 ? 7000 : 9000, 200000, "-" >"hr/rows"
		print "10 20 0 0" >"hr/cells"
		print 1, 1000, 4000, 200000, "-" >"hr/rows"
		print "10 40 0 0" >"hr/cells"
	}
}'
samples_tsv hr/samples.tsv <hr/rows
tr ' ' '\t' <hr/cells >hr/columns
add_columns hr/samples.tsv mperf_cyc aperf_cyc cc6_cyc cc1_cyc <hr/columns
run "$wakelat" stats -q --hgrm hr/out hr
is "$status$err" 0 "--hgrm with samples that missed their state succeeds"
is "$(names hr/out)" "C1-intr_latency.hgrm C1-wake_latency.hgrm C1E_x-intr_latency.hgrm C1E_x-wake_latency.hgrm C6-intr_latency.hgrm C6-wake_latency.hgrm" \
	"--hgrm writes one file for each state and metric"
# ends STATE: print the minimum, the maximum and the number of samples of its wake latency
ends() { awk 'NF >= 3 && $2 ~ /^[01][.]/ { if (!n) min = $1; max = $1; n = $3 } END { print min, max, n }' "hr/out/$1-wake_latency.hgrm"; }
is "$(ends C6)" "100.000 100.000 30" "--hgrm leaves out the samples that missed their state"
is "$(ends C1E_x); $(ends C1)" "7.000 9.000 100; 4.000 4.000 100" "--hgrm has all samples of a state that none reached, or that has no counter"
is "$(cut -f 1,3- hr/stats-frequency.tsv | tail -n +2 | tr '\t\n' ' ;')" \
	"C1 100 40 10 8000.0;C1E_x 100 20 10 4000.0;C6 30 30 10 6000.0;" \
	"stats-frequency.tsv leaves out the samples that missed their state"
is "$(joined hr/stats.tsv n)" "100 100 30" "stats-frequency.tsv has the numbers of samples of stats.tsv"
done_testing
