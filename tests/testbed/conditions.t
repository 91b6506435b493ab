#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Conditions that real machines have: steered clocks, other tick devices, SMIs, CPUs that disturb
# each other, other kernels. In all of them, the error of each sample without a taint must be within
# the bound of its source (see testbed/truth/truth.c). Writes out/check/conditions.tsv. If KERNEL is
# set, boots this version. If BOOTS is set, boots only the machines whose names match this regular
# expression.
# needs: tools qemu kernel:default
# needs more: kernel:rt
# takes: minutes
# tier: first BOOTS=steered|injected|arat|nolapic|tick|countdown
# tier: rest OTHER_BOOTS=steered|injected|arat|nolapic|tick|countdown
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/conditions.sh"
. "$top/tests/lib/instructions.sh"
build_sleeper || bail "no compiler"

injected="--set smi_at_ns=3000000000 --set smi_duration_ns=70000"

kernel default

boot plain --add "$tmp/sleeper=/sleeper" <<"J"
try "as it is" "hrtimer tsc_deadline" C1,C1E,C6
# Another process sleeps, and the timer of its sleep is the event.
/sleeper 1000000 3000 &
try "as it is" passive C1,C1E,C6
kill $!
try "events before the idle instruction" "hrtimer tsc_deadline" C1E --ldist 1us:4us
J

boot steered <<"J"
for ppm in 500 -500; do
	/steer ppm $ppm
	try "clock steered by $ppm ppm" "hrtimer tsc_deadline" C1E --ldist 7ms:8ms
done
J

boot steered-little <<"J"
for ppm in 50 -50; do
	/steer ppm $ppm
	try "clock steered by $ppm ppm" "hrtimer tsc_deadline" C1E --ldist 7ms:8ms
done
/steer ppm -50
limit=2000s
try "clock steered by -50 ppm, 500 ms ahead" tsc_deadline C1E --ldist 499ms:500ms
# Source hrtimer cannot use events that come early, and taints each of them. Nearer events come on
# time.
try "clock steered by -50 ppm, up to 500 ms ahead" hrtimer C1E --ldist 50ms:500ms
J

boot stepped <<"J"
during /steer step 3600
try "clock stepped forth" "hrtimer tsc_deadline" C1E
during /steer step -1800
try "clock stepped back" "hrtimer tsc_deadline" C1E
during
/steer leap
limit=60s
try "leap second" "hrtimer tsc_deadline" C1E --ldist 15ms:20ms
J

# After C6 the code up to MWAIT is not in the caches: events come before the CPU sleeps.
for cold in 1000 4000; do
	boot "cold-$cold" --set "C6.cold_ns=$cold" <<J
try "cold entry of $cold ns" "hrtimer tsc_deadline" C1E,C6 --ldist 1us:12us
J
done

# It takes longer than the limit that applies without MPERF.
for cold in 20 150 500; do
	boot "cold-$cold-us" --set "C6.cold_ns=${cold}000" <<J
try "cold entry of $cold us" "hrtimer tsc_deadline" C6 --ldist 1us:$((cold * 5 / 2))us
J
done

boot no-mperf --set "msr_faults=0/0xe7" <<"J"
try "no MPERF" "hrtimer tsc_deadline" C1E,C6
J

boot prewake --set prewake=on <<"J"
/steer ppm -500
try "pre-wake, clock steered by -500 ppm" "hrtimer tsc_deadline" C1E,C6
J

words "$injected" boot injected --set smi_period_ns=9999000 --set nmi_at_ns=3000000000 --set nmi_period_ns=23456000 <<"J"
/steer ppm 500
try "SMIs and NMIs, clock steered by 500 ppm" "hrtimer tsc_deadline" C1E,C6
J

boot arat --cpus 2 --set "without=$(without) arat" <<"J"
try "timer that stops, two CPUs: C1" "hrtimer tsc_deadline" C1
refuses "timer that stops, two CPUs" "hrtimer tsc_deadline" C6
J

boot nolapic --append nolapic_timer <<"J"
refuses "no local APIC timer" "hrtimer tsc_deadline" C1E
J

