# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# verdicts.sh - make random recordings, run wakelat verdict on each, and compare its answers with the truth.

: "${top:?}"

# judge_recordings FIRST LAST DIRECTORY: make recordings FIRST to LAST in DIRECTORY, which has mkverdict. Run wakelat verdict on
# each, and print the lines of verdicts.awk and judge_pastes: one for each answer.
judge_recordings() (
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
			"$top/tools/bin/answer" verdict -f "paste:$target" -p "$percentile" -b "$budget" "$work/run.tsv" "$work/samples.tsv" \
				>"$work/$target" 2>"$work/said"
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

# verdict_tables COUNTED RECORDINGS: write the rows of count_judged into Documentation/how-it-works.md
verdict_tables() {
	awk -F '\t' -v OFS='\t' '
		BEGIN { print "limit", "verdicts", "kept", "exceeded", "undecided", "wrong" }
		$1 == "budget" || $1 == "advertised" { print $1 ", " $2, $3, $4, $5, $6, $7 ": " $8 " %" }' "$1" >"$1.verdicts" &&
		awk -F '\t' -v OFS='\t' -v recordings="$2" '
			BEGIN { print "answer", "of", "number", "wrong" }
			$1 == "limit" && $2 != "none" { named += $3; wrong += $7; at_most = $2 }
			$1 == "table" { tables += $3; refused += $7 }
			END {
				print "latency limit for the budget", recordings " recordings", named + 0, wrong + 0
				print "table for intel_idle", recordings " recordings", tables + 0, refused + 0
			}' "$1" >"$1.limits" &&
		rewrite_table "$1.verdicts" verdicts "$top/Documentation/how-it-works.md" &&
		rewrite_table "$1.limits" limits "$top/Documentation/how-it-works.md"
	verdict_tables_status=$?
	rm -f "$1.verdicts" "$1.limits"
	return "$verdict_tables_status"
}

# rates_rows COUNT TAIL: simulate COUNT recordings of each family of verdict-rates.c, judged CPU by CPU, with bounds that err with
# TAIL ppm. Print a row for each: family, percentile, CPUs, samples of each CPU, recordings, kept, exceeded, undecided, wrong, wrong
# in %. "few" in a family: each CPU has fewer samples than the percentile needs, so all CPUs are judged together.
rates_rows() (
	: "${tmp:?}"
	for percentile_n in 99:2000 99.9:20000 99:200 99.9:2000; do
		percentile=${percentile_n%:*} n=${percentile_n#*:} few=
		case $percentile_n in 99:200 | 99.9:2000) few=few- ;; esac
		for family in within at above all-above; do
			# The verdict on all CPUs together says nothing about one of them.
			[ "$few$family" != few-above ] || continue
			for cpus in 1 2 8 16; do
				"$tmp/verdict-rates" "$family" "$cpus" "$n" "$percentile" "$1" "$2" |
					awk -F '\t' -v OFS='\t' -v about="$few$family $percentile $cpus $n $1" '{
						gsub(" ", OFS, about)
						print about, $1, $2, $3, $4, sprintf("%.2f", 100 * $4 / ($1 + $2 + $3)) }'
			done
		done
	done
)

# judged_by_cpu FAMILY CPUS N PERCENTILE FIRST LAST [LOOKS]: write recordings with the seeds FIRST to LAST, and run wakelat verdict on
# each. Print a line for each: the answer of verdict-rates, the verdict, the number of samples it counts, its exit status, and the
# number of looks and how often a bound may err in %.
judged_by_cpu() (
	directory=$tmp/recording.$5
	mkdir -p "$directory" || exit
	seed=$5
	while [ "$seed" -le "$6" ]; do
		said=$("$tmp/verdict-rates" "$1" "$2" "$3" "$4" "$seed" "$directory" ${7:+"$7"}) || exit
		printf '%s\t%s\n' key value format 1 source hrtimer cpus "0-$(($2 - 1))" emulated no driver intel_idle state.0.name POLL \
			state.0.latency_ns 0 state.1.name C1 state.1.latency_ns 2000 ${7:+run.1.state C1 run.1.looks "${said#*	}"} >"$directory/run.tsv"
		"$top/scripts/wakelat" verdict -q -p "$4" -b 50us "$directory" >"$directory/said" 2>&1
		status=$?
		awk -F '\t' -v said="$said" -v status="$status" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ split(said, part, "\t"); print part[1] "\t" $at["budget_verdict"] "\t" $at["effective_n"] "\t" status "\t" part[2] "\t" $at["error_pct"] }' \
			"$directory/verdict.tsv"
		seed=$((seed + 1))
	done
	rm -rf "$directory"
)
