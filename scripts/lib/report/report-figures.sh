# SPDX-License-Identifier: GPL-2.0
# report-figures.sh - the figures of the page.
# shellcheck shell=sh
#
# Needs message.sh, figures.sh, report.sh.

# Read here, set there:
: "${me?message.sh}" "${work?analysis.sh}"

# Clouds of points are smaller as pixels, lines as svg.
page_kinds() {
	case $1 in
	silent-time | density | order | residency) echo png ;;
	*) echo svg ;;
	esac
}

# page_figures DIRECTORY...: into $work/out
page_figures() {
	: "${no_gnuplot?report}"
	want_figures '' page 88mm
	take_recordings "$@"
	if [ -n "$no_gnuplot" ]; then
		printf '%s: %s\n' "$me" "$no_gnuplot" >"$work/no-figures"
		return
	fi
	mkdir "$work/out" || die "$work cannot be written"
	compare_recordings
	# A page of numbers only is better than none.
	if ! (figure_data 88mm) 2>"$work/no-figures"; then
		grep -q 'nothing to draw$' "$work/no-figures" && return
		# A full disk has no room for its message.
		[ -s "$work/no-figures" ] || die "$work cannot be written"
		cat "$work/no-figures" >&2
		exit 1
	fi
	draw_figures 88mm || exit
}

# figure NAME CAPTION: as an image, because the ids inside several svg would clash in one page
figure() {
	figure_file=$work/out/$1.$(page_kinds "$1")
	[ -e "$figure_file" ] || return 0
	case $figure_file in
	*.png) figure_type=image/png ;;
	*) figure_type=image/svg+xml ;;
	esac
	printf '<figure><img alt="%s" src="data:%s;base64,' "$2" "$figure_type"
	base64 -w 0 "$figure_file" || return
	printf '">\n<figcaption>%s</figcaption></figure>\n' "$2"
}

all_figures() {
	folded 'Figures'
	figure_parts && folded_end
}

figure_parts() {
	if [ -s "$work/no-figures" ]; then
		sed 's/^[^:]*: //' "$work/no-figures" | list
		return
	fi
	printf '<div class="figures">\n'
	figure silent-time "Latency against silent time: how long the CPU had been told to be idle when the event came. Dashed: what the idle driver advertises." &&
	figure density "The same as numbers of samples in cells of the figure, the more the stronger; those that lie alone are points." &&
	figure order "Latency in recording order; of a sweep, the launch distance behind it, on the right axis." &&
	figure residency "Time in the state asked for, by its residency counter, against silent time: a line leaves the axis when the CPU enters the state." &&
	figure residency-share "Mean share of the idle period in each C-state, by the core's residency counters; dashed, the share of samples that reached the state asked for." &&
	figure histogram "Histogram, both axes logarithmic. No bin lies on both sides of an advertised latency." &&
	figure ccdf "Share of samples whose latency was as long or longer, with its 95&nbsp;% band. The last mark of each curve is its maximum." &&
	figure percentiles "Latency by percentile: thick as far as the samples support a percentile, dotted from there to the maximum." &&
	figure states "Box from the 25th to the 75th percentile, whiskers from the 1st to the 99th, and what lies outside." &&
	figure cpus "CPU by CPU: median, bar from the least to the 99th percentile, the maximum as a cross." &&
	figure differences "Differences of percentiles from those of the first recording, with their 95&nbsp;% confidence intervals." &&
	figure tail-stability "Shape of the fitted tail by the number of exceedances of its threshold: it should not depend on the threshold." &&
	figure tail-qq "Quantiles of the tail against those of the fitted distribution, with its 95&nbsp;% band." || return
	printf '</div>\n'
	write_left_out | awk -F '\t' 'NR > 1 { printf "No figure %s: %s.\n", $1, $2 }' >"$work/left-out"
	[ ! -s "$work/left-out" ] || list <"$work/left-out"
}
