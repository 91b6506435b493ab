# SPDX-License-Identifier: GPL-2.0
# verdict.awk - compare each state with its advertised latency and with a budget; print a row for
# each state. The answer "state" uses the clean wake-ups, and decides about the advertised latency.
# The answer "machine" uses all judged wake-ups, and decides about the budget.
#	-v percentile=P		the percentile that decides, or max
#	-v budget=NS		the longest acceptable latency, or nothing
#	-v tail=PPM		how often each bound may err
#	-v tails=STATE=PPM,...	states whose bounds err with another probability
#	-v lasted=STATE=S,...	for how long each state was measured, in s
#	-v pooled=pooled	the samples of all CPUs are judged together
# Needs limit.awk, enough.awk. Each file has an assignment kind=KIND before it. The order is: run
# (run.tsv), balance (of balance.awk); from quantiles -i: state-intervals, state-reached-intervals,
# machine-intervals, machine-reached-intervals; from quantiles: state-reached, machine-reached,
# machine, state. The files with "reached" (only samples that reached their state) or "machine" in
# their kind may be empty.
#
# If the tables have a column cpu (quantiles -w), each CPU is judged by itself, and `unit` is the CPU
# of the current row, or "all". The state exceeds a limit if one CPU exceeds it, or all CPUs together;
# the lower bounds are corrected for this number of tests. The state is kept if each CPU keeps it. If
# a CPU has fewer samples than the percentile needs, the answer for all CPUs together decides instead.

function or_dash(x) { return x == "" ? "-" : x }

# Return the table with the ANSWER (state or machine) for the current state: the table of samples
# that reached the state, if there are any on any CPU. If all wake-ups were clean, the state's table
# answers for the machine.
function table_of(answer) {
	if (answer == "machine" && !(("machine", state, "all", "n") in cells) && !(("machine-reached", state, "all", "n") in cells))
		answer = "state"
	return ((answer "-reached", state, "all", "n") in cells) ? answer "-reached" : answer
}

function cell(answer, name) { return cells[table_of(answer), state, unit, name] }

function field(answer, what) { return or_dash(cell(answer, metric "_" what)) }

function bound(answer, p, what,  key) {
	key = table_of(answer) "-intervals" SUBSEP state SUBSEP unit SUBSEP metric SUBSEP p
	return (key, what) in interval ? interval[key, what] : "-"
}

# Return the bounds of the percentile that decides. The maximum only has a lower bound: the longest
# latency seen.
function low_of(answer) { return percentile == "max" ? low_end(field(answer, "max")) : bound(answer, percentile, "low") }
function high_of(answer) { return percentile == "max" ? "-" : bound(answer, percentile, "high") }

# Return the number of wake-ups that an answer is based on.
function n_of(answer) { return bound(answer, listed, "n") }

# Return kept if the upper bound of the percentile is not above the limit, exceeded if the lower
# bound is above it, else undecided; "-" without a limit or samples.
function decide(answer, limit,  low, high) {
	low = low_of(answer)
	high = high_of(answer)
	if (limit == "-" || limit == "" || limit == 0 || n_of(answer) + 0 == 0)
		return "-"
	if (high != "-" && high != "inf" && high + 0 <= limit + 0)
		return "kept"
	if (percentile == "max" && unit == "all" && answer == "machine" && unknown_of[state] + unknown_of["-"] > 0)
		return "exceeded"
	return low == "inf" || (low != "-" && low + 0 > limit + 0) ? "exceeded" : "undecided"
}

# Return whether the bound X is greater than Y. An upper bound "-" is unknown: it may be any number.
function exceeds(x, y) {
	if (y == "" || x == y)
		return y == ""
	if (x == "inf" || y == "inf")
		return x == "inf"
	return x + 0 > y + 0
}

# Return the CPU with the greatest bound among those with the VERDICT (any verdict if it is ""): by
# the lower bounds, or by the upper ones. Among equal bounds, the longest wake-up decides.
function greatest(answer, by_low, verdict,  i, x, most, longest, found, before) {
	before = unit
	for (i = 1; i <= cpus; i++) {
		unit = cpu_of[i]
		if (verdict != "" && said[unit] != verdict)
			continue
		x = by_low ? low_of(answer) : high_of(answer)
		if (x == "-" || x == "")
			x = by_low ? -1 : "inf"
		if (exceeds(x, most) || (x == most && exceeds(low_end(field(answer, "max")), longest))) {
			most = x
			longest = low_end(field(answer, "max"))
			found = unit
		}
	}
	unit = before
	return found
}

