# SPDX-License-Identifier: GPL-2.0
# status-table.awk - the states of a fleet's machines for people: those that gave are counted, the others named.

{
	count[$2]++
	n++
	if ($2 == "gave" && $3 == "-")
		next
	name[++rows] = $1
	state[rows] = $2
	reason[rows] = $3
	if (length($1) > width)
		width = length($1)
}

END {
	line = ""
	split("gave measures waits refused failed", order, " ")
	for (i = 1; i <= 5; i++)
		if (order[i] in count)
			line = line (line == "" ? "" : ", ") count[order[i]] " " order[i]
	printf "%d machine%s: %s\n", n, n == 1 ? "" : "s", line
	for (i = 1; i <= rows; i++)
		printf "  %-" width "s  %-8s  %s\n", name[i], state[i], reason[i]
}
