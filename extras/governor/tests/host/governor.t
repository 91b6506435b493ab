#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat governor: traces in which each choice of a state is known to be right or wrong.
# needs: tools

. "$(dirname "$0")/../../../../tests/lib/tap.sh"
: "${top:?}" "${tmp:?}" "${wakelat=}" "${status=}" "${out=}"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/tables.sh"
. "$top/extras/governor/tests/lib/governor.sh"
build_tools
cd "$tmp" || exit 1

# Residencies 0, 2, 20, 600 us; exit latencies 0, 2, 10, 133 us.
states=POLL:0:0,C1:2:2,C1E:10:20,C6:133:600

# period START LENGTH STATE [MISS]: print the events of an idle period. A timer ends it, unless MISS is "other".
period() {
	[ "$4" = other ] || printf 'hrtimer_start 0 %s hrtimer=4096 expires=%s\n' $(($1 - 100)) $(($1 + $2 - 50))
	printf 'cpu_idle 0 %s state=%s\ncpu_idle 0 %s state=0xffffffff\n' "$1" "$3" $(($1 + $2))
	[ "$4" = other ] || printf 'hrtimer_expire_entry 0 %s hrtimer=4096 now=%s\n' $(($1 + $2 + 300)) $(($1 + $2 + 200))
}
{
	period 1000000 599999 3 timer
	period 2000000 600000 3 other
	period 3000000 100000 3 other
	period 4000000 19999 2 timer
	period 5000000 609999 2 timer
	period 6000000 610000 2 timer
	period 7000000 21999 1 timer
	period 8000000 22000 1 other
	period 9000000 1 0 other
	period 9100000 0 3 other
} >script
printf 'cpu_idle 0 9999999 state=0\n' >>script
trace g.dat -S -x cpu_idle_miss <script
ok "governor reads a trace.dat" "$wakelat" governor -o g.tsv --states "$states" menu=g.dat
is "$(value g.tsv menu C6 n) $(value g.tsv menu C1E n) $(value g.tsv menu C1 n) $(value g.tsv menu POLL n) $(value g.tsv menu all n)" "4 3 2 1 10" \
	"counts idle periods per state"
is "$(value g.tsv menu C6 too_deep) $(value g.tsv menu C1E too_deep) $(value g.tsv menu C1 too_deep)" "3 1 0" \
	"too deep: idle was shorter than the state's target residency"
is "$(value g.tsv menu C6 too_shallow) $(value g.tsv menu C1E too_shallow) $(value g.tsv menu C1 too_shallow)" "0 1 1" \
	"too shallow: idle was not shorter than the next state's target residency"
is "$(value g.tsv menu all missed)" 4 "missed: too deep plus too shallow"
is "$(value g.tsv menu C6 timer) $(value g.tsv menu C6 other) $(value g.tsv menu C6 too_deep_timer)" "1 3 1" \
	"counts idle periods ended by a timer, by other events, and too deep with a timer"
is "$(value g.tsv menu C6 idle_total_ns) $(value g.tsv menu C6 idle_p50_ns)" "1299999 349999.5" \
	"prints total and median idle time of a state"
is "$(value g.tsv menu C6 kernel_too_deep)" - "kernel_too_deep is - without events cpu_idle_miss"
like "$out" '^too deep +0\.00 % +0\.00 % +33\.33 % +75\.00 % +40\.00 %$' \
	"the printed table has the share of periods that were too deep"
like "$out" 'no event cpu_idle_miss was recorded' "a note says that no event cpu_idle_miss was recorded"

ok "accepts a run name with a backslash" "$wakelat" governor -q -o back.tsv --states "$states" 'a\tb=g.dat'
is "$(joined back.tsv run | sed 's/ .*//')" 'a\tb' "the table keeps the backslash"
refused "has a TAB or a line break" "refuses a run name with a TAB" "$wakelat" governor -q -o tab.tsv 'a	b=g.dat'
refused "or a line break" "refuses a run name with a line break" "$wakelat" governor -q -o tab.tsv 'a
b=g.dat'

# A disabled state cannot be the better choice, so a period is neither too shallow nor too deep because of it.
printf '/sys/devices/system/cpu/cpuidle/current_governor:ladder\n' >cpuidle.txt
for line in 0/name:POLL 0/latency:0 0/residency:0 0/disable:1 1/name:C1 1/latency:2 1/residency:2 1/disable:1 \
	2/name:C1E 2/latency:10 2/residency:20 2/disable:1 3/name:C6 3/latency:133 3/residency:600 3/disable:1; do
	printf '/sys/devices/system/cpu/cpu0/cpuidle/state%s\n' "$line" >>cpuidle.txt
done
ok "reads a trace with all states but one disabled" "$wakelat" governor -q -o off.tsv g.dat
is "$(value off.tsv ladder all too_deep) $(value off.tsv ladder all too_shallow) $(value off.tsv ladder all missed)" "0 0 4" \
	"if one state is enabled, no choice is too deep or too shallow"