boot xapic --append nox2apic <<"J"
try "xAPIC" "hrtimer tsc_deadline" C1,C1E
J

boot unstable --append tsc=unstable <<"J"
refuses "unstable TSC" "hrtimer tsc_deadline" C1E
J

boot reliable --append tsc=reliable <<"J"
try "tsc=reliable" "hrtimer tsc_deadline" C1E
J

boot step-before --set tsc_step_at_ns=3000000000 --set tsc_step_ns=200000000 <<"J"
moments=0
until dmesg | grep -q "Marking clocksource 'tsc' as unstable" || [ "$moments" -ge 100 ]; do
	sleep 0.1
	moments=$((moments + 1))
done
refuses "TSC step before the run" "hrtimer tsc_deadline" C1E
J

boot lowres --append highres=off <<"J"
refuses "highres=off" "hrtimer tsc_deadline" C1E
J

boot tick --append nohz=off <<"J"
try "nohz=off" "hrtimer tsc_deadline" C1E
J

# These machines have no ACPI idle states, so no state is left.
for option in intel_idle.max_cstate=0 idle=halt idle=poll idle=nomwait; do
	boot "$option" --append "$option" <<J
refuses "$option" "hrtimer tsc_deadline" 1
J
done

boot both --cpus 2 <<"J"
try "two CPUs measured" "hrtimer tsc_deadline" C1E,C6 --cpu 0-1
J

# A busy CPU is slow to emulate, so this one is busy only during runs.
boot sibling --cpus 2 <<"J"
taskset 2 sh -c 'while :; do
	while grep -qx "state running" /sys/kernel/tracing/wakelat/status; do
		for i in $(seq 10000); do :; done
		echo busy >>/tmp/rounds
	done
	sleep 0.02
done' &
try "the other CPU is busy" "hrtimer tsc_deadline" C1E --cpu 0 --ldist 50us:500us
kill $!
rounds=$(wc -l </tmp/rounds)
# The two runs take about 12 rounds.
[ "$rounds" -ge 8 ] || {
	echo "the other CPU was busy for $rounds rounds only"
	exit 1
}
J

boot hotplug --cpus 3 <<"J"
during flip
try "another CPU comes and goes" "hrtimer tsc_deadline" C1E --cpu 1
J

boot i210-start --model skylake-sp-i210 --set smi_at_ns=3000000000 --set smi_duration_ns=20000 --set smi_period_ns=100300 <<"J"
wakelat nic bind
try "SMIs of 20 us every 100.3 us" i210 C1E --setting method=launch --intr-offset 1800ns
J

words "$injected" boot i210-smi --model skylake-sp-i210 --set smi_period_ns=10000000 <<"J"
wakelat nic bind
try "SMIs of 70 us every 10 ms" i210 C1E,C6 --setting method=launch --intr-offset 1800ns
J

boot i210 --model skylake-sp-i210 <<"J"
wakelat nic bind
/steer ppm -500
for method in target launch; do
	try "clock steered by -500 ppm, $method" i210 C1E,C6 --setting method=$method --intr-offset 1800ns
done
J

boot countdown --model skylake-sp-countdown <<"J"
try "count-down timer" hrtimer C1,C1E,C6 --ldist 7ms:8ms
refuses "count-down timer" tsc_deadline C1E
/steer ppm -500
try "count-down timer, clock steered by -500 ppm" hrtimer C1E --ldist 7ms:8ms
J

boot acpi --model skylake-sp-acpi --append intel_idle.max_cstate=0 <<"J"
try "acpi_idle: MWAIT, I/O port" "hrtimer tsc_deadline" 1,2,3
J

boot acpi-hlt --model skylake-sp-acpi --append idle=nomwait <<"J"
try "acpi_idle: HLT, I/O port" "hrtimer tsc_deadline" 1,2
J

boot threads --cpus 2 --set threads=2 <<"J"
try "CPUs of one core" "hrtimer tsc_deadline" C1E,C6 --cpu 0 --counters core
J

boot faults --cpus 2 --set "msr_faults=1/0x3fd 1/0x660 1/0x34" <<"J"
try "CPUs with other MSRs" "hrtimer tsc_deadline" C6 --cpu 0-1 --counters core
J

