# SPDX-License-Identifier: GPL-2.0
# html-stats.awk - stats-ci.tsv stats.tsv: print the statistics of each latency as an HTML table, a
# row for each state. Below each percentile is its interval of 95 % confidence. Needs us.awk and
# html.awk. Prints no table of a latency that no state has.

function columns_of(  i) {
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
}

# A state may have several sources, each with a row of its own.
function key() {
	return $at["state"] SUBSEP ("source" in at ? $at["source"] : "")
}

function bounds(metric, percentile,  low, high) {
	low = bound[key(), metric, percentile, "low"]
	high = bound[key(), metric, percentile, "high"]
	if ((low == "" || low == "-") && (high == "" || high == "-"))
		return ""
	if (low == "-")
		return "<small>" html("≤ " us(high)) "</small>"
	return "<small>" html(high == "-" ? "≥ " us(low) : us(low) " … " us(high)) "</small>"
}

# Return a cell with a value and, BELOW it, text that already is HTML.
function cell(heading, value, below, class) {
	return "<td" class " data-head=\"" heading "\">" html(value) below "</td>"
}

function heading(caption,  i) {
	printf "<div class=\"wide\"><table>\n<caption>%s, µs</caption>\n<tr class=\"head\"><th>state</th>", caption
	if ("source" in at)
		printf "<th class=\"text\">source</th>"
	printf "<th>advertised</th><th>N</th><th>tainted</th>"
	for (i = 1; i <= count; i++)
		printf "<th>%s</th>", what[i]
	print "</tr>"
}

function row(metric,  i, text) {
	text = "<tr><th>" html($at["state"]) "</th>" ("source" in at ? cell("source", $at["source"], "", " class=\"text\"") : "")
	text = text cell("advertised", us($at["advertised_ns"])) cell("N", $at["n"]) cell("tainted", $at["tainted"])
	for (i = 1; i <= count; i++)
		text = text cell(what[i], us($at[metric "_" what[i]]), what[i] ~ /^p/ ? bounds(metric, substr(what[i], 2)) : "")
	return text "</tr>\n"
}

FNR == 1 {
	file++
	columns_of()
	count = 0
	what[++count] = "min"
	for (i = 1; i <= NF; i++)
		if (match($i, /^wake_latency_p[0-9.]+$|^latency_p[0-9.]+$/) && substr($i, index($i, "_p") + 2) + 0 < 99.995)
			what[++count] = substr($i, index($i, "_p") + 1)
	what[++count] = "max"
	what[++count] = "mean"
	what[++count] = "std"
	next
}

file == 1 {
	bound[key(), $at["metric"], $at["percentile"], "low"] = $at["low"]
	bound[key(), $at["metric"], $at["percentile"], "high"] = $at["high"]
	next
}

{
	metrics = split("wake_latency intr_latency latency", metric, " ")
	for (m = 1; m <= metrics; m++)
		if ((metric[m] "_min") in at && $at[metric[m] "_min"] != "-")
			rows[m] = rows[m] row(metric[m])
}

END {
	split("Wake latency;Interrupt latency;Latency", caption, ";")
	for (m = 1; m <= metrics; m++)
		if (m in rows) {
			heading(caption[m])
			printf "%s</table></div>\n", rows[m]
		}
}
