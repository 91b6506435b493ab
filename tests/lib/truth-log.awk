# SPDX-License-Identifier: GPL-2.0
# truth-log.awk - the beginning of a program that reads three files: clock.txt (two lines, cycles and CLOCK_MONOTONIC's ns of one
# moment), the truth log, and samples or outliers. rate: cycles per ns. at[FILE, NAME]: the column of that name in the second
# and the third file. Who reads the log fills run[1..n] with the ends of its idle periods, in cycles.
# (In the testbed one clock is a straight line over the other.)

FNR == 1 { file++ }
file == 1 { cyc[FNR] = $1; mono[FNR] = $2; if (FNR == 2) rate = (cyc[2] - cyc[1]) / (mono[2] - mono[1]); next }
FNR == 1 { for (i = 1; i <= NF; i++) at[file, $i] = i; next }

# last_run(TIME): the number of the last idle period that has ended by then
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
