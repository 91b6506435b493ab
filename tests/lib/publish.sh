# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# publish.sh - write the table of a benchmark, and check that its values are within their bounds.

: "${top:?}"

# publish NAME: write the table on stdin to out/bench/NAME.tsv and print it. If the table has a column "bound" (-, yes, 10, <=10,
# < 3, >= 8), name each value that is not within its bound on stderr, and fail if there is one.
publish() {
	mkdir -p "$top/out/bench" && cat >"$top/out/bench/$1.tsv.partial" &&
		mv "$top/out/bench/$1.tsv.partial" "$top/out/bench/$1.tsv" && cat "$top/out/bench/$1.tsv" || {
		printf 'bench/%s: %s cannot be written\n' "$1" "$top/out/bench/$1.tsv" >&2
		return 1
	}
	# A value that is not a number was not measured, and is outside of any numeric bound.
	awk -F '\t' -v name="$1" '
		function within(value, bound,  number) {
			if (bound == "-" || value == bound)
				return 1
			if (value !~ /^-?[0-9]*[.]?[0-9]+$/)
				return 0
			number = bound
			sub(/^[<>=]+ */, "", number)
			if (bound ~ /^<=/) return value + 0 <= number + 0
			if (bound ~ /^>=/) return value + 0 >= number + 0
			if (bound ~ /^</) return value + 0 < number + 0
			return value + 0 == number + 0
		}
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; if (!("bound" in at)) exit; next }
		!within($at["value"], $at["bound"]) {
			printf "bench/%s: %s is %s %s: not %s\n", name, $at["quantity"], $at["value"], $at["unit"], $at["bound"] | "cat >&2"
			beyond = 1
		}
		END { exit beyond }' "$top/out/bench/$1.tsv"
}
