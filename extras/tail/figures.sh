# SPDX-License-Identifier: GPL-2.0
# figures.sh - the figures of wakelat plot that show the results of wakelat tail.
# shellcheck shell=sh

# Variables that other files set:
: "${figures_extra?the command}" "${figure_parts=}" "${work?analysis.sh}"

tail_extra=${figures_extra%/*}
figure_parts="$figure_parts tail_gp"

# find_tail_tables: sets $tail_tables to the directory with the tables of all samples of the only recording
find_tail_tables() {
	: "${sets?figure-data.sh}" "${extra_tables=}" "${dir?directory.sh}" "${where=}"
	tail_tables=$work/none
	[ "$sets" -ne 1 ] || [ -n "$where" ] || tail_tables=${extra_tables:-$dir}
}

# tail_gp: prints variables for setup.gp
tail_gp() {
	find_tail_tables
	set --
	for tail_table in "$tail_tables/tail-stability.tsv" "$tail_tables/tail-qq.tsv"; do
		[ ! -e "$tail_table" ] || set -- "$@" "$tail_table"
	done
	[ $# -eq 0 ] || series_awk "$tail_extra/tail-figures.awk" "$@"
}

# lacks_tail FIGURE INPUTS: sets $reason to why FIGURE cannot be drawn, if it cannot
lacks_tail() {
	find_tail_tables
	if [ -n "$where" ]; then
		reason='wakelat tail has used all samples, not this selection: leave out the condition'
	elif [ ! -e "$tail_tables/$2" ]; then
		reason="there is no $2: run wakelat tail first"
	elif ! has_series "${1#tail-}"; then
		reason='no tail could be fitted'
	fi
	: "$reason"
}
