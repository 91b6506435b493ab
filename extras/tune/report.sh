# SPDX-License-Identifier: GPL-2.0
# report.sh - print the results of a search: tables, cost, and lines that make the limit
# permanent.
# shellcheck shell=sh
#
# Needs points.sh, knobs.sh, cpuidle.sh, runtsv.sh.

# Variables that other files set:
: "${here?the command}" "${extra?the command}" "${me?the command}" "${work_dir?journal.sh}" "${percentile?points.sh}" "${cpu_name?runtsv.sh}"

# report_needs: check that the variables with the results of the search are set
report_needs() {
	: "${budget?tune}" "${cpu?tune}" "${output?tune}" "${tried_poll?tune}" "${limit_chosen?tune}" "${interval_chosen?tune}"
	: "${interval_min?tune}" "${interval_max?tune}" "${cyclictest_s?tune}" "${cyclictest_there?verify.sh}"
}

# c_snippet LIMIT_US: print C code with which an application holds this limit
c_snippet() {
	sed "s/^#define LATENCY_LIMIT_US .*/#define LATENCY_LIMIT_US $1/" "$extra/latency-limit.inc"
}

# The targets of wakelat verdict --paste
paste_targets="systemd tuned udev sysfs qos cpupower crio"

# pasted TARGET LIMIT_US: print the text of wakelat verdict --paste TARGET for this limit
pasted() {
	for pasted_run in "$output/limits"/*/run.tsv; do
		break
	done
	"$here/../tools/bin/answer" paste "$me" "$1" "$pasted_run" "$2" "$budget" "$percentile"
}

# write_pastes LIMIT_US: write a file for each target, completely or not at all
write_pastes() {
	for paste_target in $paste_targets; do
		pasted "$paste_target" "$1" >"$work_dir/paste" || return
		publish_in "$work_dir/paste" "$output/limit-$paste_target.txt"
	done
}

# permanent_lines LIMIT_US: print the file for systemd, and name the files for the other targets. The
# user should use only one of them: of two, somebody might later change only one.
permanent_lines() {
	printf '\nTo make the limit permanent for all CPUs, install this systemd service:\n\n'
	pasted systemd "$1" | sed 's/^./    &/'
	cat <<END

Or use one of $output/limit-*.txt instead:
  $(printf '%s' "$paste_targets" | sed 's/^systemd //; s/ /, /g')
An application can hold the limit only while it needs it: see the C code in $output/latency-limit.c
END
}

# cost VALUE: print the cost of this limit against no limit
cost() {
	awk -F '\t' -v chosen="$1" -f "$extra/cost.awk" "$output/limits/sweep.tsv"
}

# how_decided: print which statistic decides
how_decided() {
	if [ "$percentile" = max ]; then
		printf 'the maximum of each state'
	elif ! awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "worst_by") at = i; next }
		$at ~ /^p/ { found = 1 } END { exit !found }' "$output/limits/sweep.tsv"; then
		printf 'the maximum of each state: too few samples for p%s' "$percentile"
	else
		printf 'p%s of each state, or its maximum if there are too few samples (column "worst state")' "$percentile"
	fi
}

# not_confirmed STEP: print the values whose verification exceeded the budget, separated by commas
not_confirmed() {
	awk -F '\t' -v step="$1" '$1 == step && $10 == "exceeded" { printf "%s%s", comma++ ? "," : "", $3 }' "$work_dir/tune"
}

# interval_result: print the result of the search for intervals
interval_result() {
	case $interval_chosen in
	not-searched) return ;;
	'') printf '\nWithout a limit, the budget is exceeded even if the CPU never idles longer than %s us.\n' "$(shifted "$interval_min" 3)" ;;
	*)
		printf '\nWithout a limit, the budget is also kept if the CPU never idles longer than %s us' \
			"$(shifted "$interval_chosen" 3)"
		[ "$interval_chosen" -lt "$interval_max" ] || printf ' (nothing longer was tried)'
		printf '.\n'
		;;
	esac
	printf '\n'
	print_points "$output/intervals" "$budget" "$(not_confirmed interval-check)"
}

# bound_text [ADDITION]: print what a second recording has shown about the limit
bound_text() {
	set -- "${1-}"
	: "${limit_verified?tune}" "${limit_bound?tune}"
	read -r bound_text_high bound_text_n bound_text_needed bound_text_doubt bound_text_effective <<END
$limit_bound
END
	case $limit_verified-$percentile in
	kept-*)
		printf 'Verified by a second recording%s: p%s of its %s wake-ups is %s us at most, with 95 %% probability,\n' "$1" \
			"$percentile" "$bound_text_n" "$(shifted "$bound_text_high" 3)"
		printf 'if each cause of delays occurs at least every %s wake-ups.\n' $((bound_text_n / 5))
		;;
	*-max) printf 'UNDECIDED: a second recording%s did not exceed the budget, but no number of samples can show a maximum.\n' "$1" ;;
	*)
		printf 'UNDECIDED: a second recording%s did not exceed the budget, but ' "$1"
		if [ "$bound_text_effective" -lt "$bound_text_needed" ] && [ "$bound_text_needed" -le "$bound_text_n" ]; then
			printf 'its wake-ups depend on each other:\n%s of them count as at least %s independent ones, and p%s needs %s (try -n %s).\n' \
				"$bound_text_n" "$bound_text_effective" "$percentile" "$bound_text_needed" \
				$(((bound_text_n * bound_text_needed + bound_text_effective - 1) / bound_text_effective))
		else
			printf '%s wake-ups are too few or too near\n' "$bound_text_n"
			printf 'the budget to show with 95 %% probability that it is kept (p%s needs at least %s; -n).\n' "$percentile" "$bound_text_needed"
		fi
		;;
	esac
	case $bound_text_doubt in
	clusters) printf 'DOUBT: the longest wake-ups of that recording come in clusters, so this may be wrong more often.\n' ;;
	drift) printf 'DOUBT: the latencies changed during that recording, so the next one may differ.\n' ;;
	esac
}

verification() {
	if [ "$cyclictest_s" -eq 0 ]; then
		bound_text
		printf 'cyclictest was left out.\n'
	elif [ "$cyclictest_there" = no ]; then
		bound_text
		printf 'NOT verified with cyclictest: it is missing or failed (Debian: rt-tests).\n'
	else
		bound_text ' and cyclictest'
	fi
}

# print_result: print the whole report
print_result() {
	report_needs
	read_cpu "$cpu"
	printf 'Latency budget %s us%s: CPU %s, %s\n' "$(shifted "$budget" 3)" "$(run_note "$output/limits")" "$cpu" "$cpu_name"
	printf 'Interrupt latency in us, decided by %s.\n\n' "$(how_decided)"
	print_points "$output/limits" "$budget" "$(not_confirmed limit-check)"
	printf '\n'
	case $limit_chosen in
	'')
		printf 'NO LIMIT KEEPS THE BUDGET'
		[ "$tried_poll" = no ] || printf ', not even polling (limit 0)'
		printf '.\n'
		[ "$tried_poll" = yes ] ||
			printf 'Not tried: limit 0, with which the CPU polls and never sleeps (--no-poll).\n'
		return
		;;
	none) printf 'No limit is needed: every state keeps the budget.\n' ;;
	*) printf 'The largest limit that keeps the budget: %s us.\n' "$limit_chosen" ;;
	esac
	verification
	[ "$limit_chosen" = none ] || cost "$limit_chosen"
	interval_result
	[ "$limit_chosen" = none ] || permanent_lines "$limit_chosen"
}
