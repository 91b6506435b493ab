# SPDX-License-Identifier: GPL-2.0
# html-tail.awk - tail.tsv: what it says, a sentence for each stratum. Needs us.awk and html.awk.

function latency_of(metric) {
	return metric == "intr_latency" ? "interrupt latency" : "wake latency"
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	print "<ul>"
	next
}

{
	name = $at["state"] ("source" in at ? ", " $at["source"] : "") \
		($at["reached"] == "yes" ? ", reached" : $at["reached"] == "no" ? ", not reached" : "") ", " latency_of($at["metric"])
	if ($at["level_ns"] != "-")
		text = sprintf("one exceedance expected in %s wake-ups: %s µs [%s, %s]", $at["horizon"], us($at["level_ns"]),
			us($at["level_low_ns"]), us($at["level_high_ns"]))
	else
		text = "NOT ESTIMABLE" ($at["failed"] == "-" ? "" : ", failed: " $at["failed"])
	printf "<li>%s: %s</li>\n", html(name), html(text)
}

END { print "</ul>" }
