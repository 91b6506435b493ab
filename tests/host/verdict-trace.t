#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat verdict reads trace.dat itself: the same answers as from samples.tsv, whole or damaged, and no file but verdict.tsv.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# same_answer DIR WHAT: check that verdict answers the same from DIR, which has traces, and from the samples.tsv of wakelat dump
same_answer() {
	rm -rf "$1/samples.tsv" text
	run "$wakelat" verdict -b 50us "$1"
	missing=$err
	printf '%s\n' "$status" "$out" | cat - "$1/verdict.tsv" >traced
	is "$(cd "$1" && echo samples* verdict*)" "samples* verdict.tsv" "$2: verdict leaves no samples.tsv"
	mkdir -p "text/$1" && cp "$1/run.tsv" "text/$1" && "$wakelat" dump -o "text/$1/samples.tsv" "$1" || bail "dump $1"
	run "$wakelat" verdict -b 50us "text/$1"
	printf '%s\n' "$status" "$out" | sed "s|text/$1|$1|" | cat - "text/$1/verdict.tsv" >texted
	same traced texted "$2: the answer is the same as from samples.tsv"
}

mkdir plain
run_tsv plain/run.tsv
printf 'bulk 6000 0 1000 3\nbulk 6000 1 1500 3\n' | trace plain/trace.dat -E -e 3
same_answer plain "two CPUs"
is "$missing" "" "two CPUs: no message"

# On one CPU at first. The second CPU must get the samples of its own, and the first one those from before.
mkdir late
run_tsv late/run.tsv
printf 'bulk 3000 0 1000 3\nbulk 3000 1 9000000000000 3\nbulk 3000 0 19000000000000 3\n' | trace late/trace.dat -E
same_answer late "a second CPU after 3,000 samples"

mkdir packed
cp plain/run.tsv packed
trace-cmd convert -i plain/trace.dat -o packed/trace.dat --file-version 7 --compression any >convert.log 2>&1 ||
	bail "trace-cmd convert: $(tail -n 3 convert.log)"
run "$wakelat" verdict -b 50us packed
is "$err" "" "compressed with zstd: no message"
same packed/verdict.tsv plain/verdict.tsv "compressed with zstd: the same table"

# Tainted samples are read twice.
mkdir taints
run_tsv taints/run.tsv
awk 'BEGIN {
	for (i = 1; i <= 4000; i++)
		printf "sample 0 %d run=1 source=1 state=%d seq=%d ldist=100000 silent_time=90000 wake_latency=%d intr_latency=%d taint=%d\n",
			1000 * i, 1 + i % 3, i, 3000 + i % 97, 4000, i % 40 ? 0 : i % 80 ? 16 : 1
	print "end 0 5000000 run=1 cpu=0 samples=4000"
}' | trace taints/trace.dat
same_answer taints "SMIs"

# A recording that was resumed, with a warm-up and a sweep. An interrupted run is in no trace that run.tsv names.
mkdir parts
awk 'BEGIN {
	for (run = 1; run <= 4; run++)
		for (i = 1; i <= 700; i++)
			printf "sample 0 %d run=%d source=1 state=%d seq=%d ldist=100000 silent_time=90000 wake_latency=%d\n",
				1000000 * run + 1000 * i, run, 1 + i % 3, i, 3000 * run + i % 97
}' | tee script | trace parts/trace-1.dat -E
trace parts/trace.dat -E <script
run_tsv parts/run.tsv run.1.trace trace-1.dat run.1.trace_run 1 run.1.warmup yes run.2.trace trace-1.dat run.2.trace_run 2 \
	run.2.steps 2 run.5.trace trace.dat run.5.trace_run 1 run.6.trace trace.dat run.6.trace_run 3 run.6.reason clock \
	run.1.cpu0.samples 700 run.2.cpu0.samples 1400 run.5.cpu0.samples 700 run.6.cpu0.samples 700
same_answer parts "a resumed recording"
is "$missing" "" "a resumed recording: no message"
"$wakelat" dump parts
is "$(awk 'NR > 1 { n[$1 " " $15]++ } END { for (k in n) print k, n[k] }' parts/samples.tsv | sort | paste -sd , -)" \
	"1 warmup 700,2 - 1400,5 - 700,6 clock 700" "a resumed recording: dump has the runs and taints of run.tsv"
is "$(awk '$1 == 2 { if ($5 != ++n) print }' parts/samples.tsv)" "" "a resumed recording: the events of a sweep are numbered in order"
printf 'sample 0 1 run=1 source=1 state=1 seq=1\n' | trace parts/trace-1.dat -E -e 2
refused "parts/trace.dat: its samples have other columns than those of parts/trace-1.dat" \
	"a resumed recording with other columns is refused" "$wakelat" verdict parts

# Missing samples.
mkdir lossy
run_tsv lossy/run.tsv
trace lossy/trace.dat <<'END_TRACE'
sample 0 1 run=1 state=1
lost 0 12
sample 0 2 run=1 state=2
end 0 3 run=1 cpu=0 samples=14
END_TRACE
run "$wakelat" verdict -b 50us lossy
is "$status$err" "3wakelat verdict: lossy/trace.dat: 12 events were lost while recording (first on CPU 0); 12 samples are missing from the recording (run 1 on CPU 0 has 2 of 14); the other 2 samples are judged" \
	"lost events: status 3, and a message"
