# SPDX-License-Identifier: GPL-2.0
# sizes.awk - count the lines that patches add, by kind: code (C), comments, blank lines, Kconfig
# and Makefiles, tests, documents.
#
# Input: patches, one after the other. Prints a row for each patch, each series (its folder), and
# all series except that of arm64.

BEGIN {
	kinds = split("code comment blank build test document", kind, " ")
	print "lines added\tcode\tcomments\tblank\tbuild\ttests\tdocuments"
}

function row(name, array,    i, text) {
	text = name
	for (i = 1; i <= kinds; i++)
		text = text "\t" array[name, kind[i]] + 0
	print text
}

function end_patch() {
	if (patch != "")
		row(patch, n)
}

function end_series() {
	end_patch()
	patch = ""
	if (series != "")
		row(series, n)
}

function count(what) {
	n[patch, what]++
	n[series, what]++
	if (series !~ /arm64/)
		n["all without arm64", what]++
}

FNR == 1 {
	parts = split(FILENAME, part, "/")
	if (part[parts - 1] != series) {
		end_series()
		series = part[parts - 1]
	} else
		end_patch()
	patch = series "/" substr(part[parts], 1, 4)
	file = ""
}

/^\+\+\+ / { file = substr($2, 3); comment = 0; next }
file == "" || /^-/ { next }
/^@@/ { comment = 0; next }

{
	added = /^\+/
	line = substr($0, 2)
	sub(/^[ \t]+/, "", line)
	what = "code"
	if (file ~ /^Documentation\//)
		what = "document"
	else if (file ~ /^tools\/testing\// || file ~ /_test\.c$/)
		what = "test"
	else if (file ~ /(Kconfig|Makefile)$/)
		what = "build"
	else if (line == "")
		what = "blank"
	else if (comment || line ~ /^(\/\*|\/\/|\*( |\/|$))/)
		what = "comment"
	if (line ~ /^\/\*/ && line !~ /\*\//)
		comment = 1
	if (line ~ /\*\//)
		comment = 0
	if (added)
		count(what)
}

END {
	end_series()
	row("all without arm64", n)
}
