#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Source passive on a CPU that other CPUs wake: each sample without a taint is compared with its own line of the truth log. The
# load is real programs: cyclictest of rt-tests, pipes between programs of busybox, and the kernel itself.
#
# Bounds: those of passive and wakers in testbed/truth/truth.c. C1 takes 8 us here, as in ipi.t.
# needs: tools qemu kernel:default kernel:rt
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/conditions.sh"
. "$top/tests/lib/replay.sh"

# add_program NAME: print the options that put a program and its libraries into the guest, one a line
add_program() {
	set_program=$(command -v "$1") || bail "no $1: install rt-tests (scripts/dev/packages test)"
	printf '%s\n' --add "$set_program=/usr/bin/$1"
	ldd "$set_program" | sed -n 's/.*=> \(\/[^ ]*\) .*/--add\n\1=\1/p'
}
add_program cyclictest >"$tmp/programs"
set --
while IFS= read -r option; do
	set -- "$@" "$option"
done <"$tmp/programs"

# Functions of the jobs. A load runs in the background until loads_end.
cat >"$tmp/loads.sh" <<"J"
loads=
load() {
	"$@" >/dev/null 2>&1 &
	loads="$loads $!"
}
loads_end() {
	for pid in $loads; do
		kill "$pid"
	done
	loads=
}
# Two programs send each other a line: one on the CPU of the mask, one on CPU 1. Each sleeps while the other has the line. Both hold
# both pipes open: the first would read the end of its input if it were faster than the second one opens it.
ping_pong() {
	mkfifo "/tmp/to$1" "/tmp/from$1"
	{
		taskset "$1" cat <"/tmp/from$1" >"/tmp/to$1" 2>/dev/null &
		loads="$loads $!"
		taskset 2 cat <"/tmp/to$1" >"/tmp/from$1" 2>/dev/null &
		loads="$loads $!"
		echo >"/tmp/from$1"
	} 8<>"/tmp/to$1" 9<>"/tmp/from$1"
}
# MSR 16 is the TSC. To read it, the kernel calls a function on CPU 1.
call_function() {
	while usleep "$1"; do
		dd if=/dev/cpu/1/msr of=/dev/null bs=8 count=1 skip=2
	done
}
# pinned MASK FUNCTION ARGUMENT: run a load on CPUs that are not measured, or the kernel would have no reason to interrupt CPU 1
pinned() {
	load taskset "$1" sh -c '. /loads.sh; "$@"' sh "$2" "$3"
}
# To turn an event on or off, the kernel changes code, and interrupts all other CPUs.
change_code() {
	mkdir -p /sys/kernel/tracing/instances/other
	while usleep "$1"; do
		echo 1 >/sys/kernel/tracing/instances/other/events/sched/sched_wakeup_new/enable
		echo 0 >/sys/kernel/tracing/instances/other/events/sched/sched_wakeup_new/enable
	done
}
limit=2s
J

enough=100
kernel default
boot wakers-one --cpus 2 --set C1.latency_ns=8000 --add "$tmp/loads.sh=/loads.sh" "$@" <<"J"
. /loads.sh
ping_pong 1
try "tasks" passive C1,C1E,C6 --cpu 1
load cyclictest --laptop -q -t 1 -a 1 -i 800 -p 80
try "tasks and cyclictest" passive C1,C1E,C6 --cpu 1
loads_end
load cyclictest --laptop -q -t 1 -a 1 -i 800 -p 80
try "cyclictest" passive C1,C1E,C6 --cpu 1
loads_end
pinned 1 call_function 700
try "function calls" passive C1,C1E,C6 --cpu 1
loads_end
J
# Three CPUs take turns, so this is slow: fewer and shorter loads. CPU 0 interrupts both others and waits for them in a loop. They
# use different states, so that CPU 1 does not have to wait until CPU 2 has handled its interrupt.
boot wakers-two --cpus 3 --set C1.latency_ns=8000 --add "$tmp/loads.sh=/loads.sh" <<"J"
. /loads.sh
limit=1s
only() {
	for state in 1 2 3; do
		echo $((state != $1)) >"/sys/devices/system/cpu/cpu2/cpuidle/state$state/disable"
	done
}
only 3
pinned 1 change_code 8000
try "changes of code" passive C1E --cpu 1 --samples 300
only 2
try "changes of code" passive C6 --cpu 1 --samples 300
loads_end
ping_pong 1
ping_pong 4
try "tasks of two CPUs" passive C6 --cpu 1
loads_end
J
# A state that is entered by reading an I/O port does not monitor the flag.
boot wakers-port --cpus 2 --model skylake-sp-acpi --append intel_idle.max_cstate=0 --add "$tmp/loads.sh=/loads.sh" <<"J"
. /loads.sh
pinned 1 call_function 700
try "I/O port" passive 2 --cpu 1
loads_end
J
# HLT: the state is entered with interrupts enabled, so that wake-ups by an interrupt make no sample.
boot wakers-hlt --cpus 2 --model skylake-sp-acpi --append idle=nomwait --add "$tmp/loads.sh=/loads.sh" <<"J"
. /loads.sh
limit=4s
pinned 1 call_function 700
try "HLT" passive C1 --cpu 1
loads_end
J
# irq_work for another CPU. The kernel with NO_HZ_FULL queues it where nohz_full= names the CPU: see kicker.c.
gcc -O2 -Wall -Wextra -static -o "$tmp/kicker" "$top/tests/guest/kicker.c" || bail "kicker.c does not build"
cat >"$tmp/kicks.sh" <<"J"
. /loads.sh
# Count how often CPU 0 queues this irq_work for CPU 1. Afterwards the event is off again, because it would be part of the path.
count_kicks() {
	mkdir /sys/kernel/tracing/instances/kicks && cd /sys/kernel/tracing/instances/kicks || exit
	echo 1 >events/csd/csd_queue_cpu/enable && sleep 0.5 && echo 0 >events/csd/csd_queue_cpu/enable || exit
	grep -c 'csd_queue_cpu: cpu=1 .*func=nohz_full_kick_func' trace >/out/kicks
	cd /out || exit
}
limit=4s
load taskset 1 /kicker 700
count_kicks
J
kernel rt
full="isolcpus=1 nohz_full=1 rcu_nocbs=1"
boot wakers-irq-work --cpus 2 --append "$full" --add "$tmp/loads.sh=/loads.sh" \
	--add "$tmp/kicks.sh=/kicks.sh" --add "$tmp/kicker=/kicker" <<"J"
