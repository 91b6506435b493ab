# SPDX-License-Identifier: GPL-2.0
# figure-data.sh - makes the input of the figures of one or more recordings: samples, names, dates,
# files for gnuplot.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh.

# Variables that other files set:
: "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${dir?directory.sh}" \
	"${samples_file?directory.sh}" "${made?samples.sh}" "${figures_tsv?figures.sh}" "${tab?directory.sh}" "${newline?directory.sh}"

# See take_recordings.
sets=0
names=
machine=
by_steps=
first_dir=
date_of_pdf=
: "$date_of_pdf"

# where: a condition that samples have to meet. linear: not empty if axes are to be linear.
where=
linear=

# take_recordings DIRECTORY...: takes their samples. Sets $dir to the first, $sets, $names,
# $machine, and $by_steps (not empty: launch distances by steps). Writes a line for figdata to
# $work/sets for each: khz, reached, samples.
take_recordings() {
	sets=0
	names=
	machine=
	by_steps=
	first_dir=
	printf '%s\n' "$@" >"$work/recordings" && : >"$work/sets" && : >"$work/advertised" || die "$work cannot be written"
	for recording; do
		take_directory "$recording"
		need_samples
		sets=$((sets + 1))
		names=$names${names:+"$(printf '\t')"}$(name_of_set "$@")
		# If one machine is emulated, the figure says so.
		[ -n "$machine" ] || machine=$(figure_note)
		[ "$(run_value ldist_mode)" != sweep ] || by_steps=-s
		cp "$dir/run.tsv" "$work/$sets-run.tsv" || die "$work cannot be written"
		take_samples "$sets"
		: "${first_dir:=$dir}"
	done
	dir=$first_dir
	take_pdf_date
}

# name_of_set DIRECTORY...: prints the name of $dir, or its path if several directories have that
# name
name_of_set() {
	set_name=$(data_set)
	set_names=0
	for set_directory; do
		[ "$(cd "$set_directory" && basename "$PWD")" != "$set_name" ] || set_names=$((set_names + 1))
	done
	[ "$set_names" -le 1 ] || set_name=${dir#./}
	printf '%s\n' "$set_name"
}

# take_samples N: adds the samples of $dir, recording number N, to $work/sets; only those that meet
# $where
take_samples() {
	samples=$made
	if [ -n "$where" ]; then
		! are_counts || die "$dir: counts have no single samples: --where, --first and --last are not possible"
		need_tools select
		samples=$work/$1-samples.tsv
		selected=$("$tools/select" -w "$where" "$dir/run.tsv" "$made" "$samples") || exit
		[ "${selected%% *}" != 0 ] || die "$dir: the condition excludes all of ${selected##* }"
	fi
	# The first interval begins at 0, which a logarithmic axis does not have.
	! are_counts || ! awk -F '\t' '$7 == "interval" { found = 1; exit } END { exit !found }' "$samples" || linear=yes
	reached=$(awk -F '\t' -f "$here/lib/analysis/counters.awk" "$dir/run.tsv" "$samples") || exit
	# Bins end at advertised latencies. Leave out values that cannot be a latency.
	sed -n 's/^state\.[0-9]*\.latency_ns	\([1-9][0-9]\{0,14\}\)$/\1/p' "$dir/run.tsv" >>"$work/advertised"
	printf '%s\t%s\t%s\n' "$(run_value tsc_khz)" "${reached:+state:$reached}" "$samples" >>"$work/sets"
}

# pdf_date: prints the date of the recording in seconds since 1970, or SOURCE_DATE_EPOCH
pdf_date() {
	case ${SOURCE_DATE_EPOCH-} in
	'' | *[!0-9]*) date=$(run_value date) ;;
	*) date=@$SOURCE_DATE_EPOCH ;;
	esac
	date -u -d "$date" +%s 2>/dev/null || printf '0\n'
}

# take_pdf_date: sets $date_of_pdf to the pdf_date of $dir
take_pdf_date() {
	date_of_pdf=$(pdf_date)
}

