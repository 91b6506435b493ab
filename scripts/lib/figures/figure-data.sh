# SPDX-License-Identifier: GPL-2.0
# figure-data.sh - makes the input of the figures of one or more recordings: samples, names, dates,
# files for gnuplot.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh.

# Variables that other files set:
: "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${dir?directory.sh}" \
	"${data_set?directory.sh}" "${machine_note?directory.sh}" "${run_found?directory.sh}" \
	"${tab?directory.sh}" "${newline?directory.sh}" "${kinds?figures.sh}" \
	"${x_label?columns.sh}" "${y_label?columns.sh}" "${figure_parts?figures.sh}"

# See take_recordings.
sets=0
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

# $where is a condition that samples have to meet.
# shellcheck source=scripts/lib/analysis/selection.sh
. "$here/lib/analysis/selection.sh"

# take_recordings DIRECTORY...: takes their samples. Sets $dir to the first, $sets, $names,
# $machine and $by_steps (not empty: launch distances by steps). Writes three lines for figdata to $work/sets for each:
# khz, reached, samples.
take_recordings() {
	sets=0
	names=
	machine=
	by_steps=
	first_dir=
	printf '%s\n' "$@" >"$work/recordings" && : >"$work/sets" && : >"$work/set-paths" && : >"$work/advertised" || cannot_write_temporary
	for recording; do
		take_directory "$recording"
		need_samples
		sets=$((sets + 1))
		name_of_set "$@"
		names=$names${names:+"$tab"}$set_name
		printf '%s\t%s\n' "${dir#./}" "$set_name" >>"$work/set-paths"
		# If one machine is emulated, the figure says so.
		note_machine guest
		[ -n "$machine" ] || machine=$machine_note
		find_run ldist_mode
		[ "$run_found" != sweep ] || by_steps=-s
		cp "$dir/run.tsv" "$work/$sets-run.tsv" || cannot_write_temporary
		take_samples "$sets"
		: "${first_dir:=$dir}"
	done
	dir=$first_dir
	take_pdf_date
}

# name_of_set DIRECTORY...: sets $set_name to the name of $dir, or its path if several directories have
# that name
name_of_set() {
	set_name=$data_set
	[ $# -gt 1 ] || return 0
	set_names=0
	for set_directory; do
		[ "$(cd "$set_directory" && basename "$PWD")" != "$set_name" ] || set_names=$((set_names + 1))
	done
	[ "$set_names" -le 1 ] || set_name=${dir#./}
}

# take_samples N: adds the samples of $dir, recording number N, to $work/sets; only those that meet
# $where
take_samples() {
	select_samples "$1-"
	# The first interval begins at 0, which a logarithmic axis does not have.
	! are_counts || ! awk -F '\t' '$7 == "interval" { found = 1; exit } END { exit !found }' "$samples" || linear=yes
	reached=$("$tools/answer" counters "$dir/run.tsv" "$samples") || exit
	# Bins end at advertised latencies. Leave out values that cannot be a latency.
	sed -n 's/^state\.[0-9]*\.latency_ns	\([1-9][0-9]\{0,14\}\)$/\1/p' "$dir/run.tsv" >>"$work/advertised"
	find_run tsc_khz
	printf '%s\n' "$run_found" "$reached" "$samples" >>"$work/sets"
}

# take_pdf_date: sets $date_of_pdf to the date of the recording $dir in seconds since 1970, or to
# SOURCE_DATE_EPOCH
take_pdf_date() {
	find_run date
	case ${SOURCE_DATE_EPOCH-} in
	'' | *[!0-9]*) ;;
	*) run_found=@$SOURCE_DATE_EPOCH ;;
	esac
	date_of_pdf=$(date -u -d "$run_found" +%s 2>/dev/null) || date_of_pdf=0
}

# figure_limits: prints what the figure says nothing about. This depends on the number of samples that
# the figure shows.
figure_limits() {
	set --
	while [ $# -lt $((2 * sets)) ]; do
		limits_of=$(($# / 2 + 1))
		awk -v set="$((limits_of - 1))" 'BEGIN { print "n" } $9 == set { print $4 }' "$work/data/states.dat" >"$work/$limits_of-n.tsv" ||
			cannot_write_temporary
		set -- "$@" "$work/$limits_of-run.tsv" "$work/$limits_of-n.tsv"
	done
	"$tools/answer" limits -b -n "$names" "$@"
}

# setup_gp: prints the variables of style.gp, from run.tsv of each recording and the output of
# figdata
setup_gp() {
	set --
	while [ $# -lt "$sets" ]; do
		set -- "$@" "$work/$(($# + 1))-run.tsv"
	done
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

# figure_data WIDTH: writes the files that gnuplot reads to $work/data
figure_data() {
	[ ! -d "$work/data" ] || rm -rf "$work/data"
	mkdir "$work/data" || cannot_write_temporary
	set -- ${by_steps:+-s} ${linear:+-l} ${x_column:+"$x_option" "$x_column"} ${y_column:+"$y_option" "$y_column"} -w "${1%mm}" -o "$work/data"
	while IFS= read -r khz && IFS= read -r reached && IFS= read -r samples; do
		# The TSC frequency is unknown if the kernel's log no longer had it.
		[ "$khz" != - ] || khz=
		set -- "$@" ${khz:+-k "$khz"} ${reached:+-r "$reached"} "$samples"
	done <"$work/sets"
	while read -r advertised; do
		set -- -a "$advertised" "$@"
	done <"$work/advertised"
	"$tools/figdata" "$@" || exit
	limits=$(figure_limits) || exit
	{ tex='' setup_gp >"$work/data/setup.gp" && { [ "${kinds%tex*}" = "$kinds" ] || tex=1 setup_gp >"$work/data/setup-tex.gp"; }; } ||
		die "the figures cannot be prepared"
}

# series_awk FILE.AWK TABLE...: prints more variables, by an awk script that needs series.awk. Without a TABLE, it reads none.
series_awk() {
	series_script=$1
	shift
	[ $# -gt 0 ] || set -- /dev/null
	data=$work/data hues=$work/hues.tsv set_paths=$work/set-paths awk -F '\t' -f "$here/lib/common/us.awk" \
		-f "$here/lib/figures/gnuplot-text.awk" -f "$here/lib/figures/series.awk" -f "$series_script" "$@"
}

# differences_gp: prints the variables of figure differences, from the table of wakelat compare
differences_gp() {
	set --
	[ ! -e "$work/compare.tsv" ] || set -- "$work/compare.tsv"
	series_awk "$here/lib/figures/differences.awk" "$@"
}

# take_ranges: reads the file that range_value searches
take_ranges() {
	ranges=$(cat "$work/data/ranges.dat")
}

# range_value KEY: sets $range to the value in the output of figdata, or to nothing
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
	! grep -q "^$1_series = 0$" "$work/data/setup.gp"
}
