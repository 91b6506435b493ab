# SPDX-License-Identifier: GPL-2.0
# cpulist.sh - lists of CPUs as the kernel writes them: 0,2-5.
# shellcheck shell=sh

# cpulist_expand LIST: prints one CPU a line, in order, each once. Fails if it is not such a list.
cpulist_expand() (
	case $1 in
	'' | ,* | *, | *,,* | *[!0-9,-]*) exit 1 ;;
	esac
	IFS=,
	for range in $1; do
		first=${range%%-*}
		last=${range#*-}
		case $first in '' | ??????*) exit 1 ;; esac
		case $last in '' | *-* | ??????*) exit 1 ;; esac
		[ "$first" -le "$last" ] || exit 1
		while [ "$first" -le "$last" ]; do
			printf '%d\n' "$first"
			first=$((first + 1))
		done
	done
)

# cpulist_sorted LIST: 3,1-2 -> 1 2 3, as words
cpulist_sorted() (
	cpus=$(cpulist_expand "$1") || exit
	printf '%s\n' "$cpus" | sort -nu | tr '\n' ' '
)

# cpulist_join CPU...: 1 2 3 -> 1,2,3
cpulist_join() (
	IFS=,
	printf '%s\n' "$*"
)

# cpulist_of_words WORDS: "1 2 3 " -> 1,2,3
cpulist_of_words() {
	printf '%s' "$1" | sed 's/^ *//; s/ *$//; s/  */,/g'
}

# cpulist_without LIST LIST: the CPUs of the first list that are not in the second, as words
cpulist_without() (
	without=,$(cpulist_expand "$2" | tr '\n' ,)
	for cpu in $(cpulist_sorted "$1"); do
		case $without in
		*,"$cpu",*) ;;
		*) printf '%d ' "$cpu" ;;
		esac
	done
)

# cpulist_has LIST CPU: is it in the list? Without a process, for loops over hundreds of interrupts.
cpulist_has() {
	cpulist_ifs=$IFS
	cpulist_found=1
	IFS=,
	for cpulist_range in $1; do
		[ "${cpulist_range%%-*}" -gt "$2" ] || [ "${cpulist_range#*-}" -lt "$2" ] || {
			cpulist_found=0
			break
		}
	done 2>/dev/null
	IFS=$cpulist_ifs
	return "$cpulist_found"
}