is "$(value off.tsv ladder C6 governor)" ladder "cpuidle.txt beside the trace names the governor"
like "$("$wakelat" governor g.dat)" '^NO CHOICE: one state was enabled at a time' \
	"NO CHOICE: the table says that one state was enabled"
rm cpuidle.txt

# The kernel's own judgement (cpu_idle_miss), and a governor that reports its prediction (--predicted).
{
	period 1000000 599999 3 timer
	printf 'cpu_idle_miss 0 1600001 state=3 below=0\n'
	printf 'reschedule_entry 0 1900000 vector=500000\n'
	period 2000000 600000 2 timer
	printf 'cpu_idle_miss 0 2600001 state=2 below=1\n'
	printf 'reschedule_entry 0 2900000 vector=90000\n'
	period 3000000 100000 3 timer
	printf 'cpu_idle 0 9999999 state=0\n'
} | sort -s -n -k 3 >script
trace k.dat -S <script
ok "reads a trace with events cpu_idle_miss and a predicted time" \
	"$wakelat" governor -o k.tsv --predicted irq_vectors:reschedule_entry:vector teo=k.dat
is "$(value k.tsv teo all kernel_too_deep) $(value k.tsv teo all kernel_too_shallow) $(value k.tsv teo all too_deep)" "1 1 -" \
	"counts the kernel's judgement, also without a table of states"
is "$(value k.tsv teo all predicted) $(value k.tsv teo state2 prediction_error_p50_ns) $(value k.tsv teo state3 prediction_error_p50_ns)" \
	"2 -100000 -10000" "prints the error of the predicted idle time"
like "$err" 'the target residencies are not known' "warns if the target residencies are unknown"
ok "reads two recordings" "$wakelat" governor --states "$states" menu=g.dat teo=k.dat
like "$out" '^menu +10 +40\.00 % +20\.00 % +40\.00 % +50\.00 %$' "the comparison has a row of the first recording"
like "$out" '^teo +3 +33\.33 % +33\.33 % +66\.67 % +100\.00 %$' "the comparison has a row of the second recording"

# Without idle events, the samples are judged.
mkdir run
run_tsv run/run.tsv governor haltpoll state.0.residency_ns 0 state.1.residency_ns 2000 state.2.residency_ns 20000 state.3.residency_ns 600000
samples_tsv run/samples.tsv <<'END'
3 400000 133000 134000 -
3 500000 133000 134000 -
1 1500 - 400 -
END
ok "reads a run without idle events" "$wakelat" governor -o r.tsv run
is "$(value r.tsv haltpoll C6 n) $(value r.tsv haltpoll C6 too_deep) $(value r.tsv haltpoll C1 too_deep)" "2 1 1" \
	"judges the samples of a run without idle events"
like "$out" '^haltpoll \(emulated\): kernel' "says that the run is emulated, as run.tsv states"
is "$(value r.tsv haltpoll C6 from)" samples "column from: samples were judged"
printf 'run.1.state\tC6\n' >>run/run.tsv
ok "reads a run in which only C6 was enabled" "$wakelat" governor -o r.tsv run
is "$(value r.tsv haltpoll C6 too_deep) $(value r.tsv haltpoll C6 missed)" "0 1" \
	"too deep is not counted if no shallower state was enabled"
like "$out" '^NO CHOICE: one state was enabled at a time' "NO CHOICE: printed for a run with one enabled state"
printf 'run.2.state\tC1\n' >>run/run.tsv
ok "reads a recording with one run per state" "$wakelat" governor -o r.tsv run
is "$(value r.tsv haltpoll all too_deep) $(value r.tsv haltpoll all too_shallow) $(value r.tsv haltpoll all choice)" "0 0 1" \
	"one run per state: no choice counts as bad"
sed -i 's/^run\.\([12]\)\.state.*/run.\1.state	C1,C1E_x,C6/' run/run.tsv
run "$wakelat" governor -o r.tsv run
is "$(value r.tsv haltpoll all too_deep) $(value r.tsv haltpoll all choice)" "1 3" "several enabled states: too deep is counted"
unlike "$out" 'NO CHOICE' "several enabled states: NO CHOICE is not printed"

# The figure needs gnuplot.
if command -v gnuplot >/dev/null; then
	ok "--figure draws a figure" "$wakelat" governor -q --figure fig --states "$states" menu=g.dat 'a_b=k.dat'
	is "$(cd fig && echo *)" "governor.pdf governor.png governor.svg" "the figure is written in three formats"
	like "$(tr -d '\n' <fig/governor.svg | sed 's/<[^>]*>/ /g')" 'Idle states chosen \(unknown machine\).*too shallow' \
		"the figure has its title and legend"
	"$wakelat" governor -q --figure names --states "$states" 'a\tb=g.dat' 'c d=k.dat'
	like "$(grep '<text' names/governor.svg | sed 's/<[^>]*>/|/g' | paste -sd ' ' -)" '\|a\\tb\|.*\|c d\|' \
		"the figure shows names with special characters"
	cp fig/governor.pdf first.pdf
	SOURCE_DATE_EPOCH='' "$wakelat" governor -q --figure fig --states "$states" menu=g.dat 'a_b=k.dat'
	same fig/governor.pdf first.pdf "drawing again writes the same bytes"
