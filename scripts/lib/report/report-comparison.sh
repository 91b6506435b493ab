# SPDX-License-Identifier: GPL-2.0
# report-comparison.sh - the part of the page that compares several recordings.
# shellcheck shell=sh
#
# Needs report.sh.

# Variables that other files set:
: "${work?analysis.sh}" "${names?figure-data.sh}" "${first_dir?figure-data.sh}"

# comparison DIRECTORY...: prints how they differ, in words and one picture
comparison() {
	html_awk html-compare "$work/compare.tsv" || return
	left=$#
	number=0
	while [ "$number" -lt "$left" ]; do
		number=$((number + 1))
		shift
		set -- "$@" "$work/$number-verdict.tsv"
	done
	names=$names html_awk html-picture "$@" || return
	[ ! -s "$work/differences" ] || list "$work/differences"
}

# joint_answer DIRECTORY...: if the recordings are of one machine, prints one answer for all of their sources,
# with one set of texts to paste. Sets $joint to the number of the recording that decides; "" if each
# recording has its own answer.
joint_answer() {
	joint_names=$names joint_left=$# joint_number=0
	while [ "$joint_number" -lt "$joint_left" ]; do
		joint_number=$((joint_number + 1))
		set -- "$@" "$1/run.tsv" "$work/$joint_number-verdict.tsv"
		shift
	done
	names=$joint_names html_awk html-joint "$@" >"$work/joint" || return
	joint=
	IFS= read -r joint <"$work/joint" || return 0
	: "$joint"
	sed 1d "$work/joint"
}

comparison_tables() {
	folded 'All differences'
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } !seen[$at["run_b"]]++ { print $at["run_b"] }' \
		"$work/compare.tsv" >"$work/compared"
	while IFS= read -r b; do
		table "$work/compare.tsv" "${first_dir#./} (A) and $b (B), µs" \
			'state;source;metric;statistic;n_a=N of A;n_b=N of B;a=A;b=B;difference=B − A;difference_pct=%;difference_low=95 %, from;difference_high=to;distinguishable' \
			'' "run_b=$b"
	done <"$work/compared"
	printf '<p>Distinguishable: the 95&nbsp;%% confidence interval of the difference does not contain 0. Minimum and maximum have no such interval.</p>\n'
	folded_end
}
