# SPDX-License-Identifier: GPL-2.0
# truth-log.awk - common part of programs that read three files: clock.txt (two lines: cycles and CLOCK_MONOTONIC in ns at one
# moment), the truth log, and samples or outliers. It sets rate (cycles per ns) and at[FILE, NAME] (the column of that name in
# the second or third file). The program fills run[1..n] with the ends of the log's idle periods, in cycles.
# (In the testbed each clock is a linear function of the other.)

FNR == 1 { file++ }
file == 1 { cyc[FNR] = $1; mono[FNR] = $2; if (FNR == 2) rate = (cyc[2] - cyc[1]) / (mono[2] - mono[1]); next }
FNR == 1 { for (i = 1; i <= NF; i++) at[file, $i] = i; next }

# last_run(TIME): return the number of the last idle period that has ended by TIME
function last_run(time,  low, high, middle) {
	low = 1
	high = n
	while (low < high) {
		middle = int((low + high + 1) / 2)
		if (run[middle] <= time)
			low = middle
		else
			high = middle - 1
	}
	return low
}
