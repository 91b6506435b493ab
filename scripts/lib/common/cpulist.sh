# SPDX-License-Identifier: GPL-2.0
# cpulist.sh - lists of CPUs as the kernel writes them: 0,2-5.
# shellcheck shell=sh
#
# Each result has two functions: one sets a variable, the other prints. $(...) starts a process, so
# use the first where each process costs time.

# Variables that functions of this file set:
without_cpus=
sorted_cpus=
words_list=
: "$without_cpus" "$sorted_cpus" "$words_list"

# expand_cpulist LIST: sets $expanded to its CPUs as words, in the order of LIST, and
# $expand_ascends to yes if they ascend, else to no. Fails if LIST is not such a list.
expand_cpulist() {
	expanded=
	expand_ascends=yes
	expand_before=-1
	expand_some=
	case $1 in
	'' | ,* | *, | *,,* | *[!0-9,-]*) return 1 ;;
	esac
	expand_rest=$1,
	while [ -n "$expand_rest" ]; do
		expand_range=${expand_rest%%,*}
		expand_rest=${expand_rest#*,}
		expand_cpu=${expand_range%%-*}
		expand_last=${expand_range#*-}
		case $expand_cpu in '' | ??????*) return 1 ;; esac
		case $expand_last in '' | *-* | ??????*) return 1 ;; esac
		# A leading zero would make it an octal number.
		while [ "$expand_cpu" != "${expand_cpu#0?}" ]; do
			expand_cpu=${expand_cpu#0}
		done
		[ "$expand_cpu" -le "$expand_last" ] || return 1
		[ "$expand_cpu" -gt "$expand_before" ] || expand_ascends=no
		expand_before=$expand_last
		while [ "$expand_cpu" -le "$expand_last" ]; do
			expand_some="$expand_some$expand_cpu "
			# Collect short texts first: appending to a long one takes time that
			# grows with its length.
			[ "${#expand_some}" -lt 2048 ] || {
				expanded=$expanded$expand_some
				expand_some=
			}
			expand_cpu=$((expand_cpu + 1))
		done
	done
	expanded=$expanded$expand_some
}

# cpulist_expand LIST: prints its CPUs, one a line, in the order of LIST. Fails if it is not such a
# list.
cpulist_expand() {
	expand_cpulist "$1" || return
	for expanded_cpu in $expanded; do
		printf '%d\n' "$expanded_cpu"
	done
}

# sort_cpulist LIST: sets $sorted_cpus to its CPUs as words, sorted, each once: 3,1-2 -> "1 2 3 ".
# Fails if it is not such a list.
sort_cpulist() {
	sorted_cpus=
	expand_cpulist "$1" || return
	sorted_cpus=$expanded
	[ "$expand_ascends" = yes ] || sorted_cpus=$(cpulist_expand "$1" | sort -nu | tr '\n' ' ')
}

# cpulist_sorted LIST: prints its CPUs as words: 3,1-2 -> 1 2 3
cpulist_sorted() {
	sort_cpulist "$1" && printf '%s' "$sorted_cpus"
}

# join_cpus WORDS: sets $words_list to the words, comma-separated: "1 2 3 " -> 1,2,3
join_cpus() {
	words_list=
	for words_cpu in $1; do
		words_list=$words_list,$words_cpu
	done
	words_list=${words_list#,}
}

# cpulist_of_words WORDS: prints the words, comma-separated
cpulist_of_words() {
	join_cpus "$1"
	printf '%s' "$words_list"
}

# subtract_cpus LIST LIST: sets $without_cpus to the CPUs of the first list that are not in the
# second, as words
subtract_cpus() {
	without_cpus=
	sort_cpulist "$1" || return 0
	for without_cpu in $sorted_cpus; do
		cpulist_has "$2" "$without_cpu" || without_cpus="$without_cpus$without_cpu "
	done
}

# cpulist_without LIST LIST: prints the CPUs of the first list that are not in the second, as words
cpulist_without() {
	subtract_cpus "$@"
	printf '%s' "$without_cpus"
}

# cpulist_has LIST CPU: succeed if LIST has CPU. It starts no process, because loops over hundreds
# of interrupts call it.
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
