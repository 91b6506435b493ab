# SPDX-License-Identifier: GPL-2.0
# sweep-table.awk - print sweep.tsv for people: a line for each point, latencies in us. Needs us.awk.
#	-v budget=NS	adds a column that says whether the budget is kept
#	-v refuted=VALUE,...	values that exceeded the budget when they were measured again

function point(value, knob) {
	if (value !~ /^[0-9]+$/)
		return value
	if (knob == "interval")
		return sprintf("%.15g", value / 1000)
	return knob == "frequency" ? sprintf("%.15g", value / 1000) : value
}

function title(knob) {
	if (knob ~ /^qos/)
		return "limit us"
	if (knob == "interval")
		return "interval us"
	return knob == "frequency" ? "MHz" : knob
}

# Return a share with one decimal, because further digits vary between recordings.
function share(pct) { return pct == "-" ? pct : sprintf("%.1f", pct) }

function verdict(worst) {
	if (worst == "-")
		return "  no samples"
	if (worst + 0 > budget + 0)
		return "  exceeded"
	return index("," refuted ",", "," $at["value"] ",") ? "  exceeded when measured again" : "  kept"
}

NR == 1 {
	for (i = 1; i <= NF; i++) {
		at[$i] = i
		if ($i ~ /^residency_.*_pct$/) {
			states++
			column[states] = i
			name[states] = substr($i, 11, length($i) - 14)
		}
	}
	next
}

NR == 2 {
	printf "%-12s %-8s", title($1), "deepest"
	for (i = 1; i <= states; i++)
		printf " %6s", substr(name[i], 1, 4) "%"
	printf " %6s %10s %10s %10s %9s %22s %8s%s\n", "busy%", "p50", "p99.99", "max", "N", "worst state", "W",
		budget == "" ? "" : "  budget " us(budget)
}

{
	printf "%-12s %-8s", point($at["value"], $1), $at["deepest"]
	for (i = 1; i <= states; i++)
		printf " %6s", share($column[i])
	printf " %6s %10s %10s %10s %9s %22s %8s%s\n", share($at["busy_pct"]), us($at["intr_latency_p50"]),
		us($at["intr_latency_p99.99"]), us($at["intr_latency_max"]), $at["n"],
		$at["worst_state"] " " $at["worst_by"] " " us($at["worst_intr_latency"]), $at["power_w"],
		budget == "" ? "" : verdict($at["worst_intr_latency"])
}
