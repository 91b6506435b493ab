#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat import: other tools' tables become samples, without loss of precision.
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
is "$status" 0 "imports a result of wult"
is "$(joined a/samples.tsv wake_latency)" "133070 2500 - 133081 -20" "wake_latency: us with fractions become ns"
is "$(joined a/samples.tsv intr_latency)" "134000 3000 3750 134100 1" "intr_latency: us with fractions become ns"
is "$(joined a/samples.tsv silent_time)" "1000250 500 6000 7000 8000" "silent_time: us with fractions become ns"
is "$(joined a/samples.tsv ldist)" "1234500 1000 7000 8000 9000" "ldist: us with fractions become ns"
is "$(joined a/samples.tsv state)" "1 0 2 1 1" "states: those of --states come first, then new ones"
is "$(joined a/samples.tsv taint)" "- - - smi smi,nmi" "SMI and NMI counts become taints"
is "$(joined a/samples.tsv irqs_on)" "0 0 1 0 0" "irqs_on is 1 if there is no wake latency"
like "$err" '^wakelat import: \./wult/datapoints\.csv: 1 values were rounded to whole ns$' \
	"a warning counts the values that were rounded to whole ns"
like "$err" '^wakelat import: a has 5 samples of C1 C6 POLL$' "a message names the samples and states of the new recording"
is "$(head -n 1 a/samples.tsv | tr '\t' ' ')" "$samples_header" "samples.tsv has its usual columns"
is "$(grep '^state' a/run.tsv | tr '\t\n' ' ;')" "state.0.name C1;state.0.latency_ns 2000;state.0.residency_ns 2000;state.1.name C6;state.1.latency_ns 133000;state.1.residency_ns 600500;state.2.name POLL;" \
	"run.tsv has the states"
is "$(grep -c '^emulated' a/run.tsv) $(grep '^emulated' a/run.tsv | cut -f 2)" "1 no" "--set overrides a default"
is "$(grep '^imported_sha256' a/run.tsv | cut -f 2)" "$(sha256sum <wult/datapoints.csv | cut -d ' ' -f 1)" \
	"run.tsv has the hash of the imported file"
run "$wakelat" stats a
is "$status" 0 "stats reads an imported recording"
like "$out" '^Latency from idle states: a, A & B$' "stats: the title says that the machine is real"
like "$out" 'launch distance unknown' "stats: an unknown launch distance is printed as unknown"
like "$out" '^Events lost while recording: not known\.$' "stats: the number of lost events is printed as unknown"
run "$wakelat" verdict a
is "$status$err" 4 "verdict reads an imported recording"
run "$wakelat" compare a a
is "$status$err" 5 "compare of imported recordings with too few samples: undecided"
is "$(grep '^date' a/run.tsv | cut -f 2)" "-" "the date is unknown, because wult's table has none"

# plain INPUT COLUMN UNIT: import INPUT, and print the wake latencies.
plain() {
	rm -rf p
	"$wakelat" import -q -o p -c "$2" -u "$3" "$1" 2>err.txt && joined p/samples.tsv wake_latency
}
printf 'x\ty\n1\t9223372036854775807\n2\t-9223372036854775808\n3\t0\n4\t9007199254740993\n' >p.tsv
is "$(plain p.tsv y ns)" "9223372036854775807 -9223372036854775808 0 9007199254740993" "column by name: 64-bit values are exact"
is "$(plain p.tsv 1 s)" "1000000000 2000000000 3000000000 4000000000" "column by number: seconds"
# 16 CPUs with 100 samples each, CPU 7 longer than the budget in every one: 6.25 % of the table.
awk 'BEGIN { OFS = ","; print "CPU", "us"; for (i = 0; i < 1600; i++) print i % 16, i % 16 == 7 ? 300 : 5 + i / 1600 }' >cpus.csv
rm -rf p && "$wakelat" import -q -o p -c us -u us --states C6:133:600 cpus.csv
is "$(sed -n 's/^cpus	//p' p/run.tsv)" 0-15 "a column CPU: run.tsv lists the CPUs"
is "$(joined p/samples.tsv cpu | tr ' ' '\n' | sort -n | uniq -c | tr -s ' \n' ' ')" "$(seq 0 15 | sed 's/^/ 100 /' | tr -d '\n') " \
	"a column CPU: each sample has its CPU"
