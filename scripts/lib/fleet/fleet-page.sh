# SPDX-License-Identifier: GPL-2.0
# fleet-page.sh - write the page about many machines: report.html of wakelat fleet report.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh.

# Variables that other files set:
: "${here?the command}" "${work?analysis.sh}"

# shellcheck source=scripts/lib/common/revision.sh
. "$here/lib/common/revision.sh"
# shellcheck source=scripts/lib/common/reasons.sh
. "$here/lib/common/reasons.sh"
# shellcheck source=scripts/lib/figures/figures.sh
. "$here/lib/figures/figures.sh"
# shellcheck source=scripts/lib/report/report.sh
. "$here/lib/report/report.sh"
# shellcheck source=scripts/lib/fleet/fleet-figures.sh
. "$here/lib/fleet/fleet-figures.sh"

# Columns of a table of the page.
states_columns='key;state;source;metric;statistic;machines'
states_columns="$states_columns;usual;least;most;below_pct=scale below, %;above_pct=above, %"
states_columns="$states_columns;freedom=degrees of freedom;detectable_pct=found from, %;from_largest_pct=from the largest key, %"
states_columns="$states_columns;from_largest_low_pct=95 %, from;from_largest_high_pct=to"
history_columns='machine;machines;from;to;state;metric;statistic'
history_columns="$history_columns;value_from=from;value_to=to;change_pct=change, %;change_low_pct=95 %, from;change_high_pct=to"

fleet_html() {
	awk -F '\t' -v by="$by" -f "$here/lib/report/html.awk" -f "$here/lib/common/us.awk" -f "$here/lib/fleet/fleet-text.awk" \
		-f "$here/lib/fleet/fleet-html.awk" "$@"
}

# figures_of_kind: print each image of $fleet_figure that was drawn, with its caption
figures_of_kind() {
	for fleet_file in "$work/out/$fleet_figure"-*."$fleet_kind"; do
		figure_as "$fleet_file" "$fleet_caption" || return
	done
}

fleet_figures() {
	if [ -n "$no_gnuplot" ]; then
		printf '<p>%s</p>\n' "$(printf '%s\n' "$no_gnuplot" | escaped)"
		return
	fi
	printf '<div class="figures">\n'
	each_figure figures_of_kind || return
	printf '</div>\n'
}

fleet_tables() {
	table "$work/fleet-keys.tsv" 'Keys: machines that are alike in all of this. Against: the key that they are held against' \
		'key;machines;odd;undecided;nothing;against;emulated;cpu_model=CPU;cpu_stepping=stepping;microcode;bios=BIOS;kernel;driver;governor;source'
	awk -F '\t' 'NR == 1 || $5 ~ /^(p50|p99|p99[.]9|max)$/' "$work/fleet-states.tsv" >"$work/fleet-states-shown.tsv"
	table "$work/fleet-states-shown.tsv" 'What peers do, and how far they are apart; latencies in µs' "$states_columns"
}

fleet_method() {
	cat <<'END'
<details>
<summary>Method</summary>
<p>Machines are peers if they agree in CPU model, stepping and how they were measured, and, where a quarter of these do, in
microcode, BIOS, kernel, idle driver, governor and table of states; those of a rare key are held against the largest key. Eight machines
are the least. In each state the median, the 99th and 99.9th percentile, the longest, the share that reached the state and the
share of tainted samples are tested, on a logarithmic scale (shares: arc sine of the root). The centre is the median of the
peers. Their scale is robust, the larger one of both sides and of one, and 1&nbsp;% or 10&nbsp;ns at least; errors of the samples come
on top. Tails are those of Student's distribution with 15 degrees of freedom at most (10 for the longest), fewer if peers are few or their 90th
percentile says so. Maxima are compared between machines with about as many samples.</p>
<p>p is that of a machine's most unlikely test, times the number of its tests. Benjamini and Hochberg's procedure over all machines keeps
the share of wrong ones among those called odd at 5&nbsp;% on average. A state that nine of ten peers have entered, and the machine never,
needs no test. Undecided: too few peers, too few samples, or peers so far apart that 20&nbsp;% would not be found.</p>
<p>What differs is what is recorded of the machine, less than a tenth of its peers that are not odd have as it is, and more than half of them otherwise:
where to look first, and no proof.</p>
</details>
END
}

fleet_warning() {
	case $(fleet_note) in
	'') ;;
	*) printf '<p class="warn">Measured %s: it says nothing about real CPUs.</p>\n' \
		"$(fleet_note | sed 's/.*emulated.*/on virtual CPUs/; s/.*guests.*/under a hypervisor/; s/.*unknown.*/on unknown machines/')" ;;
	esac
}

fleet_page() {
	title=${title:-"Wake latency of many machines$(fleet_note)"}
	page_head
	fleet_html "$work/fleet-answer.tsv" "$work/fleet-machines.tsv" "$work/fleet-left-out.tsv" && fleet_warning || return
	printf '<p class="sure">%s</p>\n' "$(fleet_limits | escaped)"
	fleet_figures || return
	printf '<h2>More</h2>\n'
	folded 'Tables' && fleet_tables && folded_end || return
	if [ -n "$by" ]; then
		folded "From one $by to the next" && table "$work/fleet-history.tsv" 'Changes; latencies in µs' "$history_columns" && folded_end || return
	fi
	fleet_method && page_end
}
