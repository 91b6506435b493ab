# SPDX-License-Identifier: GPL-2.0
# both-reached.awk - stats-reached.tsv: select the states that some samples reached and others did
# not. Print the rows of each as states "C6 yes" and "C6 no". Print nothing if there is no such
# state.
#	-v source=NAME	only rows of this source

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	header = $0
	sub(/\treached/, "", header)
	next
}

$at["reached"] == "-" || $at["n"] == 0 || $at["source"] != source { next }

{
	if (!($1 in samples))
		order[++states] = $1
	samples[$1]++
	text = $1 " " $at["reached"]
	for (i = 2; i <= NF; i++)
		if (i != at["reached"])
			text = text FS $i
	rows[$1] = rows[$1] text "\n"
}

END {
	for (i = 1; i <= states; i++)
		if (samples[order[i]] == 2)
			out = out rows[order[i]]
	if (out != "")
		printf "%s\n%s", header, out
}
