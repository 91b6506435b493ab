#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The recorder does not wake the measured CPU between samples. The test counts the CPU's wake-ups in the truth log by
# cause, from the first sample to the last, on a machine with spare CPUs and on one with only the measured CPU.
# needs: tools qemu kernel:default
# tier: first
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

# causes DIR CPU: print "CAUSE NUMBER" for the CPU's wake-ups between its first sample and its last, and "sample NUMBER"
# for its samples. (Within seconds of the boot, cycles stay below 2^53, where awk is exact.)
causes() {
	awk -F '\t' -v cpu="$2" '
		FNR == 1 { delete at; for (i = 1; i <= NF; i++) at[$i] = i; next }
		FILENAME ~ /samples/ && $at["cpu"] == cpu {
			if (!first || $at["tbi_cyc"] < first) first = $at["tbi_cyc"] + 0
			if ($at["tintr_cyc"] > last) last = $at["tintr_cyc"] + 0
			n++
		}
		FILENAME ~ /truth/ && $at["cpu"] == cpu && $at["wake_cyc"] + 0 > first && $at["run_cyc"] + 0 < last { cause[$at["cause"]]++ }
		END { print "sample", n; for (c in cause) print c, cause[c] }' "$1/run/samples.tsv" "$1/truth.tsv"
}

# number CAUSE: print the number of these wake-ups
number() {
	awk -v cause="$1" '$1 == cause { n = $2 } END { print n + 0 }' "$tmp/causes"
}

# quiet CPUS CPU: measure CPU on a machine with this number of CPUs, and check the causes of its wake-ups
quiet() {
	printf '%s\n' "$2" >"$tmp/cpu"
	guest_job "$tmp/$1" "$top/tests/guest/quiet.job" --cpus "$1" --add "$tmp/cpu=/cpu"
	is "$status" 0 "$1 CPUs: record succeeds"
	ok "$1 CPUs: dump succeeds" "$top/scripts/wakelat" dump "$tmp/$1/run"
	causes "$tmp/$1" "$2" >"$tmp/causes"
	note "$1 CPUs, CPU $2: $(paste -sd ' ' - <"$tmp/causes")"
	ok "$1 CPUs: there are at least 1500 samples" test "$(number sample)" -ge 1500
	is "$(awk '$1 !~ /^(sample|timer|pending|monitor)$/' "$tmp/causes")" "" \
		"$1 CPUs: no interrupt except the timer's woke the CPU"
	# Once a second the kernel may have a CPU update its statistics (vmstat_shepherd). The run takes 3 s.
	ok "$1 CPUs: $(number monitor) writes to the flag from other CPUs woke the CPU, at most 4" test "$(number monitor)" -le 4
	# The tick stays on if the kernel expects the CPU to be busy soon, and the kernel has timers of its own.
	others=$(($(number timer) + $(number pending) - $(number sample)))
	ok "$1 CPUs: $others wake-ups by timers other than the recorder's, at most as many as ticks" test "$others" -le $((1500 * 2 / 4))
}

quiet 1 0
quiet 3 2
done_testing
