#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat import: other tools' tables as samples, to the last digit.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
tab=$(printf '\t')
newline='
'
cd "$tmp" || exit 1

mkdir wult
cat >wult/datapoints.csv <<'END'
LDist,Extra,SilentTime,WakeLatency,IntrLatency,ReqCState,SMICnt,NMICnt
1234.5,x,1000.25,133.070,134.000,C6,0,0
1.0,x,0.5,2.5,3,C1,0,0
7,x,6,,3.75,POLL,0,0
8,x,7,133.0805,134.1,C6,1,0
9,x,8,-0.02,1e-03,C6,2,3
END
run "$wakelat" import -o a --states C1:2:2,C6:133:600.5 --set emulated=no --set 'cpu_model=A & B' wult
is "$status" 0 "a result of wult"
is "$(joined a/samples.tsv wake_latency)" "133070 2500 - 133081 -20" "us with fractions become ns"
is "$(joined a/samples.tsv intr_latency)" "134000 3000 3750 134100 1" "the other latency"
is "$(joined a/samples.tsv silent_time)" "1000250 500 6000 7000 8000" "silent time"
is "$(joined a/samples.tsv ldist)" "1234500 1000 7000 8000 9000" "launch distance"
is "$(joined a/samples.tsv state)" "1 0 2 1 1" "states: those that were named, then others"
is "$(joined a/samples.tsv taint)" "- - - smi smi,nmi" "taints"
is "$(joined a/samples.tsv irqs_on)" "0 0 1 0 0" "no wake latency: interrupts on"
like "$err" '^wakelat import: \./wult/datapoints\.csv: 1 values were rounded to whole ns$' "half a ns is rounded, and that is said"
like "$err" '^wakelat import: a has 5 samples of C1 C6 POLL$' "says what it made"
is "$(head -n 1 a/samples.tsv | tr '\t' ' ')" "$samples_header" "the columns of samples.tsv"
is "$(grep '^state' a/run.tsv | tr '\t\n' ' ;')" "state.0.name C1;state.0.latency_ns 2000;state.0.residency_ns 2000;state.1.name C6;state.1.latency_ns 133000;state.1.residency_ns 600500;state.2.name POLL;" "states in run.tsv"
is "$(grep -c '^emulated' a/run.tsv) $(grep '^emulated' a/run.tsv | cut -f 2)" "1 no" "what --set says counts"
is "$(grep '^imported_sha256' a/run.tsv | cut -f 2)" "$(sha256sum <wult/datapoints.csv | cut -d ' ' -f 1)" "what it is from"
run "$wakelat" stats a
is "$status" 0 "stats of it"
like "$out" '^Latency from idle states: a, A & B$' "a real machine"
like "$out" 'launch distance unknown' "what is not known is not made up"
like "$out" '^Events lost while recording: not known\.$' "nor that nothing was lost"
run "$wakelat" verdict a
is "$status$err" 4 "a verdict"
run "$wakelat" compare a a
is "$status$err" 5 "a comparison, of too few samples"
SOURCE_DATE_EPOCH=1000000000 "$wakelat" import -q -o e wult 2>err.txt
is "$(grep '^date' e/run.tsv | cut -f 2)" "2001-09-09T01:46:40Z" "SOURCE_DATE_EPOCH"

