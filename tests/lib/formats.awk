# SPDX-License-Identifier: GPL-2.0
# formats.awk - formats.md: table, column, unit and meaning of each column that it describes, a line each.
#
# In a cell, `_max` after `wake_latency_min` is wake_latency_max; `..._high, the same of `max`` puts that in place of what the
# first name begins with. Capitals stand for something (residency_NAME_pct), `...` for what follows.

BEGIN { FS = " [|] "; OFS = "\t" }

/^[|] [a-z]/ { columns = /^[|] column [|]/ }
/^## / { table = $0 ~ /\.tsv$/ ? substr($0, 4) : "" }

function put(name) { print table, name, unit, meaning }

# of(NAME, SUFFIX): NAME with another end of as many parts
function of(name, suffix,  parts, n, i, text) {
	n = gsub(/_/, "_", suffix)
	parts = split(name, part, "_")
	for (i = 1; i <= parts - n; i++)
		text = text (i > 1 ? "_" : "") part[i]
	return text suffix
}

table != "" && columns && /^[|] `/ {
	cell = substr($1, 3)
	unit = $2
	meaning = $3
	sub(/ *[|]$/, "", meaning)
	# An empty unit leaves one bar less between blanks.
	if (NF == 2 && sub(/^[|] /, "", unit)) {
		meaning = unit
		sub(/ *[|]$/, "", meaning)
		unit = ""
	}
	same = 0
	first = ""
	names = 0
	n = split(cell, word, "`")
	for (i = 1; i <= n; i++) {
		if (i % 2) {
			same = same || word[i] ~ /the same of/
			continue
		}
		if (same) {
			for (k = 1; k <= names; k++) {
				tail = name[k]
				sub(/^[^_]*/, "", tail)
				put(word[i] tail)
			}
			continue
		}
		name[++names] = word[i] ~ /^_/ ? of(first, word[i]) : word[i]
		if (first == "")
			first = name[names]
		put(name[names])
	}
}
