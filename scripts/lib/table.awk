# SPDX-License-Identifier: GPL-2.0
# table.awk - [stats-reached.tsv] [stats-frequency.tsv] [stats-ci.tsv] stats.tsv: for people, a column for each
# state, latencies in us. Needs us.awk. A row of which the table has no column is left out.

function row(label, column, scale,  i, line) {
	if (!(column in at))
		return
	line = sprintf("%-14s", label)
	for (i = 1; i <= states; i++)
		line = line sprintf(" %" width "s", scale ? us(cell[i, column]) : cell[i, column])
	print line
}

function block(metric,  i, n) {
	n = split("min p50 p90 p99 p99.9 p99.99 max mean std", what, " ")
	for (i = 1; i <= n; i++)
		row("  " what[i], metric "_" what[i], 1)
}

# Rows in which no state has an interval say nothing.
function interval_row(metric, percentile, bound,  i, value, any) {
	for (i = 1; i <= states; i++) {
		value = interval[cell[i, "state"], metric, percentile, bound]
		cell[i, "interval"] = value == "" ? "-" : value
		if (cell[i, "interval"] != "-")
			any = 1
	}
	at["interval"] = 1
	if (any)
		row("  p" percentile (bound == "low" ? " from" : " to"), "interval", 1)
}

function interval_block(metric, title,  i, n) {
	if (!(metric in any_interval))
		return
	print title ", 95 % confidence (us)"
	n = split("50 90 99 99.9 99.99", what, " ")
	for (i = 1; i <= n; i++) {
		interval_row(metric, what[i], "low")
		interval_row(metric, what[i], "high")
	}
}

# A column that is not in the table, from another file.
function add_column(name, of,  i) {
	for (i = 1; i <= states; i++)
		cell[i, name] = cell[i, "state"] in of ? of[cell[i, "state"]] : "-"
	at[name] = 1
}

FNR == 1 {
	split("", at)
	for (i = 1; i <= NF; i++) {
		name[i] = $i
		at[$i] = i
	}
	next
}

"reached" in at {
	any_reached = 1
	if ($at["reached"] == "yes")
		yes[$1] = $at["n"]
	else if ($at["reached"] == "no")
		no[$1] = $at["n"]
	next
}

"mhz" in at {
	any_mhz = 1
	mhz[$1] = $at["mhz"]
	next
}

"percentile" in at {
	interval[$1, $at["metric"], $at["percentile"], "low"] = $at["low"]
	interval[$1, $at["metric"], $at["percentile"], "high"] = $at["high"]
	if ($at["low"] != "-" || $at["high"] != "-")
		any_interval[$at["metric"]] = 1
	next
}

{
	states++
	for (i = 1; i <= NF; i++) {
		cell[states, name[i]] = $i
		if (length($i) + 1 > width)
			width = length($i) + 1
	}
}

END {
	if (width < 10)
		width = 10
	for (i = 1; i <= states; i++) {
		state = cell[i, "state"]
		if (yes[state] + no[state] > 0) {
			count[state] = yes[state] + 0
			share[state] = sprintf("%.1f", 100 * yes[state] / (yes[state] + no[state]))
		}
	}
	if (any_reached) {
		add_column("reached_n", count)
		add_column("reached_share", share)
	}
	if (any_mhz)
		add_column("frequency", mhz)
	row("", "state", 0)
	row("advertised", "advertised_ns", 1)
	row("N", "n", 0)
	row("tainted", "tainted", 0)
	row("reached N", "reached_n", 0)
	row("reached %", "reached_share", 0)
	row("MHz", "frequency", 0)
	print "wake latency (us)"
	block("wake_latency")
	interval_block("wake_latency", "wake latency")
	print "interrupt latency (us)"
	block("intr_latency")
	interval_block("intr_latency", "interrupt latency")
}
