# SPDX-License-Identifier: GPL-2.0
# selection.sh - the options --where, --first and --last of stats and tail, which select samples.
# shellcheck shell=sh
#
# Needs analysis.sh.

# Variables that other files set:
: "${dir?directory.sh}" "${made?samples.sh}" "${tools?analysis.sh}" "${work?analysis.sh}"

# The values of the options. The command sets $output.
where=
first=
last=
selected=

# take_selection OPTION VALUE: keeps the value of the option
take_selection() {
	case $1 in
	--where) where=$2 ;;
	--first) first=$2 ;;
	--last) last=$2 ;;
	esac
}

check_selection() {
	[ -z "$first" ] || [ -z "$last" ] || bad_usage "--first and --last exclude each other"
}

# keep_results: dies if --output is the recording itself. The tables there are of all samples, and
# nobody could tell that tables in their place are of a selection.
keep_results() {
	[ -z "$output" ] || ! same_file "$output" "$dir" ||
		die "${output#./}: --output: results of a selection cannot replace those of all samples: name another directory"
}

# select_samples [PREFIX]: sets $samples to the file with the selected samples, whose name begins with
# PREFIX. Sets $selected to "N of M" if an option was given.
select_samples() {
	samples=$made
	[ -n "$where$first$last" ] || return 0
	! are_counts || die "$dir: counts have no single samples: --where, --first and --last are not possible"
	need_tools select-samples
	samples=$work/${1-}samples.tsv
	selected=$("$tools/select-samples" ${where:+-w "$where"} ${first:+-f "$first"} ${last:+-l "$last"} \
		"$dir/run.tsv" "$made" "$samples") || exit
	[ "${selected%% *}" != 0 ] || die "$dir: the condition excludes all of ${selected##* }"
}

selection_note() {
	[ -z "$selected" ] || printf 'SELECTED: %s samples%s\n' "$selected" \
		"${where:+, where $where}${first:+, first $first of each state}${last:+, last $last of each state}"
}
