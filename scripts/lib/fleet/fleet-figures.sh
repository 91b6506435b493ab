# SPDX-License-Identifier: GPL-2.0
# fleet-figures.sh - draw the figures of many machines: sorted in each state, a map by state, and
# each odd machine against its peers.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh, figures.sh, fleet-report.sh.

# Variables that other files set:
: "${here?the command}" "${work?analysis.sh}" "${tab?directory.sh}" "${figures_tsv?figures.sh}"

# The maximum numbers of states, rows of the map, and odd machines on a page. The most unlikely
# machines come first.
fleet_states_most=8
fleet_rows_most=24
fleet_machines_most=6

# fleet_kinds NUMBER: draw $fleet_figure from $work/data, as pdf for a paper and in the format of the page
fleet_kinds() {
	draw "$fleet_figure" pdf 88mm "$fleet_figure-$1"
	draw "$fleet_figure" "$fleet_kind" 88mm "$fleet_figure-$1"
}

# each_figure COMMAND: call it for each figure of a fleet, with $fleet_figure, $fleet_kind (format
# on the page) and $fleet_caption
each_figure() {
	while IFS=$tab read -r fleet_figure fleet_of fleet_needs fleet_inputs fleet_kind fleet_caption; do
		: "$fleet_needs" "$fleet_inputs" "$fleet_caption"
		[ "$fleet_of" != fleet ] || "$1" || return
	done <"$figures_tsv"
}

fleet_setup() {
	awk -F '\t' -f "$here/lib/figures/gnuplot-text.awk" "$@"
}

# fleet_states: print a row for each state: state, source, metric, scale below, scale above. The state
# with the highest usual latency comes first. The scale is that of the key with the most machines.
fleet_states() {
	awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["statistic"] == "p50" {
			state = $at["state"] FS $at["source"] FS $at["metric"]
			if (!(state in most) || $at["machines"] > most[state]) {
				most[state] = $at["machines"]
				scale[state] = $at["below_pct"] FS $at["above_pct"]
				usual[state] = $at["usual"]
			}
		}
		END { for (state in most) printf "%s\t%s\t%s\n", usual[state], state, scale[state] }' "$work/fleet-states.tsv" |
		sort -t "$tab" -k 1,1nr -k 2 | cut -f 2- | head -n "$fleet_states_most"
}

draw_sorted() {
	fleet_states >"$work/states"
	fleet_number=0
	while IFS=$tab read -r state source metric below above; do
		awk -F '\t' -v state="$state" -v source="$source" -v metric="$metric" '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["statistic"] == "p50" && $at["state"] == state && $at["source"] == source && $at["metric"] == metric {
				printf "%s\t%s\t%s\t%s\t%s\n", $at["difference_pct"], $at["difference_low_pct"], $at["difference_high_pct"],
					$at["odd"], $at["machine"]
			}' "$work/fleet.tsv" | sort -t "$tab" -k 1,1n -k 5 >"$work/sorted"
		[ -s "$work/sorted" ] || continue
		fleet_number=$((fleet_number + 1))
		fleet_title="$state, source $source"
		[ "$metric" != intr_latency ] || fleet_title="$fleet_title, interrupt latency"
		title=$fleet_title below=$below above=$above fleet_setup -f "$here/lib/fleet/fleet-sorted.awk" "$work/sorted" >"$work/data/setup.gp" ||
			cannot_write_temporary
		fleet_kinds "$fleet_number"
	done <"$work/states"
}

# fleet_rows: print machine and key of each row: first the odd machines, then the others, the most unlikely first
fleet_rows() {
	awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["peers"] > 0 && $at["answer"] != "nothing" {
			printf "%d\t%s\t%s\t%s\n", $at["answer"] != "odd", $at["p"], $at["machine"], $at["key"]
		}' "$work/fleet-machines.tsv" | sort -t "$tab" -k 1,1n -k 2,2g -k 3 | cut -f 3-
}

# fleet_map: write the data of $fleet_figure, from the rows in $work/rows
fleet_map() {
	fleet_setup -v figure="$fleet_figure" -f "$here/lib/fleet/fleet-map.awk" "$work/rows" "$work/fleet-states.tsv" "$work/fleet-machines.tsv" \
		"$work/fleet.tsv" >"$work/data/setup.gp"
}

draw_map() {
	fleet_rows | head -n "$fleet_rows_most" >"$work/rows"
	[ -s "$work/rows" ] && fleet_map || return 0
	fleet_kinds 1
}

draw_odd() {
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["answer"] == "odd" { print $at["machine"] FS $at["key"] }' \
		"$work/fleet-machines.tsv" >"$work/all-odd"
	fleet_rows | head -n "$fleet_machines_most" | grep -xF -f "$work/all-odd" >"$work/shown"
	fleet_number=0
	while IFS= read -r fleet_row; do
		printf '%s\n' "$fleet_row" >"$work/rows"
		fleet_map || continue
		fleet_number=$((fleet_number + 1))
		fleet_kinds "$fleet_number"
	done <"$work/shown"
}

# draw_fleet: draw all figures into $work/out. If none can be drawn, set $no_gnuplot to the reason.
draw_fleet() {
	find_gnuplot || return 0
	date_of_pdf=${SOURCE_DATE_EPOCH:-0}
	: "$date_of_pdf"
	mkdir "$work/data" "$work/out" || cannot_write_temporary
	export data machine note
	data=$work/data machine=$(fleet_note) note="wakelat $(revision "$here")"
	each_figure draw_one || return
	for drawn in "$work/out"/*; do
		[ ! -e "$drawn" ] || return 0
	done
	: "${no_gnuplot:=no figures: a figure needs 8 machines of the same CPU, source and method}"
}

draw_one() {
	case $fleet_figure in
	fleet-machines) draw_sorted ;;
	fleet-map) draw_map ;;
	fleet-peers) draw_odd ;;
	esac
}