# Judge the current state against LIMIT on each CPU. Return the verdict. Set unit to the CPU that
# decides, or to "all"; over to the number of CPUs that exceed; and together to 1 if the verdict is on
# all CPUs together because a CPU has too few samples.
function judge(answer, limit,  i, verdict, short, kept) {
	over = together = 0
	for (i = 1; i <= cpus; i++) {
		unit = cpu_of[i]
		said[unit] = decide(answer, limit)
		over += said[unit] == "exceeded"
		kept += said[unit] == "kept"
		short = short || (percentile != "max" && n_of(answer) + 0 < needed)
	}
	unit = "all"
	verdict = decide(answer, limit)
	if (!cpus || (verdict == "exceeded" && !over) || verdict == "-" && limit != "-" && limit != "" && limit != 0)
		return verdict
	if (over) {
		unit = greatest(answer, 1, "exceeded")
		return "exceeded"
	}
	if (short) {
		together = 1
		return verdict
	}
	if (kept == cpus || verdict == "-") {
		unit = greatest(answer, percentile == "max", "")
		return verdict == "-" ? "-" : "kept"
	}
	unit = greatest(answer, percentile == "max", "undecided")
	return "undecided"
}

# Return the lower end of a value that may be an interval.
function low_end(x) { sub(/[.][.].*/, "", x); return x }

function finite(x) { return x == "inf" ? "-" : x }

function percent(count, n,  end) {
	if (count == "-")
		return count
	return split(count, end, "[.][.]") == 2 ? percent(end[1], n) ".." percent(end[2], n) : sprintf("%.4f", 100 * count / n)
}

# Return the square root of X by Newton's method: Debian's busybox awk has neither sqrt() nor ^.
function root(x,  r, next_r) {
	if (x <= 0)
		return 0
	next_r = x < 1 ? 1 : x
	do {
		r = next_r
		next_r = (r + x / r) / 2
	} while (next_r < r)
	return r
}

# Estimate how many samples would decide with a probability of 80 %, if the share of samples above
# the limit stays as it is. Return "-" if that cannot be estimated, or takes more than a hundred
# times the samples there are. If samples depend on each other, only EFFECTIVE of N count. The
# number is never so small that the verdict would be in doubt.
function to_decide(count, n, needed, effective,  allowed, seen, wanted) {
	if (percentile == "max" || count == "-" || n == 0)
		return percentile == "max" ? "-" : at_least(needed)
	allowed = 1 - percentile / 100
	seen = count / n
	if (seen == allowed)
		return "-"
	wanted = (1.645 * root(allowed * (1 - allowed)) + 0.842 * root(seen * (1 - seen))) / (allowed - seen)
	wanted *= wanted
	if (wanted < needed)
		wanted = needed
	if (effective > 0)
		wanted *= n / effective
	if (wanted <= n)
		wanted = n * 1.5
	return wanted > 100 * (n > needed ? n : needed) ? "-" : at_least(rounded(wanted))
}

# Return whether the percentile of the samples of unit is on both sides of LIMIT, depending on the sign of
# the uncertainty of launch times. Then no number of samples decides.
function is_uncertain(answer, limit,  low, high) {
	low = bound(answer, listed, "value_least")
	high = bound(answer, listed, "value_most")
	return percentile != "max" && low ~ /^-?[0-9]/ && high ~ /^-?[0-9]/ && low + 0 <= limit + 0 && high + 0 > limit + 0 && low != high
}

