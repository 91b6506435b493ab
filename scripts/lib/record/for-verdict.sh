# SPDX-License-Identifier: GPL-2.0
# for-verdict.sh - record --for-verdict: records each state until its samples show whether the state
# keeps a limit.
# shellcheck shell=sh
#
# A state is recorded in several runs. Each run after the first doubles the number of samples. A
# test (a "look", see looks.awk) follows each run, once the state has been measured for a minimum
# time: a test that comes before the first slow episode cannot see it. So the number of samples at each test is fixed
# before, and no CPU is needed to watch a run.
#
# Needs message.sh, units.sh, journal.sh, sysfs.sh, run-file.sh, and start_run of record-runs.sh, which calls run_for_verdict.

# Variables that other files set:
: "${found_index?cpuidle.sh}" "${status_value?tracefs.sh}"

# Variables that other files set:
: "${here?the command}" "${filter_clean?tracefs.sh}" "${filter_irqs_off?tracefs.sh}" "${filter_irqs_on?tracefs.sh}" \
	"${instance?recorder.sh}"

for_verdict_ns=
# The percentile and the allowed error, in millionths, are those of wakelat verdict. A verdict after
# several tests errs no more often.
for_verdict_percentile=99.9
for_verdict_tail=50000
# A state is measured for so many seconds at least, so that what comes five times in this time is seen.
for_verdict_least_s=60
# The largest number of tests that a state has had
for_verdict_tests=0
# Without --samples, stop after so many tests. The last has 64 times as many samples as the first.
for_verdict_looks=7

