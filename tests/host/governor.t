#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat governor: choices that are known to be right or wrong.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/governor.sh"
build_tools
cd "$tmp" || exit 1

# Residencies 0, 2, 20, 600 us; exit latencies 0, 2, 10, 133 us.
states=POLL:0:0,C1:2:2,C1E:10:20,C6:133:600

# period START LENGTH STATE [MISS]: events of an idle period that a timer ends, or MISS "other": nothing
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
ok "a recording" "$wakelat" governor -o g.tsv --states "$states" menu=g.dat
is "$(value g.tsv menu C6 n) $(value g.tsv menu C1E n) $(value g.tsv menu C1 n) $(value g.tsv menu POLL n) $(value g.tsv menu all n)" "4 3 2 1 10" "idle periods by state"
is "$(value g.tsv menu C6 too_deep) $(value g.tsv menu C1E too_deep) $(value g.tsv menu C1 too_deep)" "3 1 0" "too deep: shorter than the target residency"
is "$(value g.tsv menu C6 too_shallow) $(value g.tsv menu C1E too_shallow) $(value g.tsv menu C1 too_shallow)" "0 1 1" "too shallow: the next deeper one's residency would have been reached"
is "$(value g.tsv menu all missed)" 4 "residency missed"
is "$(value g.tsv menu C6 timer) $(value g.tsv menu C6 other) $(value g.tsv menu C6 too_deep_timer)" "1 3 1" "ended by a timer, by something else, and those too deep"
is "$(value g.tsv menu C6 idle_total_ns) $(value g.tsv menu C6 idle_p50_ns)" "1299999 349999.5" "time in it, and median"
is "$(value g.tsv menu C6 kernel_too_deep)" - "what the kernel counts is not recorded"
like "$out" '^too deep +0\.00 % +0\.00 % +33\.33 % +75\.00 % +40\.00 %$' "the table"
like "$out" 'no event cpu_idle_miss was recorded' "and how it judged"

ok "a name with a backslash" "$wakelat" governor -q -o back.tsv --states "$states" 'a\tb=g.dat'
is "$(joined back.tsv run | sed 's/ .*//')" 'a\tb' "keeps it"
refused "a name with a TAB" "a name with a TAB" "$wakelat" governor -q -o tab.tsv 'a	b=g.dat'
refused "or a line break" "a name with a line break" "$wakelat" governor -q -o tab.tsv 'a
b=g.dat'

# A state that is off is neither too shallow nor too deep for.
printf '/sys/devices/system/cpu/cpuidle/current_governor:ladder\n' >cpuidle.txt
for line in 0/name:POLL 0/latency:0 0/residency:0 0/disable:1 1/name:C1 1/latency:2 1/residency:2 1/disable:1 \
	2/name:C1E 2/latency:10 2/residency:20 2/disable:1 3/name:C6 3/latency:133 3/residency:600 3/disable:1; do
	printf '/sys/devices/system/cpu/cpu0/cpuidle/state%s\n' "$line" >>cpuidle.txt
done
ok "all other states off" "$wakelat" governor -q -o off.tsv g.dat
is "$(value off.tsv ladder all too_deep) $(value off.tsv ladder all too_shallow) $(value off.tsv ladder all missed)" "0 0 4" "nothing else to choose"
is "$(value off.tsv ladder C6 governor)" ladder "the governor's name beside the recording"
like "$("$wakelat" governor g.dat)" '^NO CHOICE: one state was enabled at a time' "which is said: none was enabled"
rm cpuidle.txt

# What the kernel says counts, and somebody's own prediction.
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
ok "with the kernel's judgement" "$wakelat" governor -o k.tsv --predicted irq_vectors:reschedule_entry:vector teo=k.dat
is "$(value k.tsv teo all kernel_too_deep) $(value k.tsv teo all kernel_too_shallow) $(value k.tsv teo all too_deep)" "1 1 -" "is counted, without a table of states too"
is "$(value k.tsv teo all predicted) $(value k.tsv teo state2 prediction_error_p50_ns) $(value k.tsv teo state3 prediction_error_p50_ns)" \
	"2 -100000 -10000" "predicted against actual"
like "$err" 'no target residencies are known' "no table: a warning"
ok "two of them" "$wakelat" governor --states "$states" menu=g.dat teo=k.dat
like "$out" '^menu +10 +40\.00 % +20\.00 % +40\.00 % +50\.00 %$' "in comparison"
like "$out" '^teo +3 +33\.33 % +33\.33 % +66\.67 % +100\.00 %$' "with the other"

