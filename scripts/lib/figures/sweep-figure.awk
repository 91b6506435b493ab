# SPDX-License-Identifier: GPL-2.0
# sweep-figure.awk - run.tsv of a point, sweep.tsv: print setup.gp for the figure of a sweep, and write its data. Needs
# gnuplot-text.awk. From the environment: data (FILE), note, limits (the line of answer limits),
# machine, tex.
#
# Columns of data: position; p50, p99, p99.99, max in us; W; cumulative shares of the states: 0,
# first, first + second, ..., 100.

function list(name, values, n,  i, text) {
	for (i = 1; i <= n; i++)
		text = text (i > 1 ? ", " : "") quoted(values[i])
	printf "array %s[%d] = [%s]\n", name, n, text
}

function us(ns) { return ns == "-" ? "-" : sprintf("%.4f", ns / 1000) }

# Return a value of the knob in the unit of the axis.
function point(value, knob) {
	if (value !~ /^[0-9]+$/ || knob ~ /^qos/)
		return value
	return sprintf("%.6g", value / 1000)
}

# The colour of a state is its place in the table of states, without POLL, as in the figures of samples. POLL is black.
FNR == NR {
	if ($1 ~ /^state\.[0-9]+\.name$/)
		hue[$2] = $2 == "POLL" ? 7 : places++ % 8 + 1
	next
}

FNR == 1 {
	for (i = 1; i <= NF; i++) {
		at[$i] = i
		if ($i ~ /^residency_.*_pct$/) {
			columns++
			column[columns] = i
			state[columns] = substr($i, 11, length($i) - 14)
		}
	}
	next
}

{
	points++
	knob = $1
	label[points] = point($at["value"], knob)
	n = $at["n"]
	most = most > n + 0 ? most : n
	least = least == "" || n + 0 < least ? n : least
	split("p50 p99 p99.99 max", wanted, " ")
	line = points
	for (i = 1; i <= 4; i++) {
		value = $at["intr_latency_" wanted[i]]
		line = line " " us(value)
		if (value == "-")
			continue
		any[i] = 1
		low = low == "" || value + 0 < low ? value : low
		high = value + 0 > high + 0 ? value : high
	}
	if ($at["power_w"] != "-")
		power = 1
	line = line " " $at["power_w"] " 0"
	sum = 0
	for (i = 1; i <= columns; i++) {
		sum += $column[i] == "-" ? 0 : $column[i]
		line = line sprintf(" %.2f", sum > 100 ? 100 : sum)
	}
	lines[points] = line " 100"
}

END {
	if (!points || low == "")
		exit 1
	printf "" >ENVIRON["data"]
	for (i = 1; i <= points; i++)
		print lines[i] >ENVIRON["data"]
	print "points = " points
	print "states = " columns
	for (i = 1; i <= columns; i++)
		hues = hues (i > 1 ? ", " : "") (state[i] in hue ? hue[state[i]] : (i - 1) % 8 + 1)
	printf "array state_hue[%d] = [%s]\n", columns, hues
	for (i = 1; i <= columns; i++)
		state[i] = shortened(state[i], columns > 4 ? 14 : 28)
	list("state_name", state, columns)
	list("point_name", label, points)
	printf "axis_name = %s\n", quoted(knob ~ /^qos/ ? "Latency limit (µs)" : knob == "interval" ? "Idle interval (µs)" : \
		knob == "frequency" ? "Frequency (MHz)" : "Load on the " (knob == "sibling" ? "sibling" : "neighbour core"))
	printf "low = %.4f\nhigh = %.4f\n", low / 1000, high / 1000
	split("p50 p99 p9999 max", wanted, " ")
	for (i = 1; i <= 4; i++)
		printf "any_%s = %d\n", wanted[i], any[i]
	printf "any_power = %d\n", power
	printf "emulated = %s\n", quoted(ENVIRON["machine"])
	printf "note = %s\n", quoted("N = " (least == most ? grouped(least) : grouped(least) " to " grouped(most)) " at each point · " ENVIRON["note"])
	printf "limits = %s\n", quoted(ENVIRON["limits"])
}
