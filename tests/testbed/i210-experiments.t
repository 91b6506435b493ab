#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# How conditions affect a measurement with source i210: a sleeping PCIe link, a far slot, a wrong clock of the card, a CPU that
# wakes up before its timer expires (pre-wake), jitter, and the method. The exit latency of C6 is 133 us.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

make -s -C "$top/tools" || bail "tools do not build"
i210='--source i210 --intr-offset 1800ns'

# machine NAME RECORDINGS [OPTION]...: boot, make the recordings that the lines of RECORDINGS describe, and dump them
machine() {
	machine_name=$1
	printf '%s\n' "$2" >"$tmp/recordings"
	shift 2
	ok "$machine_name: the recordings are made" "$top/testbed/run" --model skylake-sp-i210 "$@" --add "$tmp/recordings=/recordings" \
		--out "$tmp/$machine_name" "$top/tests/guest/i210-experiments.job"
	[ "$status" -eq 0 ] || bail "no recordings"
	for machine_run in "$tmp/$machine_name"/*/trace.dat; do
		# A sleeping link widens the bracket, and the uncertainty of the launch time, by the time that it takes to wake up.
		# With a higher limit such samples get no taint.
		sed -i 's/^\(max_uncertainty_ns	\).*/\120000/' "${machine_run%/*}/run.tsv"
		"$top/scripts/wakelat" dump "${machine_run%/*}" >"$tmp/log" 2>&1 || diag "$(cat "$tmp/log")"
	done
}

# column RUN NAME: print this column of the run's untainted samples that have a value there
column() {
	awk -F '\t' -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["taint"] == "-" && $at[name] != "-" { print $at[name] }' "$tmp/$1/samples.tsv"
}

median() {
	column "$1" "$2" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# between RUN COLUMN LOW HIGH TEXT: check that the column of each untainted sample is from LOW to HIGH
between() {
	column "$1" "$2" >"$tmp/column"
	ok "$1: $5 ($2 of $3 to $4 ns in $(wc -l <"$tmp/column") samples)" awk -v low="$3" -v high="$4" '
		$1 < low || $1 > high { print; exit 1 } END { if (NR < 190) exit 1 }' "$tmp/column"
}

# The card's clock has a step of 8 ns, and the stamps themselves take some ns.
machine link "$(printf '%s\n' "awake performance $i210" "asleep powersave $i210" "launch performance $i210 --setting method=launch")" \
	--set nic.aspm_idle_ns=20000 --set nic.aspm_exit_ns=16000
between link/awake wake_latency 132980 133060 "the latency is exact while the link is awake"
# The interrupt message waits for the link to wake up, and so does the read 133 us later. The read's latch is then at
# the end of its bracket.
between link/asleep tai_latch 17300 17330 "the bracket includes the 16 us that a sleeping link (L1) takes to wake up"
between link/asleep wake_latency $((149000 - 17330 / 2)) $((149000 + 17330 / 2)) "the latency is 149 us +- half the bracket"
between link/launch wake_latency 132980 133060 "method=launch measures the same latency"
ok "link/launch: the gross latency includes the interrupt's offset" \
	test "$(median link/launch wake_latency_gross)" -ge "$(($(median link/launch wake_latency) + 1800))"

machine near "near performance $i210" --set nic.clock_ppb=50000 --set nic.read_latch_ns=250 --set nic.read_return_ns=250
machine far "far performance $i210" --set nic.clock_ppb=-50000 --set nic.read_latch_ns=900 --set nic.read_return_ns=900
between near/near wake_latency 132980 133060 "near slot, clock 50,000 ppb fast: the latency is exact"
between far/far wake_latency 132980 133060 "far slot, clock 50,000 ppb slow: the latency is exact"
between near/near tai_latch 500 530 "near slot: the bracket is the time of a read"
between far/far tai_latch 1800 1830 "far slot: the bracket is the time of a read"

machine prewake "$(printf '%s\n' "card performance $i210" "timer performance --source tsc_deadline")" --set prewake=on
between prewake/card wake_latency 132980 133060 "pre-wake does not shorten wake-ups by the card"
is "$(median prewake/timer wake_latency)" 2009 "prewake/timer: pre-wake shortens the timer's wake-ups to C1's latency (median)"

machine jitter "jitter performance $i210" --set nic.intr_jitter_ns=1000
between jitter/jitter wake_latency 132980 134060 "the latency includes the jitter of the interrupt"
ok "jitter/jitter: the latencies spread by at least 900 ns" \
	test "$(column jitter/jitter wake_latency | sort -n | awk '{ v[NR] = $1 } END { print v[NR] - v[1] }')" -ge 900
done_testing
