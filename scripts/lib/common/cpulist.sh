# SPDX-License-Identifier: GPL-2.0
# cpulist.sh - lists of CPUs as the kernel writes them: 0,2-5.
# shellcheck shell=sh

# cpulist_expand LIST: print its CPUs, one a line, in the order of LIST. Fail if it is not such a list.
cpulist_expand() {
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
		[ "$expand_cpu" -le "$expand_last" ] || return 1
		while [ "$expand_cpu" -le "$expand_last" ]; do
			printf '%d\n' "$expand_cpu"
			expand_cpu=$((expand_cpu + 1))
		done
	done
}

# cpulist_sorted LIST: 3,1-2 -> 1 2 3, as words
cpulist_sorted() {
	sorted_cpus=$(cpulist_expand "$1") || return
	case $1 in
	*,*) sorted_cpus=$(printf '%s\n' "$sorted_cpus" | sort -nu) ;;
	esac
	for sorted_cpu in $sorted_cpus; do
		printf '%s ' "$sorted_cpu"
	done
}

# cpulist_of_words WORDS: "1 2 3 " -> 1,2,3
cpulist_of_words() {
	words_list=
	for words_cpu in $1; do
		words_list=$words_list,$words_cpu
	done
	printf '%s' "${words_list#,}"
}

# cpulist_without LIST LIST: the CPUs of the first list that are not in the second, as words
cpulist_without() {
	for without_cpu in $(cpulist_sorted "$1"); do
		cpulist_has "$2" "$without_cpu" || printf '%d ' "$without_cpu"
	done
}

# cpulist_has LIST CPU: succeed if LIST has CPU. It starts no process, because loops over hundreds of interrupts call it.
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
