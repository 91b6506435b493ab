# SPDX-License-Identifier: GPL-2.0
# compare.awk - A/stats.tsv A/stats-ci.tsv B/stats.tsv B/stats-ci.tsv: compare each statistic of
# each state.
#	from the environment: a, b (names of the recordings)
#	-v header=1	with a header line
# Differences beyond 2^53 ns (104 days) lose digits; no latency is that long.

function tenths(x) {
	x = sprintf("%.1f", x)
	sub(/\.0$/, "", x)
	return x == "-0" ? "0" : x
}

function percent(part, whole) {
	part = sprintf("%.2f", 100 * part / (whole < 0 ? -whole : whole))
	return part == "-0.00" ? "0.00" : part
}

# Return an end of a value that may be an interval.
function low_of(x) { sub(/[.][.].*/, "", x); return x }
function high_of(x) { sub(/.*[.][.]/, "", x); return x }

function minus(x, y,  low, high) {
	if (x == "-" || y == "-" || x == "" || y == "")
		return "-"
	if (x y !~ /[.][.]/)
		return tenths(x - y)
	low = minus(low_of(x), high_of(y))
	high = minus(high_of(x), low_of(y))
	# An interval without a lower end is unknown.
	return low == "-" ? "-" : low ".." high
}

function or_dash(x) { return x == "" ? "-" : x }

# Return whether the recordings differ: yes if 0 is outside the interval of the difference, no if it
# is inside, "-" without an interval. The interval contains the true difference if the intervals of
# both percentiles contain the true percentiles.
function verdict(p, low, high) {
	if (p == "" || (low == "-" && high == "-"))
		return "-"
	if ((low != "-" && low + 0 > 0) || (high != "-" && high + 0 < 0))
		return "yes"
	return low == "-" || high == "-" ? "-" : "no"
}

# Return why the interval of a percentile may miss the true percentile more often than stated, or "-".
# clusters: samples depend on each other, and the number of independent samples is unknown, because
# there are too few clusters or only counts. drift: latencies changed during the recording.
function doubt(state, metric, p,  side, at_p, text) {
	for (side = 1; side <= 2; side++) {
		at_p = bound[side, state, metric, p, "clusters_p"]
		if (at_p != "" && at_p != "-" && at_p < 0.001 && bound[side, state, metric, p, "unknown"] != "no")
			text = text (text == "" ? "" : ",") "clusters_" (side == 1 ? "a" : "b")
		at_p = bound[side, state, metric, p, "drift_p"]
		if (at_p != "" && at_p != "-" && at_p < 0.001)
			text = text (text == "" ? "" : ",") "drift_" (side == 1 ? "a" : "b")
	}
	return or_dash(text)
}

function compare(state, metric, what, p,  x, y, low, high) {
	x = or_dash(value[1, state, metric "_" what])
	y = or_dash(value[2, state, metric "_" what])
	low = high = "-"
	if (x != "-" && y != "-" && p != "") {
		low = minus(bound[2, state, metric, p, "low_joint"], bound[1, state, metric, p, "high_joint"])
		high = minus(bound[2, state, metric, p, "high_joint"], bound[1, state, metric, p, "low_joint"])
	}
	print state, metric, what, ENVIRON["a"], ENVIRON["b"], value[1, state, "n"], value[2, state, "n"], x, y,
		minus(y, x), (x == "-" || y == "-" || x == 0 || x y ~ /[.][.]/ ? "-" : percent(y - x, x)),
		or_dash(bound[1, state, metric, p, "low"]), or_dash(bound[1, state, metric, p, "high"]),
		or_dash(bound[2, state, metric, p, "low"]), or_dash(bound[2, state, metric, p, "high"]),
		low, high, verdict(p, low, high), or_dash(bound[1, state, metric, p, "effective_n"]),
		or_dash(bound[2, state, metric, p, "effective_n"]), doubt(state, metric, p),
		or_dash(bound[1, state, metric, p, "uncertainty"]), or_dash(bound[2, state, metric, p, "uncertainty"])
}

# Add the percentiles that the header of stats.tsv has to the statistics.
function take_percentiles(  i, p) {
	for (i = 1; i <= NF; i++)
		if (match($i, /_p[0-9.]+$/) && !((p = substr($i, RSTART + 1)) in has_what)) {
			has_what[p] = 1
			what[++whats] = p
		}
}

BEGIN {
	OFS = FS
	what[++whats] = "min"
}

FNR == 1 {
	file++
	side = file > 2 ? 2 : 1
	intervals = file % 2 == 0
	split("", at)
	for (i = 1; i <= NF; i++) {
		name[i] = $i
		at[$i] = i
	}
	if (file == 1)
		take_percentiles()
	next
}

intervals {
	for (i = at["low"]; i <= NF; i++)
		bound[side, $1, $at["metric"], $at["percentile"], name[i]] = $i
	next
}

{
	if (side == 1)
		order[++states] = $1
	for (i = 1; i <= NF; i++)
		value[side, $1, name[i]] = $i
}

END {
	if (header)
		print "state", "metric", "statistic", "run_a", "run_b", "n_a", "n_b", "a", "b", "difference",
			"difference_pct", "a_low", "a_high", "b_low", "b_high", "difference_low", "difference_high",
			"distinguishable", "effective_n_a", "effective_n_b", "doubt", "uncertainty_a", "uncertainty_b"
	what[++whats] = "max"
	for (s = 1; s <= states; s++) {
		state = order[s]
		if (!((2, state, "n") in value))
			continue
		# A state that was entered with interrupts on has no wake latency. If one recording
		# has no wake latency, compare the interrupt latencies.
		metric = "wake_latency"
		if ((1, state, "latency_min") in value || (2, state, "latency_min") in value)
			metric = "latency"
		for (side = 1; side <= 2; side++)
			if (metric != "latency" && value[side, state, "wake_latency_min"] == "-" && value[side, state, "intr_latency_min"] != "-")
				metric = "intr_latency"
		for (i = 1; i <= whats; i++)
			compare(state, metric, what[i], what[i] ~ /^p/ ? substr(what[i], 2) : "")
	}
}
