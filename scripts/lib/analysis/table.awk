# SPDX-License-Identifier: GPL-2.0
# table.awk - [stats-reached.tsv] [stats-frequency.tsv] [stats-ci.tsv] stats.tsv: print a table for
# people, with a column for each state and times in us. Needs us.awk. Statistics that the files do
# not have get no row.
#	-v source=NAME	only this source
#	-v brief=1	the short table: only the statistics in is_shown(). The caller does not give the files
#			with intervals and frequencies
#	-v percentiles_of=user	show all percentiles in the short table, too: the user has chosen them

function row(label, column, scale,  i, line) {
	if (!(column in at))
		return
	line = sprintf("%-15s", label)
	for (i = 1; i <= states; i++)
		line = line sprintf(" %" width "s", scale ? us(cell[i, column]) : cell[i, column])
	print line
}

# Return whether a column is in ns. Reading schema.tsv for each table takes too long;
# tests/host/schema.t checks that the pattern agrees with it.
function is_time(metric) { return metric ~ /(^(ldist|ltime|tbi|tai|tintr|latency|uncertainty|dma|offset_max)|_latency|_time|_delay|_gross|_latch|_ns)$/ }

function title(metric) {
	if (metric == "intr_latency")
		return "interrupt latency (us)"
	if (is_time(metric))
		sub(/_ns$/, "", metric)
	return metric == "wake_latency" ? "wake latency (us)" : metric (is_time(metric) ? " (us)" : "")
}

function is_shown(statistic) {
	if (!brief)
		return 1
	if (percentiles_of == "user" && statistic ~ /^p/)
		return 1
	return statistic ~ /^(min|p50|p99|p99\.9|max)$/
}

function block(metric,  i, statistic) {
	for (i = 1; i <= whats; i++) {
		statistic = substr(what[i], length(metric) + 2)
		if (index(what[i], metric "_") == 1 && is_shown(statistic))
			row("  " statistic, what[i], is_time(metric))
	}
}

# Print a row with one bound of the percentile, unless no state has an interval.
function interval_row(metric, percentile, bound,  i, value, any) {
	for (i = 1; i <= states; i++) {
		value = interval[cell[i, "state"], metric, percentile, bound]
		cell[i, "interval"] = value == "" ? "-" : value
		if (cell[i, "interval"] != "-")
			any = 1
	}
	at["interval"] = 1
	if (any)
		row("  p" percentile (bound == "low" ? " from" : " to"), "interval", is_time(metric))
}

function interval_block(metric,  i) {
	if (!(metric in any_interval))
		return
	printf "%s, 95 %% confidence%s\n", (metric == "intr_latency" ? "interrupt latency" : \
		metric == "wake_latency" ? "wake latency" : metric), (is_time(metric) ? " (us)" : "")
	for (i = 1; i <= percentiles; i++) {
		interval_row(metric, percentile[i], "low")
		interval_row(metric, percentile[i], "high")
	}
}

# Add a column NAME that is not in stats.tsv. OF has its values by state, from another file.
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
}

# Take the metrics and their statistics in the order of the columns of stats.tsv.
FNR == 1 && "n" in at && !("percentile" in at || "reached" in at || "mhz" in at) {
	whats = NF
	for (i = 1; i <= NF; i++) {
		what[i] = $i
		if ($i ~ /_min$/)
			metric[++metrics] = substr($i, 1, length($i) - 4)
	}
}

FNR == 1 || $at["source"] != source { next }

"reached" in at {
	if ($at["reached"] == "yes")
		yes[$1] = $at["n"]
	else if ($at["reached"] == "no")
		no[$1] = $at["n"]
	if ($at["reached"] != "-")
		any_reached = 1
	next
}

"mhz" in at {
	any_mhz = 1
	mhz[$1] = $at["mhz"]
	next
}

"percentile" in at {
	if (!seen_percentile[$at["percentile"]]++)
		percentile[++percentiles] = $at["percentile"]
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
		# us() adds a decimal point to a value, and to each end of an interval.
		len = length($i) + ($i ~ /[.][.]/ ? 3 : 1)
		width = len > width ? len : width
	}
}

END {
	if (width < 10)
		width = 10
	for (i = 1; i <= states; i++) {
		state = cell[i, "state"]
		if (yes[state] + no[state] > 0) {
			missed[state] = no[state] + 0
			share[state] = sprintf("%.1f", 100 * yes[state] / (yes[state] + no[state]))
		}
	}
	if (any_reached) {
		add_column("not_reached", missed)
		add_column("reached_share", share)
	}
	if (any_mhz)
		add_column("frequency", mhz)
	row("", "state", 0)
	row("advertised (us)", "advertised_ns", 1)
	row("N", "n", 0)
	row("tainted", "tainted", 0)
	row("not reached", "not_reached", 0)
	row("reached %", "reached_share", 0)
	row("MHz", "frequency", 0)
	for (m = 1; m <= metrics; m++) {
		print title(metric[m])
		block(metric[m])
		interval_block(metric[m])
	}
}
