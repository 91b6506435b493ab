# SPDX-License-Identifier: GPL-2.0
# figure-data.sh - makes the input of the figures of one or more recordings: samples, names, dates,
# files for gnuplot.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh.

# Variables that other files set:
: "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${dir?directory.sh}" \
	"${incomplete?convert.sh}" "${status_incomplete?analysis.sh}" \
	"${data_set?directory.sh}" \
	"${tab?directory.sh}" "${newline?directory.sh}" "${kinds?figures.sh}" \
	"${x_label?columns.sh}" "${y_label?columns.sh}" "${figure_parts?figures.sh}"

# See take_recordings and figure_data.
names=
machine=
by_steps=
first_dir=
date_of_pdf=
# The directory with the tables of extras, if not that of the recording.
extra_tables=
: "$extra_tables"
# See name_of_set.
set_name=
: "$date_of_pdf"

# Not empty if axes are to be linear.
linear=

# Some of title and note: what the figures leave out.
without=

# shellcheck source=scripts/lib/analysis/sets.sh
. "$here/lib/analysis/sets.sh"

# take_recordings DIRECTORY...: takes their samples. Sets $dir to the first, and $names.
take_recordings() {
	begin_sets
	names=
	first_dir=
	: >"$work/set-paths" || cannot_write_temporary
	for recording; do
		take_directory "$recording"
		need_samples
		name_of_set "$@"
		names=$names${names:+"$tab"}$set_name
		printf '%s\t%s\n' "${dir#./}" "$set_name" 2>/dev/null >>"$work/set-paths" || cannot_write_temporary
		take_set
		: "${first_dir:=$dir}"
	done
	dir=$first_dir
}

# name_of_set DIRECTORY...: sets $set_name to the name of $dir, or its path if several directories have
# that name
name_of_set() {
	set_name=$data_set
	[ $# -gt 1 ] || return 0
	set_names=0
	for set_directory; do
		[ "$(cd -- "$set_directory" && basename "$PWD")" != "$set_name" ] || set_names=$((set_names + 1))
	done
	[ "$set_names" -le 1 ] || set_name=${dir#./}
}

# setup_gp: prints the variables of style.gp, from run.tsv of each recording and the output of
# answer figures
setup_gp() {
	set --
	before=
	while IFS= read -r set_argument; do
		[ "$before" != -r ] || set -- "$@" "$set_argument"
		before=$set_argument
	done <"$work/sets"
	data_files=
	for data_file in "$work/data"/*-*.dat; do
		[ ! -s "$data_file" ] || data_files="$data_files ${data_file##*/}"
	done
	x_label=$x_label y_label=$y_label limits=$limits by_steps=$by_steps linear=$linear machine=$machine names=$names where=$where without=$without \
		files=${data_files# } reached=$reached hues=$work/hues.tsv lines=$work/lines.txt \
		awk -F '\t' -f "$here/lib/figures/gnuplot-text.awk" -f "$here/lib/figures/figures.awk" "$@" "$work/data/states.dat" "$work/data/ranges.dat" &&
		differences_gp || return
	for figure_part in $figure_parts; do
		"$figure_part" || return
	done
}

# read_figures WIDTH: reads the samples, and writes their data for the figures to $work/data
read_figures() {
	[ ! -d "$work/data" ] || rm -rf "$work/data"
	mkdir "$work/data" || cannot_write_temporary
	set -- -w "${1%mm}" -n "$names" ${linear:+-l} ${x_column:+"$x_option" "$x_column"} ${y_column:+"$y_option" "$y_column"} -o "$work/data"
	with_sets "$tools/answer" figures "$@"
	case $? in
	0) ;;
	"$status_incomplete") incomplete=yes ;;
	*) exit 1 ;;
	esac
}

# figure_data: writes the other files that gnuplot reads to $work/data
figure_data() {
	{ IFS= read -r reached && IFS= read -r limits && IFS= read -r machine && IFS= read -r by_steps && IFS= read -r date_of_pdf; } \
		<"$work/data/words" || exit
	: "$reached" "$limits"
	{ tex='' setup_gp >"$work/setup" && { [ "${kinds%tex*}" = "$kinds" ] || tex=1 setup_gp >"$work/data/setup-tex.gp"; }; } ||
		die "the figures cannot be prepared"
	clean_setup "$work/setup" "$work/data/setup.gp"
}

# series_awk FILE.AWK TABLE...: prints more variables, by an awk script that needs series.awk
series_awk() {
	series_script=$1
	shift
	data=$work/data hues=$work/hues.tsv set_paths=$work/set-paths awk -F '\t' -f "$here/lib/common/us.awk" \
		-f "$here/lib/figures/gnuplot-text.awk" -f "$here/lib/figures/series.awk" -f "$series_script" "$@"
}

# differences_gp: prints the variables of figure differences, from the table of wakelat compare
differences_gp() {
	[ ! -e "$work/compare.tsv" ] || series_awk "$here/lib/figures/differences.awk" "$work/compare.tsv"
}

# take_ranges: reads the file that range_value searches
take_ranges() {
	ranges=
	while IFS= read -r range; do
		ranges=$ranges$range$newline
	done <"$work/data/ranges.dat"
}

# range_value KEY: sets $range to the value in the output of answer figures, or to nothing
range_value() {
	range=
	case $newline$ranges in
	*"$newline$1$tab"*)
		range=${ranges#*"$newline$1$tab"}
		range=${range%%"$newline"*}
		range=${range%%"$tab"*}
		;;
	esac
}

has_range() {
	range_value "$1"
	[ -n "$range" ]
}

# has_series FAMILY: true if series_awk has found a series
has_series() {
	grep -q "^$1_series = [1-9]" "$work/data/setup.gp"
}
