#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat stats: JSON, other columns and percentiles, several CPUs, unsupported percentiles.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# in_json EXPRESSION FILE: of the document j, by python
in_json() {
	python3 -c 'import json, sys
j = json.load(open(sys.argv[2]))
print(eval(sys.argv[1]))' "$1" "$2" 2>&1
}

# Two CPUs, counters, values that a double does not hold.
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
run "$wakelat" stats --all d
is "$status$err" 0 "two CPUs"
is "$(cut -f 1-4 d/stats-cpu.tsv | tr '\t\n' ' ;')" \
	"state source cpu n;C1 hrtimer 0 1;C1 hrtimer 1 1;C6 hrtimer 0 3;C6 hrtimer 1 1;" "a row for each state and CPU"
is "$(joined d/stats-cpu.tsv wake_latency_max)" "- - 9007199254740993 9223372036854775807" "with its latencies"
is "$(joined d/stats-cpu.tsv tainted)" "0 0 1 0" "and its tainted"
like "$out" '^By CPU \(us\)$' "printed as well"
like "$out" '^C1 \(intr\.\) +1 +1 +2\.600 +- +- +2\.600 +0$' "a line of it"

if command -v python3 >/dev/null; then
	"$wakelat" stats --json d >j.json 2>err.txt
	ok "JSON" python3 -m json.tool j.json
	is "$(in_json "j['stats'][1]['wake_latency_max'], j['stats'][1]['wake_latency_min'], j['stats_cpu'][2]['wake_latency_max']" j.json)" \
		"(9223372036854775807, -9223372036854775808, 9007199254740993)" "exact integers"
	is "$(in_json "j['run']['note'], j['run']['lost_overrun'], j['run']['emulated']" j.json)" \
		"('a\\\\b \"c\"', '0', 'yes')" "what run.tsv says, losses as well"
	is "$(in_json "j['run']['cmdline']" j.json)" 'quiet <&> "x"' "quotes"
	is "$(in_json "j['stats'][1]['tainted'], j['stats'][1]['smi'], j['stats'][0]['wake_latency_p50'], j['complete'], j['selected']" j.json)" \
		"(1, 1, None, True, None)" "taints; absent values"
	is "$(in_json "sorted(j)" j.json)" \
		"['command', 'complete', 'format', 'means_nothing', 'run', 'selected', 'stats', 'stats_ci', 'stats_cpu', 'stats_frequency', 'stats_reached']" \
		"each table"
	# What is in the tables is in the document, cell by cell.
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
	ok "the same content as the tables" python3 check.py
	printf 'hostname\tb\377x\n' >>d/run.tsv
	sed -i '/^hostname	box/d' d/run.tsv
	"$wakelat" stats --json -w 'state == C6 && wake_latency > 5' d >j.json
	is "$(in_json "j['run']['hostname'], j['selected'], len(j['stats'])" j.json)" \
		"('bx', 'SELECTED: 4 of 7 samples, where state == C6 && wake_latency > 5', 1)" "invalid UTF-8; some of the samples"
else
	skip 9 "no python3"
fi
json_full() {
	"$wakelat" stats --json d >/dev/full
}
refused "No space left" "JSON for a full disk" json_full
refused "--quiet and --json" "quiet JSON" "$wakelat" stats -q --json d

# Other columns, other percentiles: printed, and nothing in the directory changes.
cp -r d was
run "$wakelat" stats -m silent_time,mperf_cyc,seq -p 50 d
is "$status$err" 0 "other columns"
like "$out" '^silent_time \(us\)$' "times in us"
like "$out" '^mperf_cyc$' "cycles as they are"
like "$out" '^  max +7 +7$' "the greatest of them"
ok "nothing is written" diff -r d was
ok "with --output it is" "$wakelat" stats -q -m mperf_cyc -p 50,75.5 -o o d
cp d/stats.tsv stats.before
for option in "-m mperf_cyc" "-p 50" --unsupported "--where state==C6" "--last 1"; do
	words "$option -o d/ d" refused "^wakelat stats: d: --output: results of a selection" "$option in place of all samples" "$wakelat" stats -q
done
same d/stats.tsv stats.before "leaves those"
ok "the same statistics into it" "$wakelat" stats -q -o d d
cut -f 1,3- d/stats.tsv >older && mv older d/stats.tsv
run "$wakelat" stats -a d
like "$out" '^C6 +' "a stats.tsv without sources"
same d/stats.tsv stats.before "is written again"

# Several at a time.
mkdir together
cp d/run.tsv d/samples.tsv together
for i in 1 2 3 4 5 6; do
	{
		"$wakelat" stats -q together 2>&1
		printf '%s\n' $?
	} >"together.$i" &
done
wait
is "$(cat together.? | paste -sd ' ' -)" "0 0 0 0 0 0" "several at a time do not disturb each other"
is "$(names together)" "$(names d)" "and leave the tables of one"
mkdir no-iconv
for tool in awk basename cat cut dirname env find grep head id mktemp mv paste readlink rm sed sh sort stat tail tr wc; do
	ln -s "$(command -v "$tool")" "no-iconv/$tool"
