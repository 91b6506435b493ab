# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# verdicts.sh - make random recordings, run wakelat verdict on each, and compare its answers with the truth.

: "${top:?}"

# judge_recordings FIRST LAST DIRECTORY: make recordings FIRST to LAST in DIRECTORY, which has mkverdict. Run wakelat verdict on
# each, and print the lines of verdicts.awk and judge_pastes: one for each answer.
judge_recordings() (
	lib=$top/scripts/lib
	work=$3/$1
	mkdir "$work" || exit
	seed=$1
	while [ "$seed" -le "$2" ]; do
		"$3/mkverdict" "$seed" "$work" >"$work/asked"
		read -r percentile budget <"$work/asked"
		"$top/scripts/wakelat" verdict -q -p "$percentile" -b "${budget}ns" "$work" 2>"$work/said"
		status=$?
		if [ -s "$work/said" ] || [ ! -e "$work/verdict.tsv" ]; then
			printf 'recording %s\t-\t%s\tWRONG\n' "$seed" "$(head -n 1 "$work/said")"
		fi
		awk -F '\t' -v OFS='\t' -v status="$status" -v budget="$budget" -f "$top/tests/lib/verdicts.awk" "$work/truth.tsv" \
			"$work/run.tsv" "$work/verdict.tsv"
		for target in cmdline sysfs; do
			awk -F '\t' -v target="$target" -f "$lib/common/quote.awk" -f "$lib/verdict/limit.awk" \
				-f "$lib/verdict/idle-table.awk" -f "$lib/verdict/paste.awk" \
				"$work/run.tsv" "$work/verdict.tsv" >"$work/$target"
			printf '%s\n' $? >"$work/$target-status"
		done
		judge_pastes "$work" "$seed"
		rm -f "$work/verdict.tsv"
		seed=$((seed + 1))
	done
)

# judge_pastes DIRECTORY RECORDING: compare the texts of verdict --paste with the kernel's rules and with the verdict
judge_pastes() {
	if [ "$(cat "$1/cmdline-status")" = 0 ]; then
		why=$(awk -F '\t' -f "$top/tests/lib/intel-idle.awk" "$1/run.tsv" "$1/cmdline")
		[ -z "$why" ] || printf 'table\trefused\trecording %s: %s\tWRONG\n' "$2" "$why"
		[ -n "$why" ] || printf 'table\taccepted\t-\tright\n'
	fi
	limit=$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["limit_us"]; exit }' "$1/verdict.tsv")
	pasted=$(sed -n 's/^for .*resume_latency_us; do echo \([^ ]*\) >.*/\1/p' "$1/sysfs")
	[ "$limit" != 0 ] || limit=n/a
	[ "$limit" != - ] || limit=
	[ "$limit" = "$pasted" ] || printf 'paste\t-\trecording %s: %s for %s\tWRONG\n' "$2" "$pasted" "$limit"
}

# count_judged: read the lines of judge_recordings, and print a row for each subject and distance:
# subject, distance, number of lines, of answers "kept", "exceeded" and "undecided", of wrong
# answers, and wrong answers in %.
count_judged() {
	awk -F '\t' -v OFS='\t' '
		{ key = $1 OFS $2; n[key]++; said[key, $3]++; wrong[key] += $4 == "WRONG" }
		function times(what) { return said[key, what] + 0 }
		END {
			for (key in n)
				print key, n[key], times("kept"), times("exceeded"), times("undecided"), wrong[key],
					sprintf("%.2f", 100 * wrong[key] / n[key])
		}' | sort
}
