# SPDX-License-Identifier: GPL-2.0
# html-answer.awk - the rows of the verdict with their words (tools/answer/parts.c): print the verdict
# in words, as HTML. Needs html.awk and brief.awk.
#	-v part=answer	the verdict
#	-v part=sure	how sure the verdict is, and its doubts; reads these sentences instead
#	-v joint=N	the page has one latency limit for several recordings (html-joint.awk)

function add(group) { member[group, ++members[group]] = $at["state"] }

function names(group,  i, list) {
	for (i = 1; i <= members[group]; i++)
		list[i] = member[group, i]
	return listed(list, members[group])
}

function one(group) { return members[group] == 1 }

part == "sure" {
	paragraph(/^DOUBT: / ? "warn" : "sure", $0)
	next
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	rows++
	budget = $at["budget_ns"]
	percentile = $at["percentile"]
	limit = $at["limit_us"]
	balance = $at["balance"]
	clock = $at["clock"]
	causes = causes $at["cause"]
	advertised = advertised || $at["advertised_ns"] != "-"
	verdict = $at["verdict"]
	member[verdict, ++members[verdict]] = $at["member"]
	if ($at["allowed"] == "yes")
		add("allowed")
	else if ($at["allowed"] == "no" && verdict == "kept")
		add("barred")
	if ($at["high"] != "-")
		cost[++costs] = $at["state"] " " brief($at["high"]) " µs"
	else
		unknown[++unknowns] = $at["state"] ($at["low"] == "-" ? "" : " more than " brief($at["low"]) " µs")
}

function about_budget(  text) {
	what = exact(budget) " µs"
	if (members["kept"])
		text = names("kept") (one("kept") ? " keeps " : " keep ") what "."
	if (members["exceeded"])
		text = text " " names("exceeded") (one("exceeded") ? " takes" : " take") " longer than " what "."
	if (members["undecided"])
		text = text " Undecided whether " names("undecided") (one("undecided") ? " keeps " : " keep ") what "."
	return text " Decided by " (percentile == "max" ? "the longest wake-up." : "p" percentile ".")
}

function about_costs(  text) {
	if (costs)
		text = "Of 1000 wake-ups, all but " sprintf("%.10g", 10 * (100 - percentile)) " take at most: " listed(cost, costs) "."
	if (unknowns && percentile == "max")
		text = text " The longest possible latency is not known: " listed(unknown, unknowns) "."
	else if (unknowns)
		text = text " Too few samples for an upper bound: " listed(unknown, unknowns) "."
	return text
}

# Return a sentence about the latency limit; nothing if no latency is advertised, as a limit has no
# effect then.
function about_limit() {
	if (limit == "-" && !advertised)
		return ""
	if (limit == "-")
		return "Set no latency limit yet: none is known to keep this budget."
	if (limit == 0)
		return "No measured state that sleeps keeps the budget. A latency limit of 0 µs allows only polling, which keeps it."
	return "A latency limit of " limit " µs allows " names("allowed") ", and no state that takes longer" \
		(members["barred"] ? ". It also excludes " names("barred") ", because each limit that allows " (one("barred") ? "it" : "them") " also allows a state that is not known to keep the budget." : ".")
}

function paragraph(class, text) {
	sub(/^ */, "", text)
	if (text != "")
		printf "<p class=\"%s\">%s</p>\n", class, html(text)
}

function answer(  text) {
	worst = members["exceeded"] ? "exceeded" : members["undecided"] ? "undecided" : members["kept"] ? "kept" : "open"
	if (!rows) {
		paragraph("answer open", "No state was measured.")
		return
	}
	if (budget != "-") {
		sub(/^; /, " ", causes)
		paragraph("answer " worst, about_budget() causes (causes == "" ? "" : "."))
		paragraph("", clock " " balance ".")
		if (joint == "")
			paragraph("limit", about_limit())
	} else {
		paragraph("answer open", about_costs())
		paragraph("", clock " " balance ".")
		if (members["exceeded"])
			text = names("exceeded") (one("exceeded") ? " exceeds" : " exceed") " what the idle driver advertises."
		if (members["kept"])
			text = text " " names("kept") (one("kept") ? " keeps" : " keep") " it."
		if (members["undecided"])
			text = text " Undecided: " names("undecided") "."
		paragraph("limit", text)
	}
}

END {
	if (part == "answer")
		answer()
}
