# SPDX-License-Identifier: GPL-2.0
# verdict.awk - each state against what the driver advertises of it, and against a budget: a row a state.
#	-v percentile=P		the one that decides, or max
#	-v budget=NS		the longest latency that is acceptable, or nothing
#	-v tails=STATE=PPM,...	where each bound errs with another probability than
#	-v tail=PPM		this
# Needs limit.awk. Files, each with an assignment kind=KIND before it: run (run.tsv), intervals, reached-intervals, reached
# and stats (of quantiles; those that reached their state may be empty).

function or_dash(x) { return x == "" ? "-" : x }

# Only samples that reached a state say anything about its advertised latency.
function cell(name) {
	return (state, name) in reached ? reached[state, name] : $at[name]
}

function field(what) { return or_dash(cell(metric "_" what)) }

function bound(p, what,  key) {
	key = ((state, "n") in reached ? "reached-" : "") "intervals" SUBSEP state SUBSEP metric SUBSEP p
	return (key, what) in interval ? interval[key, what] : "-"
}

# kept: with all but that small a probability the percentile is not above the limit; exceeded: it is above.
function decide(limit, low, high) {
	if (limit == "-" || limit == "" || limit == 0 || cell("n") == 0)
		return "-"
	if (high != "-" && high + 0 <= limit + 0)
		return "kept"
	return low != "-" && low + 0 > limit + 0 ? "exceeded" : "undecided"
}

function percent(x) { return x == "-" ? x : sprintf("%.4f", 100 * x) }

function of_n(count) { return count == "-" || cell("n") == 0 ? "-" : percent(count / cell("n")) }

# About how many samples would decide, with four chances in five, if as many of them exceed the limit as up to now; "-" if that
# takes a hundred times as many as there are, or nobody can tell.
function to_decide(count, n, needed,  allowed, seen, wanted) {
	if (percentile == "max" || count == "-" || n == 0)
		return percentile == "max" ? "-" : needed
	allowed = 1 - percentile / 100
	seen = count / n
	if (seen == allowed)
		return "-"
	wanted = ((1.645 * sqrt(allowed * (1 - allowed)) + 0.842 * sqrt(seen * (1 - seen))) / (allowed - seen)) ^ 2
	if (wanted < needed)
		wanted = needed
	if (wanted <= n)
		wanted = n * 1.5
	return wanted > 100 * (n > needed ? n : needed) ? "-" : rounded(wanted)
}

# To two digits, upwards: an estimate does not have more.
function rounded(x,  unit) {
	for (unit = 1; x > 100 * unit; unit *= 10)
		;
	return sprintf("%.0f", (int(x / unit) + (x > int(x / unit) * unit)) * unit)
}

function doubts(  text) {
	if (field("clusters_p") != "-" && field("clusters_p") < 0.001)
		text = "clusters"
	if (field("drift_p") != "-" && field("drift_p") < 0.001)
		text = text (text == "" ? "" : ",") "drift"
	return or_dash(text)
}

function row(  name, limit, value, low, high, advertised_word, within, open) {
	state = $at["state"]
	# A state that is entered with interrupts on has no wake latency; one without good samples has neither.
	metric = cell("wake_latency_min") == "-" && cell("intr_latency_min") != "-" ? "intr_latency" : "wake_latency"
	name = of["state." state ".name"]
	limit = or_dash(of["state." state ".latency_ns"] "")
	value = percentile == "max" ? field("max") : field("p" percentile)
	# All that is known of the greatest: it is not below what was seen.
	low = percentile == "max" ? field("max") : bound(percentile, "low")
	high = percentile == "max" ? "-" : bound(percentile, "high")
	advertised_word = decide(limit, low, high)
	within = decide(budget, low, high)
	# The budget is what was asked about, if there is one.
	open = within == "undecided" ? "over" : advertised_word == "undecided" && budget == "" ? "above" : ""
	rows++
	verdict_of[state] = within
	name_of[rows] = name == "" ? "state" state : name
	row_of[rows] = state
	line[rows] = name_of[rows] OFS limit OFS or_dash(of["state." state ".residency_ns"] "") OFS or_dash(budget) OFS metric OFS \
		cell("n") OFS or_dash(not_reached[state] "") OFS percentile OFS value OFS low OFS high OFS \
		((state in tail_of ? tail_of[state] : tail) / 10000) OFS (percentile == "max" ? "-" : needed) OFS field("max") OFS \
		advertised_word OFS share("above", limit == 0 || limit == "-") OFS \
		within OFS share("over", budget == "")
	rest[rows] = (open == "" ? "-" : to_decide(field(open), cell("n"), needed)) OFS doubts() OFS \
		field("p50") OFS three("99") OFS three("99.9") OFS three("99.99")
}

# How many were longer than the limit, in % of all, and at most in % of all wake-ups.
function share(what, none) {
	if (none || cell("n") == 0)
		return "-" OFS "-" OFS "-"
	return field(what) OFS of_n(field(what)) OFS sprintf("%.6f", 100 * field(what "_most"))
}

function three(p) { return field("p" p) OFS bound(p, "low") OFS bound(p, "high") }

BEGIN {
	OFS = FS
	n = split(tails, pair, ",")
	for (i = 1; i <= n; i++) {
		split(pair[i], part, "=")
		tail_of[part[1]] = part[2]
	}
}

kind == "run" {
	take_run($1, $2)
	next
}

FNR == 1 {
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

# Of the samples that reached their state. If none did, that may be the wrong counter.
kind == "reached" {
	if ($at["reached"] == "no")
		not_reached[$at["state"]] = $at["n"]
	if ($at["reached"] == "yes" && $at["n"] > 0)
		for (i in at)
			reached[$at["state"], i] = $at[i]
	next
}

kind == "reached-intervals" && $at["reached"] != "yes" { next }

kind ~ /intervals$/ {
	if ($at["percentile"] == percentile)
		needed = $at["needed"]
	key = kind SUBSEP $at["state"] SUBSEP $at["metric"] SUBSEP $at["percentile"]
	interval[key, "low"] = $at["low"]
	interval[key, "high"] = $at["high"]
	next
}

{ row() }

END {
	find_limit()
	print "state", "advertised_ns", "residency_ns", "budget_ns", "metric", "n", "not_reached", "percentile", "value", "low", "high",
		"error_pct", "samples_needed", "max", "advertised_verdict", "advertised_over", "advertised_over_pct",
		"advertised_over_most_pct", "budget_verdict", "budget_over", "budget_over_pct", "budget_over_most_pct", "allowed",
		"limit_us", "samples_to_decide", "doubt", "p50", "p99", "p99_low", "p99_high", "p99.9", "p99.9_low", "p99.9_high",
		"p99.99", "p99.99_low", "p99.99_high"
	for (i = 1; i <= rows; i++)
		print line[i], is_allowed(row_of[i]), limit_us, rest[i]
}
