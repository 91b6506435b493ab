# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# tables.sh - compare the tables that a command writes with the schema, and with its JSON document.

: "${top:?}" "${tmp:?}" "${status=}" "${out=}" "${err=}"

# texts TABLE...: print the columns that are text according to the schema
texts() {
	common=$top/scripts/lib/common
	echo 'FNR == 1 { for (i = 1; i <= NF; i++) if (schema_is_text(schema_table(FILENAME), $i)) print $i }' >"$tmp/texts.awk"
	schema=$common/schema.tsv awk -F '\t' -f "$common/schema.awk" -f "$tmp/texts.awk" "$@" | paste -sd , -
}
# same_rows NAME COMMAND [ARRAY TABLE]...: check that the JSON in $tmp/document has the rows of the tables
same_rows() {
	same_name=$1
	same_command=$2
	shift 2
	same_tables=$(printf '%s\n' "$@" | grep '[.]tsv$')
	run python3 "$top/tests/lib/same-json.py" document "$same_command" "$(words "$same_tables" texts)" "$@"
	is "$status" 0 "$same_name: JSON and tables have the same rows"
	note "$out$err"
}

# fits_schema FILE...: check that these tables, with the names that the schema knows, have the columns of the schema, and cells of their
# types. They are all that the schema has of the tables.
fits_schema() {
	for fits_what in columns cells unused; do
		is "$(schema=$top/scripts/lib/common/schema.tsv awk -F '\t' -v what="$fits_what" -f "$top/scripts/lib/common/schema.awk" \
			-f "$top/tests/lib/agree.awk" "$@" | sort)" "" "$*: the $fits_what agree with the schema"
	done
}
