# SPDX-License-Identifier: GPL-2.0
# schema.awk - what schema.tsv says of a column: its type, its unit, whether scrub keeps it, its meaning.
#
# A row of the schema may name several columns, joined by ", ", with one type (unit, public) for all of them or one for each.
# Capitals in a name are a placeholder. P stands for digits and dots, another single capital for digits, STATE and KEY for
# any text, and a longer word for a-z, 0-9 and _.
# In the name of a table, the text after a slash names a part of the table. The first row that fits a column describes it.
# The rows of extras follow: those of extras/*/schema.tsv beside scripts/.
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

# Return whether NAME, from the schema, fits the column. It uses no regular expression made of NAME, because gawk would
# compile it each time.
function schema_fits(name, column,  prefix, holder, len) {
	if (!match(name, /[A-Z]+/))
		return name == column
	prefix = substr(name, 1, RSTART - 1)
	holder = substr(name, RSTART, RLENGTH)
	name = substr(name, RSTART + RLENGTH)
	if (substr(column, 1, length(prefix)) != prefix)
		return 0
	column = substr(column, length(prefix) + 1)
	if (holder == "STATE" || holder == "KEY")
		len = length(column)
	else if (holder == "P")
		len = match(column, /^[0-9.]+/) ? RLENGTH : 0
	else if (length(holder) == 1)
		len = match(column, /^[0-9]+/) ? RLENGTH : 0
	else
		len = match(column, /^[a-z0-9_]+/) ? RLENGTH : 0
	for (; len > 0; len--)
		if (schema_fits(name, substr(column, len + 1)))
			return 1
	return 0
}

# Return part I of a cell that has one part for each column, or one part for all.
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
		if (name[i] ~ /[A-Z]/)
			schema_any[cell[1]] = schema_any[cell[1]] (schema_any[cell[1]] == "" ? "" : "|") schema_pattern(name[i])
		else if (!((cell[1], name[i]) in schema_known) && (schema_any[cell[1]] == "" || name[i] !~ schema_any[cell[1]]))
			schema_known[cell[1], name[i]] = schema_rows
		schema_type[schema_rows] = schema_part(cell[3], i, n)
		schema_unit[schema_rows] = schema_part(cell[4], i, n)
		schema_public[schema_rows] = schema_part(cell[5], i, n)
		schema_meaning[schema_rows] = cell[6]
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
	schema_core = schema_rows
	schema_line = "for more in \"${schema%scripts/lib/common/schema.tsv}\"extras/*/schema.tsv; do [ ! -r \"$more\" ] || sed 1d \"$more\"; done"
	schema_got = schema_line
	while ((schema_got | getline schema_line) > 0)
		schema_row(schema_line)
	close(schema_got)
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

# Return the number of the column's row in the part of the schema for a table, or 0. A run.tsv can have very many
# keys: those that differ only in the numbers of runs, states and CPUs are looked up once.
function schema_row_of(of, column,  shape, i) {
	if ((of, column) in schema_known)
		return schema_known[of, column]
	if (schema_any[of] == "" || column !~ schema_any[of])
		return 0
	shape = column
	gsub(/[.][0-9]+[.]/, ".0.", shape)
	gsub(/cpu[0-9]+/, "cpu0", shape)
	if ((of, shape) in schema_shape)
		return schema_shape[of, shape]
	for (i = schema_first[of]; !schema_fits(schema_name[i], column); i++)
		;
	return schema_shape[of, shape] = i
}

# Return the number of the column's row, 0 if the schema does not have the column. Table stats-cpu may have the columns
# of stats, too.
function schema_of(table, column,  i) {
	do {
		i = schema_row_of(table, column)
	} while (!i && sub(/-[^-]*$/, "", table))
	return i
}

function schema_is_text(table, column,  i) {
	i = schema_of(table, column)
	return i ? schema_type[i] ~ schema_texts : 0
}
