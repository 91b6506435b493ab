# SPDX-License-Identifier: GPL-2.0
# verdict-rows.awk - read verdict.tsv for the script after this one, which puts it into words. Sets
# $at["column"] for each row, rows (their number), budget, percentile, error (the greatest one), and of the state that
# was measured least fewest (its number of samples) and shortest (the time in s; "" if a time is not known).

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	rows++
	budget = $at["budget_ns"]
	percentile = $at["percentile"]
	error = $at["error_pct"] > error + 0 ? $at["error_pct"] : error
	if (rows == 1 || $at["n"] + 0 < fewest)
		fewest = $at["n"] + 0
	timeless = timeless || $at["lasted_s"] !~ /^[0-9]/
	shortest = timeless ? "" : rows == 1 || $at["lasted_s"] + 0 < shortest ? $at["lasted_s"] + 0 : shortest
}
