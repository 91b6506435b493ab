#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The virtual Xeon behaves as its model says: each line of the truth log agrees with the model, and the
# guest's counters agree with the log.
# needs: qemu kernel:default
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"

# --- the patches

source=$("$top/testbed/build-qemu" --source) || bail "no QEMU source"
set -- "$top"/testbed/qemu/*.patch "$top"/testbed/qemu/arm64/*.patch
mkdir "$tmp/tree"
sed -n 's:^--- a/:*/:p' "$@" | sort -u >"$tmp/touched"
# tar complains about files that the patches add, because the source does not have them.
tar -xf "$source" -C "$tmp/tree" --strip-components=1 --wildcards -T "$tmp/touched" 2>/dev/null
for patch; do
	ok "${patch##*/} applies" patch -d "$tmp/tree" -p1 --batch --forward --fuzz=0 -i "$patch"
	like "$(head -n 1 "$patch")" '^From 0{40} ' "${patch##*/} names no commit"
	# The patch has a subject, an empty line, and a body before the diff.
	ok "${patch##*/} says why" awk '
		/^diff --git/ { exit }
		/^Subject: / { subject = NR }
		subject && NR > subject && /^$/ { body = 1 }
		body && /[a-z]/ { words = 1 }
		END { exit !words }' "$patch"
done

qemu=$("$top/testbed/build-qemu") || bail "no QEMU"
like "$("$qemu" --version)" '^QEMU emulator version 10\.0\.' "build-qemu names a QEMU 10.0"

# --- the machine

# boot NAME [OPTION]...: run the job; its files are in $tmp/NAME.
boot() {
	boot_name=$1
	shift
	ok "boot: $boot_name" "$top/testbed/run" "$@" --out "$tmp/$boot_name" "$top/tests/guest/qemu.job"
	[ "$status" -eq 0 ] || bail "$boot_name did not boot"
}

# each_row NAME CONDITION TEXT: check that the log has lines, and that the awk condition holds in each line.
# CONDITION can use the columns' names, silent (ns), full[HINT] (the model's latency) and max(A, B).
each_row() {
	ok "$1: $3" awk -F '\t' '
		function max(a, b) { return a > b ? a : b }
		BEGIN { full["0x00"] = 2000; full["0x01"] = 10000; full["0x20"] = 133000; full["hlt"] = '"${hlt:-0}"'; full["io:0x0814"] = 30000; full["-"] = 0 }
		NR > 1 {
			cpu = $1; hint = $2; enter_cyc = $3; wake_cyc = $4; run_cyc = $5; latency_ns = $6
			cause = $7; reached = $8; enter_ns = $9; wake_ns = $10; run_ns = $11; entry_ns = $12
			silent = wake_ns - enter_ns
			if (!('"$2"')) { print; exit 1 }
			rows++
		}
		END { if (!rows) exit 1 }' "$tmp/$1/truth.tsv"
}

# count NAME CONDITION: print the number of lines for which the condition holds.
count() {
	awk -F '\t' 'NR > 1 { hint = $2; latency_ns = $6; cause = $7; reached = $8; n += ('"$2"') } END { print n + 0 }' \
		"$tmp/$1/truth.tsv"
}

at_least() {
	ok "$3 ($1)" test "$1" -ge "$2"
}

boot plain
is "$(cat "$tmp/plain/driver")" intel_idle "intel_idle is the driver"
is "$(tr '\n' , <"$tmp/plain/states")" "POLL 0,C1 2,C1E 10,C6 133," \
	"the idle states are those of intel_idle's Skylake server table"
is "$(head -n 1 "$tmp/plain/truth.tsv")" \
	"$(printf 'cpu\thint\tenter_cyc\twake_cyc\trun_cyc\tlatency_ns\tcause\treached\tenter_ns\twake_ns\trun_ns\tentry_ns')" \
	"the log has the expected header"
each_row plain 'enter_ns <= wake_ns && run_ns - wake_ns == latency_ns' "the CPU runs exactly the logged latency after the event"
each_row plain 'enter_cyc == 2 * enter_ns && wake_cyc == 2 * wake_ns && run_cyc == 2 * run_ns' "2 TSC cycles are 1 ns"
each_row plain 'cause == "pending" ? reached == "-" && !latency_ns && !silent : reached == hint' \
	"each requested state is reached immediately"
