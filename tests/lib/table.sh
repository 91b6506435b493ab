# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# table.sh - write the tables of benches into documents, between <!-- table NAME: COMMAND --> and <!-- end of NAME -->.

# table_of FILE.TSV: print the table in Markdown
table_of() {
	awk -F '\t' '
		{ gsub(/[|]/, "\\|") }
		{
			line = "|"
			for (i = 1; i <= NF; i++)
				line = line " " $i " |"
			print line
		}
		NR == 1 {
			gsub(/[^|]+/, "---", line)
			print line
		}' "$1"
}

# rewrite_table FILE.TSV NAME DOCUMENT: replace the table NAME in DOCUMENT
rewrite_table() {
	table_of "$1" >"$3.table" && awk -v name="$2" -v table="$3.table" '
		index($0, "<!-- end of " name " -->") { inside = 0; ended = 1 }
		!inside { print }
		index($0, "<!-- table " name ": ") {
			while ((getline line <table) > 0)
				print line
			inside = 1
		}
		END { exit !ended || inside }' "$3" >"$3.new" && cat "$3.new" >"$3"
	rewritten=$?
	rm -f "$3.table" "$3.new"
	[ "$rewritten" = 0 ] || printf '%s: table %s cannot be written: are both of its comments there?\n' "$3" "$2" >&2
	return "$rewritten"
}
