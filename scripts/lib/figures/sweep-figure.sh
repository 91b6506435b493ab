# SPDX-License-Identifier: GPL-2.0
# sweep-figure.sh - draws the figure of a sweep: DIR/figures/sweep.*
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh, figures.sh.

# Variables that other files set:
: "${here?the command}" "${work?analysis.sh}" "${place?results.sh}" "${kinds?figures.sh}" "${widths?figures.sh}" \
	"${machine_note?directory.sh}"

# is_sweep DIRECTORY: true if it is a directory of wakelat sweep
is_sweep() {
	[ -e "$1/sweep.tsv" ] && [ -e "$1/setup.tsv" ] && [ ! -e "$1/run.tsv" ]
}

# sweep_setup TEX: prints setup.gp for the figure; TEX is not empty for LaTeX
sweep_setup() {
	note_machine guest
	tex=$1 data=$work/data/sweep.dat machine=$machine_note limits=$(limits_line "$sweep_dir/sweep.tsv" 1) \
		note="$(run_value source) · $sweep_name · $(run_value revision)" awk -F '\t' -f "$here/lib/figures/gnuplot-text.awk" \
		-f "$here/lib/figures/sweep-figure.awk" "$dir/run.tsv" "$sweep_dir/sweep.tsv"
}

# check_sweep_directory DIRECTORY: checks it in the same way as take_directory checks a recording
check_sweep_directory() {
	dir=$1
	must_trust directory "$dir" "run this as its owner; wakelat import -o COPY copies one of its points"
	check_files
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
	: "$date_of_pdf"
}

# draw_sweep DIRECTORY: draws the figure of all points. The machine is the same for all, so one
# run.tsv describes it.
draw_sweep() {
	take_place "$1"
	sweep_dir=$place
	check_sweep_directory "$sweep_dir"
	sweep_name=$(cd -- "$sweep_dir" && basename "$PWD")
	first_point=$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "directory") at = i; next }
		{ print $at; exit }' "$sweep_dir/sweep.tsv")
	case $first_point in
	*/* | . | ..) die "$1/sweep.tsv: '$first_point' is not the name of a point's directory" ;;
	esac
	dir=$sweep_dir/$first_point
	[ ! -d "$dir" ] || check_sweep_directory "$dir"
	[ -n "$first_point" ] && [ -r "$dir/run.tsv" ] || die "$1/sweep.tsv: has no points that exist"
	take_pdf_date
	mkdir "$work/data" "$work/out" || cannot_write_temporary
	sweep_setup '' >"$work/data/setup.gp" && sweep_setup 1 >"$work/data/setup-tex.gp" ||
		die "$1/sweep.tsv: no point has samples"
	for width in $(printf '%s' "$widths" | tr , ' '); do
		for kind in $(printf '%s' "$kinds" | tr , ' '); do
			draw sweep "$kind" "$width"
		done
	done
	install_figures "${output:-$sweep_dir/figures}"
	where_to=${output:-$sweep_dir/figures}
	say "${where_to#./} has the figure sweep as $kinds"
}