each_row plain 'latency_ns == full[reached]' "each latency is the model's"
for hint in 0x00 0x01 0x20; do
	at_least "$(count plain "hint == \"$hint\" && cause == \"timer\"")" 100 "there are enough timer wake-ups from $hint"
done

# The job prints two lines with these columns: TSC before, SMI count, MPERF, APERF, C1, C6, PC6, TSC after.
# The log's lines between the first line's end and the second line's beginning must account for the
# residencies. MPERF and APERF counted while the lines were read, so they can only be compared with bounds.
counted() {
	awk '
		function near(got, wanted) { return wanted > 0 && got - wanted < wanted / 1000 && wanted - got < wanted / 1000 }
		function report(name, got, wanted) {
			if (!near(got, wanted)) { printf "%s: %.0f counted, %.0f logged\n", name, got, wanted; failed = 1 }
		}
		function bounded(name, got, low, high) {
			if (got < low || got > high) { printf "%s: %.0f, not %.0f to %.0f\n", name, got, low, high; failed = 1 }
		}
		NR == FNR { for (i = 1; i <= 8; i++) v[NR, i] = $i; next }
		FNR > 1 && $3 >= v[1, 1] && $5 <= v[2, 8] { all_idle += $5 - $3 }
		FNR > 1 && $3 >= v[1, 8] && $5 <= v[2, 1] {
			if ($8 == "0x00" || $8 == "0x01") c1 += $4 - $3
			if ($8 == "0x20") { c1 += 2 * $12; c6 += $4 - $3 - 2 * $12 }
			idle += $5 - $3
		}
		END {
			low = v[2, 1] - v[1, 8] - idle
			high = v[2, 8] - v[1, 1] - all_idle
			bounded("MPERF", v[2, 3] - v[1, 3], low, high)
			bounded("APERF", v[2, 4] - v[1, 4], low, high)
			if (low <= 0 || high > low * 1.3) { print "bounds too far apart", low, high; failed = 1 }
			report("C1", v[2, 5] - v[1, 5], c1)
			report("C6", v[2, 6] - v[1, 6], c6)
			report("PC6", v[2, 7] - v[1, 7], c6)
			exit failed
		}' "$tmp/$1/counters" "$tmp/$1/truth.tsv"
}
ok "plain: the residency counters agree with the log within 0.1 %, MPERF and APERF too" counted plain

boot entry --model skylake-sp-entry
each_row entry 'cause == "pending" || reached == (hint == "0x00" || silent < 60000 ? "0x00" : hint == "0x01" || silent < 250000 ? "0x01" : "0x20")' \
	"the silent time decides which state is reached"
each_row entry 'latency_ns == full[reached]' "the latency is that of the state that was reached"
for reached in 0x00 0x01 0x20; do
	at_least "$(count entry "hint == \"0x20\" && reached == \"$reached\"")" 5 "C6 was requested, $reached was reached"
done

# C6's counter starts when C6 is entered, at either entry time. It must not count the time in C1E before.
boot entries --set "C6.entry_ns=250000 1500000" --set "C6.entry_percent=50 50"
each_row entries 'cause == "pending" ? entry_ns == "-" : reached == "0x20" ? (entry_ns == 250000 || entry_ns == 1500000) && silent >= entry_ns : entry_ns == 0 && (hint != "0x20" || silent < 1500000)' \
	"each idle period has one of the two entry times"
each_row entries 'latency_ns == full[reached]' "the latency is that of the state that was reached"
for entry in 250000 1500000; do
	at_least "$(awk -F '\t' -v entry="$entry" '$8 == "0x20" && $12 == entry { n++ } END { print n + 0 }' "$tmp/entries/truth.tsv")" 5 \
		"there are sleeps that reached C6 after $entry ns"
done
at_least "$(awk -F '\t' '$2 == "0x20" && $8 == "0x01" && $10 - $9 >= 250000 { n++ } END { print n + 0 }' "$tmp/entries/truth.tsv")" 3 \
	"there are sleeps too short for the second entry time, but not for the first"
ok "entries: the residency counters agree with the log" counted entries

