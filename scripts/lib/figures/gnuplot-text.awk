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

# The one way for a text into a gnuplot file. Between ' nothing is substituted. A ' is put between other quotes: doubled,
# as the manual has it, it is misread at the beginning of an array's element.
function quoted(text) {
	gsub(/[\001-\037\177]|\342\200[\216\217\252-\256]|\342\201[\246-\251]/, "?", text)
	if (ENVIRON["tex"] != "")
		text = for_latex(text)
	gsub(/'/, "'.\"'\".'", text)
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

# What fits into a key: beginning and end, at which names differ, without half of a letter of several bytes. At most
# so many bytes; 28 unless told.
function shortened(text, most,  half, end) {
	most = most ? most : 28
	if (length(text) <= most)
		return text
	half = int((most - 2) / 2)
	end = substr(text, length(text) - half + 1)
	text = substr(text, 1, half)
	sub(/[\300-\377]?[\200-\277]*$/, "", text)
	sub(/^[\200-\277]*/, "", end)
	return text ".." end
}
