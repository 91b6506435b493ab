# SPDX-License-Identifier: GPL-2.0
# record-plan.sh - list the runs of a recording, from the options and from what the machine has.
# shellcheck shell=sh
#
# Needs buffer.sh, for-verdict.sh.

# Variables that other files set:
: "${each_cpu?record-options.sh}" "${ldist_mode?session-options.sh}" "${ldist_min?session-options.sh}" \
	"${ldist_max?session-options.sh}" "${sweep_factor?record-options.sh}" "${per_step?record-options.sh}" \
	"${samples?session-options.sh}" "${cpus?record-choices.sh}" "${cpu_list?record-choices.sh}" \
	"${cpu_count?record-choices.sh}" "${state_runs?record-choices.sh}" "${for_verdict_ns?record-options.sh}" \
	"${journal_tab?journal.sh}" "${least?buffer.sh}"

# See make_plan. record-runs.sh and record-settings.sh read these.
plan=
plan_newline='
'
plan_runs=0
runs_per_cpu=0
run_samples=0
: "$plan" "$runs_per_cpu" "$run_samples"

# make_plan: sets $plan to a line for each run: CPUS TAB STATES. Empty STATES leave the states as
# they are. Sets $plan_runs to the number of runs, $runs_per_cpu, and $run_samples to the number of
# samples of a run (0: no limit).
make_plan() {
	plan_groups=$cpu_list
	[ "$each_cpu" = no ] || plan_groups=$cpus
	plan=
	plan_runs=0
	for plan_cpus in $plan_groups; do
		# If $state_runs is empty, this reads one empty line.
		while IFS= read -r plan_states; do
			plan=$plan$plan_cpus$journal_tab$plan_states$plan_newline
			plan_runs=$((plan_runs + 1))
		done <<END_RUNS
$state_runs
END_RUNS
	done
	plan=${plan%"$plan_newline"}
	runs_per_cpu=$plan_runs
	run_samples=$samples
	# The buffer is sized for three looks, which decide most states. During further looks the
	# recorder empties it.
	[ -z "$for_verdict_ns" ] || {
		find_least "$samples" "$(looks look=3)"
		run_samples=$least
	}
	[ "$ldist_mode" = uniform ] ||
		run_samples=$(($(ldist_steps "$ldist_min" "$ldist_max" "$sweep_factor") * per_step))
	[ "$each_cpu" = no ] || runs_per_cpu=$((plan_runs / cpu_count))
}
