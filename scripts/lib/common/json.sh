# SPDX-License-Identifier: GPL-2.0
# json.sh - tables as one JSON document on stdout, for --json.
# shellcheck shell=sh
#
# Needs message.sh. An analysis that knows of missing samples has set $incomplete.

# Variables that other files set:
: "${here?the command}" "${quiet?message.sh}"

need_json() {
	[ "$quiet" = no ] || bad_usage "--quiet and --json exclude each other"
	command -v iconv >/dev/null || die "iconv is missing: --json needs it (Debian: apt-get install libc-bin)"
}

# json_document COMMAND RUN.TSV NAME TABLE [NAME TABLE]...: print the document. RUN.TSV is empty if
# there is no recording, or more than one. TABLE is a file whose name is a table of the schema.
# json_selected in the environment says which samples the tables are made of, if not of all. Invalid
# UTF-8 is removed, because JSON does not allow it.
json_document() {
	json_command=$1 json_run=$2 json_names=
	shift 2
	json_left=$#
	[ -z "$json_run" ] || set -- "$@" "$json_run"
	while [ "$json_left" -gt 0 ]; do
		json_names=$json_names${json_names:+,}$1
		set -- "$@" "$2"
		shift 2
		json_left=$((json_left - 2))
	done
	json_complete=yes
	[ "${incomplete-no}" = no ] || json_complete=no
	schema=$here/lib/common/schema.tsv awk -F '\t' -v command="$json_command" -v run="${json_run:+1}" -v names="$json_names" \
		-v complete="$json_complete" -f "$here/lib/common/schema.awk" -f "$here/lib/common/json.awk" "$@" | json_utf8
}

# Remove invalid UTF-8. A small target has no iconv, but its documents are ASCII.
json_utf8() {
	if command -v iconv >/dev/null; then
		iconv -c -f UTF-8 -t UTF-8
	else
		cat
	fi
}
