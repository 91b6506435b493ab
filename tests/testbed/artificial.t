#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The kernel's artificial idle states in Debian's QEMU: what is measured is what is set; where pending interrupts cannot be seen they
# say so; they give way to a driver that is there, and nothing is left when they go.
# needs: qemu kernel:default
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"

# Seeing that an interrupt is pending takes up to a pause and seven reads of the local APIC: so much longer may a wake-up be.
bound_ns=500
# Of an event that says "entered" with a sign.
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

# goes WHERE: what is to be so wherever it was loaded
goes() {
	is "$(said driver-before) $(said loaded) $(said driver)" "none 0 artificial" "$where: it is loaded"
	is "$(said unloaded) $(said driver-after) $(said states-after)" "0 none 0" "$where: it is unloaded while a run is on, and nothing is left"
	is "$(said driver-again)" artificial "$where: it can be loaded again"
	is "$(said faults)" "" "$where: the kernel finds no fault"
}

# within STATE SET_NS: 500 samples, none shorter, none longer than by $bound_ns
within() {
	range=$(awk -v set="$2" -v bound="$bound_ns" '
		{ n++; error = $1 - set }
		error < 0 || error > bound { wrong++ }
		n == 1 || error < least { least = error }
		n == 1 || error > most { most = error }
		END { printf "%d samples, %d wrong, %d to %d ns more", n, wrong, least, most }' "$tmp/$where/$1")
	note "$where: $1: $range"
	like "$range" '^500 samples, 0 wrong,' "$where: $1 is $2 ns, and $bound_ns ns more at most"
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
	"stock: states, and what is said of them"
is "$(said log)" "" "stock: there is nothing to complain of"
all_within

boots two --qemu stock --cpus 2
goes
is "$(said back)" "A1 A2 A3 A4" "two: a CPU that was offline has them again"
like "$(said reason)" '^samples$' "two: the second CPU is measured"

# Interrupts that pass the local APIC by, or no local APIC.
for option in noapic nolapic; do
	boots "$option" --qemu stock --append "$option"
	goes
	like "$(said log)" 'pending interrupts cannot be seen: their handlers run inside the states$' "$option: the log says what cannot be seen"
	is "$(said states | grep -c 'us, irq 1st$')" 4 "$option: and so does each state"
done
where=noapic
is "$(sort -u "$tmp/noapic"/A[1-4])" "-9223372036854775808 $absent" "noapic: no sample has a wake_latency, and none has 0"
ok "noapic: there are samples" test "$(cat "$tmp/noapic"/A[1-4] | wc -l)" -eq 2000

# Where there is a driver it is left alone.
boots ours
is "$(said driver-before) $(said driver)" "intel_idle intel_idle" "ours: intel_idle stays"
like "$(said loaded)" '^[1-9]' "ours: it is not loaded"
like "$(said log | tail -n 1)" 'there is a cpuidle driver: /sys/devices/system/cpu/cpuidle/current_driver$' "ours: and says why"
done_testing
