# SPDX-License-Identifier: GPL-2.0
# html-tail.awk - coverage.tsv, tail.tsv: print the result as a sentence for each stratum. Needs us.awk, heavy.awk and
# html.awk.

function latency_of(metric) {
	return metric == "intr_latency" ? "interrupt latency" : "wake latency"
}

# Return what the extremal index in tail.tsv says about clusters of the longest samples, in words.
function together(  index_) {
	if (!("extremal_index" in at) || $at["extremal_index"] !~ /^[0-9.]+$/ || $at["extremal_index"] + 0 == 0)
		return ""
	index_ = $at["extremal_index"] + 0
	if (index_ == 1)
		return "The longest latencies came independently of each other."
	return sprintf("The longest latencies came in clusters of %.1f on average; each of the %s clusters counts once.", 1 / index_, $at["clusters"])
}

FILENAME ~ /coverage[.]tsv$/ {
	read_coverage()
	next
}

FNR == 1 {
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
			us($at["level_low_ns"]), us($at["level_high_ns"])) \
			(("uncertainty_ns" in at) && $at["uncertainty_ns"] + 0 > 0 ? ", widened at both ends by the uncertainty of launch times, " us($at["uncertainty_ns"]) " µs" : "")
	else
		text = "NOT ESTIMABLE" ($at["failed"] == "-" ? "" : ", failed: " $at["failed"])
	several = several || (("cpus" in at) && $at["cpus"] > 1)
	more = together()
	if ($at["level_ns"] != "-" && ("shape_high" in at) && is_heavy($at["shape_high"]))
		more = more (more == "" ? "" : " ") "Caution: " heavy_text($at["shape_high"]) "."
	printf "<li>%s: %s%s</li>\n", html(name), html(text), more == "" ? "" : ". " html(more)
}

END {
	print "</ul>"
	if (several)
		print "<p>All CPUs together: one of them may be worse.</p>"
}
