# SPDX-License-Identifier: GPL-2.0
# verdict-rows.awk - read verdict.tsv for the script after this one, which puts it into words. Sets
# $at["column"] for each row, rows (their number), budget, percentile, and error (the greatest one).

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
}