done
refused "^wakelat stats: iconv is missing" "JSON without iconv" env PATH="$tmp/no-iconv" "$wakelat" stats --json d
for name in k=v -s sl/; do
	run "$wakelat" stats -p 50,75.5 -m mperf_cyc -o "$name" d
	is "$status$err" 0 "--output $name"
	same "./$name/stats.tsv" o/stats.tsv "is a directory like another"
done
is "$(head -n 1 o/stats.tsv | cut -f 1-9 | tr '\t' ' ')" \
	"state source advertised_ns n mperf_cyc_min mperf_cyc_p50 mperf_cyc_p75.5 mperf_cyc_max mperf_cyc_mean" "there"
refused "d/samples\.tsv:1: no column speed" "a column that is not there" "$wakelat" stats -m speed d
refused "samples\.tsv:2: source: 'hrtimer' is not an integer" "a column without numbers" "$wakelat" stats -m source d
refused "-p: '100' is not a percentage" "no percentage" "$wakelat" stats -p 100 d
refused "-m: seq is there twice" "a column twice" "$wakelat" stats -m seq,cpu,seq d
refused "-p: 50 is there twice" "a percentile twice" "$wakelat" stats -p 50,99,50 d
"$wakelat" stats -q -p 99,50,9.5 -o order d
is "$(head -n 1 order/stats.tsv | tr '\t' '\n' | grep -c wake_latency)" 7 "percentiles in any order"
like "$(head -n 1 order/stats.tsv | tr '\t' ' ')" 'wake_latency_p9\.5 wake_latency_p50 wake_latency_p99 ' "come in ascending order"
refused "nothing to do" "quiet" "$wakelat" stats -q -m seq d
refused "-m needs a value" "no columns" "$wakelat" stats -m

# Percentiles that the samples do not support.
mkdir u
run_tsv u/run.tsv
seq 1000 | sed 's/.*/3 1000 &000 &000 -/' | samples_tsv u/samples.tsv
run "$wakelat" stats --unsupported u
like "$out" '^  p99 +990\.010$' "supported: no mark"
like "$out" '^  p99\.9 +999\.001\*$' "unsupported: a mark"
like "$out" '^\*: NOT SUPPORTED' "and what it means"
not_ok "nothing is written" test -e u/stats.tsv
run "$wakelat" stats u
like "$out" '^  p99\.9 +-$' "without the option it is not there"
"$wakelat" stats -q --unsupported -o u2 u
is "$(joined u2/stats.tsv wake_latency_p99.999)" "999990*" "in a table: no number either"

# At first sight: one screen for three states, with all that may be said below them.
mkdir short
run_tsv short/run.tsv run.1.cpu0.samples 7500 run.1.cpu0.armed 9500 run.1.cpu0.not_idle 2000 run.1.reason samples
seq 7500 | awk '{ s = 1 + $1 % 3; print s, 1000, (s == 1 ? "-" : 10000 + $1), 12000 + $1, ($1 > 7490 ? "smi" : "-") }' |
	samples_tsv short/samples.tsv
run "$wakelat" stats short
is "$(printf '%s\n' "$out" | awk '{ if (length($0) > 80 && !/^All of it/) long = 1 } END { print (NR <= 24), long + 0 }')" "1 0" \
	"the short table fits 24 lines of 80 columns"
is "$(printf '%s\n' "$out" | sed -n '4,18{s/  [- 0-9.]*$//; s/^ *//; p;}' | paste -sd , -)" \
	"advertised (us),N,tainted,wake latency (us),min,p50,p99,p99.9,max,interrupt latency (us),min,p50,p99,p99.9,max" "what is in it"
like "$out" '^-.*p99\.9 2995\)\.$' "what its - means"
like "$out" '^All of it: .*wakelat stats --all short  \(DOUBT: C1, C1E_x, C6: samples depend on each other\)$' \
	"where the rest is, and that samples in ascending order depend on each other"
cp short/stats.tsv short.tsv
run "$wakelat" stats --all short
for row in '  p90' '  p99\.999' '  mean' '  std' 'wake latency, 95 % confidence \(us\)' 'Armed 9500 events' 'kernel 6'; do
	like "$out" "^$row" "with --all: $row"
done
unlike "$out" '^All of it' "and no more than that"
same short/stats.tsv short.tsv "in the tables is always all of it"

# A state table of another machine.
mkdir w
run_tsv w/run.tsv
printf '9 1000 5 6 -\n' | samples_tsv w/samples.tsv
run "$wakelat" stats w
like "$out" '^state9: its number is not in the state table of run\.tsv' "a state that the table does not have"

# What HdrHistogram's plotters read: four columns, of which the last is missing at 100 %.
mkdir hg
run_tsv hg/run.tsv
seq 100 | sed 's/.*/3 1000 &000 5 -/' | samples_tsv hg/samples.tsv
ok "a histogram for HdrHistogram" "$wakelat" stats -q --hgrm hg/out hg
is "$(names hg/out)" "C6-intr_latency.hgrm C6-wake_latency.hgrm" "a file for each state and metric"
is "$(awk 'NF == 4 && $2 == "0.500000000000" { print $1, $3, $4 }' hg/out/C6-wake_latency.hgrm)" "50.000 50 2.00" "the median, in us"
is "$(awk '$2 == "1.000000000000" { print NF, $1, $3 }' hg/out/C6-wake_latency.hgrm)" "3 100.000 100" "the greatest"
done_testing