boot growth --set C6.grow_from_ns=2000 --set C6.grow_until_ns=1500000 --set C1E.tail_ns=50000 --set C1E.tail_ppm=300000
each_row growth 'hint != "0x20" || cause == "pending" || latency_ns == (silent < 1500000 ? 2000 + int(131000 * silent / 1500000) : 133000)' \
	"the latency grows with the silent time"
at_least "$(count growth 'hint == "0x20" && latency_ns > 2000 && latency_ns < 133000')" 20 \
	"there are latencies between the smallest and the largest"
at_least "$(count growth 'hint == "0x20" && latency_ns == 133000')" 20 "there are latencies that have stopped growing"
each_row growth 'hint != "0x01" || cause == "pending" || (latency_ns >= 10000 && latency_ns <= 60000)' \
	"the tail of latencies is bounded"
at_least "$(count growth 'hint == "0x01" && latency_ns == 10000')" 20 "there are latencies outside the tail"
at_least "$(count growth 'hint == "0x01" && latency_ns > 30000')" 5 "there are latencies in the tail"

boot prewake --model skylake-sp-prewake
each_row prewake 'latency_ns == (cause == "timer" && full[reached] > 2000 ? max(2000, full[reached] - silent) : full[reached])' \
	"a timer wake-up takes the exit latency minus the silent time, but at least C1's latency"
at_least "$(count prewake 'hint == "0x20" && latency_ns == 2000')" 50 "C6 is left early enough before the timer"
at_least "$(count prewake 'hint == "0x20" && latency_ns > 2000')" 5 "after short sleeps, C6 is not left early enough"

boot jitter --model skylake-sp-jitter
boot again --model skylake-sp-jitter
boot other --model skylake-sp-jitter --set seed=2
each_row jitter 'latency_ns >= full[reached] && latency_ns <= full[reached] + (reached == "0x00" ? 500 : reached == "0x01" ? 1000 : 13300)' \
	"latencies are distributed as the model says"
each_row jitter 'run_ns - wake_ns == latency_ns' "the CPU runs exactly the logged latency after the event"
at_least "$(awk -F '\t' '$2 == "0x20" && !seen[$6]++ { n++ } END { print n + 0 }' "$tmp/jitter/truth.tsv")" 50 \
	"C6 has different latencies"
same "$tmp/jitter/truth.tsv" "$tmp/again/truth.tsv" "the same seed gives the same log"
same "$tmp/jitter/counters" "$tmp/again/counters" "the same seed gives the same counters"
not_ok "another seed gives another log" cmp "$tmp/jitter/truth.tsv" "$tmp/other/truth.tsv"

# Injection starts before the guest's first line of counters. Periods of 5 and 23 ms do not coincide with the job's sleeps.
boot injected --set smi_at_ns=150000000 --set smi_period_ns=5000000 --set smi_duration_ns=200000 \
	--set nmi_at_ns=400000000 --set nmi_period_ns=23000000
each_row injected 'run_ns - wake_ns == latency_ns && latency_ns == full[reached]' "NMI and SMI wake after the exit latency"
at_least "$(count injected 'cause == "smi"')" 10 "there are wake-ups by SMI"
at_least "$(count injected 'cause == "nmi"')" 3 "there are wake-ups by NMI"
at_least "$(awk '{ print $2 }' "$tmp/injected/nmi")" 3 "/proc/interrupts counts the NMIs"
# The SMI count is read between the two TSC reads of its line. 5 ms are 10^7 cycles.
ok "MSR_SMI_COUNT counts each SMI" awk '
	function smis(from, to) { return int((to - 3e8) / 1e7) - int((from - 3e8) / 1e7) }
	{ first[NR] = $1; count[NR] = $2; last[NR] = $8 }
	END {
		n = count[2] - count[1]
		printf "%d, expected %d to %d\n", n, smis(last[1], first[2]), smis(first[1], last[2])
		exit first[1] < 3e8 || n < 20 || n < smis(last[1], first[2]) || n > smis(first[1], last[2])
	}' "$tmp/injected/counters"
is "$(awk 'NR == 1 { n = $2 } END { print $2 - n }' "$tmp/plain/counters")" 0 "plain: MSR_SMI_COUNT does not change"
is "$(awk '{ print $2 }' "$tmp/plain/nmi")" 0 "plain: there are no NMIs"

