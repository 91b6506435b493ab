# SPDX-License-Identifier: GPL-2.0
# verdict-table.awk - verdict.tsv for people, latencies in us: the answer, then what it is made of. Needs us.awk and verdict-rows.awk.
# From the environment: title.

function add(list, text) { return list (list == "" ? "" : ", ") text }

function bound(ns) { return ns == "-" ? "?" : us(ns) }

# Of all wake-ups, so many are longer at most.
function most(pct) {
	if (pct == "-")
		return "-"
	return pct < 10 ? sprintf("1 in %d", 100 / pct) : sprintf("%.0f %%", pct)
}

function us_text(ns) { return sprintf("%.10g us", ns / 1000) }

{
	looked = looked || $at["error_pct"] != 5
	asked = budget == "-" ? "advertised" : "budget"
	verdict = $at[asked "_verdict"]
	list[verdict] = add(list[verdict] "", $at["state"])
	list_of_advertised[$at["advertised_verdict"]] = add(list_of_advertised[$at["advertised_verdict"]] "", $at["state"])
	name[rows] = $at["state"] ($at["metric"] ~ /^intr/ ? " (intr.)" : "")
	width = length(name[rows]) > width ? length(name[rows]) : width
	cells[rows] = sprintf(" %9s %9s %19s %9s %9s  %s", us($at["advertised_ns"]), us($at["value"]),
		bound($at["low"]) " .. " bound($at["high"]), us($at["max"]), most($at[asked "_over_most_pct"]),
		verdict == "-" ? "nothing advertised" : verdict)
	counts = add(counts, $at["state"] " " $at["n"])
	same_n = rows == 1 || (same_n && $at["n"] == last_n)
	last_n = $at["n"]
	intr = intr || $at["metric"] ~ /^intr/
	if ($at["not_reached"] != "-" && $at["not_reached"] + 0 != 0)
		missed = missed "\n" ($at["not_reached"] == $at["n"] ? \
			$at["state"] ": no sample reached it, by its counter (if that is the right one)." : \
			$at["state"] ": " $at["not_reached"] " more samples asked for it and did not reach it: they are left out.")
	if ($at["doubt"] ~ /clusters/)
		clustered = add(clustered, $at["state"])
	if ($at["doubt"] ~ /drift/)
		drifting = add(drifting, $at["state"])
}

function answer(  limit) {
	limit = budget == "-" ? "what is advertised" : us_text(budget)
	if (list["exceeded"] != "")
		return "EXCEEDED: " list["exceeded"] ": longer than " limit \
			(list["kept"] == "" ? "" : "; kept: " list["kept"]) (list["undecided"] == "" ? "" : "; undecided: " list["undecided"])
	if (list["undecided"] != "")
		return "UNDECIDED: " list["undecided"] ": may be longer than " limit \
			", or not" (list["kept"] == "" ? "" : "; kept: " list["kept"])
	return list["kept"] == "" ? "Nothing to decide: no budget, and nothing advertised." : "KEPT: " limit ": " list["kept"]
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
	print ENVIRON["title"]
	print ""
	width = width < 10 ? 10 : width
	printf "%-" width "s %9s %9s %19s %9s %9s  verdict\n", "us", "advertised", (percentile == "max" ? "max" : "p" percentile),
		"between", "max", "longer<="
	for (i = 1; i <= rows; i++)
		printf "%-" width "s%s\n", name[i], cells[i]
	print ""
	print "N = " (same_n ? last_n (rows > 1 ? " each" : "") : counts) ". Longer: of all wake-ups, than " \
		(budget == "-" ? "advertised" : us_text(budget)) ", at most."
	print "Each bound, and each verdict, is wrong with a probability of " error " % at most" \
		(looked ? " (less for what\nwas looked at several times)" : "") "."
	if (budget != "-" && advertised_words() != "")
		print "What the driver advertises: " advertised_words() "."
	if (missed != "")
		print substr(missed, 2)
	if (intr)
		print "(intr.): interrupt latency; entered with interrupts on, it has no wake latency."
	if (clustered != "")
		print "DOUBT: " clustered ": the longest come in clusters, so the verdict may err more often."
	if (drifting != "")
		print "DOUBT: " drifting ": the latencies changed during the recording, and so may the verdict."
}
