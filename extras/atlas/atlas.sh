# SPDX-License-Identifier: GPL-2.0
# atlas.sh - finds published latencies to compare with a recording.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh.

# Variables that other files set:
: "${me?the command}" "${here?the command}" "${atlas_from?the command, or page.sh}" "${tools?analysis.sh}" "${work?analysis.sh}" "${dir?directory.sh}" \
	"${machine_note?directory.sh}"

atlas_default=$here/../results/atlas/atlas.tsv

# atlas_rows [VERDICT.TSV]: prints the rows for the recording $dir with this verdict, else all rows.
# Fails with the reason in $work/said.
atlas_rows() {
	atlas_read=${atlas_table:-$atlas_default}
	[ -f "$atlas_read" ] && [ -r "$atlas_read" ] || {
		printf '%s: no such file, or it cannot be read\n' "${atlas_read#./}" >"$work/said"
		return 1
	}
	# wakelat's own atlas needs no check, so it can be read without the tools.
	if [ "$atlas_read" != "$atlas_default" ]; then
		need_tools check-tables
		WAKELAT_PROGRAM=$me "$tools/check-tables" "$atlas_read" || exit
	fi
	# After an empty file, awk would take the next one for the atlas.
	has_rows "$atlas_read" || {
		printf '%s: an atlas without rows\n' "${atlas_read#./}" >"$work/said"
		return 1
	}
	atlas_note=
	if [ $# -eq 0 ]; then
		set -- "$atlas_read"
	else
		note_machine
		atlas_note=$machine_note
		set -- "$atlas_read" "$dir/run.tsv" "$1"
	fi
	awk -F '\t' -v header=1 -v emulated="$atlas_note" -f "$atlas_from/atlas-rows.awk" "$@" 2>"$work/said"
}