run "$wakelat" verdict -b 50us -p 90 p
is "$status" 4 "a column CPU: one CPU's wake-ups exceed the budget"
like "$out" '^EXCEEDED by C6 on CPU 7 ' "a column CPU: verdict names this CPU"
printf 'cpu,us\n1,2\n3,4\n4,4\n5,1\n' >cpus.csv
rm -rf p && "$wakelat" import -q -o p -c 2 -u us cpus.csv 2>/dev/null
is "$(sed -n 's/^cpus	//p' p/run.tsv)" 1,3-5 "a column cpu, the latencies by number: run.tsv lists the CPUs"
for cpu in -1 8192 x 1.5 ''; do
	printf 'cpu,us\n%s,2\n' "$cpu" >wrong.csv
	refused "wrong.csv:2: '$cpu' in column 1 is not a CPU" "refused: CPU '$cpu'" "$wakelat" import -o bad -c us -u us wrong.csv
done

# A column with the state of each sample: C6 takes 90 us.
awk 'BEGIN { print "state,lat"; for (i = 0; i < 4000; i++) print "C1," 2 + i % 10 / 100 "\nC6," 90 + i % 7 / 10 }' >states.csv
run "$wakelat" import -q -o by-state -c lat -u us --states C1:2:2,C6:82:300 states.csv
is "$(cut -f 4 by-state/samples.tsv | sort | uniq -c | tr -s ' \n' ' ')" " 4000 0 4000 1 1 state " "a column state: each sample has its state"
run "$wakelat" verdict -b 50us by-state
like "$out" '^EXCEEDED by C6 .*; kept by C1' "a column state: verdict judges each state"
printf 'lat,ReqCState\n3,\n' >wrong.csv
refused "wrong.csv:2: column 2 has no state" "refused: a sample without a state" "$wakelat" import -o bad -c lat -u us wrong.csv
printf '9223372036854775.807\r\n-9223372036854775.808\r\n' >p.txt
is "$(plain p.txt 1 us)" "9223372036854775807 -9223372036854775808" \
	"a file without header, with DOS line ends: 64-bit values in us"
printf '  5   6.5\n7 8\n' >p.txt
is "$(plain p.txt 2 ms)" "6500000 8000000" "columns separated by spaces"
printf '0.4\n0.5\n-0.5\n-0.49\n12e1\n' >p.txt
is "$(plain p.txt 1 ns)" "0 1 -1 0 120" "rounds to the nearest ns, halves away from 0; accepts exponents"
is "$(cat err.txt)" "wakelat import: ./p.txt: 4 values were rounded to whole ns" "a warning counts the rounded values"
is "$(grep '^state' p/run.tsv | cut -f 2)" unknown "a state without a name is called unknown"
ok "plot draws figures that need only latencies" "$wakelat" plot -q -f histogram,ccdf -k svg a
rm -rf p && "$wakelat" import -q -o p -c 1 -u ms p.tsv 2>err.txt
ok "plot without -f draws the figures that the samples allow" "$wakelat" plot -q -k svg p
like "$(cat p/figures/left-out.tsv)" "^silent-time	the samples have no silent_time" \
	"left-out.tsv says why plot leaves out other figures"
refused "figure silent-time cannot be drawn: the samples have no silent_time" \
	"plot -f refuses a figure that the samples do not allow" "$wakelat" plot -q -f silent-time p

printf 'C6 5\nC6 6\nC6 7\n' >p.txt
is "$(plain p.txt 2 us)" "5000 6000 7000" "a row with a name before the numbers is not taken for a header"
printf 'CPU us\n0 6\n0 7\n' >p.txt
is "$(plain p.txt 2 us)" "6000 7000" "column by number: a header is skipped"
like "$(cat err.txt)" "^wakelat import: \./p\.txt:1: 'us' is no number: the line was taken for the header" \
	"a warning says that the first line was taken for a header"
printf '0 us\n0 6\n' >p.txt
is "$(plain p.txt us us)" "6000" "column by name: the header begins with a number"
is "$(cat err.txt)" "" "column by name: no warning about the header"

