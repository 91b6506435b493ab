# SPDX-License-Identifier: GPL-2.0
# compare-table.awk - compare.tsv for people, a block for each state and pair; latencies in us. Needs us.awk.

function interval(low, high) {
	return low == "-" && high == "-" ? "-" : us(low) " .. " us(high)
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	block = $at["run_b"] SUBSEP $at["state"]
	if (block != last) {
		if ($at["run_b"] != last_b)
			printf "\n%s (A) and %s (B)\n", $at["run_a"], $at["run_b"]
		last_b = $at["run_b"]
		last = block
		printf "\n%s, %s latency (us); N = %s and %s\n", $at["state"], $at["metric"] ~ /^wake/ ? "wake" : "interrupt",
			$at["n_a"], $at["n_b"]
		printf "%-8s %11s %11s %11s %9s  %-22s %s\n", "", "A", "B", "B - A", "%", "B - A, 95 %", "distinguishable"
	}
	printf "  %-6s %11s %11s %11s %9s  %-22s %s\n", $at["statistic"], us($at["a"]), us($at["b"]), us($at["difference"]),
		$at["difference_pct"], interval($at["difference_low"], $at["difference_high"]), $at["distinguishable"]
}
