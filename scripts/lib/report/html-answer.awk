# SPDX-License-Identifier: GPL-2.0
# html-answer.awk - the rows of the verdict with their words (tools/answer/parts.c): print the verdict
# in words, as HTML. Needs html.awk and brief.awk.
#	-v part=answer	the verdict
#	-v part=sure	how sure the verdict is, and its doubts; reads these sentences instead
#	-v joint=N	the page has one latency limit for several recordings (html-joint.awk)

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
	limit = $at["limit"]
	balance = $at["balance"]
	clock = $at["clock"]
	causes = causes $at["cause"]
	verdict = $at["verdict"]
	member[verdict, ++members[verdict]] = $at["member"]
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
			paragraph("limit", limit)
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