# Return to_decide() for the current row: the number of samples that each CPU needs. Set uncertain if no
# number of samples decides, because launch times are uncertain.
function samples_to_decide(answer, what, limit,  i, before, one, most) {
	before = unit
	uncertain = is_uncertain(answer, limit)
	for (i = 1; before != "all" && i <= cpus; i++) {
		unit = cpu_of[i]
		uncertain = uncertain || (said[unit] == "undecided" && is_uncertain(answer, limit))
	}
	unit = before
	if (uncertain)
		return "-"
	most = to_decide(field(answer, what), n_of(answer), needed, bound(answer, listed, "effective_n"))
	if (together && most != "-")
		most = at_least(rounded(most / cpus > needed ? most / cpus : needed))
	for (i = 1; unit != "all" && i <= cpus && most != "-"; i++) {
		unit = cpu_of[i]
		if (said[unit] != "undecided")
			continue
		one = to_decide(field(answer, what), n_of(answer), needed, bound(answer, listed, "effective_n"))
		if (one == "-" || one > most)
			most = one
	}
	unit = before
	return most == "-" ? most : sprintf("%.0f", most)
}

function at_least(samples) { return samples < enough_for_bursts(percentile) ? enough_for_bursts(percentile) : samples }

# Round up to two significant digits; the estimate is not more precise than that.
function rounded(x,  step) {
	for (step = 1; x > 100 * step; step *= 10)
		;
	return (int(x / step) + (x > int(x / step) * step)) * step
}

# Return a p-value of the test for dependence. Counts only have those of all CPUs together.
function p_of(answer, what,  p, before) {
	before = unit
	p = bound(answer, listed, what)
	if (p == "-") {
		unit = "all"
		p = bound(answer, listed, what)
	}
	unit = before
	return p
}

# Add the reasons for doubt in the samples of unit to doubted[]. Dependence is a reason if the number
# of independent samples is unknown, as it always is for counts. A verdict that is DECIDED on too few
# samples is in doubt.
function doubt_unit(answer, decided,  p) {
	p = p_of(answer, "clusters_p")
	if (p != "-" && p < 0.001 && bound(answer, listed, "unknown") != "no")
		doubted["clusters"] = 1
	p = p_of(answer, "drift_p")
	if (p != "-" && p < 0.001)
		doubted["drift"] = 1
	if (decided && n_of(answer) + 0 < enough_for_bursts(percentile))
		doubted["few"] = 1
}

# Return the reasons for doubt, separated by commas. All CPUs decide, unless one exceeds the limit.
function doubts(answer, verdict,  text, i, n, why, before, decided) {
	split("", doubted)
	decided = verdict ~ /kept|exceeded/
	doubt_unit(answer, decided)
	before = unit
	for (i = 1; unit != "all" && verdict != "exceeded" && i <= cpus; i++) {
		unit = cpu_of[i]
		doubt_unit(answer, decided)
		unit = before
	}
	n = split("clusters drift few", why, " ")
	for (i = 1; i <= n; i++)
		if (why[i] in doubted)
			text = text (text == "" ? "" : ",") why[i]
	return or_dash(text)
}

function metric_of(  wake, intr) {
	metric = "latency"
	mixed = 0
	if (n_of("state") + 0 > 0)
		return
	metric = "wake_latency"
	wake = n_of("state")
	metric = "intr_latency"
	intr = n_of("state")
	# A state that is entered with interrupts on has no wake latency. If interrupts were on in
	# only some of the entries, only the interrupt latency covers all samples. Without clean
	# samples, the state has neither latency.
	metric = intr != "-" && intr + 0 > wake + 0 ? "intr_latency" : "wake_latency"
	mixed = metric == "intr_latency" && wake + 0 > 0
}

