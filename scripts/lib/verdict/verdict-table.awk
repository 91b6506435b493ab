# SPDX-License-Identifier: GPL-2.0
# verdict-table.awk - verdict.tsv for people, latencies in us: the answer, then what it is made of. Needs us.awk and verdict-rows.awk.
# From the environment: title.

function add(list, text) { return list (list == "" ? "" : ", ") text }

function bound(ns) { return ns == "-" ? "?" : us(ns) }

# Format an upper bound of a share, in percent, as a frequency.
function most(pct) {
	if (pct == "-")
		return "-"
	return pct < 10 ? sprintf("1 in %.0f", int(100 / pct)) : sprintf("%.0f %%", pct)
}

function us_text(ns) { return sprintf("%.10g us", ns / 1000) }

# Is the machine's answer another than the state's?
function differs() { return $at["measured_by"] != "-" || $at["unknown_by"] != "-" || $at["all_unknown_by"] != "-" }

# smi=3,nmi=1 as a sum
function sum_of(list,  n, i, part, pair, sum) {
	n = split(list, part, ",")
	for (i = 1; i <= n; i++) {
		split(part[i], pair, "=")
		sum += pair[2]
	}
	return sum + 0
}

# not_idle=3,smi=1 as "3 not idle, 1 smi"
function in_words(list,  n, i, part, pair, text) {
	n = split(list, part, ",")
	for (i = 1; i <= n; i++) {
		split(part[i], pair, "=")
		gsub(/_/, " ", pair[1])
		text = add(text, pair[2] " " pair[1])
	}
	return text
}

function cells_of(prefix, over, verdict) {
	return sprintf(" %9s %19s %9s %9s  %s", us($at[prefix "value"]), bound($at[prefix "low"]) " .. " bound($at[prefix "high"]),
		us($at[prefix "max"]), most(over), verdict == "-" ? "nothing advertised" : verdict)
}

# Why the machine exceeds what the state alone keeps, or leaves open what the state decides.
function cause(verdict,  share, what) {
	if (budget == "-" || verdict == $at["state_budget_verdict"] || $at["state_budget_verdict"] == "-")
		return ""
	share = sum_of($at["measured_by"])
	what = $at["measured_by"] ~ /smi=/ ? "SMIs" : ""
	what = $at["measured_by"] ~ /nmi=/ ? (what == "" ? "" : what " and ") "NMIs" : what
	if (what == "" && share)
		what = "wake-ups whose launch time is uncertain"
	if (what == "" || (sum_of($at["unknown_by"]) > share))
		return "; " $at["state"] " " verdict " by " (sum_of($at["unknown_by"]) + unknown_anywhere()) \
			" wake-ups without a latency, which count as longer; " $at["state"] " alone: " $at["state_budget_verdict"]
	return "; " $at["state"] " " verdict " by " what ": " sprintf("%.2g", 100 * share / $at["machine_n"]) " % of the wake-ups had one, up to " \
		us_text($at["machine_max"]) "; " $at["state"] " alone " ($at["state_budget_verdict"] == "kept" ? "keeps it" : \
		"is " $at["state_budget_verdict"])
}

# Of all states together: those whose state is not known.
function unknown_anywhere() { return sum_of($at["all_unknown_by"]) - sum_of($at["unknown_by"]) }

