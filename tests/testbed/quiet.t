#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Nothing of the recorder's wakes the measured CPU between samples: every wake-up in the emulator's log, from the
# first sample to the last, by its cause. With CPUs to spare, and with only the one that is measured.
# needs: tools qemu kernel:default
# tier: first
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

# causes DIR CPU: "CAUSE NUMBER" of its wake-ups between the first sample and the last; "sample NUMBER" are those of
# its samples. (The numbers of a machine that was booted seconds ago are exact in awk.)
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

# number CAUSE
number() {
	awk -v cause="$1" '$1 == cause { n = $2 } END { print n + 0 }' "$tmp/causes"
}

# quiet CPUS CPU
quiet() {
	printf '%s\n' "$2" >"$tmp/cpu"
	guest_job "$tmp/$1" "$top/tests/guest/quiet.job" --cpus "$1" --add "$tmp/cpu=/cpu"
	is "$status" 0 "$1 CPUs: recorded"
	ok "$1 CPUs: dumped" "$top/scripts/wakelat" dump "$tmp/$1/run"
	causes "$tmp/$1" "$2" >"$tmp/causes"
	note "$1 CPUs, CPU $2: $(paste -sd ' ' - <"$tmp/causes")"
	ok "$1 CPUs: there are samples to speak of" test "$(number sample)" -ge 1500
	is "$(awk '$1 !~ /^(sample|timer|pending|monitor)$/' "$tmp/causes")" "" \
		"$1 CPUs: no interrupt from another CPU or a device, no interrupt of its own for the recorder"
	# The kernel's own: once a second it may have a CPU update its statistics (vmstat_shepherd). The run takes 3 s.
	ok "$1 CPUs: $(number monitor) tasks were woken from elsewhere, at most one a second" test "$(number monitor)" -le 4
	# The tick of a CPU that expects to be busy soon, and the kernel's own timers.
	others=$(($(number timer) + $(number pending) - $(number sample)))
	ok "$1 CPUs: $others wake-ups by other timers than ours, no more than ticks" test "$others" -le $((1500 * 2 / 4))
}

quiet 1 0
quiet 3 2
done_testing
