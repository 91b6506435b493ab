#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# merge.sh - a job of the tree that merges the counts of a fleet, on whatever node is free.
#
# USAGE: (sbatch) merge.sh DIR WAKELAT LEVEL GROUP FAN
#
# Level 0 merges the counts of so many nodes, by name; level L so many files of the level below. Beside what it makes is a
# list of the nodes that are in it: who collects adds those that are not.

set -u
unset CDPATH
export LC_ALL=C
me="wakelat fleet merge (job ${SLURM_JOB_ID:-none})"

fleet=$1
wakelat=$2
level=$3
group=$4
fan=$5

# inputs: the files of this group, one a line
inputs() {
	first=$((group * fan + 1))
	last=$((first + fan - 1))
	if [ "$level" -eq 0 ]; then
		for node in "$fleet"/nodes/*/; do
			printf '%scounts\n' "$node"
		done | sed -n "$first,${last}p"
	else
		number=$first
		while [ "$number" -le "$last" ]; do
			printf '%s/merge/%s-%s.merged\n' "$fleet" $((level - 1)) $((number - 1))
			number=$((number + 1))
		done
	fi | while IFS= read -r file; do
		[ ! -e "$file" ] || printf '%s\n' "$file"
	done
}

# members FILE...: the nodes that are in them
members() {
	for file; do
		case $file in
		*/counts)
			node=${file%/counts}
			printf '%s\n' "${node##*/}"
			;;
		*) cat "${file%.merged}.nodes" ;;
		esac
	done
}

set --
while IFS= read -r file; do
	[ -z "$file" ] || set -- "$@" "$file"
done <<END
$(inputs)
END
[ $# -gt 0 ] || exit 0
name=$fleet/merge/$level-$group
trap 'rm -f "$name.partial.$$" "$name.nodes.$$"' EXIT
trap 'exit 143' TERM
"$wakelat" merge -q -o "$name.partial.$$" "$@"
status=$?
# 3: something was left out, which it has named.
[ "$status" -eq 0 ] || [ "$status" -eq 3 ] || {
	printf '%s: %s: wakelat merge ended with status %s\n' "$me" "$name.merged" "$status" >&2
	exit 1
}
members "$@" >"$name.nodes.$$" && mv "$name.nodes.$$" "$name.nodes" && mv "$name.partial.$$" "$name.merged"