# plain INPUT COLUMN UNIT: wake latencies
plain() {
	rm -rf p
	"$wakelat" import -q -o p -c "$2" -u "$3" "$1" 2>err.txt && joined p/samples.tsv wake_latency
}
printf 'x\ty\n1\t9223372036854775807\n2\t-9223372036854775808\n3\t0\n4\t9007199254740993\n' >p.tsv
is "$(plain p.tsv y ns)" "9223372036854775807 -9223372036854775808 0 9007199254740993" "64 bits, by name"
is "$(plain p.tsv 1 s)" "1000000000 2000000000 3000000000 4000000000" "seconds, by number"
printf '9223372036854775.807\r\n-9223372036854775.808\r\n' >p.txt
is "$(plain p.txt 1 us)" "9223372036854775807 -9223372036854775808" "no header, DOS line ends, 64 bits of us"
printf '  5   6.5\n7 8\n' >p.txt
is "$(plain p.txt 2 ms)" "6500000 8000000" "spaces"
printf '0.4\n0.5\n-0.5\n-0.49\n12e1\n' >p.txt
is "$(plain p.txt 1 ns)" "0 1 -1 0 120" "rounded to the nearest, halves away from 0; exponents"
is "$(cat err.txt)" "wakelat import: ./p.txt: 4 values were rounded to whole ns" "and counted"
is "$(grep '^state' p/run.tsv | cut -f 2)" unknown "a state that nobody named"
ok "the figures that need only latencies" "$wakelat" plot -q -f histogram,ccdf -k svg a
rm -rf p && "$wakelat" import -q -o p -c 1 -u ms p.tsv 2>err.txt
ok "which are drawn when none is named" "$wakelat" plot -q -k svg p
like "$(cat p/figures/left-out.tsv)" "^silent-time	the samples have no silent_time" "and it is said why others are not"
refused "figure silent-time cannot be drawn: the samples have no silent_time" "one that is named is refused" "$wakelat" plot -q -f silent-time p

printf 'C6 5\nC6 6\nC6 7\n' >p.txt
is "$(plain p.txt 2 us)" "5000 6000 7000" "names before the numbers are no header"
printf 'CPU us\n0 6\n0 7\n' >p.txt
is "$(plain p.txt 2 us)" "6000 7000" "a header, by number"
like "$(cat err.txt)" "^wakelat import: \./p\.txt:1: 'us' is no number: the line was taken for the header" "is said to be one"
printf '0 us\n0 6\n' >p.txt
is "$(plain p.txt us us)" "6000" "a header that begins with a number"
is "$(cat err.txt)" "" "which was named"

# wrong CONTENT ERE: refused, and nothing is left
wrong() {
	printf '%b' "$1" >bad.csv
	refused "$2" "refused: $1" "$wakelat" import -o bad ${3:+-c "$3" -u us} bad.csv
}
wrong '' 'bad\.csv: no data'
wrong 'WakeLatency\n' 'bad\.csv: no data'
wrong 'a,b\n1,2\n' 'bad\.csv:1: neither a column WakeLatency'
wrong 'WakeLatency,WakeLatency\n1,2\n' 'bad\.csv:1: two columns named WakeLatency'
wrong 'WakeLatency,b\n1,2\n3\n' 'bad\.csv:3: 1 columns, but 2 in the first line'
wrong 'WakeLatency\n1\nnan\n' "bad\.csv:3: 'nan' in column 1 is not a number"
wrong 'WakeLatency\n1\n0x10\n' "bad\.csv:3: '0x10'"
wrong 'WakeLatency\n9223372036854775.808\n' 'bad\.csv:2: .*too great'
wrong 'WakeLatency\n1e99\n' 'bad\.csv:2: .*too great'
wrong 'WakeLatency\n1.2.3\n' "bad\.csv:2: '1\.2\.3'"
wrong 'WakeLatency\n1\00002\n' 'bad\.csv:2: a NUL byte'
wrong 'WakeLatency,SMICnt\n1,x\n' "bad\.csv:2: 'x' in column 2"
wrong 'x\n1\n' "bad\.csv:1: no column 'y'" y
wrong 'x\n1\n' "bad\.csv:1: no column '2'; there are 1" 2
for first in NaN +5 1e99; do
	wrong "$first\\n1\\n" "bad\.csv:1: '.*' in column 1 is not a number" 1
