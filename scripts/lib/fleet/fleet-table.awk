# SPDX-License-Identifier: GPL-2.0
# fleet-table.awk - print fleet-answer.tsv, -keys, -states, -machines, -left-out [-history] as text.
# Needs us.awk, fleet-text.awk.

FNR == 1 {
	split("", at)
	for (i = 1; i <= NF; i++) {
		at[$i] = i
		names[i] = $i
	}
	file = FILENAME
	sub(/.*fleet-/, "", file)
	sub(/[.]tsv$/, "", file)
	next
}

file == "answer" {
	print answer_text($at["machines"], $at["odd"], $at["undecided"], $at["nothing"])
	next
}

file == "keys" {
	keys++
	key[keys] = $at["machines"] " machine" ($at["machines"] == 1 ? "" : "s") ": "
	text = ""
	for (i = at["cpu_model"]; i <= at["source"]; i++)
		if ($i != "-")
			text = text (text == "" ? "" : ", ") (i == at["cpu_model"] ? "" : names[i] " ") $i
	key[keys] = key[keys] text
	against[keys] = $at["against"]
	next
}

file == "states" {
	k = $at["key"]
	if ($at["statistic"] !~ /^(p50|p99|p99[.]9|max)$/)
		next
	if (!(k in rows))
		order[++groups] = k
	rows[k]++
	row[k, rows[k]] = sprintf("%-12s %-6s %8d %12s %12s %12s %7s %7s", $at["state"] ($at["metric"] == "intr_latency" ? " (intr.)" : ""),
		$at["statistic"], $at["machines"], us($at["usual"]), us($at["least"]), us($at["most"]),
		sprintf("%.1f", ($at["below_pct"] + $at["above_pct"]) / 2), $at["detectable_pct"] > 999 ? ">999" : sprintf("%.0f", $at["detectable_pct"]))
	note_mode(k, $at["state"] ($at["metric"] == "intr_latency" ? " (intr.)" : ""), $at["statistic"], $at["n_low"], $at["moved_pct"])
	next
}

file == "machines" && $at["answer"] == "odd" {
	odd[++nr_odd] = $at["machine"] "\t" $at["finding"] "\t" $at["cause"]
	next
}

file == "machines" && $at["answer"] == "undecided" {
	if (!($at["finding"] in unsure))
		why[++reasons] = $at["finding"]
	unsure[$at["finding"]]++
	next
}

file == "machines" && $at["answer"] == "nothing" {
	nothing[++nr_nothing] = $at["machine"] ": " $at["finding"]
	next
}

file == "left-out" {
	left[++nr_left] = $at["file"] ($at["recording"] == "-" ? "" : ", recording " $at["recording"]) \
		($at["machine"] == "-" ? "" : ", machine " $at["machine"]) ": " $at["reason"]
	next
}

file == "history" && $at["machine"] == "all" && $at["statistic"] ~ /^(p50|p99|p99[.]9)$/ {
	all_history[++nr_all] = sprintf("%s to %s, %s %s: %s %% (%s .. %s), median of %d machines", $at["from"], $at["to"], $at["state"],
		$at["statistic"], signed($at["change_pct"]), signed($at["change_low_pct"]), signed($at["change_high_pct"]), $at["machines"])
	next
}

file == "history" && $at["statistic"] == "p50" {
	own_history[++nr_own] = sprintf("%s, %s to %s, %s p50: %s to %s us, %s %% (%s .. %s)", $at["machine"], $at["from"], $at["to"],
		$at["state"], us($at["value_from"]), us($at["value_to"]), signed($at["change_pct"]), signed($at["change_low_pct"]),
		signed($at["change_high_pct"]))
}

# Note the share of wake-ups that a second mode needs to be visible in a state's percentiles. The rows
# of a state follow each other. The highest percentile comes last, so its note replaces the others.
function note_mode(k, state, statistic, n, moved,  i) {
	if (statistic == "max" || moved == "-")
		return
	if (mode_state[k, modes[k]] != state)
		modes[k]++
	i = modes[k]
	mode_state[k, i] = state
	mode[k, i] = sprintf("%s: a second mode in less than %s %% of the wake-ups is invisible (%s of %d samples) unless it raises the maximum%s", \
		state, moved, statistic, n, statistic == "p99.9" ? "" : statistic == "p99" ? "; p99.9 needs 3688 samples" : "; p99 needs 368 samples")
}

# Print a machine: its findings, one a line, and below them what differs from its peers.
function put_odd(text,  cell, n, part, i) {
	split(text, cell, "\t")
	n = split(cell[2], part, "; ")
	printf "\n%s\n", cell[1]
	for (i = 1; i <= n; i++)
		printf "    %s\n", part[i]
	n = split(cell[3], part, "; ")
	for (i = 1; i <= n; i++)
		printf "    %s%s\n", (i == 1 ? "differs: " : "         "), cell[3] == "-" ? "nothing that is recorded" : part[i]
}

END {
	for (i = 1; i <= nr_odd; i++)
		put_odd(odd[i])
	for (g = 1; g <= groups; g++) {
		k = order[g]
		printf "\n%s\n", k == "all" ? "All machines of the same CPU, source and method (no key has enough machines)" : key[k]
		printf "%-12s %-6s %8s %12s %12s %12s %7s %7s\n", "us", "", "machines", "median", "minimum", "maximum", "spread %", "limit %"
		for (i = 1; i <= rows[k]; i++)
			print row[k, i]
		for (i = 1; i <= modes[k]; i++)
			print mode[k, i]
	}
	if (groups)
		printf "\nspread %%: standard deviation of the machines. limit %%: smallest difference above the median that makes a machine odd.\n"
	if (nr_odd)
		print "On average, 5 % of the machines called odd are not odd. In brackets: 95 % intervals."
	if (by != "") {
		printf "\nFrom one %s to the next:\n", by
		for (i = 1; i <= nr_all; i++)
			print "    " all_history[i]
		for (i = 1; i <= nr_own && (nr_own <= 40 || !nr_all); i++)
			print "    " own_history[i]
		if (nr_own > 40 && nr_all)
			printf "    each machine: fleet-history.tsv (--output)\n"
		if (!nr_own)
			printf "    no machine has recordings with more than one %s\n", by
	}
	for (i = 1; i <= reasons; i++)
		printf "%sundecided, %s: %s\n", (i == 1 ? "\n" : ""), machines(unsure[why[i]]), why[i]
	for (i = 1; i <= nr_nothing; i++)
		printf "%sno usable counts: %s\n", (i == 1 ? "\n" : ""), nothing[i]
	for (i = 1; i <= nr_left; i++)
		printf "%sleft out: %s\n", (i == 1 ? "\n" : ""), left[i]
}
