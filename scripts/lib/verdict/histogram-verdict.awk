# SPDX-License-Identifier: GPL-2.0
# histogram-verdict.awk - intervals of histstats -i: what they say of a budget, a row for each metric, with the columns
# of verdict.tsv that a histogram can fill.
#	-v percentile=P -v budget=NS (or nothing)

function decide(low, high) {
	if (budget == "" || (low == "-" && high == "-"))
		return "-"
	if (high != "-" && high + 0 <= budget + 0)
		return "kept"
	return low != "-" && low + 0 > budget + 0 ? "exceeded" : "undecided"
}

BEGIN { OFS = FS }

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	metric = $1
	if (metric in seen && $2 != "all" && seen[metric] != $2)
		next
	if (!(metric in seen))
		order[++rows] = metric
	seen[metric] = $2
	n[metric] = $at["n"]
	if ($at["statistic"] == "p50")
		half[metric] = $at["value_low"] == "-" || $at["value_high"] == "-" ? "-" : ($at["value_low"] + $at["value_high"]) / 2
	if ($at["statistic"] == "p" percentile) {
		low[metric] = $at["low"]
		high[metric] = $at["high"]
	}
}

END {
	print "state", "advertised_ns", "budget_ns", "metric", "n", "not_reached", "percentile", "low", "high", "error_pct", "max",
		"advertised_verdict", "budget_verdict", "allowed", "limit_us", "samples_to_decide", "doubt", "p50"
	for (r = 1; r <= rows; r++) {
		metric = order[r]
		name = metric
		gsub(/_/, " ", name)
		print name, "-", (budget == "" ? "-" : budget), metric, n[metric], "-", percentile, low[metric], high[metric], 5, "-",
			"-", decide(low[metric], high[metric]), "-", "none", "-", "-", half[metric]
	}
}
