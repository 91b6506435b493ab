# SPDX-License-Identifier: GPL-2.0
# figures.sh - drawing the figures of one or more recordings.
# shellcheck shell=sh
# shellcheck disable=SC2154  # $here, $work and so on: from the caller and analysis.sh
#
# The caller sets $gnuplot_files, and says with want_figures what is to be drawn. Needs message.sh and analysis.sh.

# The list of all figures. figure: its name, that of gnuplot/NAME.gp and of its files; of: what it is drawn of; needs: words
# of why_not; inputs: tables beside samples.tsv and run.tsv; page: as what it is in a report, under its caption.
figures_tsv=$here/lib/figures/figures.tsv

# figures_of WHAT: those that are drawn of samples, histogram, ..., joined by commas
figures_of() {
	awk -F '\t' -v of="$1" '$2 == of { printf "%s%s", comma, $1; comma = "," }' "$figures_tsv"
}

# figure_cell FIGURE COLUMN: "-" is nothing
figure_cell() {
	awk -F '\t' -v figure="$1" -v column="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
		$1 == figure && $at != "-" { print $at }' "$figures_tsv"
}

figures_all=$(figures_of samples)
# shellcheck disable=SC2034  # for the caller
kinds_all=pdf,svg,png,tex kinds_default=pdf,svg,png widths_all=88mm,180mm

# A condition that samples have to meet; and whether axes are to be linear.
where=
linear=

# want_figures FIGURES KINDS WIDTHS: no FIGURES are all for which there is data; of kind "page", each is of the
# kind that page_kinds says
want_figures() {
	figures=$1
	kinds=$2
	widths=$3
}

# take_recordings DIRECTORY...: their samples; sets $dir to the first, $sets, $names, $machine, $sweep (not empty:
# launch distances by steps). What figdata is to read goes into $work/sets, a line each: khz, reached, samples.
take_recordings() {
	sets=0
	names=
	machine=
	sweep=
	first_dir=
	printf '%s\n' "$@" >"$work/recordings" && : >"$work/sets" && : >"$work/advertised" || die "$work cannot be written"
	for recording; do
		take_directory "$recording"
		need_samples
		sets=$((sets + 1))
		names=$names${names:+"$(printf '\t')"}$(name_of_set "$@")
		# One that is emulated makes the figure so.
		[ -n "$machine" ] || machine=$(figure_note)
		[ "$(run_value ldist_mode)" != sweep ] || sweep=-s
		cp "$dir/run.tsv" "$work/$sets-run.tsv" || die "$work cannot be written"
		take_samples "$sets"
		: "${first_dir:=$dir}"
	done
	dir=$first_dir
	date_of_pdf=$(pdf_date)
}

