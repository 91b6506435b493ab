# SPDX-License-Identifier: GPL-2.0
# fleet-page.sh - write the page about many machines: report.html of wakelat fleet report.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh.

# Variables that other files set:
: "${here?the command}" "${extra?the command}" "${work?analysis.sh}" "${partial?results.sh}"

# shellcheck source=scripts/lib/common/revision.sh
. "$here/lib/common/revision.sh"
# shellcheck source=scripts/lib/common/reasons.sh
. "$here/lib/common/reasons.sh"
# shellcheck source=scripts/lib/figures/figures.sh
. "$here/lib/figures/figures.sh"
# shellcheck source=scripts/lib/report/html.sh
. "$here/lib/report/html.sh"
# shellcheck source=extras/fleet/fleet-figures.sh
. "$extra/fleet-figures.sh"

# The first machines of each kind that the page shows with each state.
fleet_detailed=20

# figures_of FIGURE KIND CAPTION: print those of its figures that were drawn
figures_of() {
	for fleet_file in "$work/out/$1"-*."$2"; do
		[ ! -e "$fleet_file" ] || figure_as "$fleet_file" "$3" || return
	done
}

fleet_figures() {
	if [ -n "$no_gnuplot" ]; then
		printf '<p>%s</p>\n' "$(printf '%s\n' "$no_gnuplot" | escaped)"
		return
	fi
	printf '<div class="figures">\n'
	figures_of fleet-map svg 'The first machines of the ranking by state and statistic: distance from the median of their kind in %; the colour shows it in MADs. A frame: called different.' &&
		figures_of fleet-machines png 'All machines in one state, sorted by their median: dots with 95&nbsp;% intervals; the band is one MAD.' || return
	printf '</div>\n'
}

# fleet_first: print the rows of fleet-machines.tsv that the page shows first: the first machines, and those called different
fleet_first() {
	awk -F '\t' -v most=10 'NR == 1 || $7 == "different" || $3 > 0 && $3 <= most' "$work/fleet-machines.tsv"
}

fleet_details() {
	table "$work/fleet-kinds.tsv" 'Kinds: machines of the same CPU, measured in the same way' \
		'kind;machines;different;nothing;comparisons;limit_mads=limit, MADs;emulated;cpu_model=CPU;cpu_stepping=stepping;driver;source'
	table "$work/fleet-states.tsv" 'States of each kind; latencies in µs' \
		'kind;state;source;metric;statistic;machines;median;minimum;maximum;scale_pct=MAD, %;from_pct=limit, %;uncertainty=launch times, ±'
	awk -F '\t' -v most="$fleet_detailed" 'NR == 1 || $3 <= most' "$work/fleet.tsv" >"$work/fleet-detailed.tsv"
	table "$work/fleet-detailed.tsv" "The first $fleet_detailed machines of each kind in each state; latencies in µs (fleet.tsv has all)" \
		'kind;rank;machine;state;metric;statistic;n;value;low=95 %, from;high=to;median=of the kind;difference_pct=difference, %;mads=MADs;different'
}

fleet_warning() {
	case $(fleet_note) in
	'') ;;
	*) printf '<p class="warn">Measured %s: it says nothing about real CPUs.</p>\n' \
		"$(fleet_note | sed 's/.*emulated.*/on virtual CPUs/; s/.*guests.*/under a hypervisor/; s/.*unknown.*/on unknown machines/')" ;;
	esac
}

# write_fleet_page FILE: write the page to FILE. If a part of the page fails, the end of the page is missing, or stderr is not empty, so
# both are checked. The page is UTF-8 whatever the counts contain.
write_fleet_page() {
	begin "$1"
	{ fleet_page | shown | cat >"$partial"; } 2>"$work/said" && [ "$(tail -n 1 "$partial")" = '</html>' ] && [ ! -s "$work/said" ] ||
		die "cannot write ${1#./}: $(grep . "$work/said" | head -n 1 | grep . || write_failure "$work")"
	finish "$1"
}

fleet_page() {
	title=${title:-"Wake latency of many machines$(fleet_note)"}
	page_head "$title"
	fleet_class=kept
	[ "$(cells_of different "$work/fleet-answer.tsv")" = 0 ] || fleet_class=exceeded
	printf '<p class="answer %s">%s</p>\n' "$fleet_class" "$(fleet_says "$work/fleet-answer.tsv" | escaped)"
	fleet_warning
	fleet_first >"$work/fleet-machines-first.tsv" &&
		table "$work/fleet-machines-first.tsv" 'Machines by their largest distance from the median of their kind' \
			'kind;rank;machine;answer;finding=largest distance;facts=facts that differ' || return
	printf '<p class="sure">%s</p>\n' "$(fleet_says -v what=rule /dev/null | escaped)" "$(fleet_says -v what=uncertain "$work/fleet-states.tsv" | escaped)" \
		"$(fleet_limits | escaped)" | grep -v '"></p>'
	fleet_figures || return
	awk -F '\t' 'NR == 1 || $7 == "nothing"' "$work/fleet-machines.tsv" >"$work/fleet-machines-nothing.tsv"
	table "$work/fleet-machines-nothing.tsv" 'Machines without usable counts' 'machine;finding=reason' machine
	table "$work/fleet-left-out.tsv" 'Counts that are left out' 'file;recording;machine;reason' file
	printf '<h2>More</h2>\n'
	folded 'Tables' && fleet_details && folded_end && page_end
}