function row(  name, limit, within, open, asked, advertised_word, differs) {
	unit = "all"
	metric_of()
	asked = budget == "" ? "state" : "machine"
	name = of["state." state ".name"]
	limit = or_dash(of["state." state ".latency_ns"] "")
	advertised_word = judge("state", limit)
	if (budget != "")
		within = judge("machine", budget)
	else
		within = "-"
	if (together)
		differs = most_different(asked, budget == "" ? "above" : "over")
	# With a budget, samples_to_decide is about the budget, else about the advertised latency.
	open = within == "undecided" ? "over" : advertised_word == "undecided" && budget == "" ? "above" : ""
	rows++
	verdict_of[state] = within
	name_of[rows] = name == "" ? "state" state : name
	row_of[rows] = state
	line[rows] = name_of[rows] OFS limit OFS or_dash(of["state." state ".residency_ns"] "") OFS or_dash(budget) OFS metric OFS \
		n_of("state") OFS or_dash(not_reached[state, unit] "") OFS percentile OFS value_of("state") OFS finite(low_of("state")) OFS \
		finite(high_of("state")) OFS ((state in tail_of ? tail_of[state] : tail) / 10000) OFS (percentile == "max" ? "-" : needed) OFS \
		field("state", "max") OFS advertised_word OFS share("state", "above", limit == 0 || limit == "-") OFS \
		within OFS share("machine", "over", budget == "")
	uncertain = 0
	rest[rows] = (open == "" ? "-" : samples_to_decide(asked, open, open == "over" ? budget : limit)) OFS doubts(asked, within == "-" ? advertised_word : within) OFS \
		field("state", "p50") OFS three("99") OFS three("99.9") OFS three("99.99") OFS \
		decide("state", budget) OFS most_percent(budget == "" ? "-" : field("state", "over_most")) OFS n_of("machine") OFS value_of("machine") OFS finite(low_of("machine")) OFS \
		finite(high_of("machine")) OFS field("machine", "max") OFS bound(asked, listed, "effective_n") OFS \
		finite(bound(asked, listed, "uncertainty")) OFS \
		(mixed ? "yes" : "no") OFS or_dash(reasons["measured", state] "") OFS or_dash(reasons["unknown", state] "") OFS \
		or_dash(reasons["other", state] "")
	last[rows] = or_dash(lasted_of[state] "") OFS (uncertain ? "yes" : "no")
	by_cpu[rows] = (cpus ? cpus : pooled == "pooled" ? "-" : 1) OFS (unit == "all" ? "-" : unit) OFS over OFS \
		(together ? fewest(asked) : "-") OFS or_dash(differs) OFS (differs == "" ? "-" : different_over) OFS (differs == "" ? "-" : different_n) OFS highest()
}

# Return the smallest number of samples of a CPU.
function fewest(answer,  i, before, least) {
	before = unit
	for (i = 1; i <= cpus; i++) {
		unit = cpu_of[i]
		if (least == "" || n_of(answer) + 0 < least)
			least = n_of(answer) + 0
	}
	unit = before
	return least
}

# Return the CPU with the greatest share of samples above the limit; among equal shares, the one with
# the greatest lower bound. Set different_over and different_n to its samples above the limit and all of
# its samples.
function most_different(answer, what,  i, before, count, part, most, most_low, found) {
	before = unit
	most = -1
	for (i = 1; i <= cpus; i++) {
		unit = cpu_of[i]
		count = field(answer, what)
		part = n_of(answer) + 0 > 0 ? low_end(count) / n_of(answer) : 0
		if (part < most || (part == most && !exceeds(low_of(answer) == "-" ? -1 : low_of(answer), most_low)))
			continue
		most = part
		most_low = low_of(answer) == "-" ? -1 : low_of(answer)
		found = unit
		different_over = count
		different_n = n_of(answer)
	}
	unit = before
	return found
}

# Return the greatest upper bound of the state's clean samples on any CPU.
function highest(  before, high) {
	before = unit
	if (unit != "all")
		unit = greatest("state", 0, "")
	high = finite(high_of("state"))
	unit = before
	return high
}

function value_of(answer) { return percentile == "max" ? field(answer, "max") : field(answer, "p" percentile) }

# Return the number of samples above the limit, their share in %, and the upper bound on that share
# in %.
function share(answer, what, none,  n, count) {
	n = n_of(answer)
	count = field(answer, what)
	if (none || n == "-" || n == 0)
		return "-" OFS "-" OFS "-"
	return count OFS percent(count, n) OFS most_percent(field(answer, what "_most"))
}

# Return the share X in %. With 10^10 wake-ups, a share may be too small for six decimals.
function most_percent(x) { return x == "-" ? x : 100 * x < 0.001 ? sprintf("%.3g", 100 * x) : sprintf("%.6f", 100 * x) }

function three(p) {
	return field("state", "p" p) OFS finite(bound("state", p, "low")) OFS finite(bound("state", p, "high"))
}