done
is "$(find . -name 'bad*' ! -name bad.csv)" "" "nothing is left of those"
ok "an output with a slash behind it" "$wakelat" import -q -o sl/ wult
is "$(names sl)" "run.tsv samples.tsv" "is the same without"
ok "an output called like an option" "$wakelat" import -q -o -im wult
is "$(names ./-im)" "run.tsv samples.tsv" "is a directory"
mkdir busy.partial
printf "1\n" >one.csv
ok "beside what is called like a part of it" "$wakelat" import -q -o busy -c 1 -u us one.csv
ok "which stays as it is" rmdir busy.partial
refused "a: exists already" "a directory that exists" "$wakelat" import -o a wult
refused "has no datapoints\.csv" "another directory" "$wakelat" import -o x a
refused "nowhere: no such file" "a missing file" "$wakelat" import -o x nowhere
mkfifo pipe
refused "pipe: not a regular file" "a pipe" "$wakelat" import -o x pipe
refused "pipe: a named pipe" "a pipe, and a column" timeout 60 "$wakelat" import -o x -c 1 -u us pipe
ok "standard input" sh -c 'printf "1\n2\n" | "$1" import -q -o from-stdin -c 1 -u us /dev/stdin' sh "$wakelat"
refused "--column needs --unit" "no unit" "$wakelat" import -o x -c 1 p.tsv
refused "'h' is not a unit" "an unknown unit" "$wakelat" import -o x -c 1 -u h p.tsv
refused "-o is missing: name the directory to make" "no output" "$wakelat" import wult
refused "no input: name a file or a directory" "no input" "$wakelat" import -o x
refused "'x' in 'C1:x' is not a time" "a bad state" "$wakelat" import -o x --states C1:x wult
refused "'A' is not a key" "a bad key" "$wakelat" import -o x --set A=5 wult
refused "is not a name" "a bad source" "$wakelat" import -o x --source 'a b' wult
# wult's own description of a result; its first format had ns.
mkdir old new
printf 'SilentTime,WakeLatency,LDist,ReqCState\n712011,52366,3919903,C6\n' >old/datapoints.csv
printf "format_version: '1.0'\ntoolver: 1.8.0\ncpunum: 5\ndevid: tsc-deadline-timer\n" >old/info.yml
ok "wult, format 1.0" "$wakelat" import -q -o old.d old
is "$(joined old.d/samples.tsv wake_latency)" 52366 "its times are in ns"
is "$(grep -E '^(source|cpus|wult_)' old.d/run.tsv | sort | tr '\t\n' ' ;')" \
	"cpus 5;source wult_tsc_deadline_timer;wult_device tsc-deadline-timer;wult_format 1.0;wult_version 1.8.0;" "what it says goes into run.tsv"
printf 'WakeLatency,IntrLatency,IntrOff,ReqCState\n4.5,7.9,0,C1\n5,6,1,C6\n' >new/datapoints.csv
printf "format_version: '1.2'\n" >new/info.yml
ok "wult, format 1.2" "$wakelat" import -q -o new.d new
is "$(joined new.d/samples.tsv wake_latency) $(joined new.d/samples.tsv irqs_on)" "4500 5000 1 0" "its times are in us, and IntrOff counts"
wrong 'WakeLatency,IntrOff\n1,maybe\n' "bad\.csv:2: IntrOff is 'maybe'"
wrong '\r\n' 'bad\.csv'

import_limited() (
	ulimit -f 0
	exec "$wakelat" import -o x wult
)
not_ok "a full disk" import_limited

# Ended while it writes, it leaves nothing that the next one would stumble over.
mkdir killing
for signal in TERM INT HUP; do
	printf '#!/bin/sh\nkill -%s $PPID\n' "$signal" >killing/mv
	chmod +x killing/mv
	not_ok "ended by $signal" env PATH="$tmp/killing:$PATH" "$wakelat" import -q -o killed wult
	is "$(find . -name 'killed*')" "" "it leaves nothing"
done
ok "and the next one succeeds" "$wakelat" import -q -o killed wult
rm -r killed

# States by hand: what a table can hold, and each once.
printf 'a\n1\n2\n' >by-hand.csv
by_hand() {
	"$wakelat" import -q -o hand -c a -u ns --states "$1" by-hand.csv
}
for bad in "C1${newline}C6" "C1${tab}x" "$(printf 'C1\r')"; do
	refused "--states: a TAB, a line break or another control character" "states that no line can hold" by_hand "$bad"
done
refused "--states: 'C1' is there twice" "a state twice" by_hand C1:2:2,C1
for bad in C1:2,,C6 ',' :2:2 ' ,C6'; do
	refused "--states: a state without a name" "a state without a name: '$bad'" by_hand "$bad"
done
ok "blanks around a name, and in it" by_hand 'C1:1 , haltpoll idle '
is "$(sed -n 's/^state\.[0-9]*\.name	//p' hand/run.tsv | paste -sd , -)" "C1,haltpoll idle" "are left out, and kept"
is "$(find . -name 'x*')" "" "nothing is left of those either"
done_testing