# take_for_verdict TIME[:PERCENTILE[:DURATION]]: sets $for_verdict_ns, $for_verdict_percentile and
# $for_verdict_least_s, or dies.
take_for_verdict() {
	for_verdict_ns=$(time_ns "${1%%:*}") && [ "$for_verdict_ns" -gt 0 ] ||
		bad_usage "--for-verdict: '${1%%:*}' is not a time with its unit, e.g. 50us"
	case $1 in
	*:*:*)
		for_verdict_percentile=${1#*:}
		for_verdict_least_s=$(duration_s "${for_verdict_percentile#*:}") ||
			bad_usage "--for-verdict: '${for_verdict_percentile#*:}' is not a whole number of s, m or h"
		for_verdict_percentile=${for_verdict_percentile%%:*}
		;;
	*:*) for_verdict_percentile=${1#*:} ;;
	esac
	for_verdict_percentile=${for_verdict_percentile#p}
	[ "$for_verdict_percentile" != max ] ||
		bad_usage "--for-verdict: no number of samples can show a maximum: name a percentile, e.g. ${1%%:*}:99.99"
	for_verdict_whole=$(scaled "$for_verdict_percentile" 4) && [ "$for_verdict_whole" -ge 500000 ] && [ "$for_verdict_whole" -le 999999 ] ||
		bad_usage "--for-verdict: '$for_verdict_percentile' is not a percentage from 50 to 99.9999"
}

# looks VARIABLE=VALUE...: runs looks.awk with these variables
looks() {
	for looks_variable; do
		set -- "$@" -v "$looks_variable"
		shift
	done
	awk -v percentile="$for_verdict_percentile" -v tail="$for_verdict_tail" "$@" -f "$here/lib/common/enough.awk" \
		-f "$here/lib/record/looks.awk"
}

# for_verdict_samples: prints the maximum number of samples of a state, on all CPUs together. This is
# the number at the last test.
for_verdict_samples() {
	looks "look=$for_verdict_looks"
}

# for_verdict_begin: sets two histogram triggers in our instance. One counts clean samples, the
# other clean samples above the limit. The order of their keys tells the two apart.
for_verdict_begin() {
	: "${intr_offset?record-options.sh}"
	for_verdict_event=$instance/events/wakelat/wakelat_sample
	# dump later subtracts this offset from all latencies, so it is added to the limit here. A
	# time that dump subtracts only from some samples is ignored.
	for_verdict_more=$((for_verdict_ns + intr_offset))
	for_verdict_longer="($filter_irqs_off && wake_latency > $for_verdict_more) || ($filter_irqs_on && intr_latency > $for_verdict_more)"
	write_value "$for_verdict_event/trigger" "hist:keys=run,state if $filter_clean" &&
		write_value "$for_verdict_event/trigger" "hist:keys=state,run if $filter_clean && ($for_verdict_longer)"
}

# for_verdict_count KEYS STATE: prints the count of the trigger with these keys, for the runs from
# $for_verdict_first on
for_verdict_count() {
	awk -v keys="$1" -v state="$2" -v first="$for_verdict_first" '
		/^# trigger info: / { here = index($0, "hist:keys=" keys) > 0 }
		here && /^\{/ {
			gsub(/[{}:,]/, " ")
			split("", of)
			for (i = 1; i < NF; i++)
				of[$i] = $(i + 1)
			if (of["state"] == state && of["run"] >= first)
				n += of["hitcount"]
		}
		END { printf "%.0f\n", n }' "$for_verdict_event/hist"
}

# run_for_verdict STATE: makes runs until the verdict is decided, or there are enough samples. Sets
# $reason.
run_for_verdict() {
	: "${samples?session-options.sh}" "${run_first_cpu?record-runs.sh}" "${run_cpus?record-runs.sh}" "${ldist_min?session-options.sh}" "${ldist_max?session-options.sh}"
	find_state "$run_first_cpu" "$1"
	for_verdict_index=$found_index
	read_status run
	for_verdict_first=$((status_value + 1))
	for_verdict_look=0
	for_verdict_done=0
	for_verdict_of=
	[ "$run_cpus" -eq 1 ] || for_verdict_of=" (all CPUs together)"
	# The number of samples that takes the shortest time that a state is measured
	for_verdict_least=$((for_verdict_least_s * 1000000000 / ((ldist_min + ldist_max) / 2) * run_cpus))
	while :; do
		for_verdict_look=$((for_verdict_look + 1))
		for_verdict_next=$(looks "look=$for_verdict_look")
		[ "$for_verdict_next" -le "$samples" ] || for_verdict_next=$samples
		# Divide the samples among the CPUs, and round up.
		run_limit=$(((for_verdict_next - for_verdict_done + run_cpus - 1) / run_cpus))
		run_set "max_samples $run_limit"
		start_run no "$run_limit" no
		: "${reason?record-watch.sh}" "${ended_number?record-runs.sh}"
		run_is_whole "$reason" || break
		for_verdict_done=$for_verdict_next
		for_verdict_n=$(for_verdict_count run,state "$for_verdict_index")
		for_verdict_over=$(for_verdict_count state,run "$for_verdict_index")
		for_verdict_said=undecided
		# The last test is made in any case.
		[ "$for_verdict_n" -eq 0 ] || { [ "$for_verdict_done" -lt "$for_verdict_least" ] && [ "$for_verdict_done" -lt "$samples" ]; } ||
			for_verdict_said=$(looks "look=$for_verdict_look" "n=$for_verdict_n" "over=$for_verdict_over")
		[ "$for_verdict_look" -le "$for_verdict_tests" ] || for_verdict_tests=$for_verdict_look
		fact "run.$ended_number.looks" "$for_verdict_look"
		fact "run.$ended_number.verdict" "$for_verdict_said"
		say "$1: $for_verdict_over of $for_verdict_n samples longer than $for_verdict_ns ns: p$for_verdict_percentile $for_verdict_said$for_verdict_of"
		[ "$for_verdict_said" = undecided ] && [ "$for_verdict_next" -lt "$samples" ] || break
	done
	run_set "max_samples $samples"
}

# for_verdict_note: with several CPUs, says that the tests differ from wakelat verdict, and how many samples it needs
for_verdict_note() {
	: "${cpu_count?record-choices.sh}"
	[ "$cpu_count" -gt 1 ] && [ "$for_verdict_tests" -gt 0 ] || return 0
	say "The tests judged all CPUs together, like verdict --pooled. verdict judges each CPU by itself: p$for_verdict_percentile needs at least $(looks "look=$for_verdict_tests" each=1) samples of each CPU. To test each CPU, record one at a time (--cpu)."
}
