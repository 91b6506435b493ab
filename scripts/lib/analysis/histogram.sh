# SPDX-License-Identifier: GPL-2.0
# histogram.sh - statistics of a directory that has histogram.tsv, which import made of another tool's counts.
# shellcheck shell=sh
# shellcheck disable=SC2154  # $dir, $here, $tools, $work and so on, from the caller
#
# Needs message.sh, analysis.sh, and state of the caller: $quiet.

# histogram_stats RESULTS: writes RESULTS/stats-histogram.tsv, and prints the same for people unless $quiet
histogram_stats() {
	need_tools histstats
	"$tools/histstats" -p 50,90,99,99.9,99.99 "$dir/histogram.tsv" >"$work/stats-histogram.tsv" || exit
	write_output "$work/stats-histogram.tsv" "$1/stats-histogram.tsv"
	[ "$quiet" = yes ] || print_histogram | shown | cat || exit
}

print_histogram() {
	printf 'Histogram of latencies%s: %s, %s\n' "$(machine_note)" "$(data_set)" "$(run_value cpu_model)"
	printf 'source %s, kernel %s, imported from %s, wakelat revision %s\n\n' "$(run_value source)" \
		"$(run_value kernel)" "$(run_value imported_from)" "$(run_value revision)"
	awk -F '\t' -f "$here/lib/common/us.awk" -f "$here/lib/analysis/histogram-table.awk" "$work/stats-histogram.tsv"
	cat <<'END'

A value lies in the interval that is shown (us): a histogram does not know more. ..- has no upper end: values beyond
  the last bucket, whose maximum is not stated. - : too few samples (p99 needs 299, p99.9 2995, p99.99 29956).
Order, silent times and states are not in a histogram: no confidence, no tail, no verdict follow from it.
END
	caveat=$(run_value caveat)
	[ -z "$caveat" ] || printf 'Caveat: %s.\n' "$caveat"
}

# histogram_setup: the variables of its figures
histogram_setup() {
	machine=$(figure_note) name=$(data_set) files=$(cd "$work/data" && find . -name '*.dat' -size +0 | sed 's,^\./,,' | paste -sd ' ' -) \
		awk -F '\t' -f "$here/lib/figures/gnuplot-text.awk" -f "$here/lib/figures/histogram-figure.awk" "$dir/run.tsv" "$work/stats-histogram.tsv"
}

# histogram_plot DIRECTORY: its two figures, as $kinds and $widths say; needs figures.sh
histogram_plot() {
	draw_histograms
	install_figures "$1"
}

# draw_histograms: into $work/out
draw_histograms() {
	need_tools histstats
	mkdir "$work/out" "$work/data" || die "$work cannot be written"
	"$tools/histstats" -p 50 -d "$work/data" "$dir/histogram.tsv" >"$work/stats-histogram.tsv" || exit
	{ tex='' histogram_setup >"$work/data/setup.gp" && tex=1 histogram_setup >"$work/data/setup-tex.gp"; } ||
		die "the figures cannot be prepared"
	for width in $(printf '%s' "$widths" | tr , ' '); do
		for kind in $(printf '%s' "$kinds" | tr , ' '); do
			for figure in $(figures_of histogram | tr , ' '); do
				draw "$figure" "$kind" "$width"
			done
		done
	done
}