BEGIN {
	OFS = FS
	# For the maximum, the number and the dependence of the samples come from the row of p99.9.
	listed = percentile == "max" ? "99.9" : percentile
	n = split(tails, pair, ",")
	for (i = 1; i <= n; i++) {
		split(pair[i], part, "=")
		tail_of[part[1]] = part[2]
	}
	n = split(lasted, pair, ",")
	for (i = 1; i <= n; i++) {
		split(pair[i], part, "=")
		lasted_of[part[1]] = part[2]
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

kind == "balance" {
	total[$at["class"]] += $at["count"]
	if ($at["class"] == "unknown")
		unknown_of[$at["state"]] += $at["count"]
	key = $at["class"] SUBSEP $at["state"]
	if ($at["class"] != "judged") {
		reasons[key] = reasons[key] (reasons[key] == "" ? "" : ",") $at["reason"] "=" $at["count"]
		of_all[$at["class"], $at["reason"]] += $at["count"]
		if (!seen[$at["class"], $at["reason"]]++)
			reason[++nr_reasons] = $at["class"] SUBSEP $at["reason"]
	}
	next
}

{ unit = "cpu" in at ? $at["cpu"] : "all" }

# Take the rows of samples that reached their state. If none did, the counter may not belong to the
# state.
kind ~ /reached$/ {
	if (kind == "state-reached" && $at["reached"] == "no")
		not_reached[$at["state"], unit] = $at["n"]
	if ($at["reached"] == "yes" && $at["n"] > 0)
		for (i in at)
			cells[kind, $at["state"], unit, i] = $at[i]
	next
}

kind ~ /reached-intervals$/ && $at["reached"] != "yes" { next }

kind ~ /intervals$/ {
	if ($at["percentile"] == percentile)
		needed = $at["needed"]
	key = kind SUBSEP $at["state"] SUBSEP unit SUBSEP $at["metric"] SUBSEP $at["percentile"]
	for (i in at)
		interval[key, i] = $at[i]
	next
}

{
	for (i in at)
		cells[kind, $at["state"], unit, i] = $at[i]
}

# The CPUs of a state come before the row "all".
kind == "state" && unit != "all" { cpu_of[++cpus] = unit }

kind == "state" && unit == "all" {
	state = $at["state"]
	row()
	cpus = 0
}

# Return the reasons of a class with their counts, as text.
function of_class(class,  i, part, text) {
	for (i = 1; i <= nr_reasons; i++) {
		split(reason[i], part, SUBSEP)
		if (part[1] == class)
			text = text (text == "" ? "" : ",") part[2] "=" of_all[reason[i]]
	}
	return or_dash(text)
}

END {
	find_limit()
	print "state", "advertised_ns", "residency_ns", "budget_ns", "metric", "n", "not_reached", "percentile", "value", "low", "high",
		"error_pct", "samples_needed", "max", "advertised_verdict", "advertised_over", "advertised_over_pct",
		"advertised_over_most_pct", "budget_verdict", "budget_over", "budget_over_pct", "budget_over_most_pct", "allowed",
		"limit_us", "samples_to_decide", "doubt", "p50", "p99", "p99_low", "p99_high", "p99.9", "p99.9_low", "p99.9_high",
		"p99.99", "p99.99_low", "p99.99_high", "state_budget_verdict", "state_budget_over_most_pct", "machine_n", "machine_value", "machine_low", "machine_high",
		"machine_max", "effective_n", "uncertainty_ns", "mixed", "measured_by", "unknown_by", "other_by", "wakeups", "judged",
		"left_out", "all_measured_by", "all_unknown_by", "all_other_by", "lasted_s", "uncertain", "cpus", "cpu", "cpus_over", "cpu_n_least",
		"cpu_differs", "cpu_differs_over", "cpu_differs_n", "high_greatest"
	judged = total["judged"] + total["measured"] + total["unknown"]
	for (i = 1; i <= rows; i++)
		print line[i], is_allowed(row_of[i]), limit_us, rest[i], judged + total["other"], judged, total["other"] + 0,
			of_class("measured"), of_class("unknown"), of_class("other"), last[i], by_cpu[i]
}
