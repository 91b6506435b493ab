#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Source ipi on an isolated CPU, with events 20 us apart. Many of the events find the CPU between two idle periods. Such an event must
# not wait until something else reschedules the CPU, whether the kernel wakes the CPU by a flag or by an interrupt.
# needs: qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

# isolated NAME OPTION: measure CPU 1 in C1, which acpi_idle enters with this kernel option. Set $period to the ns per event.
isolated() {
	guest_job "$tmp/$1" "$top/tests/guest/ipi-isolated.job" --model skylake-sp-acpi --cpus 2 --append "isolcpus=1 $2"
	is "$status" 0 "$1: the job ran"
	period=$(cat "$tmp/$1/period")
	ok "$1: $(cat "$tmp/$1/clean") clean samples in a second, every $period ns, at least 30000" test "$(cat "$tmp/$1/clean")" -ge 30000
	unlike "$(cat "$tmp/$1/dmesg.log")" 'WARNING|BUG|Oops|Call Trace' "$1: the kernel log has no warning or bug"
}

isolated HLT idle=nomwait
by_interrupt=$period
is "$(cat "$tmp/HLT/calls")" 100 "HLT: the events are interrupts (% of the events, rounded)"
isolated MWAIT intel_idle.max_cstate=0
is "$(cat "$tmp/MWAIT/calls")" 0 "MWAIT: the events are no interrupts, the CPU watches its flag (% of the events, rounded)"
ok "the flag is at most a quarter slower than the interrupt: $period and $by_interrupt ns per event" \
	test "$((period * 4))" -le "$((by_interrupt * 5))"
done_testing
