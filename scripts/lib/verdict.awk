# SPDX-License-Identifier: GPL-2.0
# verdict.awk - what the driver advertises against what was measured, a row a state.
#	-v percentile=P		the one that decides
# Files, each with an assignment kind=KIND before it: run (run.tsv), intervals, reached and stats (of
# quantiles; reached may be empty).

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

kind == "run" {
	of[$1] = $2
	next
}

FNR == 1 {
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
	if (kind == "stats")
		print "state", "advertised_ns", "residency_ns", "metric", "n", "p50", "p99", "p99.99", "percentile", "value",
			"max", "samples_needed", "exceeding", "exceeding_pct", "over_ns", "verdict", "not_reached"
	next
}

kind == "intervals" {
	if ($at["percentile"] == percentile)
		needed = $at["needed"]
	next
}

# The same percentiles of those samples that reached the state.
kind == "reached" {
	if ($at["reached"] == "no")
		not_reached[$at["state"]] = $at["n"]
	if ($at["reached"] == "yes" && $at["n"] > 0)
		for (i in at)
			reached[$at["state"], i] = $at[i]
	next
}

{
	state = $at["state"]
	# What a state promises, only those can break that reached it.
	if ((state, "n") in reached)
		for (i in at)
			if ((state, i) in reached)
				$at[i] = reached[state, i]
	# A state that is entered with interrupts on has no wake latency; one without good samples has neither.
	metric = $at["wake_latency_min"] == "-" && $at["intr_latency_min"] != "-" ? "intr_latency" : "wake_latency"
	name = of["state." state ".name"]
	advertised = or_dash(of["state." state ".latency_ns"])
	value = field("p" percentile)
	over = field("above")
	result = verdict(advertised, value)
	none = advertised == "-" || advertised == 0 || $at["n"] == 0
	print (name == "" ? "state" state : name), advertised, or_dash(of["state." state ".residency_ns"]), metric, $at["n"],
		field("p50"), field("p99"), field("p99.99"), percentile, value, field("max"), needed,
		(none ? "-" : over), (none ? "-" : sprintf("%.4f", 100 * over / $at["n"])),
		(result == "exceeded" ? tenths(value - advertised) : "-"), result, or_dash(not_reached[state])
}
