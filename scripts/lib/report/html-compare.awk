# SPDX-License-Identifier: GPL-2.0
# html-compare.awk - compare.tsv: print in words how each recording differs from the first, as HTML.
# Needs html.awk and brief.awk.

function signed(ns) { return (ns > 0 ? "+" : ns < 0 ? "−" : "") brief(ns < 0 ? -ns : ns) }

NR == 1 {
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

{
	b = $at["run_b"]
	name = $at["state"]
	if (!((b) in is_run)) {
		is_run[b] = 1
		run[++runs] = b
	}
	if (!((b, name) in is_state)) {
		is_state[b, name] = 1
		state[b, ++states[b]] = name
	}
	a = $at["run_a"]
	if ($at["distinguishable"] == "yes")
		different[b, name] = different[b, name] (different[b, name] == "" ? "" : ", ") $at["statistic"] " " \
			($at["difference"] ~ /-$|[.][.]/ ? "" : signed($at["difference"]) " µs ") "(" \
			($at["difference_low"] == "-" ? "?" : signed($at["difference_low"])) " to " \
			($at["difference_high"] == "-" ? "?" : signed($at["difference_high"])) ")"
	if ($at["distinguishable"] == "no")
		told[b, name] = 1
}

END {
	for (r = 1; r <= runs; r++) {
		b = run[r]
		n = same = unknown = 0
		split("", alike)
		split("", open)
		text = ""
		for (i = 1; i <= states[b]; i++) {
			name = state[b, i]
			if ((b, name) in different) {
				differs[++n] = name
				text = text sprintf("<li><strong>%s</strong>: %s</li>\n", html(name), html(different[b, name]))
			} else if ((b, name) in told)
				alike[++same] = name
			else
				open[++unknown] = name
		}
		printf "<p class=\"answer open\">%s</p>\n<ul>\n%s", html(b " against " a ": " \
			(n ? listed(differs, n) (n == 1 ? " differs." : " differ.") : "no difference is found.")), text
		if (same)
			printf "<li>%s: no difference is found</li>\n", html(listed(alike, same))
		if (unknown)
			printf "<li>%s: too few samples to say</li>\n", html(listed(open, unknown))
		print "</ul>"
	}
	print "<p class=\"sure\">How sure: the interval in brackets contains the true difference with 95 % probability, and does not contain 0.</p>"
}
