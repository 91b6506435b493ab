#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat probe --threshold on Debian's own kernel in the virtual Xeon (testbed/run), some of whose exits take longer than the
# others: each of those is found, with its latency and what was around it.
# needs: tools qemu image
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/instructions.sh"
. "$top/tests/lib/probe.sh"
ready_to_probe image
build_sleeper || bail "no compiler"

probe_job "$tmp/out" probe-threshold 1 probe --add "$tmp/sleeper=/sleeper" \
	--set C6.tail_ns=60000 --set C6.tail_ppm=10000

# against_truth DIR [CLEAN]: "found N, missed N, wrong N": outliers; the log's idle periods that a timer ended late between the first and the
# last of them, which are no outlier; outliers whose latency is not the log's, by 0 to 700 ns more. With CLEAN=1, of those without taint: where
# another timer began a wake-up the log's latency is from then.
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
like "$truth" '^found ([5-9]|[1-9][0-9]), missed 0, wrong 0$' "all that took longer, and how long ($truth; emulated)"
is "$(against_truth first 1)" "found 1, missed 0, wrong 0" "the first one without taint ends it"
is "$(awk '$1 == "run.1.reason" { print $2 }' "$tmp/out/first/run.tsv")" threshold "and run.tsv says so"
is "$(awk '$1 == "lost_overrun" { print $2 }' "$tmp/out/all/run.tsv")" 0 "nothing was lost"

# What was around one: the state, the timer that woke the CPU, and the task that waited for it.
around=$(awk -F '\t' '$8 >= 0 && !seen[$1, $9]++ && $1 == 1 { print $9 }' "$tmp/out/first/outliers.tsv" | paste -sd ' ' -)
like "$around" '^exit interrupt timer runs' "after it: exit, interrupt, timer, task ($around)"
ok "by name" grep -q '	timer	hrtimer_wakeup$' "$tmp/out/first/outliers.tsv"
ok "the task, too" grep -q '	runs	wakelat-timer, [0-9]*$' "$tmp/out/first/outliers.tsv"
is "$(awk -F '\t' 'NR > 1 && $1 in last && $8 < last[$1] { print } { last[$1] = $8 }' "$tmp/out/all/outliers.tsv" | wc -l)" 0 "in the order of time"
like "$(cat "$tmp/out/table")" 'Latency from idle states \(emulated\)' "the table, emulated"
like "$(cat "$tmp/out/table")" 'Beyond 140.000 us: [1-9]' "and how many"
# In the view, lines may be broken at words.
like "$(tr -d '\r' <"$tmp/out/live" | sed 's/.\[K$//' | paste -sd ' ' -)" \
	'last beyond the threshold, number [0-9]+: 1[4-9][0-9]\.[0-9] us, CPU 0, C6, interrupt vector 0xec, timer [a-z_]+(, [a-z]+ [^,]+)*, runs [a-z]' \
	"the view tells of the last one, and what woke the CPU"
done_testing
