#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat dump --from-events makes samples from events that any kernel has. Here the events are made up.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# Different kinds of wake-ups.
trace s.dat -S <<'END'
hrtimer_start 0 1000 hrtimer=0xffff888000001000 expires=2000000
cpu_idle 0 5000 state=3
cpu_idle 0 2133400 state=0xffffffff
local_timer_entry 0 2134000
hrtimer_expire_entry 0 2134500 hrtimer=0xffff888000001000 now=2134200
hrtimer_start 0 2135000 hrtimer=0xffff888000001000 expires=4000000
local_timer_exit 0 2136000
hrtimer_start 0 2136500 hrtimer=0xffff888000002000 expires=3900000
cpu_idle 0 2140000 state=1
local_timer_entry 0 3902500
hrtimer_expire_entry 0 3903000 hrtimer=0xffff888000002000 now=3902600
local_timer_exit 0 3904000
cpu_idle 0 3905000 state=0xffffffff
cpu_idle 0 3910000 state=3
call_function_entry 0 4090000
cpu_idle 0 4133000 state=0xffffffff
local_timer_entry 0 4134000
hrtimer_expire_entry 0 4134500 hrtimer=0xffff888000001000 now=4134100
hrtimer_start 0 4140000 hrtimer=0xffff888000001000 expires=4141000
cpu_idle 0 4150000 state=2
cpu_idle 0 4151000 state=0xffffffff
local_timer_entry 0 4152000
hrtimer_expire_entry 0 4152500 hrtimer=0xffff888000001000 now=4152100
cpu_idle 0 4160000 state=2
cpu_idle 0 4170000 state=0xffffffff
reschedule_entry 0 4171000
cpu_idle 0 4180000 state=2
cpu_idle 0 4190000 state=0xffffffff
local_timer_entry 0 4191000
hrtimer_expire_entry 0 4191500 hrtimer=0xffff888000009000 now=4191100
hrtimer_start 0 4195000 hrtimer=0xffff888000003000 expires=1700000000004300000
cpu_idle 0 4200000 state=2
cpu_idle 0 4310000 state=0xffffffff
local_timer_entry 0 4311000
hrtimer_expire_entry 0 4311500 hrtimer=0xffff888000003000 now=1700000000004311100
hrtimer_start 0 4320000 hrtimer=0xffff888000001000 expires=4400000
hrtimer_start 0 4320500 hrtimer=0xffff888000003000 expires=1700000000004390000
cpu_idle 0 4330000 state=2
cpu_idle 0 4410000 state=0xffffffff
local_timer_entry 0 4411000
hrtimer_expire_entry 0 4411500 hrtimer=0xffff888000001000 now=4411100
hrtimer_expire_entry 0 4412500 hrtimer=0xffff888000003000 now=1700000000004411100
hrtimer_start 1 4410000 hrtimer=0xffff888000005000 expires=4900000
cpu_idle 1 4420000 state=3
cpu_idle 0 4430000 state=3
cpu_idle 1 5100000 state=0xffffffff
local_timer_entry 1 5101000
hrtimer_expire_entry 1 5101500 hrtimer=0xffff888000005000 now=5101100
call_function_entry 1 5105000
cpu_idle 1 5200000 state=3
END
printf '/sys/devices/system/cpu/cpuidle/current_governor:menu\n' >cpuidle.txt
printf '/sys/devices/system/cpu/cpu0/cpuidle/state%s\n' 3/name:C6 3/latency:133 3/residency:600 3/disable:0 3/below:7 >>cpuidle.txt
run "$wakelat" dump --from-events -o s --set emulated=no s.dat
is "$status$out$err" 0 "dump reads stock events without a message"
is "$(head -n 1 s/samples.tsv | tr '\t' ' ')" "$samples_header" "samples.tsv has its usual columns"
is "$(joined s/samples.tsv source | tr ' ' '\n' | sort -u)" stock "the source is stock"
is "$(joined s/samples.tsv cpu)" "0 0 0 0 1" "column cpu has the CPU of each sample"
is "$(joined s/samples.tsv state)" "3 1 3 2 3" "column state has the state of each sample"
is "$(joined s/samples.tsv seq)" "1 2 3 8 1" "seq is the number of the idle period; periods without a sample leave gaps"
is "$(joined s/samples.tsv ltime)" "2000000 3900000 4000000 4400000 4900000" "ltime: the earliest timer that expired"
is "$(joined s/samples.tsv ldist)" "1999000 1763500 1865000 80000 490000" "ldist: the time from the timer's start to its expiry"
is "$(joined s/samples.tsv wake_latency)" "133400 - 133000 10000 200000" "wake_latency; - with interrupts on"
is "$(joined s/samples.tsv intr_latency)" "134000 2500 134000 11000 201000" "intr_latency ends at local_timer_entry"
is "$(joined s/samples.tsv silent_time)" "1995000 1760000 90000 70000 480000" "silent_time is the time from idle entry to ltime"
is "$(joined s/samples.tsv taint)" "- - foreign_irq foreign_timer foreign_irq" \
	"taints: foreign interrupts, and a timer of another clock"
is "$(joined s/samples.tsv irqs_on)" "0 1 0 0 0" "irqs_on is 1 if the handler ran first"
facts() {
	awk -F '\t' -v key="$2" '$1 == key { print $2 }' "$1/run.tsv"
}
is "$(for key in idle_periods samples tainted late unknown_timer other_clock other_wakeups; do facts s run.1.cpu0.$key; done | paste -sd ' ' -)" \
	"8 4 2 1 1 1 1" "events without a sample are counted by reason"
is "$(facts s cut_periods)" 2 "idle periods that the recording truncates are counted"
is "$(facts s state.3.name) $(facts s state.3.residency_ns) $(facts s governor)" "C6 600000 menu" \
	"run.tsv has the state table beside the trace"
