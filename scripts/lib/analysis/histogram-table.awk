# SPDX-License-Identifier: GPL-2.0
# histogram-table.awk - stats-histogram.tsv for people: a column for each metric and CPU, or for all CPUs only
# where they would not fit. Needs us.awk.

function interval(low, high) {
	if (low == "-")
		return "-"
	return us(low) ".." (high == "-" ? "-" : us(high))
}

NR == 1 {
	for (i = 1; i <= NF; i++)
		title[i] = $i
	columns = NF
	next
}

{
	for (i = 1; i <= NF; i++)
		cell[NR - 1, i] = $i
	rows = NR - 1
	if ($2 == "all")
		together[$1] = 1
}

END {
	for (r = 1; r <= rows; r++)
		if (rows <= 4 || !(cell[r, 1] in together) || cell[r, 2] == "all")
			shown[++n] = r
	line = sprintf("%-8s", "")
	for (s = 1; s <= n; s++)
		line = line sprintf(" %20s", cell[shown[s], 1])
	print line
	line = sprintf("%-8s", "CPU")
	for (s = 1; s <= n; s++)
		line = line sprintf(" %20s", cell[shown[s], 2])
	print line
	line = sprintf("%-8s", "N")
	for (s = 1; s <= n; s++)
		line = line sprintf(" %20s", cell[shown[s], 3])
	print line
	for (i = 4; i < columns; i += 2) {
		name = title[i]
		sub(/_low$/, "", name)
		line = sprintf("%-8s", name)
		for (s = 1; s <= n; s++)
			line = line sprintf(" %20s", interval(cell[shown[s], i], cell[shown[s], i + 1]))
		print line
	}
}
