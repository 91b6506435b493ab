# SPDX-License-Identifier: GPL-2.0
# figures.sh - draws the figures of one or more recordings.
# shellcheck shell=sh
#
# The command calls want_figures to choose the figures. Needs message.sh and analysis.sh; sources
# the rest.

# Variables that other files set:
: "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" \
	"${tab?directory.sh}" "${newline?directory.sh}"

# The list of all figures. Columns: figure (its name, also in gnuplot/NAME.gp and in its files), of
# (what it is drawn from), needs (words of lacks()), inputs (tables besides samples.tsv and
# run.tsv), page (its kind in a report), caption. Extras add rows with their own figures.tsv.
# These variables have the rows, and the names of the figures that are drawn from samples, separated by commas.
figures_table=
figures_all=
for figures_tsv in "$here"/lib/figures/figures.tsv "$here"/../extras/*/figures.tsv; do
	[ -e "$figures_tsv" ] || continue
	while IFS= read -r figures_row; do
		figures_table=$figures_table$figures_row$newline
		case $figures_row in
		*"${tab}samples$tab"*) figures_all=$figures_all${figures_all:+,}${figures_row%%"$tab"*} ;;
		esac
	done <"$figures_tsv"
done
# See take_figure.
figure_page=
figure_caption=
: "$figure_page" "$figure_caption"
# The functions of extras that print variables for setup.gp.
figure_parts=
: "$figure_parts"

# take_figure FIGURE: sets $figure_needs, $figure_inputs, $figure_page and $figure_caption to its
# cells; "-" becomes empty
take_figure() {
	take_row=
	take_ifs=$IFS
	IFS=$newline
	set -f
	for take_row in $figures_table; do
		case $take_row in
		"$1$tab"*) break ;;
		esac
	done
	IFS=$tab
	set -- $take_row
	set +f
	IFS=$take_ifs
	figure_needs=${3#-} figure_inputs=${4#-} figure_page=${5#-} figure_caption=${6#-}
}

kinds_all=pdf,svg,png,tex kinds_default=pdf,svg,png widths_all=88mm,180mm
without_all=title,note
: "$kinds_all" "$kinds_default" "$widths_all" "$without_all"

# See want_figures.
figures=
kinds=
widths=

# shellcheck source=scripts/lib/figures/columns.sh
. "$here/lib/figures/columns.sh"
# shellcheck source=scripts/lib/figures/figure-data.sh
. "$here/lib/figures/figure-data.sh"
# shellcheck source=scripts/lib/figures/install-figures.sh
. "$here/lib/figures/install-figures.sh"

# figures.sh of an extra adds a function to $figure_parts, which prints variables of its figures for setup.gp, and has lacks_NEED
# FIGURE INPUTS for each need that only its figures have.
for figures_extra in "$here"/../extras/*/figures.sh; do
	# shellcheck source=/dev/null
	[ ! -e "$figures_extra" ] || . "$figures_extra"
done

# check_list OPTION LIST ALLOWED: dies at the first word of LIST that is not in ALLOWED
check_list() (
	case ,$2, in
	*,,*) bad_usage "$1: an empty name in '$2'" ;;
	esac
	IFS=,
	for word in $2; do
		case ,$3, in
		*,"$word",*) ;;
		*) bad_usage "$1: '$word' is none of $3" ;;
		esac
	done
)

# find_gnuplot: sets $gnuplot_files. Without gnuplot, returns 1 and sets $no_gnuplot to the reason.
find_gnuplot() {
	no_gnuplot=
	: "$no_gnuplot"
	gnuplot_files=$here/../gnuplot
	[ -d "$gnuplot_files" ] || die "gnuplot/ not found next to scripts/: incomplete installation?"
	command -v gnuplot >/dev/null || {
		no_gnuplot="gnuplot is missing: apt-get install gnuplot-nox"
		return 1
	}
}