# Without idle events the samples tell.
mkdir run
run_tsv run/run.tsv governor haltpoll state.0.residency_ns 0 state.1.residency_ns 2000 state.2.residency_ns 20000 state.3.residency_ns 600000
samples_tsv run/samples.tsv <<'END'
3 400000 133000 134000 -
3 500000 133000 134000 -
1 1500 - 400 -
END
ok "of a run without idle events" "$wakelat" governor -o r.tsv run
is "$(value r.tsv haltpoll C6 n) $(value r.tsv haltpoll C6 too_deep) $(value r.tsv haltpoll C1 too_deep)" "2 1 1" "its samples are judged"
like "$out" '^haltpoll \(emulated\): kernel' "emulated, as run.tsv says"
is "$(value r.tsv haltpoll C6 from)" samples "and that is said"
printf 'run.1.state\tC6\n' >>run/run.tsv
ok "of a run in which C6 alone was allowed" "$wakelat" governor -o r.tsv run
is "$(value r.tsv haltpoll C6 too_deep) $(value r.tsv haltpoll C6 missed)" "0 1" "nothing shallower could be chosen"
like "$out" '^NO CHOICE: one state was enabled at a time' "which is said"
printf 'run.2.state\tC1\n' >>run/run.tsv
ok "of one run for each state" "$wakelat" governor -o r.tsv run
is "$(value r.tsv haltpoll all too_deep) $(value r.tsv haltpoll all too_shallow) $(value r.tsv haltpoll all choice)" "0 0 1" \
	"the governor had no choice, and did not choose badly"
sed -i 's/^run\.\([12]\)\.state.*/run.\1.state	C1,C1E_x,C6/' run/run.tsv
run "$wakelat" governor -o r.tsv run
is "$(value r.tsv haltpoll all too_deep) $(value r.tsv haltpoll all choice)" "1 3" "with a choice: too deep"
unlike "$out" 'NO CHOICE' "and nothing is said"

# The figure, where there is gnuplot.
if command -v gnuplot >/dev/null; then
	ok "a figure" "$wakelat" governor -q --figure fig --states "$states" menu=g.dat 'a_b=k.dat'
	is "$(cd fig && echo *)" "governor.pdf governor.png governor.svg" "in three formats"
	like "$(tr -d '\n' <fig/governor.svg | sed 's/<[^>]*>/ /g')" 'Idle states chosen \(unknown machine\).*too shallow' "what it shows"
	"$wakelat" governor -q --figure names --states "$states" 'a\tb=g.dat' 'c d=k.dat'
	like "$(grep '<text' names/governor.svg | sed 's/<[^>]*>/|/g' | paste -sd ' ' -)" '\|a\\tb\|.*\|c d\|' "names of all characters"
	cp fig/governor.pdf first.pdf
	SOURCE_DATE_EPOCH='' "$wakelat" governor -q --figure fig --states "$states" menu=g.dat 'a_b=k.dat'
	same fig/governor.pdf first.pdf "the same bytes again"
else
	skip 5 "gnuplot is not installed"
fi

refused "no such file" "no file" "$wakelat" governor nowhere.dat
head -c 5000 g.dat >cut.dat
refused "cut.dat: not a complete trace.dat" "a recording that was cut off" "$wakelat" governor cut.dat
refused "name a recording" "nothing" "$wakelat" governor
refused "is not SYSTEM:EVENT:FIELD" "a bad event" "$wakelat" governor --predicted x:y g.dat
refused "no event a:b in this recording" "an event that is not there" "$wakelat" governor --states "$states" --predicted a:b:c g.dat
trace n.dat <<'END'
sample 0 1 run=1 state=1
END
refused "no event power:cpu_idle" "a recording without idle events" "$wakelat" governor --states "$states" n.dat
printf 'cpu_idle 0 5 state=70\ncpu_idle 0 9 state=0xffffffff\n' | trace b.dat -S
refused "an idle period in state 70" "a state that cannot be" "$wakelat" governor --states "$states" b.dat
ok "options behind the recording" "$wakelat" governor g.dat -q --states "$states" --output=behind.tsv
"$wakelat" governor -q --states "$states" -o before.tsv g.dat
same behind.tsv before.tsv "are options"
mkdir there
refused "there: a directory" "a directory for the table" "$wakelat" governor -q -o there --states "$states" g.dat
refused "x/y cannot be written" "no such directory" "$wakelat" governor -q -o x/y --states "$states" g.dat
is "$(find . -name '*.partial*')" "" "none of these leaves output"
done_testing
