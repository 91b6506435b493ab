# SPDX-License-Identifier: GPL-2.0
# html-tsv.awk - print any table (.tsv) as an HTML table. Needs schema.awk, us.awk and html.awk.
#	-v columns='NAME=HEADING;...'	the columns, in this order. Columns that the table does not have are
#					left out. NAME alone: start() may have a heading for it, else it is NAME
#	-v needs=NAME			print nothing if no row has a value in this column
# From the environment, because awk would change a backslash in -v: caption; where=NAME=VALUE, to
# print only the rows whose column NAME has this value.

# Return how a page shows a column, by its type in the schema: us (ns in the file), number, choice,
# text or prose.
function kind_of(name,  i) {
	i = schema_of(schema_table(FILENAME), name)
	if (schema_type[i] !~ schema_texts)
		return schema_unit[i] ~ /^ns/ ? "us" : "number"
	return schema_type[i] == "list" ? "text" : schema_type[i]
}

function start(  i, part, p) {
	n = split("metric=latency;n=N", part, ";")
	for (i = 1; i <= n; i++)
		shared[substr(part[i], 1, index(part[i], "=") - 1)] = part[i]
	n = split(columns, part, ";")
	for (i = 1; i <= n; i++) {
		if (part[i] in shared)
			part[i] = shared[part[i]]
		p = index(part[i] "=", "=")
		column[i] = substr(part[i], 1, p - 1)
		heading[i] = p > length(part[i]) ? column[i] : substr(part[i], p + 1)
		kind[i] = kind_of(column[i])
	}
	p = index(ENVIRON["where"], "=")
	where_column = substr(ENVIRON["where"], 1, p - 1)
	where_value = substr(ENVIRON["where"], p + 1)
}

function class(kind) {
	return kind ~ /^(prose|text)$/ ? " class=\"" kind "\"" : kind == "choice" ? " class=\"text choice\"" : ""
}

# On a narrow screen, each cell is below the one before it, with its heading beside it. A known word may break after an underscore, a list after a comma.
function cell(kind, heading, value,  class_of, text) {
	class_of = class(kind)
	if (kind == "choice" && value ~ /^(kept|exceeded|undecided)$/)
		sub(/choice/, "choice " value, class_of)
	text = html(kind == "us" ? us(value) : value)
	if (kind ~ /^(text|choice)$/)
		gsub(kind == "choice" ? "_" : ",", "&<wbr>", text)
	return "<td" class_of " data-head=\"" html(heading) "\">" text "</td>"
}

function head(  i) {
	printf "<div class=\"wide\"><table>\n<caption>%s</caption>\n<tr class=\"head\">", html(ENVIRON["caption"])
	for (i = 1; i <= n; i++)
		if (column[i] in at)
			printf "<th%s>%s</th>", class(kind[i]), html(heading[i])
	print "</tr>"
}

function row(  i, name, text) {
	text = "<tr>"
	for (i = 1; i <= n; i++) {
		name = column[i]
		if (!(name in at))
			continue
		text = text cell(kind[i], heading[i], $at[name])
	}
	return text "</tr>\n"
}

NR == 1 {
	start()
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

where_column == "" || (where_column in at && $at[where_column] == where_value) {
	rows = rows row()
	if (needs == "" || (needs in at && $at[needs] != "-"))
		shown = 1
}

END {
	if (!shown)
		exit
	head()
	printf "%s</table></div>\n", rows
}
