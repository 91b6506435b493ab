#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Conditions that arm64 machines have: rates of the counter, GICs, pseudo-NMIs, a kernel at EL2, states that lose the core's context
# or stop its timer, states of the cluster. In all of them, the error of each sample without a taint
# must be within the bound of its source (see testbed/truth/truth.c). Writes
# out/check/conditions-arm64.tsv. Emulated. If BOOTS is set, boots only the machines whose names
# match this regular expression.
# needs: tools qemu-arm64 kernel:arm64
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"
guest_compiler=aarch64-linux-gnu-gcc
conditions_of=arm64
least_conditions=12
. "$top/tests/lib/conditions.sh"

kernel arm64

# machine NAME [TESTBED-OPTION...]: boot with --machine arm64
machine() {
	boot "$@" --machine arm64
}

machine plain <<"J"
try "as it is" hrtimer WFI,retention
while usleep 3000; do :; done &
try "as it is" passive WFI,retention
kill $!
J

machine two --cpus 2 <<"J"
# WFI is left out: the CPUs take turns, and this one would be awake again before the turn of the sending CPU ends.
try "two CPUs" ipi retention --cpu 1
try "two CPUs measured" hrtimer WFI,retention --cpu 0-1
J

for rate in 24000000 100000000 1000000000; do
	machine "counter-$rate" --set "counter_hz=$rate" <<J
try "a counter of $rate Hz" hrtimer WFI,retention
J
done

machine steered <<"J"
for ppm in 500 -500; do
	/steer ppm $ppm
	try "clock steered by $ppm ppm" hrtimer retention --ldist 7ms:8ms
done
J

machine stepped <<"J"
during /steer step 3600
try "clock stepped forth" hrtimer retention
J

machine gicv2 --cpus 2 --set gic=2 <<"J"
try "GICv2" "hrtimer ipi" retention --cpu 1
J

machine el2 --set el2=yes --set cpu=cortex-a76 <<"J"
try "kernel at EL2 (VHE)" hrtimer WFI,retention
J

machine nvhe --set el2=yes <<"J"
try "kernel at EL1 of a machine with EL2" hrtimer WFI,retention
J

machine pseudo-nmi --cpus 2 --set pseudo_nmi=yes <<"J"
try "pseudo-NMIs" "hrtimer ipi" retention --cpu 1
J

machine sleep --model arm64-sleep <<"J"
try "states that lose the context" hrtimer cpu-sleep-0 --ldist 2ms:8ms
J

machine timer-stop --cpus 2 --model arm64-juno <<"J"
# While a CPU keeps the timer that wakes the others (tick-broadcast-hrtimer), Linux lets it enter
# only WFI. This affects up to a sixth of its idle periods.
try "states that stop the timer" ipi cpu-sleep-0 --cpu 1 --ldist 2ms:8ms --samples 2000
refuses "states that stop the timer" hrtimer cpu-sleep-0 --cpu 1
J

# The GIC names only one pending interrupt. The timer's interrupt has a lower number than the device's,
# and hides it (see arm64.h).
machine device --cpus 2 <<"J"
mount -t debugfs debugfs /sys/kernel/debug
irq=$(sed -n 's/^ *\([0-9]*\):.*uart-pl011$/\1/p' /proc/interrupts)
echo 2 >"/proc/irq/$irq/smp_affinity"
taskset 1 sh -c "while usleep 400; do echo trigger >/sys/kernel/debug/irq/irqs/$irq; done" &
# Takes more samples, because in more than a third of them the CPU has to wait for its turn.
try "a device interrupts the CPU" hrtimer retention --cpu 1 --ldist 50us:1ms --samples 2500
kill $!
awk -v name="$irq:" '$1 == name { print $3 }' /proc/interrupts >interrupts
J

machine hotplug --cpus 3 <<"J"
during flip
try "another CPU comes and goes" hrtimer retention --cpu 1
J

start_boots
judge_boots
if wanted device; then
	run=$tmp/boots/device/1
	ok "the device's interrupts came: $(cat "$tmp/boots/device/interrupts")" test "$(cat "$tmp/boots/device/interrupts")" -gt 1000
	ok "samples that the device may have woken have the taint foreign_irq" test "$(cut -f 15 "$run/samples.tsv" | grep -c foreign_irq)" -gt 50
fi
publish_conditions
done_testing
