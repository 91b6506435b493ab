#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat probe --source wake on Debian's own kernel in the virtual Xeon (testbed/run): each sample against the
# truth log's write to the flag, or interrupt.
# needs: tools qemu image
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/probe.sh"
ready_to_probe image

# errors_of DIR HINT CAUSE: "ERROR DELAY" of each untainted sample: ERROR, of sent_latency: the time from the event to the first
# instruction after it in the log (on two CPUs that take turns it can be longer than the exit latency) is subtracted.
# A flag is noticed, and logged, only when the turn of the CPU that sets it is over: there ERROR is from the first instruction to
# tai, and the flag must be sent before it is noticed. DELAY: from sched_waking to the event. The last line has what is wrong.
errors_of() {
	awk -F '\t' -v hint="$2" -v cause="$3" "$(cat "$top/tests/lib/truth-log.awk")"'
		file == 2 && $at[2, "cpu"] == 1 { n++; run[n] = $at[2, "run_cyc"]; enter[n] = $at[2, "enter_cyc"]; row[n] = $0 }
		file == 3 && $at[3, "taint"] == "-" {
			end = $at[3, $at[3, "irqs_on"] ? "tintr_cyc" : "tai_cyc"]
			low = last_run(end)
			if (enter[low] < $at[3, "tbi_cyc"] || run[low] > end) {
				unmatched++
				next
			}
			split(row[low], cell, "\t")
			wrong += cell[at[2, "hint"]] != hint
			foreign += cell[at[2, "cause"]] !~ cause
			if (cell[at[2, "cause"]] == "monitor") {
				error = (end - run[low]) / rate
				sent = cyc[1] + ($at[3, "ltime"] + $at[3, "sent_delay"] - mono[1]) * rate
				early += sent > cell[at[2, "wake_cyc"]] + 100 * rate
			} else {
				error = $at[3, "sent_latency"] - (cell[at[2, "run_ns"]] - cell[at[2, "wake_ns"]])
			}
			printf "%.0f %d\n", error, $at[3, "sent_delay"]
		}
		END { printf "unmatched %d, wrong state %d, foreign %d, noticed too early %d\n", unmatched, wrong, foreign, early }
	' "$(dirname "$tmp/$1")/clock.txt" "$(dirname "$tmp/$1")/truth.tsv" "$tmp/$1/samples.tsv"
}

# judge DIR HINT CAUSE MEDIAN BOUND
judge() {
	ok "$1: stamps in cycles" with_cycles "$tmp/$1" "$(dirname "$tmp/$1")/clock.txt"
	errors_of "$1" "$2" "$3" >"$tmp/errors"
	is "$(tail -n 1 "$tmp/errors")" "unmatched 0, wrong state 0, foreign 0, noticed too early 0" "$1: each sample has its idle period, state and cause"
	sed '$d' "$tmp/errors" | sort -n >"$tmp/sorted"
	judge_line=$(awk -v bound="$5" '
		{ v[NR] = $1; d[NR] = $2; beyond += $1 > bound || -$1 > bound }
		END { m = int((NR + 1) / 2); print NR, v[1], v[m], v[NR], d[m], beyond + 0 }' "$tmp/sorted")
	note "emulated: $1: N, error of sent_latency min, median, max (ns), median of sched_waking to the event, beyond $5: $judge_line"
	read -r n _ median _ _ beyond <<END
$judge_line
END
	ok "$1: N $n" test "$n" -ge 250
	ok "$1: median error $median within $4" test "$median" -le "$4" -a "$median" -ge "-$4"
	# Two CPUs that take turns: now and then the other one has its turn between the first instruction and the stamp.
	ok "$1: at most 2 of 100 beyond $5 ($beyond)" test "$beyond" -le "$((n / 50))"
}

# Two CPUs, by a flag.
probe_job "$tmp/flag" probe-wake 9 probe --cpus 2
note "$out"
judge flag/wake-C1E 0x01 'monitor|irq:0xf[bd]' 400 700
judge flag/wake-C6 0x20 'monitor|irq:0xf[bd]' 400 700
# clean_ipi DIR: column ipi of the samples without taint
clean_ipi() {
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["taint"] == "-" { print $at["ipi"] }' \
		"$tmp/$1/samples.tsv" | sort -u
}
is "$(clean_ipi flag/wake-C6)" 0 "no interrupt was sent"
ok "wake-ups by anybody" test -s "$tmp/flag/any/samples.tsv"
: >"$tmp/empty"
# By an interrupt.
words "$(guest_tools probe)" guest_job "$tmp/halt" "$top/tests/guest/probe-wake.job" --cpus 2 --kernel "$kernel" --memory 1024 \
	--append idle=halt --add "$tmp/empty=/halt" --add "$tmp/clocks=/clocks"
is "$status" 0 "two CPUs, by an interrupt"
# With interrupts on, the way into the handler is part of what is measured.
judge halt/wake-halt hlt 'irq:0xf[bd]' 700 700
is "$(clean_ipi halt/wake-halt)" 1 "an interrupt was sent"
done_testing