{
	looked = looked || $at["error_pct"] != 5
	asked = budget == "-" ? "advertised" : "budget"
	verdict = $at[asked "_verdict"]
	list[verdict] = add(list[verdict] "", $at["state"])
	list_of_advertised[$at["advertised_verdict"]] = add(list_of_advertised[$at["advertised_verdict"]] "", $at["state"])
	name[++lines] = $at["state"] ($at["metric"] ~ /^intr/ ? " (intr.)" : "")
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
			$at["state"] ": no sample reached it, by its counter (if that is the right one)." : \
			$at["state"] ": " $at["not_reached"] " more samples asked for it and did not reach it: they are left out.")
	if ($at["uncertainty_ns"] ~ /^[1-9]/)
		uncertain = add(uncertain, $at["state"] " " us_text($at["uncertainty_ns"]))
	if ($at["effective_n"] + 0 < (budget == "-" ? $at["n"] : $at["machine_n"]) + 0)
		dependent = add(dependent, $at["state"] " " $at["effective_n"])
	if ($at["doubt"] ~ /clusters/)
		clustered = add(clustered, $at["state"])
	if ($at["doubt"] ~ /drift/)
		drifting = add(drifting, $at["state"])
	wakeups = $at["wakeups"]
	judged = $at["judged"]
	left_out = $at["left_out"]
	measured_by = $at["all_measured_by"]
	unknown_by = $at["all_unknown_by"]
	other_by = $at["all_other_by"]
}

# Every wake-up of the recording is in this line.
function balance(  text) {
	text = "Wake-ups: " wakeups ", " (judged == wakeups ? "all" : judged) " judged"
	if (measured_by != "-")
		text = text ", of them " in_words(measured_by)
	if (unknown_by != "-")
		text = text ", as too long " in_words(unknown_by)
	return text (left_out + 0 ? "; left out " left_out ": " in_words(other_by) : "") "."
}

function answer(  limit) {
	limit = budget == "-" ? "what is advertised" : us_text(budget)
	if (list["exceeded"] != "")
		return "EXCEEDED: " list["exceeded"] ": longer than " limit \
			(list["kept"] == "" ? "" : "; kept: " list["kept"]) \
			(list["undecided"] == "" ? "" : "; undecided: " list["undecided"]) causes
	if (list["undecided"] != "")
		return "UNDECIDED: " list["undecided"] ": may be longer than " limit \
			", or not" (list["kept"] == "" ? "" : "; kept: " list["kept"]) causes
	return list["kept"] == "" ? "Nothing to decide: no budget, and nothing advertised." : "KEPT: " limit ": " list["kept"] causes
}

function advertised_words(  text, i, n, words) {
	n = split("exceeded undecided kept", words, " ")
	for (i = 1; i <= n; i++)
		if (list_of_advertised[words[i]] != "")
			text = text (text == "" ? "" : "; ") words[i] ": " list_of_advertised[words[i]]
	return text
}

END {
	print answer()
	print balance()
	if (ENVIRON["missing"] != "")
		print ENVIRON["missing"]
	print ENVIRON["title"]
	print ""
	width = width < 10 ? 10 : width
	printf "%-" width "s %9s %9s %19s %9s %9s  verdict\n", "us", "advertised", (percentile == "max" ? "max" : "p" percentile),
		"between", "max", "longer<="
	for (i = 1; i <= lines; i++)
		printf "%-" width "s%s\n", name[i], cells[i]
	print ""
	print "N = " (same_n ? last_n (rows > 1 ? " each" : "") : counts) ". Longer: of all wake-ups, than " \
		(budget == "-" ? "advertised" : us_text(budget)) ", at most."
	if (as_it_is)
		print "As it is: the machine with all its wake-ups, by which the budget is decided."
	print "Each bound, and each verdict, is wrong with a probability of " error " % at most" \
		(looked ? " (less for what\nwas looked at several times)" : "") "."
	if (budget != "-" && advertised_words() != "")
		print "What the driver advertises: " advertised_words() "."
	if (missed != "")
		print substr(missed, 2)
	if (intr)
		print "(intr.): interrupt latency; entered with interrupts on, it has no wake latency."
	if (mixed != "")
		print mixed ": entered with interrupts on and off: the interrupt latency of both."
	if (uncertain != "")
		print "Bounds are wider by the uncertainty of launch times, at most: " uncertain "."
	if (dependent != "")
		print "Samples may depend on each other; bounds are those of fewer: " dependent "."
	if (clustered != "")
		print "DOUBT: " clustered ": the longest come in clusters, so the verdict may err more often."
	if (drifting != "")
		print "DOUBT: " drifting ": the latencies changed during the recording, and so may the verdict."
}
