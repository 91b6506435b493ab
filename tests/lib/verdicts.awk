# SPDX-License-Identifier: GPL-2.0
# verdicts.awk - read truth.tsv run.tsv verdict.tsv, and print a line for each answer of the verdict: the subject, the distance of
# the limit from the truth (at: equal, or 1 ns less; near: within a tenth; far), kept, exceeded or undecided, right or WRONG.
#	-v status=N	exit status of wakelat verdict
#	-v budget=NS

function distance(limit, true_value) {
	if (limit == true_value || limit == true_value - 1)
		return "at"
	return limit > 0.9 * true_value && limit < 1.1 * true_value ? "near" : "far"
}

function say(what, where, result, wrong) { print what, where, result, (wrong ? "WRONG" : "right") }

function judge(what, limit, result, true_value) {
	if (result != "-")
		say(what, distance(limit, true_value), result,
			(result == "kept" && true_value > limit) || (result == "exceeded" && true_value <= limit))
}

FNR == 1 {
	file++
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

file == 1 {
	truth[$at["name"]] = $at["truth_ns"]
	measured[$at["name"]] = $at["measured"]
	name[$at["state"]] = $at["name"]
	states++
	next
}

file == 2 {
	of[$1] = $2
	next
}

{
	judge("advertised", $at["advertised_ns"], $at["advertised_verdict"], truth[$1])
	judge("budget", budget, $at["budget_verdict"], truth[$1])
	any[$at["budget_verdict"]] = 1
	limit = $at["limit_us"]
}

END {
	wanted = any["exceeded"] ? 4 : any["undecided"] || !any["kept"] ? 5 : 0
	if (status != wanted)
		print "status", "-", status " for " wanted, "WRONG"
	if (limit == "-") {
		say("limit", "none", "-", 0)
		exit
	}
	for (i = 0; i < states; i++) {
		latency = of["state." i ".latency_ns"]
		if (of["state." i ".disabled"] || (latency != "" && latency > 1000 * limit))
			continue
		# POLL cannot be forbidden, and the limit does not have to exclude it.
		if (!measured[name[i]] && latency != "" && latency == 0)
			continue
		if (!measured[name[i]])
			print "limit", "-", "the limit admits a state that was not measured", "WRONG"
		worst = truth[name[i]] > worst ? truth[name[i]] : worst
	}
	say("limit", distance(budget, worst), "named", worst > budget)
}
