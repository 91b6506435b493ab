# SPDX-License-Identifier: GPL-2.0
# for-verdict.sh - record --for-verdict: records each state until its samples show whether the state
# keeps a limit.
# shellcheck shell=sh
#
# A state is recorded in several runs. Each run after the first doubles the number of samples of each
# CPU. A test of each CPU by itself (a "look", see looks.awk) follows each run, once the state has been measured for a minimum
# time: a test that comes before the first slow episode cannot see it. So the number of samples at each test is fixed
# before, and no CPU is needed to watch a run.
#
# Needs message.sh, units.sh, journal.sh, sysfs.sh, run-file.sh, and start_run of record-runs.sh, which calls run_for_verdict.

# Variables that other files set:
: "${found_index?cpuidle.sh}" "${here?the command}" "${work_dir?journal.sh}" "${write_error?sysfs.sh}" "${filter_clean?tracefs.sh}" "${filter_irqs_off?tracefs.sh}" "${filter_irqs_on?tracefs.sh}" \
	"${instance?recorder.sh}" "${for_verdict_ns?record-options.sh}" "${for_verdict_pooled?record-options.sh}"

# The percentile and the allowed error, in millionths, are those of wakelat verdict. A verdict after
# several tests errs no more often.
for_verdict_percentile=99.9
for_verdict_tail=50000
# A state is measured for so many seconds at least, so that what comes five times in this time is seen.
for_verdict_least_s=60
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

# for_verdict_samples: prints the maximum number of samples of a state and CPU. This is the number at
# the last test.
for_verdict_samples() {
	looks "look=$for_verdict_looks"
}

# for_verdict_announce: says how many samples a state takes, and how long this takes
for_verdict_announce() {
	: "${samples?session-options.sh}" "${cpu_count?record-choices.sh}" "${plan_runs?record-plan.sh}"
	for_verdict_shares "$cpu_count"
	for_verdict_look=1
	while for_verdict_next=$(looks "look=$for_verdict_look") && [ "$for_verdict_next" -lt "$for_verdict_least" ] &&
		[ "$for_verdict_next" -lt "$samples" ]; do
		for_verdict_look=$((for_verdict_look + 1))
	done
	[ "$for_verdict_next" -le "$samples" ] || for_verdict_next=$samples
	for_verdict_of="of the CPU"
	[ "$cpu_count" -eq 1 ] || for_verdict_of="of each CPU, because each of the $cpu_count CPUs is judged by itself"
	[ "$for_verdict_share" -eq 1 ] || for_verdict_of="of the $cpu_count CPUs together, because they are judged together (--pooled)"
	say "--for-verdict: a state takes $for_verdict_next to $samples samples $for_verdict_of; about $(for_verdict_s "$for_verdict_next") to $(for_verdict_s "$samples") s per state, $plan_runs state$([ "$plan_runs" -eq 1 ] || printf s)"
}

# for_verdict_s SAMPLES: prints how long so many samples of a state take, in s, without the time between launch distances
for_verdict_s() {
	printf '%s\n' $((($1 / for_verdict_share * (for_verdict_distance / 1000) + 999999) / 1000000))
}

# for_verdict_shares CPUS: sets the number of CPUs that share the samples of a test, the mean launch
# distance in ns, and the number of samples that takes the shortest time that a state is measured
for_verdict_shares() {
	: "${ldist_min?session-options.sh}" "${ldist_max?session-options.sh}"
	for_verdict_share=1
	[ -z "$for_verdict_pooled" ] || for_verdict_share=$1
	for_verdict_distance=$(((ldist_min + ldist_max) / 2))
	for_verdict_least=$((for_verdict_least_s * 1000000000 / for_verdict_distance * for_verdict_share))
}

# for_verdict_begin: sets two histogram triggers in our instance. One counts the clean samples of each
# CPU, the other its clean samples above the limit. The order of their keys tells the two apart.
for_verdict_begin() {
	: "${intr_offset?record-options.sh}"
	for_verdict_event=$instance/events/wakelat/wakelat_sample
	# dump later subtracts this offset from all latencies, so it is added to the limit here. A
	# time that dump subtracts only from some samples is ignored.
	for_verdict_more=$((for_verdict_ns + intr_offset))
	for_verdict_longer="($filter_irqs_off && wake_latency > $for_verdict_more) || ($filter_irqs_on && intr_latency > $for_verdict_more)"
	for_verdict_triggers ''
}

