# SPDX-License-Identifier: GPL-2.0
# table.awk - stats.tsv for people: a column for each state, latencies in us. Needs us.awk.

function row(label, column, scale,  i, line) {
	line = sprintf("%-12s", label)
	for (i = 1; i <= states; i++)
		line = line sprintf(" %" width "s", scale ? us(cell[i, column]) : cell[i, column])
	print line
}

function block(metric,  i, n) {
	n = split("min p50 p90 p99 p99.9 p99.99 max mean std", what, " ")
	for (i = 1; i <= n; i++)
		row("  " what[i], metric "_" what[i], 1)
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		name[i] = $i
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
	row("", "state", 0)
	row("advertised", "advertised_ns", 1)
	row("N", "n", 0)
	row("tainted", "tainted", 0)
	print "wake latency (us)"
	block("wake_latency")
	print "interrupt latency (us)"
	block("intr_latency")
}
