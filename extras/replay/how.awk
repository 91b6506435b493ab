# SPDX-License-Identifier: GPL-2.0
# how.awk - print how.txt with the events and functions of governor-events.tsv, as options of trace-cmd, in place of @EVENTS.

function add(option) {
	if (length(line option) > 92) {
		text = text line " \\\n"
		line = "       "
	}
	line = line " " option
}

NR == FNR {
	if ($1 == "event")
		add("-e " $2)
	else if ($1 == "function")
		functions = functions " -l " $2
	next
}
/@EVENTS/ {
	line = text line " \\\n"
	text = ""
	printf "%s", line
	line = "        -p function"
	n = split(functions, word, " ")
	for (i = 2; i <= n; i += 2)
		add("-l " word[i])
	print text line " \\"
	next
}
{ print }
BEGIN { line = "       " }