# figure_limits: prints what the figure says nothing about. This depends on the number of samples that
# the figure shows.
figure_limits() {
	set --
	while [ $# -lt $((2 * sets)) ]; do
		limits_of=$(($# / 2 + 1))
		awk -v set="$((limits_of - 1))" 'BEGIN { print "n" } $9 == set { print $4 }' "$work/data/states.dat" >"$work/$limits_of-n.tsv" ||
			die "$work cannot be written"
		set -- "$@" "$work/$limits_of-run.tsv" "$work/$limits_of-n.tsv"
	done
	names=$names awk -F '\t' -v brief=1 -f "$here/lib/analysis/limits.awk" "$@"
}

# setup_gp: prints the variables of style.gp, from run.tsv of each recording and the output of
# figdata
setup_gp() {
	limits=$(figure_limits) || exit
	set --
	while [ $# -lt "$sets" ]; do
		set -- "$@" "$work/$(($# + 1))-run.tsv"
	done
	data_files=
	for data_file in "$work/data"/*-*.dat; do
		[ ! -s "$data_file" ] || data_files="$data_files ${data_file##*/}"
	done
	limits=$limits by_steps=$by_steps linear=$linear machine=$machine names=$names where=$where \
		files=${data_files# } \
		awk -F '\t' -f "$here/lib/figures/gnuplot-text.awk" -f "$here/lib/figures/figures.awk" "$@" "$work/data/states.dat" "$work/data/ranges.dat" &&
		strata_gp
}

# figure_data WIDTH: writes the files that gnuplot reads to $work/data
figure_data() {
	rm -rf "$work/data"
	mkdir "$work/data" || die "$work cannot be written"
	set -- ${by_steps:+-s} ${linear:+-l} -w "${1%mm}" -o "$work/data"
	# The shell would skip an empty field between tabs.
	unit=$(printf '\037')
	tr '\t' '\037' <"$work/sets" >"$work/sets.read"
	while IFS=$unit read -r khz reached samples; do
		# The TSC frequency is unknown if the kernel's log no longer had it.
		[ "$khz" != - ] || khz=
		set -- "$@" ${khz:+-k "$khz"} ${reached:+-r "$reached"} "$samples"
	done <"$work/sets.read"
	while read -r advertised; do
		set -- -a "$advertised" "$@"
	done <"$work/advertised"
	"$tools/figdata" "$@" || exit
	{ tex='' setup_gp >"$work/data/setup.gp" && tex=1 setup_gp >"$work/data/setup-tex.gp"; } ||
		die "the figures cannot be prepared"
}

# tail_tables: prints the tables of wakelat tail, if they are known to be of all samples of the only
# recording
tail_tables() {
	[ "$sets" -eq 1 ] && [ -z "$where" ] && has_tail "$samples_file" || return 0
	awk -F '\t' '$2 == "samples" && $4 != "-" { print $4 }' "$figures_tsv" | while IFS= read -r tail_table; do
		[ ! -e "$dir/$tail_table" ] || printf '%s\n' "$dir/$tail_table"
	done
}

# strata_gp: prints more variables, from the tables of wakelat tail and compare
strata_gp() {
	tail_tables >"$work/tables"
	[ ! -e "$work/compare.tsv" ] || printf '%s\n' "$work/compare.tsv" >>"$work/tables"
	set --
	while IFS= read -r strata_table; do
		set -- "$@" "$strata_table"
	done <"$work/tables"
	# Without a file, awk would read the terminal.
	[ $# -gt 0 ] || set -- /dev/null
	data=$work/data awk -F '\t' -f "$here/lib/common/us.awk" -f "$here/lib/figures/gnuplot-text.awk" -f "$here/lib/figures/strata-figures.awk" "$@"
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

# has_series FAMILY: true if strata_gp has found a series
has_series() {
	! grep -q "^$1_series = 0$" "$work/data/setup.gp"
}