# name_of_set DIRECTORY...: the name of $dir; its path if another is called the same
name_of_set() {
	set_name=$(data_set)
	set_names=0
	for set_directory; do
		[ "$(cd "$set_directory" && basename "$PWD")" != "$set_name" ] || set_names=$((set_names + 1))
	done
	[ "$set_names" -le 1 ] || set_name=${dir#./}
	printf '%s\n' "$set_name"
}

# take_samples N: those of $dir, or what $where leaves of them
take_samples() {
	samples=$dir/samples.tsv
	if [ -n "$where" ]; then
		need_tools select
		samples=$work/$1-samples.tsv
		selected=$("$tools/select" -w "$where" "$dir/run.tsv" "$dir/samples.tsv" "$samples") || exit
		[ "${selected%% *}" != 0 ] || die "$dir: no sample is left of ${selected##* }"
	fi
	reached=$(awk -F '\t' -f "$here/lib/analysis/counters.awk" "$dir/run.tsv" "$samples") || exit
	# What cannot be a latency is nothing that a bin has to end at.
	sed -n 's/^state\.[0-9]*\.latency_ns	\([1-9][0-9]\{0,14\}\)$/\1/p' "$dir/run.tsv" >>"$work/advertised"
	printf '%s\t%s\t%s\n' "$(run_value tsc_khz)" "${reached:+state:$reached}" "$samples" >>"$work/sets"
}

# up_to_date: are the figures of $dir newer than what they depend on?
up_to_date() (
	IFS=,
	for width in $widths; do
		for figure in ${figures:-$figures_all}; do
			for kind in $kinds; do
				drawn=$dir/figures/$figure$(suffix "$width").$kind
				[ -n "$figures" ] || [ ! -e "$dir/figures/left-out.tsv" ] ||
					! grep -q "^$figure	" "$dir/figures/left-out.tsv" || drawn=$dir/figures/left-out.tsv
				for table in $(figure_cell "$figure" inputs); do
					[ ! -e "$dir/$table" ] || ! outdated "$drawn" "$dir/$table" || exit 1
				done
				! outdated "$drawn" "$dir/samples.tsv" "$dir/run.tsv" "$gnuplot_files/$figure.gp" \
					"$gnuplot_files/style.gp" "$gnuplot_files/series.gp" "$gnuplot_files/key.gp" "$tools/figdata" || exit 1
			done
		done
	done
)

# suffix WIDTH: of a figure's name
suffix() {
	[ "$1" = 88mm ] || printf -- '-%s\n' "$1"
}

# pdf_date: of the recording, in seconds since 1970, or what the environment says
pdf_date() {
	case ${SOURCE_DATE_EPOCH-} in
	'' | *[!0-9]*) date=$(run_value date) ;;
	*) date=@$SOURCE_DATE_EPOCH ;;
	esac
	date -u -d "$date" +%s 2>/dev/null || printf '0\n'
}

