# SPDX-License-Identifier: GPL-2.0
# histogram-figures.sh - the figures of a directory that has histogram.tsv.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh, figures.sh.

# Read here, set there:
: "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${dir?directory.sh}" "${kinds?figures.sh}" \
	"${widths?figures.sh}"

# histogram_setup: the variables of its figures
histogram_setup() {
	machine=$(figure_note) name=$(data_set) files=$(cd "$work/data" && find . -name '*.dat' -size +0 | sed 's,^\./,,' | paste -sd ' ' -) \
		awk -F '\t' -f "$here/lib/figures/gnuplot-text.awk" -f "$here/lib/figures/histogram-figure.awk" "$dir/run.tsv" "$work/stats-histogram.tsv"
}

# histogram_plot DIRECTORY: its two figures, as $kinds and $widths say
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
