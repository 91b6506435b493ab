# SPDX-License-Identifier: GPL-2.0
# verdict.sh - what is asked for a verdict, and its table.
# shellcheck shell=sh
#
# Needs analysis.sh, samples.sh, units.sh.

# Variables that other files set:
: "${tools?analysis.sh}" "${dir?directory.sh}" "${data_set?directory.sh}" "${samples_file?directory.sh}" "${made?samples.sh}" \
	"${incomplete?convert.sh}" "${status_incomplete?analysis.sh}" "${checked?samples.sh}" "${scaled_number?units.sh}" "${option?options.sh}"

# The latency budget in ns, and the percentile that decides; empty: none, the default.
budget=
percentile=
default_percentile=99.9
# See make_verdict.
verdict_parts=
# yes: judge all CPUs together
pooled=
: "$default_percentile"

# take_budget TIME: sets $budget, the value of $option
take_budget() {
	scale_time "$1" && [ "$scaled_number" -gt 0 ] || bad_usage "$option: '$1' is not a time with its unit, e.g. 50us"
	budget=$scaled_number
}

# take_percentile P: sets $percentile, the value of $option
take_percentile() {
	case $1 in
	max) ;;
	*[!0-9.]* | *.*.* | .* | *.) bad_usage "$option: '$1' is not a percentage, or max" ;;
	*) awk -v p="$1" 'BEGIN { exit !(p > 0 && p < 100) }' || bad_usage "$option: '$1' is not a percentage between 0 and 100, or max" ;;
	esac
	percentile=$1
}

# answer_verdict FORM [OPTION]...: judge the samples of $made or of the traces, and print the answer in this form. Ends with the status
# of the verdict.
answer_verdict() {
	need_tools answer
	answer_form=$1
	shift
	[ -z "$budget" ] || set -- "$@" -b "$budget"
	[ -z "$percentile" ] || set -- "$@" -p "$percentile"
	[ "$incomplete" = no ] || set -- "$@" -i
	set -- verdict -f "$answer_form" ${pooled:+-a} "$@" -n "$data_set" -d "${dir#./}"
	checked_name
	with_samples "$tools/answer" "$@" ${checked:+-c "$checked"} -s "${checked:-$samples_file}"
}

# make_verdict [OPTION]...: writes the verdict to $verdict_parts-verdict.tsv, and what a page says of it to further files
# (tools/answer/parts.c)
make_verdict() {
	answer_verdict parts "$@" -o "$verdict_parts"
	case $? in
	0 | 4 | 5) ;;
	"$status_incomplete") incomplete=yes ;;
	*) exit 1 ;;
	esac
}
