# SPDX-License-Identifier: GPL-2.0
# compare-table.awk - compare.tsv for people, a block for each state and pair; latencies in us. Needs us.awk.

function interval(low, high) {
	return low == "-" && high == "-" ? "-" : us(low) " .. " us(high)
}

# A histogram has no states, but metrics of its own.
function what(  name) {
	if ($at["state"] != "-")
		return $at["state"] ", " ($at["metric"] ~ /^wake/ ? "wake" : "interrupt") " latency"
	name = $at["metric"]
	gsub(/_/, " ", name)
	return name
}

function value(x, low, high) { return x == "-" && $at["state"] == "-" ? interval(low, high) : us(x) }

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
		printf "\n%s (us); N = %s and %s\n", what(), $at["n_a"], $at["n_b"]
		side = "%" ($at["state"] == "-" ? 20 : 11) "s"
		printf "%-9s " side " " side " %11s %9s  %-22s %s\n", "", "A", "B", "B - A", "%", "B - A, 95 %", "distinguishable"
	}
	printf "  %-7s " side " " side " %11s %9s  %-22s %s\n", $at["statistic"], value($at["a"], $at["a_low"], $at["a_high"]),
		value($at["b"], $at["b_low"], $at["b_high"]), us($at["difference"]),
		$at["difference_pct"], interval($at["difference_low"], $at["difference_high"]), $at["distinguishable"]
}
