#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat import reads the output of `perf script` for idle, wake-up and timer events.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

facts() {
	awk -F '\t' -v key="$2" '$1 == key { print $2 }' "$1/run.tsv"
}

# Task names have brackets, blanks and text that looks like a field. CPU 9 wakes itself once, and is woken twice in one idle
# period. There are two states.
cat >wake.txt <<'END'
# captured on: Thu Jan  1 00:00:00 2026
         swapper     0 [009] 100.000001000: power:cpu_idle: state=2 cpu_id=9
  a [8] b 1.5: x 10177 [008] 100.000101000: sched:sched_waking: comm=c target_cpu=007 d pid=10181 prio=120 target_cpu=009
       cond_wait 10178 [007] 100.000102000: sched:sched_waking: comm=cond_wait pid=10182 prio=120 target_cpu=009
         swapper     0 [009] 100.000125500: power:cpu_idle: state=4294967295 cpu_id=9
         swapper     0 [009] 100.000200000:          1 power:cpu_idle: state=1 cpu_id=9
         swapper     0 [009] 100.000300000: sched:sched_waking: comm=self pid=4 prio=120 target_cpu=009
         swapper     0 [009] 100.000301000: power:cpu_idle: state=4294967295 cpu_id=9
       cond_wait 10177 [008] 100.000350000: sched:sched_waking: comm=busy pid=10181 prio=120 target_cpu=009
         swapper     0 [009] 100.000400000: power:cpu_idle: state=1 cpu_id=9
       cond_wait 10177 [008] 100.000500000: sched:sched_waking: comm=cond_wait pid=10181 prio=120 target_cpu=009
         swapper     0 [009] 100.000501500: irq_vectors:reschedule_entry: vector=253
         swapper     0 [009] 100.000502000: power:cpu_idle: state=4294967295 cpu_id=9
         swapper     0 [009] 100.000600000: power:cpu_idle: state=2 cpu_id=9
         swapper     0 [009] 100.000650000: irq:irq_handler_entry: irq=31 name=nvme0q1
       cond_wait 10177 [008] 100.000655000: sched:sched_waking: comm=cond_wait pid=10181 prio=120 target_cpu=009
         swapper     0 [009] 100.000670000: power:cpu_idle: state=4294967295 cpu_id=9
END
run "$wakelat" import -o w --states POLL,C1:1:2,C2:18:36 --set emulated=no wake.txt
is "$status" 0 "import reads the output of perf script"
like "$err" 'w has 3 samples of source wake, 0 of source passive \(1 tainted\), of 4 idle periods' "the message counts samples, taints and idle periods"
is "$(head -n 1 w/samples.tsv | tr '\t' ' ')" "$samples_header" "the columns of samples.tsv"
is "$(joined w/samples.tsv source)" "wake wake wake" "the source is wake"
is "$(joined w/samples.tsv cpu) $(joined w/samples.tsv state)" "9 9 9 2 1 2" "each sample has its CPU and state"
is "$(joined w/samples.tsv wake_latency)" "24500 2000 15000" "wake_latency goes from the first wake-up event to the end of the idle period"
is "$(joined w/samples.tsv silent_time)" "100000 100000 55000" "silent_time is the time from idle entry to the wake-up event"
is "$(joined w/samples.tsv taint)" "- - foreign_irq" "a device's interrupt before the wake-up is a taint, the wake-up's interrupt is not"
is "$(facts w source) $(facts w cpus) $(facts w state.2.latency_ns)" "wake 9 18000" "run.tsv has source, CPU and advertised latency"
ok "stats reads the imported recording" "$wakelat" stats w
run "$wakelat" verdict w
like "$status" '^[045]$' "verdict reads the imported recording"
refused 'none of the 4 idle periods' "import refuses a source of which there is no sample" "$wakelat" import -o x --source passive wake.txt

cat >timer.txt <<'END'
 sleeper  10 [000]  1.001000: timer:hrtimer_start: hrtimer=0xffff888000001000 function=hrtimer_wakeup expires=1003000000 softexpires=1002950000
 swapper   0 [000]  1.001005: power:cpu_idle: state=3 cpu_id=0
 swapper   0 [000]  1.003133: power:cpu_idle: state=4294967295 cpu_id=0
 swapper   0 [000]  1.003134: irq_vectors:local_timer_entry: vector=236
 swapper   0 [000]  1.003135: timer:hrtimer_expire_entry: hrtimer=0xffff888000001000 function=hrtimer_wakeup now=1003134400
 swapper   0 [000]  1.004000: power:cpu_idle: state=3 cpu_id=0
END
run "$wakelat" import -o t timer.txt
is "$status" 0 "import reads timer events"
is "$(joined t/samples.tsv source) $(joined t/samples.tsv wake_latency) $(joined t/samples.tsv intr_latency) $(joined t/samples.tsv ldist)" \
	"passive 133000 134000 2000000" "the launch time of a timer is its expires, not its softexpires"
like "$(facts t systematic_error)" 'cut to whole us' "run.tsv says that the times are cut to whole us"
sed 's/now=1003134400/now=903134400/' timer.txt >clock.txt
refused 'record with perf record -k CLOCK_MONOTONIC' "import refuses events that use another clock than the timers" "$wakelat" import -o x clock.txt
tac wake.txt >back.txt
ok "import reads lines in another order" "$wakelat" import -o b back.txt
is "$(joined b/samples.tsv wake_latency)" "24500 2000 15000" "import sorts the lines by their times"

sed 's/cpu_id=9/cpu=9/' wake.txt >field.txt
refused 'field.txt:2: event cpu_idle has no cpu_id=' "import names the line of an event without its field" "$wakelat" import -o x field.txt
grep -v cpu_idle wake.txt >none.txt
refused 'none of the 0 idle periods' "import refuses a text without idle events" "$wakelat" import -o x none.txt
printf 'a,b\n1,2\n' >table.csv
refused 'not a result of wult, .* nor the text of perf script.*name the column' "import refuses a table that is not perf's output" "$wakelat" import -o x table.csv
like "$("$wakelat" import -h)" "^Extras read the text of perf script" "wakelat import -h names what extras read"
awk 'BEGIN { for (i = 0; i < 8000; i++) print "no event" }' | cat - wake.txt >late.txt
refused 'nor the text of perf script' "import takes a file for events only if its first 64 KB have one" "$wakelat" import -o x late.txt
refused 'cannot be read|not a regular file|datapoints' "import refuses the directory of a recording" "$wakelat" import -o x w
{
	printf ' swapper 0 [009] 100.000001000: power:cpu_idle: state=2 cpu_id=9\n'
	head -c 70000 /dev/zero | tr '\0' x
} >endless.txt
refused 'endless.txt:2: a line of more than 65536 bytes' \
	"import: a text of perf script with an endless line is refused" limited import -q -o x endless.txt
is "$(find . -name x -o -name '*.partial')" "" "a refused import leaves no output"

# Published events of an AMD EPYC of TU Dresden: import gives the published medians.
ok "results/rome-perf/make succeeds" "$top/results/rome-perf/make" "$tmp/made"
is "$(cut -f 2,4,6 made/medians.tsv | tail -n +2 | tr '\t' ' ' | paste -sd , -)" "1500 23.53 23.5,2200 20.92 20.9,2500 21.44 21.4" \
	"the medians at 1.5, 2.2 and 2.5 GHz are the published ones"
for table in medians stats-1500 stats-2200 stats-2500; do
	same "made/$table.tsv" "$top/results/rome-perf/$table.tsv" "$table.tsv is the committed one"
done
done_testing
