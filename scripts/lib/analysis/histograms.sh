# SPDX-License-Identifier: GPL-2.0
# histograms.sh - directories of which some, or all, have a histogram in place of samples: which, and what they differ in.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh.

# Read here, set there:
: "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${dir?directory.sh}"

histogram_percentiles=50,90,99,99.9,99.99

# is_histogram DIRECTORY
is_histogram() {
	[ -e "$1/histogram.tsv" ] && [ ! -e "$1/samples.tsv" ] && [ ! -e "$1/trace.dat" ] && [ ! -e "$1/counts.tsv" ]
}

# histograms_only DIRECTORY...: are they? Dies if some are.
histograms_only() {
	histograms_are=0
	for histogram_directory; do
		! is_histogram "$histogram_directory" || histograms_are=$((histograms_are + 1))
	done
	[ "$histograms_are" -gt 0 ] || return
	[ "$histograms_are" -eq $# ] || die "some have samples, and some only a histogram: they have nothing to be compared by"
}

# histogram_intervals NAME: of $dir, into $work/NAME-intervals.tsv; its table into $work/NAME-histogram.tsv
histogram_intervals() {
	"$tools/histstats" -p "$histogram_percentiles" -i "$work/$1-intervals.tsv" "$dir/histogram.tsv" \
		>"$work/$1-histogram.tsv" || exit
}

# compare_histograms DIRECTORY...: rows of compare.tsv, on stdout
compare_histograms() {
	need_tools histstats
	histogram_header=1
	take_directory "$1"
	histogram_intervals first
	histogram_first=${dir#./}
	shift
	for histogram_other; do
		take_directory "$histogram_other"
		histogram_intervals other
		a=$histogram_first b=${dir#./} awk -F '\t' -v header="$histogram_header" -f "$here/lib/analysis/histogram-compare.awk" \
			"$work/first-intervals.tsv" "$work/other-intervals.tsv" || exit
		histogram_header=
	done
}
