# SPDX-License-Identifier: GPL-2.0
# html-table.awk - stats.tsv, escaped: the statistics of one metric as an HTML table, a row for each state.
# Variables: metric, caption. Needs us.awk.

function cell(tag, text) {
	printf "<%s>%s</%s>", tag, text, tag
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	count = split("min p50 p90 p99 p99.9 p99.99 max mean std", what, " ")
	printf "<div class=\"wide\"><table>\n<caption>%s</caption>\n<tr>", caption
	cell("th", "state")
	cell("th", "advertised")
	cell("th", "N")
	cell("th", "tainted")
	for (i = 1; i <= count; i++)
		cell("th", what[i])
	print "</tr>"
	next
}

{
	printf "<tr>"
	cell("th", $at["state"])
	cell("td", us($at["advertised_ns"]))
	cell("td", $at["n"])
	cell("td", $at["tainted"])
	for (i = 1; i <= count; i++)
		cell("td", us($at[metric "_" what[i]]))
	print "</tr>"
}

END { print "</table></div>" }