# setup_gp: the variables of style.gp, from run.tsv of each recording and what figdata has found
setup_gp() {
	set --
	while [ $# -lt "$sets" ]; do
		set -- "$@" "$work/$(($# + 1))-run.tsv"
	done
	sweep=$sweep linear=$linear machine=$machine names=$names where=$where \
		files=$(cd "$work/data" && find . -name '*-*.dat' -size +0 | sed 's,^\./,,' | paste -sd ' ' -) \
		awk -F '\t' -f "$here/lib/figures/gnuplot-text.awk" -f "$here/lib/figures/figures.awk" "$@" "$work/data/states.dat" "$work/data/ranges.dat" &&
		strata_gp
}

# prepare WIDTH: $work/data
prepare() {
	rm -rf "$work/data"
	mkdir "$work/data" || die "$work cannot be written"
	set -- ${sweep:+-s} ${linear:+-l} -w "${1%mm}" -o "$work/data"
	# Not tabs alone between the fields: an empty one would be skipped.
	unit=$(printf '\037')
	tr '\t' '\037' <"$work/sets" >"$work/sets.read"
	while IFS=$unit read -r khz reached samples; do
		set -- "$@" ${khz:+-k "$khz"} ${reached:+-r "$reached"} "$samples"
	done <"$work/sets.read"
	while read -r advertised; do
		set -- -a "$advertised" "$@"
	done <"$work/advertised"
	"$tools/figdata" "$@" || exit
	{ tex='' setup_gp >"$work/data/setup.gp" && tex=1 setup_gp >"$work/data/setup-tex.gp"; } ||
		die "the figures cannot be prepared"
}

# tail_tables: those that are there, and are of all samples of one recording
tail_tables() {
	[ "$sets" -eq 1 ] && [ -z "$where" ] || return 0
	awk -F '\t' '$2 == "samples" && $4 != "-" { print $4 }' "$figures_tsv" | while IFS= read -r tail_table; do
		[ ! -e "$dir/$tail_table" ] || outdated "$dir/$tail_table" "$dir/samples.tsv" || printf '%s\n' "$dir/$tail_table"
	done
}

# strata_gp: more variables, of what other commands have found: of the tail, of differences
strata_gp() {
	tail_tables >"$work/tables"
	[ ! -e "$work/compare.tsv" ] || printf '%s\n' "$work/compare.tsv" >>"$work/tables"
	set --
	while IFS= read -r strata_table; do
		set -- "$@" "$strata_table"
	done <"$work/tables"
	# The rest would be read from the terminal.
	[ $# -gt 0 ] || set -- /dev/null
	data=$work/data awk -F '\t' -f "$here/lib/common/us.awk" -f "$here/lib/figures/gnuplot-text.awk" -f "$here/lib/figures/strata-figures.awk" "$@"
}

# draw FIGURE KIND WIDTH: as if at $date_of_pdf, so that the same input makes the same bytes. gnuplot may call an empty
# figure a success, and warn. That a key is large says nothing about the data.
draw() {
	base=$1$(suffix "$3")
	result=$base.$2
	# LaTeX's text names the file of its graph beside it.
	[ "$2" != tex ] || result=$base-graph.tex
	need_tools settime.so
	# In the directory itself: a path in LD_PRELOAD has no spaces and colons.
	[ -e "$work/data/settime.so" ] || ln -s "$tools/settime.so" "$work/data/" || die "$work cannot be written"
	if ! (cd "$work/data" && LC_ALL=C.UTF-8 TZ=UTC SOURCE_DATE_EPOCH=$date_of_pdf \
		LD_PRELOAD=./settime.so${LD_PRELOAD:+:$LD_PRELOAD} exec gnuplot -d -c "$gnuplot_files/$1.gp" "$2" "$result" \
		"$gnuplot_files" "${3%mm}") >"$work/said" 2>&1 </dev/null ||
		grep -v 'difficulty fitting plot titles into key' "$work/said" | grep -Eiq 'warning|undefined|empty' || [ ! -s "$work/data/$result" ]; then
		die "figure $base.$2: gnuplot says: $(grep -v '^[[:space:]^]*$' "$work/said" | head -n 3 | tr -s ' \t\n' ' ')"
	fi
	if [ "$2" = tex ]; then
		mv "$work/data/$base-graph.pdf" "$work/out/" || die "$work cannot be written"
	fi
	mv "$work/data/$result" "$work/out/$base.$2" || die "$work cannot be written"
}

has_range() {
	grep -q "^$1	" "$work/data/ranges.dat"
}

range_value() {
	awk -F '\t' -v key="$1" '$1 == key { print $2; exit }' "$work/data/ranges.dat"
}

# has_series FAMILY: has strata_gp found any?
has_series() {
	! grep -q "^$1_series = 0$" "$work/data/setup.gp"
}

# lacks NEED FIGURE: why this data is not what the need asks for; nothing if it is
lacks() {
	case $1 in
	one) [ "$sets" -eq 1 ] || printf 'one recording at a time\n' ;;
	several) [ "$sets" -gt 1 ] || printf 'several recordings have differences\n' ;;
	silent) has_range silent_low || printf 'the samples have no silent_time\n' ;;
	cells) [ "$(range_value cells_high)" != 0 ] || printf 'too few samples lie together; silent-time shows each\n' ;;
	residency)
		has_range residency_low ||
			printf 'the samples have no residency counter (cc6_cyc...), or run.tsv no tsc_khz\n'
		;;
	shares)
		[ "$(range_value any_shares)" != 0 ] && has_range silent_low ||
			printf 'the samples have no residency counters\n'
		;;
	cpus) [ "$(range_value cpu_low)" != "$(range_value cpu_high)" ] || printf 'one CPU was measured\n' ;;
	compared)
		if [ -n "$where" ]; then
			printf 'wakelat compare is of all samples\n'
		elif ! has_series difference; then
			printf 'the recordings have no state in common\n'
		fi
		;;
	tail)
		if [ -n "$where" ]; then
			printf 'wakelat tail was of all samples\n'
		elif ! grep -q "/$(figure_cell "$2" inputs)$" "$work/tables"; then
			printf 'there is no new %s: run wakelat tail first\n' "$(figure_cell "$2" inputs)"
		elif ! has_series "${2#tail-}"; then
			printf 'no tail could be fitted\n'
		fi
		;;
	esac
}

