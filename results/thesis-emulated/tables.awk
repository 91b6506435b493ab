# SPDX-License-Identifier: GPL-2.0
# tables.awk - the thesis's maxima, the advertised ones and what was measured, side by side.
#
# Input, separated by tabs: thesis.tsv, the rows of measured.awk.
# within: no sample's state is wrong, each has its idle period in the truth log, the log keeps to the model's
# bound, and the measured maximum is not beyond the largest injected latency by more than the largest error.

FNR == 1 {
	file++
	delete at
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}
file == 1 {
	key = tolower($at["cpu"]) " " $at["state"]
	order[++rows] = key
	table[key] = $at["table"]
	thesis[key] = $at["table_ns"]
	table10[key] = $at["table10_ns"]
	advertised[key] = $at["intel_idle_us"] * 1000
}
file == 2 {
	key = $at["cpu"] " " $at["state"]
	within = !$at["wrong"] && $at["injected_max_ns"] + 0 <= $at["bound_ns"] + 0 &&
		$at["measured_max_ns"] - $at["injected_max_ns"] <= $at["error_max_ns"] + 0
	measured[key] = $at["advertised_ns"] OFS $at["bound_ns"] OFS $at["injected_max_ns"] OFS $at["measured_max_ns"] OFS \
		$at["metric"] OFS $at["n"] OFS $at["tainted"] OFS $at["error_min_ns"] OFS $at["error_max_ns"] OFS (within ? "yes" : "no")
}
END {
	print "table", "cpu", "state", "thesis_ns", "thesis_table10_ns", "thesis_intel_idle_ns", "advertised_ns", "bound_ns",
		"injected_max_ns", "measured_max_ns", "metric", "n", "tainted", "error_min_ns", "error_max_ns", "within"
	for (i = 1; i <= rows; i++) {
		split(order[i], part, " ")
		if (order[i] in measured)
			print table[order[i]], part[1], part[2], thesis[order[i]], table10[order[i]], advertised[order[i]], measured[order[i]]
	}
}
