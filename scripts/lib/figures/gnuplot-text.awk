# SPDX-License-Identifier: GPL-2.0
# gnuplot-text.awk - write text into a gnuplot file. From the environment: tex (not empty: text for
# LaTeX).

# Escape the characters that are special in LaTeX.
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

# Return text as a gnuplot string. All text in a gnuplot file must go through this function. gnuplot
# substitutes nothing between single quotes. A single quote in the text goes between double quotes:
# the manual doubles it, but gnuplot misreads that at the beginning of an array's element.
function quoted(text) {
	gsub(/[\001-\037\177]|\342\200[\216\217\252-\256]|\342\201[\246-\251]/, "?", text)
	if (ENVIRON["tex"] != "")
		text = for_latex(text)
	gsub(/'/, "'.\"'\".'", text)
	return "'" text "'"
}

# Return a number with its digits in groups of three: 29 956 for 29956.
function grouped(n,  text) {
	while (length(n) > 3) {
		text = " " substr(n, length(n) - 2) text
		n = substr(n, 1, length(n) - 3)
	}
	return n text
}

# Shorten text for a key to at most MOST bytes (default 28). Keep its beginning and its end, because
# names differ there. Do not cut a UTF-8 character in two.
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
