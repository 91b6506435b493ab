#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat probe --source wake on Debian's own kernel in the virtual Xeon (testbed/run): compares each sample with the
# write to the flag, or the interrupt, in the truth log.
# needs: tools qemu image
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/probe.sh"
ready_to_probe image

# errors_of DIR HINT CAUSE: print "ERROR DELAY" in ns for each untainted sample, and a last line with counts of wrong samples.
# - ERROR: sent_latency minus the time from the event to the first instruction after it in the log. As the two CPUs take turns,
#   this time can be longer than the exit latency. A flag is noticed, and logged, only when the turn of the CPU that sets it ends.
#   For a flag, ERROR is therefore the time from the first instruction to tai. Samples whose flag was sent after it was noticed
#   are counted as "noticed too early".
#   A sample during which CPU 1 waited for its turn (truth-turns.tsv) is wrong by the wait, and left out.
# - DELAY: the time from sched_waking to the event
errors_of() {
	awk -F '\t' -v hint="$2" -v cause="$3" -v turns="$(dirname "$tmp/$1")/truth-turns.tsv" "$(cat "$top/tests/lib/truth-log.awk")"'
		# There is no such file if no CPU has waited.
		BEGIN {
			while ((getline line <turns) > 0) {
				split(line, turn, "\t")
				if (turn[1] == 1) {
					from[++nr_turns] = turn[2]
					to[nr_turns] = turn[3]
				}
			}
		}
		# waits(BEGIN, END): return true if CPU 1 waited for its turn between the two
		function waits(begin, end,  i) {
			for (i = 1; i <= nr_turns; i++)
				if (from[i] < end && to[i] > begin)
					return 1
			return 0
		}
		file == 2 && $at[2, "cpu"] == 1 { n++; run[n] = $at[2, "run_cyc"]; enter[n] = $at[2, "enter_cyc"]; row[n] = $0 }
		file == 3 && $at[3, "taint"] == "-" {
			end = $at[3, $at[3, "irqs_on"] ? "tintr_cyc" : "tai_cyc"]
			low = last_run(end)
			if (enter[low] < $at[3, "tbi_cyc"] || run[low] > end) {
				unmatched++
				next
			}
			split(row[low], cell, "\t")
			if (waits(run[low], end)) {
				waited++
				next
			}
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
		END { printf "# left out: %d samples, because CPU 1 waited for its turn before the stamp\n", waited >"/dev/stderr" }
		END { printf "unmatched %d, wrong state %d, foreign %d, noticed too early %d\n", unmatched, wrong, foreign, early }
	' "$(dirname "$tmp/$1")/clock.txt" "$(dirname "$tmp/$1")/truth.tsv" "$tmp/$1/samples.tsv"
}

# judge DIR HINT CAUSE MEDIAN BOUND: check the errors of sent_latency: the median, and how many are beyond BOUND
judge() {
	ok "$1: the stamps are converted to cycles" with_cycles "$tmp/$1" "$(dirname "$tmp/$1")/clock.txt"
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
	ok "$1: $n untainted samples, at least 250" test "$n" -ge 250
	ok "$1: the median error is $median ns, at most $4 ns" test "$median" -le "$4" -a "$median" -ge "-$4"
	ok "$1: $beyond errors are beyond $5 ns, at most 2 of 100" test "$beyond" -le "$((n / 50))"
}

# Two CPUs. A write to its flag wakes CPU 1.
probe_job "$tmp/flag" probe-wake 9 probe --cpus 2
note "$out"
judge flag/wake-C1E 0x01 'monitor|irq:0xf[bd]' 400 700
judge flag/wake-C6 0x20 'monitor|irq:0xf[bd]' 400 700
# clean_ipi DIR: print the values of column ipi in the untainted samples
clean_ipi() {
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["taint"] == "-" { print $at["ipi"] }' \
		"$tmp/$1/samples.tsv" | sort -u
}
is "$(clean_ipi flag/wake-C6)" 0 "flag/wake-C6: column ipi says that no interrupt was sent"
ok "flag/any: --waker any writes samples.tsv" test -s "$tmp/flag/any/samples.tsv"
: >"$tmp/empty"
# Two CPUs. An interrupt wakes CPU 1.
words "$(guest_tools probe)" guest_job "$tmp/halt" "$top/tests/guest/probe-wake.job" --cpus 2 --kernel "$kernel" --memory 1024 \
	--append idle=halt --add "$tmp/empty=/halt" --add "$tmp/clocks=/clocks"
is "$status" 0 "halt: the virtual Xeon runs the job"
# With interrupts on, the latency includes the path into the handler.
judge halt/wake-halt hlt 'irq:0xf[bd]' 700 700
is "$(clean_ipi halt/wake-halt)" 1 "halt/wake-halt: column ipi says that an interrupt was sent"
done_testing
