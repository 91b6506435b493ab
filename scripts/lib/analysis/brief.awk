# SPDX-License-Identifier: GPL-2.0
# brief.awk - latencies for sentences: convert ns to us, with only as many digits as a reader needs.

function brief(ns,  x, end) {
	if (split(ns, end, "[.][.]") == 2)
		return end[2] == "-" ? "more than " brief(end[1]) : brief(end[1]) " to " brief(end[2])
	if (ns !~ /^-?[0-9.]+$/)
		return "?"
	x = ns / 1000
	if (x >= 1000 || x <= -1000)
		return sprintf("%.0f", x)
	if (x >= 100 || x <= -100)
		return sprintf("%.1f", x)
	if (x >= 1 || x <= -1)
		return sprintf("%.2f", x)
	return sprintf("%.3f", x)
}

# Return a given limit in us, without rounding.
function exact(ns) { return sprintf("%.10g", ns / 1000) }

# Return the N names of a list as text: "a", "a and b" or "a, b and c".
function listed(list, n,  i, text) {
	for (i = 1; i <= n; i++)
		text = text (i == 1 ? "" : i == n ? " and " : ", ") list[i]
	return text
}
