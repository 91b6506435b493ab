# SPDX-License-Identifier: GPL-2.0
# sets.sh - several recordings as arguments of one program (tools/answer/sets.h).
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh.

# Variables that other files set:
: "${here?the command}" "${tools?analysis.sh}" "${work?analysis.sh}" "${dir?directory.sh}" "${tab?directory.sh}" "${made?samples.sh}" "${checked?samples.sh}" \
	"${incomplete?convert.sh}"

# $where is a condition that samples have to meet.
# shellcheck source=scripts/lib/analysis/selection.sh
. "$here/lib/analysis/selection.sh"

# The number of recordings, and their directories, separated by TABs.
sets=0
set_dirs=

# Not empty: the command judges the recordings, which says whether samples are missing.
figures_judged=

# begin_sets: forgets all recordings. Their arguments are in $work/sets, one a line.
begin_sets() {
	sets=0
	set_dirs=
	: >"$work/sets" || cannot_write_temporary
}

# take_set: adds the recording $dir, or only its samples that meet $where
take_set() {
	sets=$((sets + 1))
	set_dirs=$set_dirs${set_dirs:+$tab}${dir#./}
	select_samples "$sets-"
	set -- -r "$dir/run.tsv"
	checked_name
	[ -z "$checked" ] || [ -n "$where$figures_judged" ] || set -- "$@" -c "$checked"
	made=$samples
	{ printf '%s\n' "$@" && with_samples set_arguments; } >>"$work/sets" 2>/dev/null || cannot_write_temporary
}

# set_arguments ARGUMENT...: prints the arguments of with_samples, one a line, but not run.tsv
set_arguments() {
	for set_argument; do
		[ "$set_argument" = "$dir/run.tsv" ] || printf '%s\n' "$set_argument" || return
	done
}

# with_sets COMMAND...: runs it with the arguments of all recordings
with_sets() {
	while IFS= read -r set_argument; do
		set -- "$@" "$set_argument"
	done <"$work/sets"
	"$@"
}

# compare_sets FORM: writes $work/compare.tsv, and prints how the recordings differ (tools/answer/compare.h). Ends with the program's status.
compare_sets() {
	: "${percentiles?stats-tables.sh}"
	set -- -f "$1"
	[ -z "$where" ] || set -- "$@" -w "$where"
	[ "$incomplete" = no ] || set -- "$@" -i
	with_sets "$tools/answer" compare "$@" -o "$work/compare.tsv" -p "$percentiles" -n "$set_dirs"
}
