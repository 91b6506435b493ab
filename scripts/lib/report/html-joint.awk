# SPDX-License-Identifier: GPL-2.0
# html-joint.awk - run.tsv and verdict.tsv of each recording: if the recordings are of one machine, each
# with another source of wake-ups, print one answer, because a machine can have only one latency limit:
# in the first line the number of the recording that decides, then the answer as HTML. Else print nothing.
# The worst source decides about each state, and the smallest latency limit counts.
# Needs html.awk and brief.awk. From the environment: names (of the recordings, separated by TABs).

FNR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	is_run = $1 == "key"
	sets += is_run
	next
}

is_run && $1 == "source" {
	if ($2 in taken)
		differ = 1
	taken[$2] = 1
	next
}

# The facts of a machine, and its table of states.
is_run && ($1 ~ /^(cpu_model|driver|hostname|machine_id|kernel|emulated|microcode)$/ || $1 ~ /^state\.[0-9]+\.(name|latency_ns|disabled)$/) {
	known = known || ($1 ~ /^(hostname|machine_id)$/ && $2 != "-" && $2 != "")
	fact[sets, $1] = $2
	key[$1] = 1
}

is_run { next }

{
	budget = $at["budget_ns"]
	percentile = $at["percentile"]
	limit[sets] = $at["limit_us"]
	if (!($at["state"] in rank))
		state[++states] = $at["state"]
	rank[$at["state"]] += 0
	its = $at["budget_verdict"] == "exceeded" ? 3 : $at["budget_verdict"] == "undecided" ? 2 : 1
	if (its > rank[$at["state"]]) {
		rank[$at["state"]] = its
		by[$at["state"]] = ""
	}
	if (its == rank[$at["state"]])
		by[$at["state"]] = by[$at["state"]] (by[$at["state"]] == "" ? "" : ", ") name[sets]
}

BEGIN { count = split(ENVIRON["names"], name, "\t") }

# Return the states with this rank. FROM 2 on, each has the recordings that decide.
function of_rank(which,  i, n, list) {
	n = 0
	for (i = 1; i <= states; i++)
		if (rank[state[i]] == which)
			list[++n] = state[i] (which > 1 ? " (" by[state[i]] ")" : "")
	many = n > 1
	return listed(list, n)
}

function paragraph(class, text) { printf "<p class=\"%s\">%s</p>\n", class, html(text) }

END {
	for (k in key)
		for (i = 2; i <= sets; i++)
			differ = differ || fact[i, k] != fact[1, k]
	if (differ || sets < 2 || budget == "-" || budget == "")
		exit
	decides = 1
	for (i = 2; i <= sets; i++)
		if (limit[decides] != "-" && (limit[i] == "-" || limit[i] + 0 < limit[decides] + 0))
			decides = i
	print decides
	text = of_rank(1)
	worst = text == "" ? "" : text (many ? " keep " : " keeps ") exact(budget) " µs."
	class = "kept"
	text = of_rank(2)
	if (text != "") {
		worst = worst " Undecided for " text "."
		class = "undecided"
	}
	text = of_rank(3)
	if (text != "") {
		worst = worst " Longer than " exact(budget) " µs: " text "."
		class = "exceeded"
	}
	sub(/^ /, "", worst)
	paragraph("answer " class, (known ? "One machine" : "If these recordings are of one machine") ", all sources: " worst)
	paragraph("limit", limit[decides] == "-" ? \
		"No latency limit is known to keep the budget for all sources: " name[decides] " has none." : \
		"A latency limit of " limit[decides] " µs keeps the budget for all sources; " name[decides] " decides.")
}
