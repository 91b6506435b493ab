# SPDX-License-Identifier: GPL-2.0
# fleet-figures.sh - draw the figures of many machines: sorted in each state, and a map of the first ones by state.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh, figures.sh, fleet-report.sh.

# Variables that other files set:
: "${here?the command}" "${extra?the command}" "${work?analysis.sh}" "${tab?directory.sh}"

# The maximum numbers of figures of each kind of figure, and of rows of the map.
fleet_figures_most=8
fleet_rows_most=24

# fleet_drawn FIGURE KIND OPTION...: write the data of FIGURE, and draw it as FIGURE-N, as pdf for a paper and as KIND for the page.
# Draw nothing if there are fewer than two machines.
fleet_drawn() {
	fleet_figure=$1
	fleet_format=$2
	shift 2
	[ "$fleet_number" -lt "$fleet_figures_most" ] || return 0
	rm -f "$work/data"/*.dat
	awk -F '\t' -v figure="$fleet_figure" "$@" -f "$here/lib/figures/gnuplot-text.awk" -f "$extra/fleet-figures.awk" \
		"$work/fleet.tsv" >"$work/data/setup.gp" || return 0
	fleet_number=$((fleet_number + 1))
	draw "$extra/$fleet_figure" pdf 88mm "$fleet_figure-$fleet_number"
	draw "$extra/$fleet_figure" "$fleet_format" 88mm "$fleet_figure-$fleet_number"
}

# draw_fleet: draw all figures into $work/out. If none can be drawn, set $no_gnuplot to the reason.
draw_fleet() {
	find_gnuplot || return 0
	date_of_pdf=${SOURCE_DATE_EPOCH:-0}
	: "$date_of_pdf"
	mkdir "$work/data" "$work/out" || cannot_write_temporary
	export data machine note title state source
	data=$work/data machine=$(fleet_note) note="wakelat $(revision "$here")"
	awk -F '\t' 'NR > 1 { print $1 }' "$work/fleet-kinds.tsv" >"$work/kinds"
	fleet_number=0
	while read -r fleet_kind; do
		title='' fleet_drawn fleet-map svg -v kind="$fleet_kind" -v rows="$fleet_rows_most"
	done <"$work/kinds"
	# Kind, state, source, metric and MAD of each state, the longest median first.
	awk -F '\t' -v OFS='\t' 'NR > 1 && $5 == "p50" && $10 != "-" { print $7, $1, $2, $3, $4, $10 }' "$work/fleet-states.tsv" |
		sort -t "$tab" -k 1,1nr -k 2 | cut -f 2- >"$work/states"
	fleet_number=0
	while IFS=$tab read -r fleet_kind state source fleet_metric fleet_scale; do
		title=" in $state, source $source"
		[ "$fleet_metric" != intr_latency ] || title="$title, interrupt latency"
		fleet_drawn fleet-machines png -v kind="$fleet_kind" -v scale="$fleet_scale"
	done <"$work/states"
	for drawn in "$work/out"/*; do
		[ ! -e "$drawn" ] || return 0
	done
	: "${no_gnuplot:=no figures: a figure needs two machines of the same CPU, source and method}"
}