# want_figures FIGURES KINDS WIDTHS: chooses what to draw. Without FIGURES, all figures that have data
# are drawn. With the kind "page", each figure has the kind that figures.tsv states.
want_figures() {
	figures=$1
	kinds=$2
	widths=$3
}

# suffix WIDTH: sets $suffix, the end of a figure's name
suffix() {
	suffix=
	[ "$1" = 88mm ] || suffix=-$1
}

# gp_of FIGURE: sets $gp to the file that draws it. FIGURE is a file of gnuplot/, or one of an extra with this figure in its
# figures.tsv, or the path of an extra's file; without .gp.
gp_of() {
	case $1 in
	/*) gp=$1.gp ;;
	*) gp=$gnuplot_files/$1.gp ;;
	esac
	[ ! -e "$gp" ] || return 0
	for gp in "$here"/../extras/*/"$1.gp"; do
		[ ! -e "${gp%/*}/figures.tsv" ] || break
	done
}

# draw FIGURE KIND WIDTH [NAME]: draws it into $work/out, as NAME.KIND if there is a NAME. The clock stands still at $date_of_pdf, so that the same input makes the same bytes. For an empty figure,
# gnuplot may only print a warning and succeed, so warnings are errors here.
draw() {
	suffix "$3"
	base=${4-${1##*/}$suffix}
	gp_of "$1"
	result=../out/$base.$2
	# The text for LaTeX contains the name of the graph's file, so both are made in the same
	# directory.
	[ "$2" != tex ] || result=$base-graph.tex
	need_tools settime.so
	clean_setups
	settime=$tools/settime.so
	case $settime in
	*[:[:space:]]*)
		# A path in LD_PRELOAD cannot contain these.
		settime=./settime.so
		[ -e "$work/data/settime.so" ] || ln -s "$tools/settime.so" "$work/data/" || cannot_write_temporary
		;;
	esac
	if ! (cd "$work/data" && LC_ALL=C.UTF-8 TZ=UTC SOURCE_DATE_EPOCH=$date_of_pdf \
		LD_PRELOAD=$settime${LD_PRELOAD:+:$LD_PRELOAD} exec gnuplot -d -c "$gp" "$2" "$result" \
		"$gnuplot_files" "${3%mm}") >"$work/said" 2>&1 </dev/null || has_complaint || [ ! -s "$work/data/$result" ]; then
		gnuplot_said=$(grep -v '^[[:space:]^]*$' "$work/said" | head -n 3 | tr -s ' \t\n' ' ')
		# Without a message, the disk may be full.
		[ -n "$gnuplot_said" ] || { head -c 65536 /dev/zero >"$work/said"; } 2>/dev/null || cannot_write_temporary
		die "figure $base.$2: gnuplot says: ${gnuplot_said:-nothing, but makes no complete file}"
	fi
	if [ "$2" = tex ]; then
		mv "$work/data/$base-graph.pdf" "$work/out/" && mv "$work/data/$result" "$work/out/$base.tex" ||
			cannot_write_temporary
	fi
}

# clean_setup FROM TO: copies variables for gnuplot, and replaces invalid UTF-8 in the texts. An svg file with it would not be XML.
clean_setup() {
	{ printf '# shown\n' && "$tools/answer" html plain <"$1"; } >"$2" || cannot_write_temporary
}

# clean_setups: cleans the variables of the figure, unless that was done before
clean_setups() {
	for setup in "$work/data/setup.gp" "$work/data/setup-tex.gp"; do
		[ -e "$setup" ] && IFS= read -r setup_line <"$setup" && [ "$setup_line" != '# shown' ] || continue
		clean_setup "$setup" "$setup.valid"
		mv "$setup.valid" "$setup" || cannot_write_temporary
	done
}

# has_complaint: true if $work/said has a warning of gnuplot. Warnings about the size of a key, and that all values are equal, do
# not count: they say nothing about missing data.
has_complaint() {
	[ -s "$work/said" ] && grep -v -e 'difficulty fitting plot titles into key' -e 'empty [xy] range .*, adjusting' "$work/said" | grep -Eiq 'warning|undefined|empty'
}

# lacks NEED FIGURE: sets $reason to why the data does not meet the need; empty if it does
lacks() {
	reason=
	case $1 in
	one) [ "$sets" -eq 1 ] || reason='it shows only one recording: name one' ;;
	order) { range_value counts; [ "$range" = 0 ]; } || reason='counts have no order' ;;
	latency) [ -z "$x_column$y_column" ] || reason='it has columns of its own: leave out -x and -y' ;;
	exact) { range_value intervals; [ "$range" = 0 ]; } || reason='latencies are only known as intervals' ;;
	several) [ "$sets" -gt 1 ] || reason='it shows differences between recordings: name several' ;;
	silent) has_range silent_low || reason="the samples have no ${x_column:-silent_time}" ;;
	cells) { range_value cells_high; [ "$range" != 0 ]; } || reason='most samples would be single points: see figure silent-time' ;;
	residency)
		has_range residency_low ||
			reason='the samples have no residency counter (cc6_cyc...), or run.tsv no tsc_khz'
		;;
	shares)
		{ range_value any_shares; [ "$range" != 0 ]; } && has_range silent_low ||
			reason='the samples have no residency counters'
		;;
	cpus) { range_value cpu_low; cpu_low=$range; range_value cpu_high; [ "$range" != "$cpu_low" ]; } || reason='one CPU was measured' ;;
	compared)
		if [ -n "$where" ]; then
			reason='wakelat compare uses all samples, not a selection: leave out the condition'
		elif ! has_series difference; then
			reason='the recordings have no state in common'
		fi
		;;
	*) "lacks_$1" "$2" "$figure_inputs" ;;
	esac
}

