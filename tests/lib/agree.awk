# SPDX-License-Identifier: GPL-2.0
# agree.awk - print where tables contradict the schema (schema.awk comes first): columns that it does not have, cells of another type,
# columns or tables of the schema that are in no file.
#	-v what=columns, cells, unused or tables

# Return whether the cell has this type. A number may be an interval, and have a mark. Counts of imported histograms are intervals, too.
function fits(type, cell) {
	if (type ~ /^(text|prose)$/ || cell == "-")
		return 1
	if (type ~ /^(choice|list)$/)
		return cell ~ (type == "list" ? "^[^ \t]+$" : "^[A-Za-z0-9_.+ ]+$")
	gsub(/[*]|[.][.]-$/, "", cell)
	sub(/^.*[.][.]/, "", cell)
	return cell ~ (type == "count" ? "^[0-9]+$" : type == "integer" ? "^-?[0-9]+$" : "^(inf|-?[0-9]+([.][0-9]+)?(e[-+][0-9]+)?)$")
}
FNR == 1 {
	table = schema_table(FILENAME)
	there[table] = 1
	for (i = 1; i <= NF; i++) {
		at[i] = schema_of(table, $i)
		used[at[i]] = 1
		if (!at[i] && what == "columns")
			print table, $i
		name[i] = $i
	}
	next
}
what == "cells" {
	for (i = 1; i <= NF; i++)
		if (at[i] && !fits(schema_type[at[i]], $i) && !said[at[i]]++)
			print table, name[i], schema_type[at[i]], $i
}
END {
	for (table in schema_first)
		if (table != "table" && table != "run") {
			if (what == "tables" && !(table in there))
				print table
			for (i = schema_first[table]; i <= schema_last[table] && what == "unused"; i++)
				if (table in there && !(i in used))
					print table, schema_name[i]
		}
}
