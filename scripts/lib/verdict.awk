# SPDX-License-Identifier: GPL-2.0
# verdict.awk - run.tsv EXCEEDING INTERVALS STATS: what the driver advertises against what was measured, a row a state.
#	-v percentile=P		the one that decides

function field(what) { return $at[metric "_" what] }

function or_dash(x) { return x == "" ? "-" : x }

function tenths(x) {
	x = sprintf("%.1f", x)
	sub(/\.0$/, "", x)
	return x
}

function verdict(advertised, value) {
	if (value == "-")
		return "not enough samples"
	# Polling promises 0.
	if (advertised == "-" || advertised == 0)
		return "nothing advertised"
	return value + 0 > advertised + 0 ? "exceeded" : "within"
}

BEGIN { OFS = FS }

FNR == 1 {
	file++
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
	if (file == 4) {
		print "state", "advertised_ns", "residency_ns", "metric", "n", "p50", "p99", "p99.99", "percentile", "value",
			"max", "samples_needed", "exceeding", "exceeding_pct", "over_ns", "verdict"
		next
	}
	if (file == 3)
		next
}

file == 1 {
	of[$1] = $2
	next
}

file == 2 {
	split($0, count, " ")
	exceeding[count[1], "wake_latency"] = count[2]
	exceeding[count[1], "intr_latency"] = count[3]
	next
}

file == 3 {
	if ($at["percentile"] == percentile)
		needed = $at["needed"]
	next
}

{
	state = $at["state"]
	metric = $at["wake_latency_min"] != "-" ? "wake_latency" : "intr_latency"
	name = of["state." state ".name"]
	advertised = or_dash(of["state." state ".latency_ns"])
	value = field("p" percentile)
	over = exceeding[state, metric]
	result = verdict(advertised, value)
	none = advertised == "-" || advertised == 0 || $at["n"] == 0
	print (name == "" ? "state" state : name), advertised, or_dash(of["state." state ".residency_ns"]), metric, $at["n"],
		field("p50"), field("p99"), field("p99.99"), percentile, value, field("max"), needed,
		(none ? "-" : over), (none ? "-" : sprintf("%.4f", 100 * over / $at["n"])),
		(result == "exceeded" ? tenths(value - advertised) : "-"), result
}
