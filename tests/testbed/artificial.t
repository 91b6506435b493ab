#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The driver cpuidle-artificial in Debian's QEMU. The measured latencies are those that were set. If the driver
# cannot see pending interrupts, it says so. It refuses to load beside another driver. Unloaded, it leaves nothing.
# needs: qemu kernel:default
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"

# Noticing a pending interrupt takes at most a pause and seven reads of the local APIC. A wake-up may be longer by this time.
bound_ns=500
# The value of an absent field `entered` in the event, where the field is signed.
absent=-1

# boots WHERE TESTBED-OPTION...
boots() {
	where=$1
	shift
	run "$top/testbed/run" "$@" --out "$tmp/$where" "$top/tests/guest/artificial.job"
	is "$status" 0 "$where: the job ends"
}

said() {
	cat "$tmp/$where/$1"
}

# goes: check what must hold on each machine that loads the driver
goes() {
	is "$(said driver-before) $(said loaded) $(said driver)" "none 0 artificial" "$where: the driver is loaded and in use"
	is "$(said unloaded) $(said driver-after) $(said states-after)" "0 none 0" \
		"$where: the driver can be unloaded while a run is active, and leaves no states"
	is "$(said driver-again)" artificial "$where: the driver can be loaded again"
	is "$(said faults)" "" "$where: the kernel log has no warning, bug, stall or leak"
}

# within STATE SET_NS: check for 500 samples, none shorter than SET_NS, none longer by more than $bound_ns
within() {
	range=$(awk -v set="$2" -v bound="$bound_ns" '
		{ n++; error = $1 - set }
		error < 0 || error > bound { wrong++ }
		n == 1 || error < least { least = error }
		n == 1 || error > most { most = error }
		END { printf "%d samples, %d wrong, %d to %d ns more", n, wrong, least, most }' "$tmp/$where/$1")
	note "$where: $1: $range"
	like "$range" '^500 samples, 0 wrong,' "$where: all 500 samples of $1 take $2 ns, or up to $bound_ns ns more"
}

all_within() {
	within A1 5000
	within A2 20000
	within A3 100000
	within A4 300000
}

boots stock --qemu stock
goes
is "$(said states | paste -sd , -)" "A1,A2,A3,A4,artificial, 5 us,artificial, 20 us,artificial, 100 us,artificial, 300 us,5,20,100,300,10,40,200,600" \
	"stock: each state has its name, description, latency and residency"
is "$(said log)" "" "stock: the driver logs nothing"
all_within

boots two --qemu stock --cpus 2
goes
is "$(said back)" "A1 A2 A3 A4" "two: a CPU that was offline has the states again"
like "$(said reason)" '^samples$' "two: the run on the second CPU takes all its samples"

# On x86 the states execute code. A CPU that counts awake cycles (MPERF) must not take this for a reason to distrust the samples.
boots mperf --append intel_idle.max_cstate=0
goes
is "$(said unknown | sort -u)" sleep "mperf: each sample says that it is not known whether the CPU slept"
all_within

# With noapic, interrupts do not pass through the local APIC. With nolapic, there is none.
for option in noapic nolapic; do
	boots "$option" --qemu stock --append "$option"
	goes
	like "$(said log)" 'pending interrupts cannot be seen: their handlers run inside the states$' \
		"$option: the log says that pending interrupts cannot be seen"
	is "$(said states | grep -c 'us, irq 1st$')" 4 "$option: the description of each state says that the interrupt comes first"
done
where=noapic
is "$(sort -u "$tmp/noapic"/A[1-4])" "-9223372036854775808 $absent" "noapic: wake_latency and entered are absent in each sample"
ok "noapic: there are 500 samples of each state" test "$(cat "$tmp/noapic"/A[1-4] | wc -l)" -eq 2000

# The driver does not replace another one.
boots ours
is "$(said driver-before) $(said driver)" "intel_idle intel_idle" "ours: intel_idle stays"
like "$(said loaded)" '^[1-9]' "ours: cpuidle-artificial refuses to load"
like "$(said log | tail -n 1)" 'there is a cpuidle driver: /sys/devices/system/cpu/cpuidle/current_driver$' \
	"ours: cpuidle-artificial says why it refuses"
done_testing