# wrong CONTENT ERE [COLUMN]: check that import refuses a file with this content.
wrong() {
	printf '%b' "$1" >bad.csv
	refused "$2" "refused: $1" "$wakelat" import -o bad ${3:+-c "$3" -u us} bad.csv
}
wrong '' 'bad\.csv: no data'
wrong 'WakeLatency\n' 'bad\.csv: no data'
wrong 'a,b\n1,2\n' 'bad\.csv: not a result of wult, .*name the column'
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
is "$(find . -name 'bad*' ! -name bad.csv)" "" "a refused import leaves no files"
ok "-o with a slash at the end" "$wakelat" import -q -o sl/ wult
is "$(names sl)" "run.tsv samples.tsv" "-o with a slash at the end makes the same directory"
ok "-o with a name that looks like an option" "$wakelat" import -q -o -im wult
is "$(names ./-im)" "run.tsv samples.tsv" "a name that looks like an option becomes a directory"
mkdir busy.partial
printf "1\n" >one.csv
ok "import next to a directory with the name of a partial result" "$wakelat" import -q -o busy -c 1 -u us one.csv
ok "import leaves that directory unchanged" rmdir busy.partial
# The taints that the input has no column for are not known. Both tables have the same latencies.
mkdir known
printf '%s\n' 'LDist,SilentTime,WakeLatency,IntrLatency,ReqCState,SMICnt,NMICnt' 60,50,3,4,C1,0,0 70,55,3,4,C1,0,0 >known/all.csv
cut -d , -f 1-5 known/all.csv >known/none.csv
cut -d , -f 1-6 known/all.csv >known/smi.csv
printf '3\n3\n' >known/plain.csv
# taints_of NAME [OPTION]...: print what run.tsv of known/NAME.csv, stats and verdict say of the taints
taints_of() {
	taints_csv=$1
	shift
	"$wakelat" import -q -o "known/$taints_csv" "$@" "known/$taints_csv.csv" || return
	sed -n 's/^taints_unknown	/run: /p' "known/$taints_csv/run.tsv"
	"$wakelat" stats "known/$taints_csv" 2>&1 | sed -n 's/^\(Taint[a-z]*: .*\)/stats: \1/p'
	"$wakelat" verdict -b 50us "known/$taints_csv" 2>&1 | sed -n 's/^\(Taint[a-z]*: .*\)/verdict: \1/p'
}
is "$(taints_of all)" "stats: Tainted: none." "a table with SMICnt and NMICnt: no sample is tainted"
is "$(taints_of none | paste -sd '|' -)" "run: not known: smi, nmi|stats: Taints: not known: smi, nmi.|verdict: Taints: not known: smi, nmi." \
	"a table without SMICnt and NMICnt: stats and verdict say that SMIs and NMIs are not known"
is "$(taints_of smi | paste -sd '|' -)" "run: not known: nmi|stats: Taints: not known: nmi.|verdict: Taints: not known: nmi." \
	"a table without NMICnt: stats and verdict say that NMIs are not known"
is "$(taints_of plain -c 1 -u us | sed 1q)" "run: not known: smi, nmi" "a column of latencies: SMIs and NMIs are not known"
refused "a: exists already" "refuses a directory that exists" "$wakelat" import -o a wult
refused "has no datapoints\.csv" "refuses a directory without datapoints.csv" "$wakelat" import -o x a
refused "nowhere: no such file" "refuses a missing file" "$wakelat" import -o x nowhere
mkfifo pipe
refused "pipe: not a regular file" "refuses a named pipe" "$wakelat" import -o x pipe
refused "pipe: a named pipe" "refuses a named pipe with --column" timeout 60 "$wakelat" import -o x -c 1 -u us pipe
ok "imports standard input" sh -c 'printf "1\n2\n" | "$1" import -q -o from-stdin -c 1 -u us /dev/stdin' sh "$wakelat"
printf '1\n' | "$wakelat" import -q -o from-pipe -c 1 -u us /dev/stdin
is "$(sed -n 's/^imported_sha256	//p' from-pipe/run.tsv)" - "a pipe has no hash, because it can be read only once"
refused "--column needs --unit" "--column without --unit is refused" "$wakelat" import -o x -c 1 p.tsv
refused "'h' is not a unit" "an unknown unit is refused" "$wakelat" import -o x -c 1 -u h p.tsv
refused "-o is missing: name the directory to make" "a missing -o is refused" "$wakelat" import wult
refused "no input: name a file or a directory" "a missing input is refused" "$wakelat" import -o x
refused "'x' in 'C1:x' is not a time" "a wrong state is refused" "$wakelat" import -o x --states C1:x wult
refused "'C1:2:2:9' has more than NAME:LATENCY:RESIDENCY" "a state with four values is refused" \
	"$wakelat" import -o x --states C6,C1:2:2:9 wult
