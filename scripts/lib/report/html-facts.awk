# SPDX-License-Identifier: GPL-2.0
# html-facts.awk - run.tsv: print rows of an HTML table. Needs html.awk.

NR > 1 {
	key = $1
	sub(/^[^\t]*\t?/, "")
	printf "<tr><th>%s</th><td>%s</td></tr>\n", html(key), html($0)
}