like "$(facts s systematic_error)" 'wake_latency includes the kernel' "run.tsv states the systematic error"
ok "stats reads these samples" "$wakelat" stats s
like "$out" 'Systematic error, source stock' "stats prints the systematic error"
run "$wakelat" verdict s
is "$status$err" 4 "verdict reads these samples"
run "$wakelat" dump --from-events -o n --states POLL,C1:2:2 s.dat
is "$(facts n state.1.name)$(facts n state.3.name)" C1 "--states names states; other states have no name"
mkdir none
cp s.dat none
printf '/sys/devices/system/cpu/cpuidle/%s\n' current_driver:none current_governor_ro:menu >none/cpuidle.txt
ok "dump of a machine without a cpuidle driver" "$wakelat" dump --from-events -o none/s none/s.dat
is "$(facts none/s driver)" none "run.tsv says that there is no driver"

# without EVENT: check that a recording without EVENT is refused.
without() {
	trace w.dat -S -x "$1" <<'END'
local_timer_exit 0 1
END
	refused "no event [a-z]+:$1 in this recording: record with -e" \
		"a recording without event $1 is refused" "$wakelat" dump --from-events -o w w.dat
}
without cpu_idle
without hrtimer_start
without hrtimer_expire_entry
trace i.dat -S -x local_timer_entry -x call_function_entry -x reschedule_entry <<'END'
hrtimer_start 0 1000 hrtimer=0xffff888000001000 expires=2000000
cpu_idle 0 5000 state=3
cpu_idle 0 2133400 state=0xffffffff
hrtimer_expire_entry 0 2134500 hrtimer=0xffff888000001000 now=2134200
END
ok "dump of a recording without interrupt events" "$wakelat" dump --from-events -o i i.dat
is "$(joined i/samples.tsv intr_latency)" 134200 "intr_latency without interrupt events ends at the timer event"
like "$("$wakelat" stats i)" 'Taints: no interrupt events were recorded' "stats says that taints cannot be known"

# After lost events, no earlier event counts.
trace l.dat -S <<'END'
hrtimer_start 0 1000 hrtimer=0xffff888000001000 expires=2000000
cpu_idle 0 5000 state=3
cpu_idle 0 2133400 state=0xffffffff
local_timer_entry 0 2134000
hrtimer_expire_entry 0 2134500 hrtimer=0xffff888000001000 now=2134200
hrtimer_start 0 2140000 hrtimer=0xffff888000001000 expires=3000000
cpu_idle 0 2150000 state=3
lost 0 7
cpu_idle 0 3133400 state=0xffffffff
local_timer_entry 0 3134000
hrtimer_expire_entry 0 3134500 hrtimer=0xffff888000001000 now=3134200
cpu_idle 0 3150000 state=3
END
run "$wakelat" dump --from-events -o l l.dat
is "$status" 3 "lost events: status 3"
like "$err" '7 events were lost while recording \(first on CPU 0\); the 1 samples outside these gaps' \
	"a message counts lost events and samples"
is "$(facts l lost_overrun) $(facts l cut_periods)" "7 2" "run.tsv counts lost events and truncated periods"

sed 's/x/x/' >clock.txt <<'END'
hrtimer_start 0 1000 hrtimer=0xffff888000001000 expires=2000000
cpu_idle 0 5000 state=3
cpu_idle 0 2133400 state=0xffffffff
hrtimer_expire_entry 0 2134500 hrtimer=0xffff888000001000 now=2114400
END
trace c.dat -S <clock.txt
refused "c\.dat: time stamps do not use the timers' clock" \
	"a trace clock that differs by 20 us is refused" "$wakelat" dump --from-events -o c c.dat
sed -i 's/now=2114400/now=9002114400/' clock.txt
trace c.dat -S <clock.txt
refused "c\.dat: none of the 1 idle periods|do not use the timers' clock" \
	"a trace clock that differs by seconds is refused" "$wakelat" dump --from-events -o c c.dat
{
	cat clock.txt
	printf 'instance other\ncpu_idle 1 5000 state=3\n'
} | trace c.dat -S
refused "in several buffer instances" \
	"two buffer instances, which may have two clocks, are refused" "$wakelat" dump --from-events -o c c.dat
printf 'hrtimer_start 0 1000 hrtimer=1 expires=5\n' | trace c.dat -S
refused "no complete idle period" "a recording without a whole idle period is refused" "$wakelat" dump --from-events -o c c.dat
trace c.dat <<'END'
sample 0 1 run=1 state=1
END
refused "no event power:cpu_idle in this recording" \
	"a recording of other events is refused" "$wakelat" dump --from-events -o c c.dat
: >empty.dat
refused "empty.dat: empty file" "an empty file is refused" "$wakelat" dump --from-events -o c empty.dat
head -c 8000 s.dat >cut.dat
refused "cut.dat: .*truncated" "a truncated recording is refused" "$wakelat" dump --from-events -o c cut.dat
refused "s: exists already" "a directory that exists is refused" "$wakelat" dump --from-events -o s s.dat
refused "-o is missing: name the directory to make" "a missing -o is refused" "$wakelat" dump --from-events s.dat
refused "need --from-events" "--states without --from-events is refused" "$wakelat" dump --states C1 s.dat
refused "not the output of grep -r" "a wrong file for --cpuidle is refused" "$wakelat" dump --from-events -o c --cpuidle s.dat s.dat
from_events_limited() (
	ulimit -f 1
	exec "$wakelat" dump --from-events -o c s.dat
)
refused "cannot write" "dump on a full disk fails" from_events_limited
is "$(find . -name 'c' -o -name '*.partial*' -o -name w)" "" "refused commands leave no files"
done_testing