# why_not FIGURE: sets $reason to the first need that the data does not meet; empty if the figure
# can be drawn
why_not() {
	reason=
	take_figure "$1"
	why_ifs=$IFS
	IFS=,
	for need in $figure_needs; do
		IFS=$why_ifs
		lacks "$need" "$1"
		[ -z "$reason" ] || break
	done
	IFS=$why_ifs
}

# left_out COMMAND...: runs COMMAND FIGURE REASON for each figure that cannot be drawn, without its messages. Fails if COMMAND failed.
left_out() {
	left_ifs=$IFS
	left_status=0
	IFS=,
	for figure in $figures_all; do
		why_not "$figure"
		[ -z "$reason" ] || "$@" "$figure" "$reason" 2>/dev/null || left_status=1
	done
	IFS=$left_ifs
	return "$left_status"
}

draw_figures() {
	take_ranges
	draw_ifs=$IFS
	IFS=,
	for figure in ${figures:-$figures_all}; do
		why_not "$figure"
		if [ -n "$reason" ]; then
			[ -z "$figures" ] || die "figure $figure cannot be drawn: $reason"
			continue
		fi
		suffix "$1"
		name_figure "$figure" "$suffix"
		figure_kinds=$kinds
		# In a page, each figure has the kind with the smaller file.
		[ "$kinds" != page ] || figure_kinds=$figure_page
		for kind in $figure_kinds; do
			draw "$figure" "$kind" "$1" "$figure_name"
		done
	done
	IFS=$draw_ifs
}

# compare_recordings: writes $work/compare.tsv, for the figure of differences, and $work/differences, if there are several recordings.
# Ends with the status of answer compare.
compare_recordings() {
	[ "$sets" -gt 1 ] && [ -z "$where" ] && [ ! -e "$work/compare.tsv" ] || return 0
	compare_sets notes >"$work/differences"
}

draw_all() {
	mkdir "$work/out" || cannot_write_temporary
	compare_recordings 2>/dev/null
	for width in $(printf '%s' "$widths" | tr , ' '); do
		read_figures "$width"
		figure_data
		draw_figures "$width"
	done
	{ printf 'figure\treason\n' 2>/dev/null && left_out printf '%s\t%s\n'; } >"$work/out/left-out.tsv" || cannot_write_temporary
}
