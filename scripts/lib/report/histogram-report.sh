# SPDX-License-Identifier: GPL-2.0
# histogram-report.sh - the page of histograms of other tools.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh, histograms.sh, figures.sh, histogram-figures.sh, report.sh.

# Read here, set there:
: "${here?the command}" "${work?analysis.sh}" "${dir?directory.sh}" "${tab?directory.sh}" \
	"${histogram_percentiles?histograms.sh}"

# Set here as by take_recordings.
: "$first_dir"

# analyse_histograms DIRECTORY...: sets $names, $machine, $dir to the first
analyse_histograms() {
	: "${budget?report}" "${percentile?report}" "${no_gnuplot?report}"
	need_tools histstats
	case $percentile in
	'') percentile=99.9 ;;
	50 | 90 | 99 | 99.9 | 99.99) ;;
	*) die "--percentile: of a histogram, one of $histogram_percentiles" ;;
	esac
	histogram_number=0
	names=
	machine=
	for histogram_directory; do
		take_directory "$histogram_directory"
		histogram_number=$((histogram_number + 1))
		histogram_intervals "$histogram_number"
		awk -F '\t' -v percentile="$percentile" -v budget="$budget" -f "$here/lib/verdict/histogram-verdict.awk" \
			"$work/$histogram_number-intervals.tsv" >"$work/$histogram_number-verdict.tsv" || exit
		names=$names${names:+$tab}$(name_of_set "$@")
		[ -n "$machine" ] || machine=$(machine_note)
		[ "$histogram_number" -gt 1 ] || histogram_first_dir=$dir
		draw_histogram "$histogram_number"
	done
	dir=$histogram_first_dir
	first_dir=$dir
	[ $# -eq 1 ] || compare_histograms "$@" >"$work/compare.tsv" || exit
	dir=$histogram_first_dir
}

# draw_histogram NUMBER: the two figures of $dir, into $work/out-NUMBER
draw_histogram() {
	[ -z "$no_gnuplot" ] || return 0
	want_figures '' svg 88mm
	take_pdf_date
	rm -rf "$work/out" "$work/data"
	draw_histograms
	mv "$work/out" "$work/out-$1" || die "$work cannot be written"
}

histogram_first() {
	recording_head && answer_awk answer "$work/$1-verdict.tsv" && recording_warnings "$1" &&
		names='' html_awk html-picture "$work/$1-verdict.tsv" && answer_awk sure "$work/$1-verdict.tsv" || return
	printf '<p>A histogram of another tool: it has no states, no order and no single samples, and a latency is only known as the bucket that it fell into.</p>\n'
	[ -z "$(run_value caveat)" ] || printf '<p class="warn">%s.</p>\n' "$(run_value caveat | escaped)"
}

histogram_details() {
	table "$work/$1-intervals.tsv" 'Percentiles: between which values they are in these samples, and, with 95 %, in truth; µs' \
		'metric=latency:text;cpu=CPU:text;statistic=percentile:text;n=N:number;value_low=from:us;value_high=to:us;low=95 %, from:us;high=to:us'
	table "$work/$1-histogram.tsv" 'Minimum, maximum and mean, between; µs' \
		'metric=latency:text;cpu=CPU:text;n=N:number;min_low=minimum, from:us;min_high=to:us;max_low=maximum, from:us;max_high=to:us;mean_low=mean, from:us;mean_high=to:us'
}

histogram_figures() {
	if [ -n "$no_gnuplot" ]; then
		printf '<p>%s</p>\n' "$(printf '%s\n' "$no_gnuplot" | escaped)"
		return
	fi
	rm -rf "$work/out" && ln -s "out-$1" "$work/out" || return
	figures_on_page histogram
}

histogram_page() {
	page_answer histogram_first "$@" && folded 'Figures' && each 3 histogram_figures "$@" && folded_end || return
	[ $# -eq 1 ] || comparison_tables || return
	folded 'Tables' && each 3 histogram_details "$@" && folded_end && page_circumstances "$@"
}
