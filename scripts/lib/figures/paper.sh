# SPDX-License-Identifier: GPL-2.0
# paper.sh - makes a directory with tables and figures for a paper.
# shellcheck shell=sh
#
# Needs message.sh, revision.sh, put-file.sh, analysis.sh, figures.sh.

# Variables that other files set:
: "${here?the command}" "${work?analysis.sh}" "${dir?directory.sh}" "${machine?figure-data.sh}" \
	"${names?figure-data.sh}" "${set_name?figure-data.sh}" "${tab?directory.sh}"

paper_tables='run stats stats-ci stats-reached stats-cpu stats-frequency stats-unknown doctor'

# paper_readme: prints a description of the directory
paper_readme() {
	cat <<END
Wake latency$machine: $(printf '%s\n' "$names" | sed "s/[,$tab]/, /g")

Written by wakelat report --paper, revision $(revision "$here"). Columns of the tables: Documentation/formats.md of
wakelat. Times in tables are ns, in figures µs.

figures/NAME.pdf, .svg          88 mm wide, one column
figures/NAME-180mm.pdf, .svg    180 mm wide, a whole page
figures/NAME.tex                text for LaTeX over the graph in NAME-graph.pdf; in the preamble
                                \\usepackage{graphicx,xcolor} \\graphicspath{{figures/}}, then \\input{figures/NAME}
figures/left-out.tsv            which figures are missing, and why
figures/caption.txt             the grey lines below the figures, for captions
END
}

# paper_of DIRECTORY NUMBER: copies the tables of $dir
paper_of() {
	for paper_table in $paper_tables; do
		paper_from=$dir/
		case $paper_table in
		stats*) paper_from=$work/$2- ;;
		esac
		[ -e "$paper_from$paper_table.tsv" ] || continue
		cp "$paper_from$paper_table.tsv" "$1/$paper_table.tsv" || return
	done
	for paper_table in "$work/$2"-extras/*.tsv; do
		[ ! -e "$paper_table" ] || cp "$paper_table" "$1/" || return
	done
	cp "$work/$2-verdict.tsv" "$1/verdict.tsv"
}

paper_parts() {
	mkdir "$work/paper/figures" && cp "$work/out/"* "$work/paper/figures/" || return
	cp "$work/lines.txt" "$work/paper/figures/caption.txt" || return
	[ ! -e "$work/compare.tsv" ] || cp "$work/compare.tsv" "$work/paper/" || return
	paper_readme >"$work/paper/README" || return
	paper_number=0
	for paper_recording; do
		paper_number=$((paper_number + 1))
		take_directory "$paper_recording"
		paper_place=$work/paper
		if [ $# -gt 1 ]; then
			name_of_set "$@"
			paper_place=$work/paper/$(printf '%s\n' "$set_name" | tr / _)
			mkdir "$paper_place" || return
		fi
		paper_of "$paper_place" "$paper_number" || return
	done
}

# write_paper OUTPUT DIRECTORY...: writes the whole directory OUTPUT or nothing
write_paper() {
	paper_output=$1
	shift
	[ ! -e "$paper_output" ] || die "${paper_output#./}: exists already"
	want_figures '' pdf,svg,tex 88mm,180mm
	draw_all
	mkdir "$work/paper" && paper_parts "$@" || cannot_write_temporary
	new_directory "$paper_output" "$work/paper"/*
}
