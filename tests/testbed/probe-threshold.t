#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat probe --threshold on Debian's own kernel in the virtual Xeon (testbed/run), where some exits take longer
# than the threshold. probe finds each of them, with its latency and the events around it.
# needs: tools qemu image
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/instructions.sh"
. "$top/tests/lib/probe.sh"
ready_to_probe image
build_sleeper || bail "no compiler"

probe_job "$tmp/out" probe-threshold 1 probe --add "$tmp/sleeper=/sleeper" \
	--set C6.tail_ns=60000 --set C6.tail_ppm=10000

# against_truth DIR [CLEAN]: print "found N, missed N, wrong N", from outliers.tsv and the truth log.
# - found: outliers
# - missed: idle periods that a timer ended late, between the first and the last outlier, and that are no outliers
# - wrong: outliers whose latency is below that of the log, or more than 700 ns above it
# With CLEAN=1, count only outliers without a taint: if another timer began a wake-up, the latency in the log begins with it.
against_truth() {
	awk -F '\t' -v clean="${2-}" "$(cat "$top/tests/lib/truth-log.awk")"'
		file == 2 { n++; run[n] = $at[2, "run_cyc"]; late[n] = $at[2, "run_ns"] - $at[2, "wake_ns"]; cause[n] = $at[2, "cause"]; next }
		!($1 in seen) && !(clean && $at[3, "taint"] != "-") {
			seen[$1]
			found++
			end = cyc[1] + ($at[3, "ltime"] + $at[3, "latency"] - mono[1]) * rate
			low = last_run(end)
			error = $at[3, "latency"] - late[low]
			wrong += error < 0 || error > 700
			hit[low]
			if (!first)
				first = low
			last = low
		}
		END {
			for (i = first; i <= last; i++)
				missed += cause[i] == "timer" && late[i] > 140000 && !(i in hit)
			printf "found %d, missed %d, wrong %d\n", found, missed, wrong
		}' "$tmp/out/clock.txt" "$tmp/out/truth.tsv" "$tmp/out/$1/outliers.tsv"
}

truth=$(against_truth all)
like "$truth" '^found ([5-9]|[1-9][0-9]), missed 0, wrong 0$' "all: each outlier is found with its latency ($truth; emulated)"
is "$(against_truth first 1)" "found 1, missed 0, wrong 0" "first: --stop ends the run at the first outlier without a taint"
is "$(awk '$1 == "run.1.reason" { print $2 }' "$tmp/out/first/run.tsv")" threshold \
	"first: run.tsv has threshold as the reason of the end"
is "$(awk '$1 == "lost_overrun" { print $2 }' "$tmp/out/all/run.tsv")" 0 "all: no event was lost"

# The events around an outlier: exit from the state, interrupt, the timer that woke the CPU, and the task that waited for it.
around=$(awk -F '\t' '$8 >= 0 && !seen[$1, $9]++ && $1 == 1 { print $9 }' "$tmp/out/first/outliers.tsv" | paste -sd ' ' -)
like "$around" '^exit interrupt timer runs' "first: exit, interrupt, timer and task follow the outlier's event ($around)"
ok "first: the timer has its function's name" grep -q '	timer	hrtimer_wakeup$' "$tmp/out/first/outliers.tsv"
ok "first: the task has its name and PID" grep -q '	runs	wakelat-timer, [0-9]*$' "$tmp/out/first/outliers.tsv"
is "$(awk -F '\t' 'NR > 1 && $1 in last && $8 < last[$1] { print } { last[$1] = $8 }' "$tmp/out/all/outliers.tsv" | wc -l)" 0 \
	"all: the events of each outlier are in the order of time"
like "$(cat "$tmp/out/table")" 'Latency from idle states \(emulated\)' "the table says that it is emulated"
like "$(cat "$tmp/out/table")" 'Beyond 140.000 us: [1-9]' "the table says how many wake-ups are beyond the threshold"
# The live view may break lines between words.
like "$(tr -d '\r' <"$tmp/out/live" | sed 's/.\[K$//' | paste -sd ' ' -)" \
	'latest sample above the threshold \(number [0-9]+\): 1[4-9][0-9]\.[0-9] us, CPU 0, C6, interrupt vector 0xec, timer [a-z_]+(, [a-z]+ [^,]+)*, runs [a-z]' \
	"the live view shows the last outlier, and what woke the CPU"
done_testing
