# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# looks.sh - simulate record --for-verdict with random samples, and count how often it is wrong. It tests the samples
# repeatedly while it records; each of these tests is a look.
#
# tests/fixtures/verdict-rates.c draws the samples. It decides with the bounds of wakelat verdict; same_rules shows that looks.awk,
# which record uses, decides the same. Some of the recordings are written to files and judged by wakelat verdict.

: "${top:?}" "${tmp:?}"

# for_verdict_has NAME: print a constant of for-verdict.sh
for_verdict_has() {
	sed -n "s/^$1=//p" "$top/scripts/lib/record/for-verdict.sh"
}

# look PERCENTILE LOOK [VARIABLE=VALUE]: call looks.awk as for-verdict.sh does
look() {
	awk -v percentile="$1" -v tail="$(for_verdict_has for_verdict_tail)" -v look="$2" ${3:+-v "$3"} \
		-f "$top/scripts/lib/common/enough.awk" -f "$top/scripts/lib/record/looks.awk"
}

# spread CPUS N OVER each|one|all: print N samples for each CPU, with OVER of them above the limit on each CPU, on one of them, or
# on all of them together
spread() {
	awk -v cpus="$1" -v n="$2" -v over="$3" -v how="$4" 'BEGIN {
		for (i = 0; i < cpus; i++)
			print i, n, how == "each" ? over : how == "one" ? (i ? 0 : over) : int((over + i) / cpus)
	}'
}

# first_over PERCENTILE LOOK N STILL LOW HIGH CPUS HOW: print the smallest number of longer samples, above LOW, for which the look's
# answer is none of the words in STILL
first_over() (
	low=$5 high=$6
	while [ $((high - low)) -gt 1 ]; do
		middle=$(((low + high) / 2))
		said=$(spread "$7" "$3" "$middle" "$8" | look "$1" "$2" judge=1)
		case " $4 " in
		*" ${said%% *} "*) low=$middle ;;
		*) high=$middle ;;
		esac
	done
	printf '%s\n' "$high"
)

# thresholds PERCENTILE CPUS: print a line for each look: the number of samples of each CPU, the largest number of longer samples on
# each CPU for the answer "kept", and the smallest on one CPU, and on all CPUs together, for "exceeded"
thresholds() {
	k=1
	while [ "$k" -le "$(for_verdict_has for_verdict_looks)" ]; do
		n=$(look "$1" "$k")
		not_kept=$(first_over "$1" "$k" "$n" kept -1 "$n" "$2" each)
		printf '%s\t%s\t%s\t%s\n' "$n" $((not_kept - 1)) "$(first_over "$1" "$k" "$n" "kept undecided" -1 "$n" "$2" one)" \
			"$(first_over "$1" "$k" "$n" "kept undecided" -1 $((n * $2)) "$2" all)"
		k=$((k + 1))
	done
}

# build_rates: build verdict-rates
build_rates() {
	cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I"$top/tools/analyse" -I"$top/tools/lib" -o "$tmp/verdict-rates" \
		"$top/tests/fixtures/verdict-rates.c" "$top/tools/analyse/analyse.a" "$top/tools/lib/lib.a" -lm
}

# same_rules PERCENTILE CPUS: print the thresholds of verdict-rates that differ from those of looks.awk
same_rules() {
	thresholds "$1" "$2" >"$tmp/thresholds"
	"$tmp/verdict-rates" rules "$2" "$(look "$1" 1)" "$1" 0 "$(for_verdict_has for_verdict_tail)" "$(for_verdict_has for_verdict_looks)" |
		diff "$tmp/thresholds" - | sed "s/^/p$1, $2 CPUs: /"
}

# looks_rows COUNT [TAIL [PERCENTILE]]: simulate COUNT recordings of each family and number of CPUs, and print a row for each: family, percentile,
# CPUs, recordings, kept, exceeded, undecided, wrong, wrong in %, and the average numbers of looks and of samples of each CPU
looks_rows() (
	count=$1 tail=${2:-$(for_verdict_has for_verdict_tail)} only=${3-}
	for percentile_cpus in '99 1 2 8 16 64' '99.9 1 2 8 16 64' '99.99 1 16'; do
		percentile=${percentile_cpus%% *}
		[ "${only:-$percentile}" = "$percentile" ] || continue
		n=$(look "$percentile" 1)
		for family in within at above all-above bad; do
			for cpus in ${percentile_cpus#* }; do
				"$tmp/verdict-rates" "$family" "$cpus" "$n" "$percentile" "$count" "$tail" "$(for_verdict_has for_verdict_looks)" |
					awk -F '\t' -v OFS='\t' -v about="$family p$percentile $cpus $count" '{
						gsub(" ", OFS, about)
						print about, $1, $2, $3, $4, sprintf("%.2f", 100 * $4 / ($1 + $2 + $3)), $5, $6 }'
			done
		done
	done
)

# looks_judged FAMILY CPUS PERCENTILE FIRST LAST: write recordings with the seeds FIRST to LAST, and run wakelat verdict on each.
# Print a line for each: the answer of the looks, the verdict, and how often its bounds may err, in %.
looks_judged() {
	judged_by_cpu "$1" "$2" "$(look "$3" 1)" "$3" "$4" "$5" "$(for_verdict_has for_verdict_looks)"
}
