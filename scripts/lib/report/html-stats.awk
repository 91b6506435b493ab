# SPDX-License-Identifier: GPL-2.0
# html-stats.awk - stats-ci.tsv stats.tsv: print the statistics of one metric as an HTML table, a
# row for each state. Below each percentile is its interval of 95 % confidence. Needs us.awk and
# html.awk.
# Variables: metric, caption. Prints nothing if no state has that metric.

function columns_of(  i) {
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
}

# A state may have several sources, each with a row of its own.
function key() {
	return $at["state"] SUBSEP ("source" in at ? $at["source"] : "")
}

function bounds(percentile,  low, high) {
	low = bound[key(), percentile, "low"]
	high = bound[key(), percentile, "high"]
	if ((low == "" || low == "-") && (high == "" || high == "-"))
		return ""
	if (low == "-")
		return "<small>" html("≤ " us(high)) "</small>"
	return "<small>" html(high == "-" ? "≥ " us(low) : us(low) " … " us(high)) "</small>"
}

# Print a cell with a value and, BELOW it, text that already is HTML.
function cell(heading, value, below, class) {
	printf "<td%s data-head=\"%s\">%s%s</td>", class, heading, html(value), below
}

function heading(  i) {
	printf "<div class=\"wide\"><table>\n<caption>%s</caption>\n<tr class=\"head\"><th>state</th>", html(caption)
	if ("source" in at)
		printf "<th class=\"text\">source</th>"
	printf "<th>advertised</th><th>N</th><th>tainted</th>"
	for (i = 1; i <= count; i++)
		printf "<th>%s</th>", what[i]
	print "</tr>"
}

FNR == 1 {
	file++
	columns_of()
	count = split("min p50 p90 p99 p99.9 p99.99 max mean std", what, " ")
	next
}

file == 1 {
	if ($at["metric"] == metric) {
		bound[key(), $at["percentile"], "low"] = $at["low"]
		bound[key(), $at["percentile"], "high"] = $at["high"]
	}
	next
}

(metric "_min") in at && $at[metric "_min"] != "-" {
	if (!rows++)
		heading()
	printf "<tr><th>%s</th>", html($at["state"])
	if ("source" in at)
		cell("source", $at["source"], "", " class=\"text\"")
	cell("advertised", us($at["advertised_ns"]))
	cell("N", $at["n"])
	cell("tainted", $at["tainted"])
	for (i = 1; i <= count; i++)
		cell(what[i], us($at[metric "_" what[i]]), what[i] ~ /^p/ ? bounds(substr(what[i], 2)) : "")
	print "</tr>"
}

END {
	if (rows)
		print "</table></div>"
}