refused "'A' is not a key" "a wrong key is refused" "$wakelat" import -o x --set A=5 wult
refused "is not a name" "a wrong source is refused" "$wakelat" import -o x --source 'a b' wult
# wult describes a result in info.yml. Format 1.0 has times in ns.
mkdir old new
printf 'SilentTime,WakeLatency,LDist,ReqCState\n712011,52366,3919903,C6\n' >old/datapoints.csv
printf "format_version: '1.0'\ntoolver: 1.8.0\ncpunum: 5\ndevid: tsc-deadline-timer\n" >old/info.yml
ok "imports wult format 1.0" "$wakelat" import -q -o old.d old
for stated in "date: 13 Aug 2024=2024-08-13" "date: yesterday=-" "date: 2024-08-13 10:00:01 +0200=2024-08-13T08:00:01Z"; do
	rm -rf dated dated.d
	cp -r old dated
	printf '%s\n' "${stated%=*}" >>dated/info.yml
	"$wakelat" import -q -o dated.d dated
	is "$(sed -n 's/^date	//p' dated.d/run.tsv)" "${stated#*=}" "info.yml with '${stated%=*}': the recording's date"
done
is "$(joined old.d/samples.tsv cpu)" 5 "info.yml names the CPU: the samples have it"
is "$(joined old.d/samples.tsv wake_latency)" 52366 "wult format 1.0: times are in ns"
is "$(grep -E '^(source|cpus|wult_)' old.d/run.tsv | sort | tr '\t\n' ' ;')" \
	"cpus 5;source wult_tsc_deadline_timer;wult_device tsc-deadline-timer;wult_format 1.0;wult_version 1.8.0;" \
		"run.tsv has the facts of info.yml"
for bad in 9000 -1 0-3 x; do
	rm -rf dated dated.d
	cp -r old dated
	sed -i "s/^cpunum: .*/cpunum: $bad/" dated/info.yml
	refused "^wakelat import: info.yml: '$bad' is not a CPU \(0 to 8191\)$" "info.yml with the CPU $bad is refused" "$wakelat" import -q -o dated.d dated
	not_ok "info.yml with the CPU $bad: nothing is left" test -e dated.d
done
printf 'WakeLatency,IntrLatency,IntrOff,ReqCState\n4.5,7.9,0,C1\n5,6,1,C6\n' >new/datapoints.csv
printf "format_version: '1.2'\n" >new/info.yml
ok "imports wult format 1.2" "$wakelat" import -q -o new.d new
is "$(joined new.d/samples.tsv wake_latency) $(joined new.d/samples.tsv irqs_on)" "4500 5000 1 0" \
	"wult format 1.2: times are in us, and IntrOff sets irqs_on"
wrong 'WakeLatency,IntrOff\n1,maybe\n' "bad\.csv:2: IntrOff is 'maybe'"
wrong '\r\n' 'bad\.csv'

import_limited() (
	ulimit -f 0
	exec "$wakelat" import -o x wult
)
not_ok "import fails on a full disk" import_limited

# An import that a signal ends must leave no files that would disturb the next import.
mkdir killing
for signal in TERM INT HUP; do
	printf '#!/bin/sh\nkill -%s $PPID\n' "$signal" >killing/mv
	chmod +x killing/mv
	not_ok "import ended by $signal fails" env PATH="$tmp/killing:$PATH" "$wakelat" import -q -o killed wult
	is "$(find . -name 'killed*')" "" "an import ended by $signal leaves no files"
done
ok "an import after an interrupted one succeeds" "$wakelat" import -q -o killed wult
rm -r killed

# States of --states: names must fit into a line of a table, and each may appear once.
printf 'a\n1\n2\n' >by-hand.csv
by_hand() {
	"$wakelat" import -q -o hand -c a -u ns --states "$1" by-hand.csv
}
for bad in "C1${newline}C6" "C1${tab}x" "$(printf 'C1\r')"; do
	refused "--states: a TAB, a line break or another control character" \
		"--states: control characters are refused" by_hand "$bad"
done
refused "--states: 'C1' occurs twice" "--states: a repeated state is refused" by_hand C1:2:2,C1
for bad in C1:2,,C6 ',' :2:2 ' ,C6'; do
	refused "--states: a state without a name" "--states: a state without a name is refused: '$bad'" by_hand "$bad"
done
ok "--states: blanks around a name and in it" by_hand 'C1:1 , haltpoll idle '
is "$(sed -n 's/^state\.[0-9]*\.name	//p' hand/run.tsv | paste -sd , -)" "C1,haltpoll idle" \
	"--states: blanks around a name are removed, blanks in it are kept"
is "$(find . -name 'x*')" "" "refused states leave no files"
done_testing