# A timer that counts down fires at an edge of its own clock. This clock is 30 ppm slower than CPUID says.
boot countdown --model skylake-sp-countdown
is "$(cat "$tmp/countdown/driver")" intel_idle "countdown: intel_idle is the driver"
each_row countdown 'cause != "timer" || int(wake_ns * 24999250 / 1e9) > int((wake_ns - 1) * 24999250 / 1e9)' \
	"the timer fires at an edge of its clock"
at_least "$(count countdown 'cause == "timer"')" 300 "there are enough timer wake-ups"
each_row countdown 'run_ns - wake_ns == latency_ns && latency_ns == full[reached]' \
	"the CPU runs the model's latency after the event"
like "$(cat "$tmp/countdown/dmesg.log")" 'APIC|apic' "countdown: Linux logs its own calibration of the APIC timer"

# acpi_idle is not part of this project. It uses the ACPI table, and enters states in the ways that the model has.
boot acpi --model skylake-sp-acpi --append intel_idle.max_cstate=0
is "$(cat "$tmp/acpi/driver")" acpi_idle "acpi_idle is the driver"
is "$(tr '\n' , <"$tmp/acpi/states")" "POLL 0,C1 2,C2 30,C3 133," "acpi: the idle states are those of the ACPI table"
is "$(tr '\n' , <"$tmp/acpi/entries")" "CPUIDLE CORE POLL IDLE,ACPI FFH MWAIT 0x0,ACPI IOPORT 0x814,ACPI FFH MWAIT 0x20," \
	"acpi: states are entered by MWAIT and by reading a port"
each_row acpi 'run_ns - wake_ns == latency_ns && latency_ns == full[reached]' "each way of entering has the model's latency"
at_least "$(count acpi 'hint == "io:0x0814" && cause == "timer"')" 100 "there are wake-ups after the read of the port"
hlt=2000
boot acpi-hlt --model skylake-sp-acpi --append idle=nomwait
is "$(sed -n 2p "$tmp/acpi-hlt/entries")" "ACPI HLT" "idle=nomwait: C1 by HLT"
each_row acpi-hlt 'run_ns - wake_ns == latency_ns && latency_ns == full[reached]' "HLT has the model's latency"
at_least "$(count acpi-hlt 'hint == "hlt" && cause == "timer"')" 100 "there are wake-ups from HLT"
hlt=

# The job measures CPU 0 while CPU 1 sleeps or works. C6 is reached only while CPU 1 sleeps.
boot threads --cpus 2 --set threads=2
is "$(cat "$tmp/threads/siblings")" 0-1 "Linux sees two CPUs of one core"
each_row threads 'run_ns - wake_ns >= latency_ns && latency_ns == full[reached]' "the latency is that of the core's state"
at_least "$(count threads 'hint == "0x20" && reached == "0x00"')" 1 \
	"C6 was requested and C1 reached, because the other CPU was awake"
at_least "$(count threads 'hint == "0x20" && reached == "0x20"')" 50 "C6 was reached while the other CPU slept"

boot faults --cpus 2 --set "msr_faults=1/0x3fd 1/0x660"
is "$(tr '\n' , <"$tmp/faults/other-cpu")" "0x660 faults,0x3fd faults,0x34 is there," "faults: CPU 1 lacks the MSRs in msr_faults"
is "$(tr '\n' , <"$tmp/threads/other-cpu")" "0x660 is there,0x3fd is there,0x34 is there," "threads: CPU 1 has these MSRs"

boot smp --cpus 2
# The log of turns explains each delay of a wake-up.
ok "smp: a CPU that ran late had to wait for its turn" awk -F '\t' '
	FNR == 1 { next }
	NR == FNR { waited[$1, $5] = $5 - $4; next }
	$11 - $10 != $6 && waited[$1, $11] != $11 - $10 - $6 { print; exit 1 }' \
	"$tmp/smp/truth-turns.tsv" "$tmp/smp/truth.tsv"
not_ok "plain: the only CPU never waits for its turn" test -e "$tmp/plain/truth-turns.tsv"
each_row smp 'run_ns - wake_ns >= latency_ns && latency_ns == full[reached]' "neither of two CPUs runs before its latency is over"
at_least "$(awk -F '\t' '$1 == 1' "$tmp/smp/truth.tsv" | wc -l)" 50 "smp: there are enough idle periods of CPU 1"

done_testing