gcc -O2 -Wall -Wextra -static -o "$tmp/busmaster" "$top/tests/guest/busmaster.c" || bail "no compiler"

kernel rt

boot rt <<"J"
try "PREEMPT_RT" "hrtimer tsc_deadline" C1,C1E,C6
J

boot clocksource <<"J"
for name in hpet acpi_pm; do
	echo $name >/sys/devices/system/clocksource/clocksource0/current_clocksource
	grep -qx $name /sys/devices/system/clocksource/clocksource0/current_clocksource || exit
	try "clocksource $name" "hrtimer tsc_deadline" C1E
done
J

boot full --cpus 2 --append "isolcpus=1 nohz_full=1 rcu_nocbs=1" <<"J"
try "nohz_full, isolcpus, PREEMPT_RT" "hrtimer tsc_deadline" C1,C1E,C6 --cpu 1
J

boot governors <<"J"
for governor in menu teo ladder; do
	echo $governor >/sys/devices/system/cpu/cpuidle/current_governor
	# With C6 alone enabled, ladder stays in C1.
	states=C1,C1E,C6
	[ $governor != ladder ] || states=C1,C1E
	try "governor $governor" "hrtimer tsc_deadline" $states
done
J

boot haltpoll --set hypervisor=kvm --append "intel_idle.max_cstate=0 cpuidle_haltpoll.force=1" <<"J"
try "haltpoll" "hrtimer tsc_deadline" 1
J

# Without a rate from CPUID Linux takes a second to trust the TSC, and has no high resolution timers until then.
trust_tsc='until grep -qx tsc /sys/devices/system/clocksource/clocksource0/current_clocksource; do sleep 0.1; done'

boot epyc --model epyc <<J
$trust_tsc
try "AMD, count-down timer" hrtimer C1,C2 --ldist 7ms:8ms
refuses "AMD" tsc_deadline C1
J

boot epyc-hlt --model epyc --append idle=nomwait <<J
$trust_tsc
try "AMD, count-down timer: HLT, I/O port" hrtimer C1,C2 --ldist 7ms:8ms
J

# Without a PM timer, Linux checks the APIC's timer against jiffies, which come from the HPET.
boot epyc-jiffies --model epyc --append pmtmr=0 <<J
$trust_tsc
try "AMD, count-down timer checked by jiffies" hrtimer C1,C2 --ldist 7ms:8ms
J

if wanted demotion; then
	status_register=$(symbol acpi_gbl_xpm1a_status)
	boot demotion --model skylake-sp-acpi --set C6.acpi_type=3 --append intel_idle.max_cstate=0 --add "$tmp/busmaster=/busmaster" <<J
/busmaster $status_register || exit
during /busmaster $status_register
# If acpi_idle checks for bus masters, it tells RCU itself before the stamp: 48 instructions.
bound=64
try "acpi_idle: a device masters the bus" "hrtimer tsc_deadline" 1,2,3
J
fi

# Only in make conditions, because this kernel takes ten minutes to build.
if [ -n "${ALL_CONDITIONS:-}" ] && [ -z "${KERNEL:-}" ]; then
	kernel debian

	boot debian <<"J"
try "Debian's configuration" "hrtimer tsc_deadline" C1,C1E,C6
J
fi

# While a device masters the bus, acpi_idle enters its safe state, the deepest C2, instead of C3.
judge_demotion() {
	for run in "$tmp"/boots/demotion/[0-9]; do
		ok "C3 was requested, another state entered, and the sample has a taint: ${run##*/}" awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["state"] == 3 && $column["entered"] != 3 { other++ }
		($column["entered"] != "-" && $column["entered"] != $column["state"]) != ($column["taint"] ~ /other_state/) { wrong++ }
		END { print other + 0 " samples, " wrong + 0 " of all marked wrong"; exit other < 500 || wrong }' "$run/samples.tsv"
	done
}

start_boots
judge_boots
[ ! -d "$tmp/boots/demotion" ] || judge_demotion
publish_conditions
done_testing