run "$wakelat" report -q lossy
is "$(echo "$err" | sed 's/ 12 events.*//')" "wakelat report: lossy/trace.dat:" "report: a message about its recording has its own name"
mkdir fewer
run_tsv fewer/run.tsv run.1.cpu0.samples 2 run.2.cpu0.samples 5
printf 'sample 0 1 run=1 state=1\nsample 0 2 run=1 state=1\n' | trace fewer/trace.dat -E
run "$wakelat" verdict -b 50us fewer
is "$status$err" "3wakelat verdict: fewer/trace.dat is incomplete: run 2 on CPU 0 has 0 of 5 samples" "a run without samples: status 3"
run "$wakelat" compare fewer plain
is "$status$err" "3wakelat compare: fewer/trace.dat is incomplete: run 2 on CPU 0 has 0 of 5 samples" \
	"compare: a run without samples: status 3, and a message with the command's name"
not_ok "compare makes no samples.tsv" test -e fewer/samples.tsv
# A directory whose name is like an option of the program that reads the trace: its output would go to X/trace.dat.
cp -R plain ./-oX
mkdir X && echo mine >X/trace.dat
for command in verdict 'stats -q -o made' 'plot -q -k svg -f ccdf -o made' 'compare -q -o made.tsv plain' 'report -q -o made.html plain' 'dump -o made-dump.tsv'; do
	words "$command -- -oX" run "$wakelat"
	ok "${command%% *} reads the directory -oX" test "$status" -ne 1 -a "$status" -lt 5
	unlike "$err" 'option|usage|cannot|ault' "${command%% *} does not take the directory -oX for an option"
done
is "$(cat X/trace.dat)" mine "nothing was written to a file that the name -oX looks like"
"$wakelat" dump -o dumped.tsv plain
mkdir table
cp plain/run.tsv table
mv dumped.tsv table/samples.tsv
run "$wakelat" compare -q -o from-traces plain packed
run "$wakelat" compare -q -o from-tables table packed
is "$(sed 's/	table	/	plain	/' from-tables)" "$(cat from-traces)" "compare has the same table from traces and from samples.tsv"
run_tsv fewer/run.tsv run.1.cpu0.samples 1
refused "fewer/trace.dat has 2 samples of run 1 on CPU 0, where run.tsv counts 1: it belongs to another recording" \
	"more samples than run.tsv counts are refused" "$wakelat" verdict fewer

# Damaged files.
for from in plain packed; do
	mkdir "cut-$from"
	cp plain/run.tsv "cut-$from"
	size=$(wc -c <"$from/trace.dat")
	for percent in 1 30 60 99; do
		head -c $((size * percent / 100)) "$from/trace.dat" >"cut-$from/trace.dat"
		refused "trace\\.dat: .*(truncated|damaged|not a trace)" "$from, cut at $percent %: one message" "$wakelat" verdict "cut-$from"
	done
	is "$(ls "cut-$from")" "$(printf '%s\n' run.tsv trace.dat)" "$from, cut: no table is left"
done
mkdir none
run_tsv none/run.tsv
echo "not a trace" >none/trace.dat
refused "none/trace\\.dat: not a trace\\.dat" "a text named trace.dat is refused" "$wakelat" verdict none

# Outputs.
rm -f plain/samples.tsv plain/verdict.tsv
refused "cannot write .*No space left on device" "a full device is reported" sh -c "'$wakelat' verdict -b 50us plain >/dev/full"
refused "stdout is closed: redirect it to a file or to /dev/null" "a closed standard output is reported" sh -c "'$wakelat' verdict -b 50us plain >&-"
is "$(head -c 5 plain/verdict.tsv)$(head -c 3 plain/run.tsv)" "statekey" "a closed standard output damages no file"
"$wakelat" verdict -b 50us -o /dev/stdout -q plain >piped
same plain/verdict.tsv piped "-o /dev/stdout writes the table into it"
ln -s "$tmp/none/trace.dat" plain/samples.tsv
refused "samples.tsv is a symbolic link" "a link named samples.tsv is refused" "$wakelat" verdict plain
rm plain/samples.tsv plain/verdict.tsv
ln -s "$tmp/elsewhere" plain/verdict.tsv
refused "verdict.tsv is a symbolic link" "a link named verdict.tsv is not written through" "$wakelat" verdict plain
rm plain/verdict.tsv
# root can write everywhere, so it becomes nobody.
as_user() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}
"$wakelat" verdict -b 50us plain >"$tmp/answer"
before=$?
rm plain/verdict.tsv
[ "$(id -u)" -ne 0 ] || { chown -R 65534 plain && chmod a+rx "$tmp"; }
chmod a-w plain
run as_user "$wakelat" verdict -b 50us plain
is "$status$err" "${before}wakelat verdict: plain is not writable: verdict.tsv was not saved" "a read-only directory: the message says so"
is "$out" "$(cat "$tmp/answer")" "a read-only directory: the answer is printed"
chmod u+w plain
done_testing
