# SPDX-License-Identifier: GPL-2.0
# both-reached.awk - stats-reached.tsv: the rows of the states of which some samples reached the state
# and some did not, as states "C6 yes" and "C6 no". Nothing if there is no such state.

NR == 1 {
	header = $0
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

$at["reached"] == "-" || $at["n"] == 0 { next }

{
	if (!($1 in samples))
		order[++states] = $1
	samples[$1]++
	text = $0
	sub(/\t.*/, " " $2, text)
	text = text substr($0, length($1 FS $2) + 1)
	rows[$1] = rows[$1] text "\n"
}

END {
	sub(/\treached/, "", header)
	for (i = 1; i <= states; i++)
		if (samples[order[i]] == 2)
			out = out rows[order[i]]
	if (out != "")
		printf "%s\n%s", header, out
}
