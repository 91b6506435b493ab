# SPDX-License-Identifier: GPL-2.0
# compare-table.awk - compare.tsv: print it for people, in a block for each state and pair of
# recordings. Latencies are in us. Needs us.awk.

function interval(low, high) {
	return low == "-" && high == "-" ? "-" : us(low) " .. " us(high)
}

function what() {
	return $at["state"] (metric == "latency" ? " latency" : metric ~ /^wake/ ? ", wake latency" : ", interrupt latency")
}

# Values that are intervals need wider columns.
function row(statistic, a, b, difference, percent, bounds, distinguishable,  side) {
	side = metric == "latency" ? "%20s" : "%11s"
	printf "  %-7s " side " " side " " side " %9s  %-22s %s\n", statistic, a, b, difference, percent, bounds, distinguishable
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	block = $at["run_b"] SUBSEP $at["state"] SUBSEP $at["metric"]
	if (block != last) {
		if ($at["run_b"] != last_b)
			printf "\n%s (A) and %s (B)\n", $at["run_a"], $at["run_b"]
		last_b = $at["run_b"]
		last = block
		metric = $at["metric"]
		printf "\n%s (us); N = %s and %s\n", what(), $at["n_a"], $at["n_b"]
		row("", "A", "B", "B - A", "%", "B - A, 95 %", "distinguishable")
	}
	row($at["statistic"], us($at["a"]), us($at["b"]), us($at["difference"]), $at["difference_pct"],
		interval($at["difference_low"], $at["difference_high"]), $at["distinguishable"])
}