else
	skip 5 "gnuplot is not installed"
fi

refused "no such file" "refuses a missing file" "$wakelat" governor nowhere.dat
head -c 5000 g.dat >cut.dat
refused "cut.dat: not a complete trace.dat" "refuses a truncated trace.dat" "$wakelat" governor cut.dat
refused "name a recording" "refuses to run without a recording" "$wakelat" governor
refused "is not SYSTEM:EVENT:FIELD" "refuses a malformed --predicted" "$wakelat" governor --predicted x:y g.dat
refused "no event a:b in this recording" \
	"refuses a --predicted event that was not recorded" "$wakelat" governor --states "$states" --predicted a:b:c g.dat
trace n.dat <<'END'
sample 0 1 run=1 state=1
END
refused "no event power:cpu_idle" "refuses a trace without idle events" "$wakelat" governor --states "$states" n.dat
printf 'cpu_idle 0 5 state=70\ncpu_idle 0 9 state=0xffffffff\n' | trace b.dat -S
refused "an idle period in state 70" "refuses a state number that is too high" "$wakelat" governor --states "$states" b.dat
ok "accepts options after the recording" "$wakelat" governor g.dat -q --states "$states" --output=behind.tsv
"$wakelat" governor -q --states "$states" -o before.tsv g.dat
same behind.tsv before.tsv "options after the recording take effect"
mkdir there
refused "there is a directory" "refuses a directory as the output file" "$wakelat" governor -q -o there --states "$states" g.dat
refused "cannot write x/y: " \
	"refuses an output file in a missing directory" "$wakelat" governor -q -o x/y --states "$states" g.dat
is "$(find . -name '*.partial*')" "" "a refused command leaves no partial file"

# --- schema, JSON, counts, what was not measured, text without end, plugins

"$wakelat" governor -q --states "$states" -o governor.tsv menu=g.dat
fits_schema governor.tsv
"$wakelat" governor --states "$states" --json menu=g.dat >document
same_rows governor governor governor governor.tsv
printf 'cpus\t3\n' >>run/run.tsv
like "$("$wakelat" governor --json run)" '"means_nothing": "[^"]*other CPUs and packages \(measured: CPU 3\)' "--json says what was not measured"
unlike "$("$wakelat" governor --json run)" 'wake-ups by' "the sources of wake-ups do not matter for idle periods"
"$wakelat" stats -q --counts a.counts run && "$wakelat" import -q -o counts a.counts
refused "has only counts: this command needs the samples" "counts are refused" "$wakelat" governor menu=counts
printf '/sys/devices/system/cpu/cpu%s\n' 0/cpuidle/state1/name:cpu-sleep-0 0/cpuidle/state1/latency:300 0/cpuidle/state1/residency:5000 \
	1/cpuidle/state1/name:cpu-nap 1/cpuidle/state1/latency:52 1/cpuidle/state1/residency:500 >kinds.txt
refused 'kinds\.txt: CPU 0 and CPU 1 have different idle states .*: name a file with CPUs of one kind' "states of two kinds of CPU are refused" \
	"$wakelat" governor --cpuidle kinds.txt g.dat
mkdir states && cp g.dat states/trace.dat && head -c 70000 /dev/zero | tr '\0' x >states/cpuidle.txt
refused 'states/cpuidle.txt:1: a line of more than 65536 bytes' "a cpuidle.txt with an endless line is refused" \
	limited governor states/trace.dat
mkdir hostile && printf '%s\n' 'void tep_plugin_loader(void); void tep_plugin_loader(void) {}' '__attribute__((constructor)) static void on(void) { *(volatile int *)0 = 0; }' >hostile.c &&
	cc -shared -fPIC -o hostile/plugin_hostile.so hostile.c || bail "no compiler"
ok "does not load a hostile plugin" env TRACEEVENT_PLUGIN_DIR="$tmp/hostile" TRACECMD_PLUGIN_DIR="$tmp/hostile" "$wakelat" governor a=g.dat

# The change of menu that README.md shows.
menu=$top/extras/governor/menu-2026-02
run "$wakelat" governor -o menu.tsv before="$menu/before" after="$menu/after"
is "$(printf '%s\n' "$out" | sed -n '/^in comparison/,/^$/{/./p}')" "$(sed -n 's/^    //; /^in comparison/,/^$/{/./p}' "$top/extras/governor/README.md")" \
	"README.md shows what the command says of menu before and after its change"
is "$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["state"] == "C6" { print $at["n"] }' menu.tsv | paste -s -d ' ')" \
	"$(sed -n 's/.*menu chose C6 for \([0-9]*\) idle periods; after it, for \([0-9]*\)\..*/\1 \2/p' "$top/extras/governor/README.md")" \
	"README.md has the numbers of idle periods in C6"
done_testing
