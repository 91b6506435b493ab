# SPDX-License-Identifier: GPL-2.0
# verdict-rows.awk - verdict.tsv, for the scripts that put it into words and come behind this one: $at["column"] of each row, how many
# rows, their budget and percentile, and the greatest error.

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