. /kicks.sh
try "irq_work" passive C1E,C6 --cpu 1
loads_end
J
boot wakers-irq-work-port --cpus 2 --model skylake-sp-acpi --append "intel_idle.max_cstate=0 $full" --add "$tmp/loads.sh=/loads.sh" \
	--add "$tmp/kicks.sh=/kicks.sh" --add "$tmp/kicker=/kicker" <<"J"
. /kicks.sh
try "irq_work, I/O port" passive 2 --cpu 1
loads_end
J
kernel default
start_boots
judge_boots
note "emulated; error = measured - injected, ns:"
note "$(cat "$tmp/conditions.tsv")"

# kinds CONDITION SOURCE STATE...: check that the condition has 100 samples of this kind in each of these states
kinds() {
	kinds_condition=$1
	kinds_source=$2
	shift 2
	for state; do
		ok "$kinds_condition, $state: 100 samples of $kinds_source" awk -F '\t' -v condition="$kinds_condition" \
			-v source="$kinds_source" -v state="$state" '
			$1 == condition && $2 == source && $3 == state && $4 >= 100 { found = 1 } END { exit !found }' \
			"$tmp/conditions.tsv"
	done
}
kinds "tasks" passive:flag C1 C1E C6
kinds "tasks and cyclictest" passive:flag C1 C1E C6
kinds "cyclictest" passive C1 C1E C6
kinds "function calls" passive:flag C1E
kinds "changes of code" passive:ipi C1E C6
kinds "I/O port" passive:ipi C2
kinds "irq_work" passive:flag C1E C6
kinds "irq_work, I/O port" passive:ipi C2
for boot in wakers-irq-work wakers-irq-work-port; do
	ok "$boot: in half a second CPU 0 queued irq_work at least 20 times: $(cat "$tmp/boots/$boot/kicks")" \
		test "$(cat "$tmp/boots/$boot/kicks")" -ge 20
done
is "$(awk -F '\t' 'NR > 1 { n += $10 } END { print n + 0 }' "$tmp/conditions.tsv")" 0 \
	"no untainted sample is foreign or exceeds its error bound"

# --- as a user: all states enabled, a load, and one recording of what wakes the CPU, with each governor

cat >"$tmp/user.job" <<"J"
. /loads.sh
load /waker 100000 50 950
load cyclictest --laptop -q -t 1 -a 1 -i 700 -p 80
wakelat record -q -o /out/load --source passive -n 0 -T 2s --cpu 1
J
gcc -O2 -Wall -static -o "$tmp/waker" "$top/tests/bench/waker.c" || bail "waker.c does not build"
kernel=$("$top/scripts/dev/build-kernel" --flavour "$flavour")
for governor in menu teo; do
	guest_job "$tmp/$governor" "$tmp/user.job" --kernel "$kernel" --cpus 2 --append "cpuidle.governor=$governor" \
		--add "$tmp/loads.sh=/loads.sh" --add "$tmp/waker=/waker" "$@"
	is "$status" 0 "$governor: the load is recorded"
	run "$top/scripts/wakelat" stats "$tmp/$governor/load"
	is "$status" 0 "$governor: stats succeeds"
	note "$out"
	for kind in timer flag; do
		like "$out" "^$kind " "$governor: stats has a row for the kind $kind"
	done
	run "$top/scripts/wakelat" verdict --budget 50us "$tmp/$governor/load"
	like "$out" 'source passive' "$governor: verdict gives an answer for source passive"
	note "$out"
done
done_testing
