# SPDX-License-Identifier: GPL-2.0
# answer.sh - show the answers of a directory, and draw the figures.
# shellcheck shell=sh
#
# Needs analysis.sh, json.sh.

: "${here?the command}" "${extra?the command}" "${tools?analysis.sh}" "${status_incomplete?analysis.sh}"

# answer_of DIR: print the answers of an earlier call, and exit
answer_of() {
	[ -f "$1/residency.tsv" ] && [ -f "$1/run.tsv" ] || die "$1 has no residency.tsv and run.tsv: it was not made by wakelat residency"
	must_trust directory "$1" "copy it to a directory of your own"
	must_trust files "$1/run.tsv" "copy it to a directory of your own"
	must_trust files "$1/residency.tsv" "copy it to a directory of your own"
	need_tools check-tables
	"$tools/check-tables" "$1/residency.tsv" "$1/run.tsv" || exit 1
	awk -F '\t' 'NR == 1 { columns = NF; whole = $1 == "shallow" && $NF == "why" } NF != columns { whole = 0 } END { exit !(whole && NR > 1) }' \
		"$1/residency.tsv" || die "$1/residency.tsv is cut off, or not of wakelat residency: copy it again, or measure again"
	make_work
	[ ! -e "$1/residency-points.tsv" ] || must_trust files "$1/residency-points.tsv" "copy it to a directory of your own"
	[ ! -e "$1/residency-points.tsv" ] || "$tools/check-tables" "$1/residency-points.tsv" || exit 1
	draw_pairs "$1"
	answer_from "$1"
}

# answer_here: print the answers of this call, and exit
answer_here() {
	: "${output?session-options.sh}"
	answer_from "$output"
}

# answer_from DIR: print the answers in DIR as the options ask, and exit: 3 if a pair has none
answer_from() {
	: "${work?analysis.sh}" "${paste?the command}" "${mail?the command}" "${json?the command}" "${quiet?message.sh}"
	if [ "$quiet" = yes ]; then
		: >"$work/text"
	elif [ "$json" = yes ]; then
		json_document residency "$1/run.tsv" states "$1/residency.tsv" >"$work/text" || exit 1
	elif [ "$paste" = cmdline ]; then
		paste_table "$1"
	elif [ "$paste" = c ]; then
		awk -F '\t' -f "$extra/hunk.awk" "$1/run.tsv" "$1/residency.tsv" >"$work/text" || die "$1: no state has an answer"
	else
		mail=$mail awk -F '\t' -f "$extra/table.awk" "$1/run.tsv" "$1/residency.tsv" >"$work/table" || exit 1
		fold -s -w 80 "$work/table" | sed 's/ *$//' | shown >"$work/text"
	fi
	cat "$work/text" || exit 1
	! awk -F '\t' 'NR > 1 && $5 != "done" { found = 1 } END { exit !found }' "$1/residency.tsv" || exit "$status_incomplete"
	exit 0
}

# paste_table DIR: write intel_idle.table= with the measured residencies to $work/text, or die
paste_table() {
	need_tools answer
	awk -F '\t' -v OFS='\t' 'BEGIN { print "state", "residency_ns" } NR > 1 && $5 == "done" { print $2, sprintf("%.0f000", $9 / 1000) }' \
		"$1/residency.tsv" >"$work/measured" || cannot_write_temporary
	"$tools/answer" idle-table "$1/run.tsv" "$work/measured" >"$work/text" || die "$1: no intel_idle.table: $(cat "$work/text")"
}

# draw_pairs DIR: draw the figure of each pair into DIR/figures, unless DIR has them, or gnuplot is not installed
draw_pairs() {
	draw_to=$(cd "$1" && pwd) || return
	[ ! -e "$draw_to/figures" ] && [ -w "$draw_to" ] && [ -f "$draw_to/residency-points.tsv" ] || return 0
	command -v gnuplot >/dev/null && [ -d "$here/../gnuplot" ] || return 0
	draw_style=$(cd "$here/../gnuplot" && pwd) || return
	create_directory "$draw_to/figures"
	awk -F '\t' 'NR > 1 && $5 == "done" { print $1, $2 }' "$draw_to/residency.tsv" | while read -r shallow deep; do
		draw_name=residency-$(printf '%s-%s' "$shallow" "$deep" | tr -c 'A-Za-z0-9_.-' _)
		rm -rf "$work/draw"
		mkdir "$work/draw" && (cd "$work/draw" && shallow=$shallow deep=$deep awk -F '\t' -f "$here/lib/figures/gnuplot-text.awk" -f "$extra/figure.awk" \
			"$draw_to/run.tsv" "$draw_to/residency.tsv" "$draw_to/residency-points.tsv" >setup.gp) || continue
		for draw_kind in svg pdf png; do
			(cd "$work/draw" && gnuplot -c "$extra/residency.gp" "$draw_kind" "$draw_to/figures/$draw_name.$draw_kind" "$draw_style" 88) \
				>"$work/said" 2>&1 || {
				rm -f "$draw_to/figures/$draw_name.$draw_kind"
				warn "no figure $draw_name.$draw_kind: $(grep . "$work/said" | tail -n 1)"
			}
		done
	done
}
