# SPDX-License-Identifier: GPL-2.0
# verdict-table.awk - print verdict.tsv as a table, latencies in us: the answer first, then its reasons.
# Needs us.awk, verdict-rows.awk and verdict-words.awk.
# From the environment: missing and title (lines to print), limit (the line of advice.awk on the latency limit).

function add(list, text) { return list (list == "" ? "" : ", ") text }

function bound(ns) { return ns == "-" ? "?" : us(ns) }

# Return an upper bound of a share, given in percent, as "1 in N"; from 10 % on as a percentage.
function most(pct) {
	if (pct == "-")
		return "-"
	return pct < 10 ? sprintf("1 in %.0f", int(100 / pct)) : sprintf("%.0f %%", pct)
}

function no_verdict() { return $at["n"] + 0 ? "nothing advertised" : "no samples" }

function cells_of(prefix, over, verdict) {
	return sprintf(" %" values "s %19s %" values "s %9s  %s", us($at[prefix "value"]), bound($at[prefix "low"]) " .. " bound($at[prefix "high"]),
		us($at[prefix "max"]), most(over), verdict == "-" ? no_verdict() : verdict)
}

# Columns are wider for intervals (metric latency) than for values.
{
	values = $at["metric"] == "latency" ? 20 : 9
	looked = looked || $at["error_pct"] != 5
	asked = budget == "-" ? "advertised" : "budget"
	verdict = $at[asked "_verdict"]
	list[verdict] = add(list[verdict] "", member_of(verdict))
	if ($at["cpu"] != "-" && $at["cpus"] > each + 0)
		each = $at["cpus"]
	if (together_text("") != "")
		together = together "\n" together_text(budget == "-" ? "advertised" : us_text(budget))
	list_of_advertised[$at["advertised_verdict"]] = add(list_of_advertised[$at["advertised_verdict"]] "", $at["state"])
	name[++lines] = state_on_cpu() ($at["metric"] ~ /^intr/ ? " (intr.)" : "")
	width = length(name[lines]) > width ? length(name[lines]) : width
	cells[lines] = sprintf(" %9s", us($at["advertised_ns"])) cells_of("", budget == "-" ? $at["advertised_over_most_pct"] : \
		$at["state_budget_over_most_pct"], budget == "-" ? verdict : $at["state_budget_verdict"])
	if (budget != "-" && differs()) {
		name[++lines] = " as it is"
		cells[lines] = sprintf(" %9s", "") cells_of("machine_", $at["budget_over_most_pct"], verdict)
		as_it_is = 1
	}
	causes = causes cause(verdict)
	counts = add(counts, $at["state"] " " $at["n"])
	same_n = rows == 1 || (same_n && $at["n"] == last_n)
	last_n = $at["n"]
	intr = intr || $at["metric"] ~ /^intr/
	if ($at["mixed"] == "yes")
		mixed = add(mixed, $at["state"])
	if ($at["not_reached"] != "-" && $at["not_reached"] + 0 != 0)
		missed = missed "\n" ($at["not_reached"] == $at["n"] ? \
			$at["state"] ": its residency counter moved in no sample. Is it the right counter?" : \
			$at["state"] ": " $at["not_reached"] " more samples did not reach the requested state. They are left out.")
	if ($at["uncertainty_ns"] ~ /^[1-9]/)
		uncertain = add(uncertain, $at["state"] " " us_text($at["uncertainty_ns"]))
	if ($at["effective_n"] + 0 < (budget == "-" ? $at["n"] : $at["machine_n"]) + 0)
		dependent = add(dependent, $at["state"] " " $at["effective_n"])
	if ($at["doubt"] ~ /clusters/)
		clustered = add(clustered, $at["state"])
	if ($at["doubt"] ~ /drift/)
		drifting = add(drifting, $at["state"])
	if ($at["doubt"] ~ /few/)
		few = add(few, $at["state"])
	balance = balance_text()
	clock = clock_text()
	judged = judged || $at["n"] + 0
}

function answer(  limit, kept) {
	limit = "longer than " (budget == "-" ? "advertised" : us_text(budget)) ")"
	kept = list["kept"] == "" ? "" : "; kept by " list["kept"]
	if (list["exceeded"] != "")
		return "EXCEEDED by " list["exceeded"] " (" statistic() " " limit kept \
			(list["undecided"] == "" ? "" : "; undecided for " list["undecided"]) causes
	if (list["undecided"] != "")
		return "UNDECIDED for " list["undecided"] " (" statistic() " perhaps " limit kept causes
	if (!judged)
		return "Nothing to decide: no wake-up could be judged."
	return kept == "" ? "Nothing to decide: no budget, and nothing advertised." : "KEPT by " list["kept"] " (" statistic() " not " limit causes
}

function advertised_words(  text, i, n, words) {
	n = split("exceeded undecided kept", words, " ")
	for (i = 1; i <= n; i++)
		if (list_of_advertised[words[i]] != "")
			text = text (text == "" ? "" : "; ") words[i] (words[i] == "undecided" ? " for " : " by ") list_of_advertised[words[i]]
	return text
}

END {
	print answer()
	if (clock != "")
		print clock
	if (ENVIRON["missing"] != "")
		print ENVIRON["missing"]
	if (ENVIRON["limit"] != "")
		print ENVIRON["limit"]
	print balance "."
	print ENVIRON["title"]
	print ""
	width = width < 10 ? 10 : width
	printf "%-" width "s %9s %" values "s %19s %" values "s %9s  verdict\n", "us", "advertised", (percentile == "max" ? "max" : "p" percentile),
		"between", "max", "longer<="
	for (i = 1; i <= lines; i++)
		printf "%-" width "s%s\n", name[i], cells[i]
	print ""
	print "N = " (same_n ? last_n (rows > 1 ? " each" : "") : counts) ".\nlonger<=: at most this share of wake-ups is longer than " \
		(budget == "-" ? "advertised" : us_text(budget)) "."
	if (each)
		print "Each of " each " CPUs was judged by itself; a row shows the CPU that decides."
	if (together != "")
		print substr(together, 2)
	if (as_it_is)
		print "The rows \"as it is\" give the verdict. They also count disturbed and lost wake-ups."
	if (judged)
		print "Each bound and each verdict is wrong with a probability of " error " % at most, if\n" condition() "."
	if (looked)
		print "The probability is lower for states that record --for-verdict tested several times."
	if (budget != "-" && advertised_words() != "")
		print "Advertised latencies: " advertised_words() "."
	if (missed != "")
		print substr(missed, 2)
	if (intr)
		print "(intr.): interrupt latency, because the state is entered with interrupts on."
	if (mixed != "")
		print mixed ": entered with interrupts on and off. Shown: the interrupt latency of both."
	if (uncertain != "")
		print "The uncertainty of launch times widens the bounds by at most: " uncertain "."
	if (dependent != "")
		print "Samples may depend on each other, so the bounds count them as fewer: " dependent "."
	if (clustered != "")
		print "DOUBT: " clustered ": the longest wake-ups come in clusters, so the verdict may be wrong more often."
	if (drifting != "")
		print "DOUBT: " drifting ": the latencies changed during the recording, so another recording may give another verdict."
	if (few != "")
		print "DOUBT: " few ": too few samples to see bursts of long wake-ups: " enough_for_bursts(percentile) " are needed."
}
