# SPDX-License-Identifier: GPL-2.0
# doctor-table.awk - print doctor.tsv as text: the worst findings first, each with the commands that
# change the setting and change it back.
#
# -v all=1: also print checks without a problem

BEGIN {
	FS = "\t"
	levels = split("unusable doubt unknown note ok", level, " ")
}

NR == 1 {
	next
}

{
	n[$3]++
	where = $2 ~ /^cpu[0-9]+$/ ? "CPU " substr($2, 4) : $2
	line = sprintf("%-9s %-8s %s\n", $3, where, $5)
	if ($3 != "ok") {
		if ($6 != "-")
			line = line "                     change: " $6 "\n"
		if ($7 != "-")
			line = line "                     back:   " $7 "\n"
	}
	text[$3] = text[$3] line
	if (($3 == "doubt" || $3 == "note") && $8 != "-" && !seen[$8]++)
		prepare = prepare (prepare == "" ? "" : ",") $8
}

END {
	for (i = 1; i <= levels; i++)
		if (level[i] != "ok" || all)
			printf "%s", text[level[i]]
	verdict = n["unusable"] ? "not usable" : n["doubt"] + n["unknown"] ? "usable with doubts" : "usable"
	printf "%s: %d unusable, %d doubts, %d unknown, %d notes; %d fine%s\n", verdict, n["unusable"], n["doubt"],
		n["unknown"], n["note"], n["ok"], (all ? "" : " (--all shows them)")
	if (prepare != "")
		printf "wakelat record --prepare %s changes these settings where it can, and restores them\n", prepare
}
