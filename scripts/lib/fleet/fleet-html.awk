# SPDX-License-Identifier: GPL-2.0
# fleet-html.awk - print the first part of the page as HTML, from fleet-answer.tsv,
# fleet-machines.tsv and fleet-left-out.tsv. Needs html.awk, fleet-text.awk.

FNR == 1 {
	file++
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

file == 1 {
	class = $at["odd"] ? "exceeded" : $at["undecided"] ? "undecided" : "kept"
	printf "<p class=\"answer %s\">%s</p>\n", class, html(answer_text($at["machines"], $at["odd"], $at["undecided"], $at["nothing"]))
	next
}

# parts: return the parts of a text as HTML, each in its own line
function parts(text,  n, part, i, out) {
	n = split(text, part, "; ")
	for (i = 1; i <= n; i++)
		out = out html(part[i]) (i < n ? "<br>" : "")
	return out
}

file == 2 && $at["answer"] == "odd" {
	odd = odd sprintf("<tr><td class=\"text\" data-head=\"machine\">%s</td><td class=\"prose\" data-head=\"what is odd\">%s</td><td class=\"prose\" data-head=\"what differs\">%s</td></tr>\n",
		html($at["machine"]), parts($at["finding"]), $at["cause"] == "-" ? "nothing that is recorded" : parts($at["cause"]))
}

file == 2 && $at["answer"] == "undecided" {
	if (!($at["finding"] in unsure))
		why[++reasons] = $at["finding"]
	unsure[$at["finding"]]++
}

file == 2 && $at["answer"] == "nothing" {
	nothing = nothing sprintf("<li>%s: %s</li>\n", html($at["machine"]), html($at["finding"]))
}

file == 3 {
	left = left sprintf("<li>%s%s%s: %s</li>\n", html($at["file"]), ($at["recording"] == "-" ? "" : ", recording " html($at["recording"])),
		($at["machine"] == "-" ? "" : ", machine " html($at["machine"])), html($at["reason"]))
}

END {
	if (odd != "") {
		printf "<div class=\"wide\"><table>\n<caption>Odd machines</caption>\n<tr class=\"head\"><th class=\"text\">machine</th><th class=\"prose\">what is odd</th><th class=\"prose\">what differs from its peers</th></tr>\n%s</table></div>\n", odd
		print "<p class=\"sure\">How sure: on average, 5 % of the machines called odd are not odd. If no machine is odd, the probability that one is called odd is 5 %. In brackets: 95 % intervals of the difference.</p>"
	}
	for (i = 1; i <= reasons; i++)
		printf "%s<li>%s: %s</li>\n%s", (i == 1 ? "<h2>Undecided</h2>\n<ul>\n" : ""), html(machines(unsure[why[i]])), html(why[i]), (i == reasons ? "</ul>\n" : "")
	if (nothing != "")
		printf "<h2>Gave nothing</h2>\n<ul>\n%s</ul>\n", nothing
	if (left != "")
		printf "<h2>Left out</h2>\n<ul>\n%s</ul>\n", left
}
