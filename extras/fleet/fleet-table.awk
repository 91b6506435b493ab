# SPDX-License-Identifier: GPL-2.0
# fleet-table.awk - print fleet-answer.tsv, -kinds, -states, -machines, -left-out as text.
# Needs us.awk, fleet-text.awk.
#	-v most=N	rows of the ranking, in addition to the machines called different

FNR == 1 {
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
	file = FILENAME
	sub(/.*fleet-/, "", file)
	sub(/[.]tsv$/, "", file)
	next
}

file == "answer" {
	print answer_text($at["machines"], $at["different"], $at["alone"], $at["nothing"])
	next
}

file == "kinds" {
	k = $at["kind"]
	kind[++kinds] = k
	limit[k] = $at["limit_mads"]
	head[k] = machines($at["machines"]) ": " $at["cpu_model"] ", stepping " $at["cpu_stepping"] ", " $at["driver"] ", " $at["source"]
	next
}

file == "states" {
	k = $at["kind"]
	row[k, ++rows[k]] = sprintf("%-12s %-4s %8d %11s %11s %11s %6s %7s", $at["state"] ($at["metric"] == "intr_latency" ? " (intr.)" : ""),
		$at["statistic"], $at["machines"], us($at["median"]), us($at["minimum"]), us($at["maximum"]), $at["scale_pct"], $at["from_pct"])
	if ($at["statistic"] == "p50" && $at["uncertainty"] != "-")
		uncertain[k] = uncertain[k] (uncertain[k] == "" ? "" : ", ") $at["state"] " " us($at["uncertainty"]) " us"
	next
}

file == "machines" && $at["answer"] == "nothing" {
	nothing[++nr_nothing] = $at["machine"] ": " $at["finding"]
	next
}

file == "machines" {
	k = $at["kind"]
	if ($at["answer"] == "different" || $at["rank"] <= most)
		ranked[k, ++nr_ranked[k]] = $at["rank"] "\t" $at["answer"] "\t" $at["machine"] "\t" $at["finding"] "\t" $at["facts"]
	else
		others[k]++
	next
}

{
	left[++nr_left] = $at["file"] ($at["recording"] == "-" ? "" : ", recording " $at["recording"]) \
		($at["machine"] == "-" ? "" : ", machine " $at["machine"]) ": " $at["reason"]
}

# Print a machine: its rank and findings, and below them the facts that differ.
function put_machine(text,  cell, n, part, i) {
	split(text, cell, "\t")
	printf "%4d  %s%s\n", cell[1], cell[3], cell[2] == "like" ? "" : "  (" cell[2] ")"
	n = split(cell[4], part, "; ")
	for (i = 1; i <= n && cell[4] != "-"; i++)
		printf "      %s\n", part[i]
	n = split(cell[5], part, "; ")
	for (i = 1; i <= n && cell[5] != "-" && i <= 8; i++)
		printf "      %s%s\n", (i == 1 ? "differs: " : "         "), part[i]
	if (n > 8)
		printf "               and %d more facts (fleet-machines.tsv)\n", n - 8
}

END {
	for (g = 1; g <= kinds; g++) {
		k = kind[g]
		printf "\n%s\n", head[k]
		for (i = 1; i <= nr_ranked[k]; i++)
			put_machine(ranked[k, i])
		if (others[k])
			printf "      %s more, nearer to the median\n", machines(others[k])
		printf "\n%-12s %-4s %8s %11s %11s %11s %6s %7s\n", "us", "", "machines", "median", "minimum", "maximum", "MAD %", "limit %"
		for (i = 1; i <= rows[k]; i++)
			print row[k, i]
		if (limit[k] != "-")
			printf "Limit: %s MADs. A MAD is the median distance from the median, but at least 1 %% of it and a step of the clock.\n", limit[k]
		else
			print "Two machines are equally far from their median, so neither is called different: read the differences in %."
		if (uncertain[k] != "")
			print uncertain_text(uncertain[k])
	}
	for (i = 1; i <= nr_nothing; i++)
		printf "%sno usable counts: %s\n", (i == 1 ? "\n" : ""), nothing[i]
	for (i = 1; i <= nr_left; i++)
		printf "%sleft out: %s\n", (i == 1 ? "\n" : ""), left[i]
}
