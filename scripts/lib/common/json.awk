# SPDX-License-Identifier: GPL-2.0
# json.awk - print [run.tsv] TABLE... as one JSON document. Digits are copied without arithmetic.
# The schema says whether a column is text or numbers, not its cells: a state may be called 6. Needs schema.awk.
#	-v command=NAME		the command that prints the document
#	-v run=1		the first file is run.tsv
#	-v names=NAME,...	names of the tables in the document
#	-v complete=yes|no	no: samples are missing from the recording
#	from the environment: json_selected (which samples, if not all), json_limits (the line of answer limits, if there is one)

function text(cell,  c, at) {
	gsub(/[\\"]/, "\\\\&", cell)
	gsub(/[\001-\037\177]/, " ", cell)
	if (cell ~ /[\302\330\342]/)
		for (c in escape)
			while ((at = index(cell, c)))
				cell = substr(cell, 1, at - 1) escape[c] substr(cell, at + length(c))
	return "\"" cell "\""
}

# escapes LOW HIGH: escape the characters from U+LOW to U+HIGH, which have two or three bytes in UTF-8. The document may
# be printed on a terminal; shown() in message.sh says what these characters do there.
function escapes(low, high,  c, bytes) {
	for (c = low; c <= high; c++) {
		bytes = c < 2048 ? sprintf("%c%c", 192 + int(c / 64), 128 + c % 64) : \
			sprintf("%c%c%c", 224 + int(c / 4096), 128 + int(c / 64) % 64, 128 + c % 64)
		escape[bytes] = sprintf("\\u%04x", c)
	}
}

function value(name, cell) {
	if (cell == "-")
		return "null"
	if (!schema_is_text(table_of, name) && cell ~ /^-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[-+][0-9]+)?$/)
		return cell
	return text(cell)
}

# Return the line of answer limits without "Not measured" and the full stop, or null if it is empty.
function means_nothing(line) {
	sub(/^Not measured: /, "", line)
	sub(/[.]$/, "", line)
	return line == "" ? "null" : text(line)
}

function pair(name, cell) { return text(name) ": " value(name, cell) }

function end_table() { printf "%s  ]", (rows ? "\n" : "") }

BEGIN {
	escapes(128, 159)
	escapes(1564, 1564)
	escapes(8206, 8207)
	escapes(8232, 8238)
	escapes(8294, 8297)
	split(names, table, ",")
	printf "{\n  \"format\": 1,\n  \"command\": %s,\n  \"complete\": %s,\n  \"selected\": %s", text(command),
		(complete == "yes" ? "true" : "false"), (ENVIRON["json_selected"] == "" ? "null" : text(ENVIRON["json_selected"]))
	printf ",\n  \"means_nothing\": %s", means_nothing(ENVIRON["json_limits"])
	# The first table is file 2, also without run.tsv.
	file = run ? 0 : 1
	if (run)
		printf ",\n  \"run\": {"
}

FNR == 1 {
	file++
	if (file == 2 && run)
		printf "\n  }"
	if (file > 2)
		end_table()
	if (file > 1)
		printf ",\n  %s: [", text(table[file - 1])
	rows = 0
	table_of = schema_table(FILENAME)
	for (i = 1; i <= NF; i++)
		name[i] = $i
	next
}

file == 1 {
	# Print a key once: readers of JSON differ in which of two equal keys counts.
	if (!seen[$1]++)
		printf "%s\n    %s: %s", (rows++ ? "," : ""), text($1), ($2 == "-" ? "null" : text($2))
	next
}

{
	printf "%s\n    {", (rows++ ? "," : "")
	for (i = 1; i <= NF; i++)
		printf "%s%s", (i > 1 ? ", " : ""), pair(name[i], $i)
	printf "}"
}

END {
	if (file > 1)
		end_table()
	else if (run)
		printf "\n  }"
	printf "\n}\n"
}