# why_not FIGURE: why it cannot be drawn of this data, by the first of its needs; nothing if it can
why_not() (
	IFS=,
	for need in $(figure_cell "$1" needs); do
		lacks "$need" "$1"
	done | head -n 1
)

# kinds_of FIGURE: in a page, each as what is smaller
kinds_of() {
	if [ "$kinds" = page ]; then
		page_kinds "$1"
	else
		printf '%s\n' "$kinds"
	fi
}

write_left_out() (
	IFS=,
	printf 'figure\treason\n'
	for figure in $figures_all; do
		reason=$(why_not "$figure")
		[ -z "$reason" ] || printf '%s\t%s\n' "$figure" "$reason"
	done
)

draw_figures() (
	IFS=,
	for figure in ${figures:-$figures_all}; do
		reason=$(why_not "$figure")
		if [ -n "$reason" ]; then
			[ -z "$figures" ] || die "figure $figure cannot be drawn: $reason"
			continue
		fi
		for kind in $(kinds_of "$figure"); do
			draw "$figure" "$kind" "$1"
		done
	done
)

# compare_recordings: for the figure of their differences; $work/compare.tsv may be there
compare_recordings() {
	[ "$sets" -gt 1 ] && [ -z "$where" ] && [ ! -e "$work/compare.tsv" ] || return 0
	set --
	while IFS= read -r recording; do
		set -- "$@" "$recording"
	done <"$work/recordings"
	"$here/commands/compare" -q -o "$work/compare.tsv" "$@" 2>/dev/null
	# 4, 5: they differ, or that is open
	case $? in
	0 | "$status_incomplete" | 4 | 5) ;;
	*) rm -f "$work/compare.tsv" ;;
	esac
}

draw_all() {
	mkdir "$work/out" || die "$work cannot be written"
	compare_recordings
	for width in $(printf '%s' "$widths" | tr , ' '); do
		prepare "$width"
		draw_figures "$width" || exit
	done
	write_left_out >"$work/out/left-out.tsv" || die "$work cannot be written"
}

# install_figures DIRECTORY: all of them or none, as a new figure beside an old one would mislead. Renaming needs
# no space.
install_figures() {
	figures_parent=${1%/*}
	[ -n "$output" ] || [ ! -L "$1" ] || die "${1#./}: a symbolic link is in the place of the directory of the figures: remove it"
	must_trust place "$1" "draw into a directory of your own"
	mkdir -p "${figures_parent:-/}" 2>/dev/null && make_partial "$1" && cp "$work"/out/* "$placing" 2>/dev/null && mkdir -p "$1" 2>/dev/null ||
		die "${1#./} cannot be written: no space, or no permission"
	must_trust place "$1" "draw into a directory of your own"
	for figure_file in "$placing"/*; do
		check_place "$1/${figure_file##*/}"
	done
	for figure_file in "$placing"/*; do
		mv -fT "$figure_file" "$1/${figure_file##*/}" || die "${1#./} cannot be written"
	done
	rm -rf "$placing"
	placing=
}

# figures_in DIRECTORY: those that were asked for and are there
figures_in() (
	IFS=,
	comma=
	for figure in ${figures:-$figures_all}; do
		for file in "$1/$figure."* "$1/$figure-"[0-9]*; do
			[ -e "$file" ] || continue
			printf '%s%s' "$comma" "$figure"
			comma=,
			break
		done
	done
)

# report_left_out DIRECTORY
report_left_out() {
	[ -z "$figures" ] || return 0
	sed 1d "$1/left-out.tsv" >"$work/left-out"
	while IFS="$(printf '\t')" read -r figure reason; do
		say "no figure $figure: $reason"
	done <"$work/left-out"
}