# for_verdict_triggers WORD: sets the triggers. With WORD :clear, empties them, so that they only count
# the next state, and do not run out of entries.
for_verdict_triggers() {
	write_value "$for_verdict_event/trigger" "hist:keys=common_cpu,state$1 if $filter_clean" &&
		write_value "$for_verdict_event/trigger" "hist:keys=state,common_cpu$1 if $filter_clean && ($for_verdict_longer)"
}

# for_verdict_counts STATE: prints a line for each CPU of the run, or with --pooled one for all of
# them: CPU, clean samples of the state, and those above the limit. Fails if the kernel has dropped samples.
for_verdict_counts() {
	awk -v state="$1" -v list="$for_verdict_cpus" -v pooled="$for_verdict_pooled" '
		/^# trigger info: / { over = index($0, "hist:keys=state,common_cpu") > 0 }
		/^\{/ {
			gsub(/[{}:,]/, " ")
			split("", of)
			for (i = 1; i < NF; i++)
				of[$i] = $(i + 1)
			if (of["state"] == state)
				count[over, of["common_cpu"]] += of["hitcount"]
		}
		$1 == "Dropped:" { dropped += $2 }
		END {
			cpus = split(list, cpu, " ")
			for (i = 1; i <= cpus; i++) {
				n += count[0, cpu[i]]
				longer += count[1, cpu[i]]
				if (!pooled)
					printf "%s %.0f %.0f\n", cpu[i], count[0, cpu[i]], count[1, cpu[i]]
			}
			if (pooled)
				printf "all %.0f %.0f\n", n, longer
			exit dropped > 0
		}' "$for_verdict_event/hist"
}

# run_for_verdict STATE: makes runs until the verdict is decided, or there are enough samples. Sets
# $reason.
run_for_verdict() {
	: "${samples?session-options.sh}" "${run_first_cpu?record-runs.sh}" "${run_cpus?record-runs.sh}" "${sorted_cpus?cpulist.sh}"
	find_state "$run_first_cpu" "$1"
	for_verdict_index=$found_index
	for_verdict_cpus=$sorted_cpus
	for_verdict_triggers :clear || die "--for-verdict: cannot clear the kernel's counts: $write_error"
	for_verdict_shares "$run_cpus"
	for_verdict_look=0
	for_verdict_done=0
	while :; do
		for_verdict_look=$((for_verdict_look + 1))
		for_verdict_next=$(looks "look=$for_verdict_look")
		[ "$for_verdict_next" -le "$samples" ] || for_verdict_next=$samples
		# Divide the samples among the CPUs that share them, and round up.
		run_limit=$(((for_verdict_next - for_verdict_done + for_verdict_share - 1) / for_verdict_share))
		run_set "max_samples $run_limit"
		start_run no "$run_limit" no
		: "${reason?record-watch.sh}" "${ended_number?record-runs.sh}"
		run_is_whole "$reason" || break
		for_verdict_done=$for_verdict_next
		for_verdict_counts "$for_verdict_index" >"$work_dir/looks" || die "--for-verdict: the kernel has dropped counts of $1"
		# VERDICT CPU SAMPLES LONGER
		# shellcheck disable=SC2046  # words
		set -- "$1" $(looks "look=$for_verdict_look" judge=1 <"$work_dir/looks")
		for_verdict_said=$2
		# The last test is made in any case.
		[ "$for_verdict_done" -ge "$for_verdict_least" ] || [ "$for_verdict_done" -ge "$samples" ] || for_verdict_said=undecided
		fact "run.$ended_number.looks" "$for_verdict_look"
		fact "run.$ended_number.verdict" "$for_verdict_said"
		case $run_cpus:$3 in
		1:*) for_verdict_of= ;;
		*:all) for_verdict_of=", $run_cpus CPUs together" ;;
		*) for_verdict_of=" on CPU $3" ;;
		esac
		say "$1: $5 of $4 samples$for_verdict_of longer than $for_verdict_ns ns: p$for_verdict_percentile $for_verdict_said"
		[ "$for_verdict_said" = undecided ] && [ "$for_verdict_next" -lt "$samples" ] || break
	done
	run_set "max_samples $samples"
}
