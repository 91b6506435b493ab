#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What changes a measurement with source i210, and what does not: a sleeping PCIe link, a far slot, a card's wrong
# clock, pre-wake, jitter, and the method. C6 takes 133 us to leave.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

make -s -C "$top/tools" || bail "tools do not build"
i210='--source i210 --intr-offset 1800ns'

# machine NAME RECORDINGS [OPTION]...
machine() {
	machine_name=$1
	printf '%s\n' "$2" >"$tmp/recordings"
	shift 2
	ok "$machine_name: recorded" "$top/testbed/run" --model skylake-sp-i210 "$@" --add "$tmp/recordings=/recordings" \
		--out "$tmp/$machine_name" "$top/tests/guest/i210-experiments.job"
	[ "$status" -eq 0 ] || bail "no recordings"
	for machine_run in "$tmp/$machine_name"/*/trace.dat; do
		# A link that sleeps makes the bracket, and the uncertainty of the launch time, as wide as the link takes to wake up.
		sed -i 's/^\(max_uncertainty_ns	\).*/\120000/' "${machine_run%/*}/run.tsv"
		"$top/scripts/wakelat" dump "${machine_run%/*}" >"$tmp/log" 2>&1 || diag "$(cat "$tmp/log")"
	done
}

# column RUN NAME: of its untainted samples that have it
column() {
	awk -F '\t' -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["taint"] == "-" && $at[name] != "-" { print $at[name] }' "$tmp/$1/samples.tsv"
}

median() {
	column "$1" "$2" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# between RUN COLUMN LOW HIGH TEXT: each sample
between() {
	column "$1" "$2" >"$tmp/column"
	ok "$1: $5 ($2 of $3 to $4 ns in $(wc -l <"$tmp/column") samples)" awk -v low="$3" -v high="$4" '
		$1 < low || $1 > high { print; exit 1 } END { if (NR < 190) exit 1 }' "$tmp/column"
}

# The error that half a bracket and the clock's 8 ns allow; the stamps take some ns themselves.
machine link "$(printf '%s\n' "awake performance $i210" "asleep powersave $i210" "launch performance $i210 --setting method=launch")" \
	--set nic.aspm_idle_ns=20000 --set nic.aspm_exit_ns=16000
between link/awake wake_latency 132980 133060 "exact"
# The message waits for the link, and so does, 133 us later, the read: its latch is at the end of the bracket then.
between link/asleep tai_latch 17300 17330 "a link that sleeps (L1) takes its 16 us to wake first, and the bracket says so"
between link/asleep wake_latency $((149000 - 17330 / 2)) $((149000 + 17330 / 2)) "within half the bracket of 149 us"
between link/launch wake_latency 132980 133060 "by launch time: the same latency"
ok "link/launch: the offset of the interrupt is in the gross value" \
	test "$(median link/launch wake_latency_gross)" -ge "$(($(median link/launch wake_latency) + 1800))"

machine near "near performance $i210" --set nic.clock_ppb=50000 --set nic.read_latch_ns=250 --set nic.read_return_ns=250
machine far "far performance $i210" --set nic.clock_ppb=-50000 --set nic.read_latch_ns=900 --set nic.read_return_ns=900
between near/near wake_latency 132980 133060 "near slot, clock 50,000 ppb fast: exact"
between far/far wake_latency 132980 133060 "far slot, clock 50,000 ppb slow: exact"
between near/near tai_latch 500 530 "the bracket is what a read takes"
between far/far tai_latch 1800 1830 "so is the far slot's"

machine prewake "$(printf '%s\n' "card performance $i210" "timer performance --source tsc_deadline")" --set prewake=on
between prewake/card wake_latency 132980 133060 "pre-wake cannot foresee the card"
is "$(median prewake/timer wake_latency)" 2009 "prewake/timer: but the timer, whose median is that of C1"

machine jitter "jitter performance $i210" --set nic.intr_jitter_ns=1000
between jitter/jitter wake_latency 132980 134060 "the interrupt's jitter cannot be told from the CPU's"
ok "jitter/jitter: but seen" test "$(column jitter/jitter wake_latency | sort -n | awk '{ v[NR] = $1 } END { print v[NR] - v[1] }')" -ge 900
done_testing
