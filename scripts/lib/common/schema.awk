# SPDX-License-Identifier: GPL-2.0
# schema.awk - what schema.tsv says of a column: its type, its unit, whether scrub keeps it.
#
# A row of the schema may name several columns, joined by ", ", with one type (unit, public) for all of them or one for each.
# Capitals in a name are a placeholder: P for digits and dots, a single other one for digits, STATE and KEY for anything, longer ones for
# a-z, 0-9 and _.
# What stands behind a slash in the name of a table is a part of it. The first row that fits says what a column is.
#	from the environment: schema (the path of schema.tsv)

function schema_pattern(name,  out) {
	gsub(/[.]/, "[.]", name)
	while (match(name, /[A-Z]+/)) {
		out = out substr(name, 1, RSTART - 1) (substr(name, RSTART, RLENGTH) == "P" ? "[0-9.]+" : RLENGTH == 1 ? "[0-9]+" : \
			substr(name, RSTART, RLENGTH) ~ /^(STATE|KEY)$/ ? ".+" : "[a-z0-9_]+")
		name = substr(name, RSTART + RLENGTH)
	}
	return "^" out name "$"
}

# Return part I of a cell that has one for each column, or one for all.
function schema_part(cell, i, names,  part) { return names > 1 && split(cell, part, ", ") == names ? part[i] : cell }

function schema_row(text,  cell, name, n, i) {
	split(text, cell, "\t")
	sub(/[.]tsv.*/, "", cell[1])
	n = split(cell[2], name, ", ")
	for (i = 1; i <= n; i++) {
		schema_rows++
		schema_last[cell[1]] = schema_rows
		if (!(cell[1] in schema_first))
			schema_first[cell[1]] = schema_rows
		schema_in[schema_rows] = cell[1]
		schema_name[schema_rows] = name[i]
		schema_fits[schema_rows] = schema_pattern(name[i])
		schema_type[schema_rows] = schema_part(cell[3], i, n)
		schema_unit[schema_rows] = schema_part(cell[4], i, n)
		schema_public[schema_rows] = schema_part(cell[5], i, n)
	}
}

BEGIN {
	schema_texts = "^(text|prose|choice|list)$"
	while ((schema_got = (getline schema_line <ENVIRON["schema"])) > 0)
		schema_row(schema_line)
	if (schema_got < 0 || !schema_rows) {
		print ENVIRON["schema"] ": cannot be read" >"/dev/stderr"
		exit 1
	}
	close(ENVIRON["schema"])
}

# Return the table that a file has: who of DIR/who-limited.tsv, verdict of DIR/1-verdict.tsv.
function schema_table(path) {
	sub(/.*\//, "", path)
	sub(/[.]tsv$/, "", path)
	sub(/^[0-9]+-/, "", path)
	while (!(path in schema_first) && sub(/-[^-]*$/, "", path))
		;
	return path
}

# Return the number of the column's row, 0 if the schema does not have the column. stats-cpu may have what stats has.
function schema_of(table, column,  of, i) {
	if ((table, column) in schema_known)
		return schema_known[table, column]
	of = table
	do {
		for (i = schema_first[of] + 0; i && i <= schema_last[of]; i++)
			if (column ~ schema_fits[i])
				return schema_known[table, column] = i
	} while (sub(/-[^-]*$/, "", of))
	return schema_known[table, column] = 0
}

function schema_is_text(table, column,  i) {
	i = schema_of(table, column)
	return i ? schema_type[i] ~ schema_texts : 0
}
