# SPDX-License-Identifier: GPL-2.0
# page.sh - a part of the page of wakelat report: the latencies beyond the longest sample.
# shellcheck shell=sh

# Variables that other files set:
: "${page_extra?the command}" "${here?the command}" "${work?analysis.sh}" "${page_details=}" "${page_analyses=}" \
	"${page_with=}"

tail_page=${page_extra%/*}
page_details="$page_details recording_tail"
page_analyses="$page_analyses analyse_tail"
page_with="$page_with tail"

# analyse_tail NUMBER: with --with tail, write the tables of wakelat tail. It takes longer than all the
# rest, and needs packages that few machines have.
analyse_tail() {
	: "${with?the command}" "${dir?directory.sh}"
	if are_counts; then
		printf 'counts have no order, and the tail cannot be judged without it: give wakelat tail the samples.\n' \
			>"$work/$1-no-tail"
		return
	fi
	if [ "$with" != tail ]; then
		printf 'use wakelat report --with tail, which takes a minute and R.\n' >"$work/$1-no-tail"
		return
	fi
	"$tail_page/tail" -q -o "$work/$1-extras" "$dir" 2>"$work/tail-said"
	tail_status=$?
	if [ "$tail_status" -eq 4 ]; then
		sed 's/^wakelat tail: //; q' "$work/tail-said" >"$work/$1-no-tail"
		return
	fi
	cat "$work/tail-said" >&2
	made_by_us "$tail_status"
}

# recording_tail NUMBER: prints what is known about the tail
recording_tail() {
	folded 'The tail: latencies beyond the longest sample'
	tail_parts "$1" && folded_end
}

# tail_parts NUMBER: prints the result of wakelat tail, or why there is none
tail_parts() {
	if [ -s "$work/$1-no-tail" ]; then
		IFS= read -r no_tail <"$work/$1-no-tail"
		case $no_tail in
		*[!\ A-Za-z0-9_.,:\;+%/\(\)-]*) no_tail=$(printf '%s\n' "$no_tail" | escaped) ;;
		esac
		printf '<p>Not there: %s</p>\n' "$no_tail"
		return
	fi
	awk -F '\t' -f "$here/lib/common/us.awk" -f "$tail_page/html.awk" -f "$tail_page/heavy.awk" -f "$tail_page/html-tail.awk" \
		"$tail_page/coverage.tsv" "$work/$1-extras/tail.tsv"
	table "$work/$1-extras/tail.tsv" 'Generalised Pareto distribution over a threshold; times in µs' \
		'state;source;reached;metric;n;max_ns=max;result;failed=failed gates;threshold_ns=threshold;exceedances;shape;shape_low=shape from;shape_high=shape to;level_ns=level;level_low_ns=level from;level_high_ns=level to'
}
