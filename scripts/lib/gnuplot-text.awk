# SPDX-License-Identifier: GPL-2.0
# gnuplot-text.awk - text in a gnuplot file. From the environment: tex (not empty: text for LaTeX).

# LaTeX takes ten characters for its own.
function for_latex(text) {
	gsub(/\\/, "\001", text)
	gsub(/[{}$&#%_]/, "\\\\&", text)
	gsub(/\001/, "\\textbackslash{}", text)
	gsub(/~/, "\\textasciitilde{}", text)
	gsub(/\^/, "\\textasciicircum{}", text)
	gsub(/</, "\\textless{}", text)
	gsub(/>/, "\\textgreater{}", text)
	return text
}

function quoted(text) {
	if (ENVIRON["tex"] != "")
		text = for_latex(text)
	gsub(/'/, "''", text)
	return "'" text "'"
}

# 29956 -> 29 956
function grouped(n,  text) {
	while (length(n) > 3) {
		text = " " substr(n, length(n) - 2) text
		n = substr(n, 1, length(n) - 3)
	}
	return n text
}

# What fits into a key: beginning and end, at which names differ, without half of a letter of several bytes.
function shortened(text,  end) {
	if (length(text) <= 28)
		return text
	end = substr(text, length(text) - 12)
	text = substr(text, 1, 13)
	sub(/[\300-\377]?[\200-\277]*$/, "", text)
	sub(/^[\200-\277]*/, "", end)
	return text ".." end
}
