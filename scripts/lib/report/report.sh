# SPDX-License-Identifier: GPL-2.0
# report.sh - writes the page of recordings. The program tools/answer makes the HTML.
# shellcheck shell=sh
#
# Needs message.sh, directory.sh, revision.sh, analysis.sh, figures.sh.

# Variables that other files set:
: "${here?the command}" "${me?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${partial?results.sh}" \
	"${names?figure-data.sh}" "${revision_found?revision.sh}" "${dir?directory.sh}" \
	"${figure_page?figures.sh}" "${figure_caption?figures.sh}" "${figures_all?figures.sh}" "${draws?the command}"

# shellcheck source=scripts/lib/report/html.sh
. "$here/lib/report/html.sh"

# page_figures: draws the figures into $work/out, and lists them in $work/figures; $work/left-out says why others are
# missing
page_figures() {
	: "${no_gnuplot?figures.sh}"
	want_figures '' page 88mm
	if [ -n "$no_gnuplot" ]; then
		printf '%s\n' "$no_gnuplot" >"$work/left-out" || cannot_write_temporary
		return
	fi
	[ -d "$work/out" ] || mkdir "$work/out" || cannot_write_temporary
	# Without data for figures, the page has only numbers.
	if [ -z "$draws" ] && ! (read_figures 88mm) 2>"$work/no-figures"; then
		# Without a message, the disk was full.
		[ -s "$work/no-figures" ] || cannot_write_temporary
		grep -q 'nothing to draw$' "$work/no-figures" || {
			cat "$work/no-figures" >&2
			exit 1
		}
		sed 's/^[^:]*: //' "$work/no-figures" >"$work/left-out" || cannot_write_temporary
		return
	fi
	[ ! -e "$work/data/nothing" ] || {
		mv "$work/data/nothing" "$work/left-out" || cannot_write_temporary
		return
	}
	figure_data
	draw_figures 88mm
	left_out printf 'No figure %s: %s.\n' >"$work/left-out" && list_figures >"$work/figures" || cannot_write_temporary
}

# list_figures: prints the file and the caption of each figure that was drawn. Fails silently if they cannot be written.
list_figures() {
	list_ifs=$IFS
	list_status=0
	IFS=,
	for page_figure in $figures_all; do
		take_figure "$page_figure"
		[ ! -e "$work/out/$page_figure.$figure_page" ] || printf '%s\t%s\n' "$work/out/$page_figure.$figure_page" "$figure_caption" 2>/dev/null ||
			list_status=1
	done
	IFS=$list_ifs
	return "$list_status"
}

# extras_of NUMBER: writes what extras say about recording NUMBER to $work
extras_of() {
	: "${page_parts?the command}" "${page_details?the command}"
	verdict=$work/$1-verdict.tsv
	: "$verdict"
	[ -z "$page_parts" ] || for extras_part in $page_parts; do
		"$extras_part" || exit
	done >"$work/$1-extras.html"
	[ -z "$page_details" ] || for extras_part in $page_details; do
		"$extras_part" "$1" || exit
	done >"$work/$1-details.html"
}

# write_page FILE DIRECTORY...: writes the page to FILE
write_page() {
	: "${title?the command}" "${budget?verdict.sh}"
	page_file=$1
	shift
	page_number=0
	for page_recording; do
		shift
		page_number=$((page_number + 1))
		take_directory "$page_recording"
		extras_of "$page_number"
		set -- "$@" "$dir"
	done
	find_revision "$here"
	begin_in_place "$page_file"
	"$tools/answer" page ${budget:+-b} -w "$work" -N "$names" -t "$title" -p "$me" -r "$revision_found" -o "$partial" "$@" || exit
	finish "$page_file"
}
