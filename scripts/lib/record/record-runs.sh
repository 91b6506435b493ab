# SPDX-License-Identifier: GPL-2.0
# record-runs.sh - start the runs of a recording one after the other, and count each when it has
# ended.
# shellcheck shell=sh
#
# Needs message.sh, sysfs.sh, cpulist.sh, journal.sh, cpuidle.sh, reasons.sh, runtsv.sh, run-file.sh, for-verdict.sh, resume.sh,
# record-plan.sh, record-watch.sh.

# Variables that other files set:
: "${journal_tab?journal.sh}" "${work_dir?journal.sh}" "${cpu_sysfs?cpuidle.sh}" \
	"${wakelat?tracefs.sh}" "${each_cpu?record-options.sh}" "${ldist_mode?session-options.sh}" \
	"${source?session-options.sh}" "${samples?session-options.sh}" "${steady?record-options.sh}" \
	"${warmup?record-options.sh}" "${ldist_min?session-options.sh}" "${ldist_max?session-options.sh}" \
	"${sweep_factor?record-options.sh}" "${per_step?record-options.sh}" "${resume?record-options.sh}" "${plan?record-plan.sh}" \
	"${plan_runs?record-plan.sh}" \
	"${run_samples?record-plan.sh}" "${reason?record-watch.sh}" "${run_elapsed_ns?record-watch.sh}" \
	"${sorted_cpus?cpulist.sh}" "${enabled_list?cpuidle.sh}" "${status_value?tracefs.sh}"

# For record-end.sh: whether any run was started, and whether one is not counted yet.
run_started=no
run_open=no
# What resume.sh adds to the numbers of the kernel's runs.
run_offset=0
# Whether it is not known yet if the kernel has started the step.
run_starting=no
# A sweep is one run of the recording, but a separate run of the kernel for each step. run_steps is
# the number of steps so far, sweeping says whether a sweep is in progress.
run_steps=0
sweeping=no
: "$run_started"

# one_run CPUS STATES: makes a run of the plan. The warm-up before it is a separate short run, marked
# in run.tsv.
one_run() {
	# Restore the states of the CPU measured before: a package sleeps only as deep as all its CPUs.
	if [ "$each_cpu" = yes ] && [ "$plan_last_cpu" != "$1" ]; then
		[ -z "$plan_last_cpu" ] || change_back "$cpu_sysfs/cpu$plan_last_cpu"/cpuidle/state*/disable
		plan_last_cpu=$1
	fi
	run_set "cpus $1"
	run_first_cpu=
	run_cpus=0
	sort_cpulist "$1"
	for cpu in $sorted_cpus; do
		: "${run_first_cpu:=$cpu}"
		run_cpus=$((run_cpus + 1))
		[ -z "$2" ] || use_only_states "$cpu" "$2"
	done
	if [ "$warmup" -ne 0 ]; then
		warm_up
		run_is_whole "$reason" || return 0
	fi
	if [ -n "$for_verdict_ns" ]; then
		run_for_verdict "$2"
		return 0
	fi
	if [ "$ldist_mode" = sweep ]; then
		sweep_run
	elif [ "$steady" -eq 0 ]; then
		start_run no "$run_samples" no
	else
		start_run no "$run_samples" yes
	fi
}

# warm_up: makes the warm-up run. Its samples are in the recording, and dump marks them.
warm_up() {
	run_set "max_samples $warmup"
	start_run yes "$warmup" no
	run_set "max_samples $samples"
}

# start_run WARMUP LIMIT STEADY: makes a run. LIMIT and STEADY are as in await_run.
start_run() {
	begin_run "$1"
	kernel_run "$2" "$3"
	run_ended
}

# sweep_run: makes the run of a sweep. Each step is a run of the kernel with one launch distance.
sweep_run() {
	begin_run no
	sweeping=yes
	for sweep_step in $(ldist_list "$ldist_min" "$ldist_max" "$sweep_factor"); do
		run_set "ldist_min_ns $sweep_step" "ldist_max_ns $sweep_step" "max_samples $per_step"
		kernel_run "$per_step" no
		[ "$reason" = samples ] || break
	done
	sweeping=no
	run_set "ldist_min_ns $ldist_min" "ldist_max_ns $ldist_max" "max_samples $samples"
	[ "$reason" != samples ] || reason=sweep
	run_ended
}

# begin_run WARMUP: begins a run of the recording
begin_run() {
	find_enabled "$run_first_cpu"
	run_states=$enabled_list
	run_warmup=$1
	run_steps=0
	run_elapsed_ns=0
	[ ! -e "$work_dir/counts.1" ] || rm -f "$work_dir"/counts.*
}

# kernel_run LIMIT STEADY: starts a run of the kernel, and waits for its end. Sets $reason.
kernel_run() {
	[ ! -e "$work_dir/recorded" ] || return
	[ ! -e "$work_dir/stopped_by" ] || rm -f "$work_dir/stopped_by"
	reason=
	read_status run
	run_number=$((status_value + 1))
	[ "$run_steps" -ne 0 ] || run_first=$run_number
	run_steps=$((run_steps + 1))
	run_starting=yes
	run_open=yes
	run_write start || {
		step_taken_back
		run_refused
	}
	run_started=yes
	run_starting=no
	# Another program may have made a run between the first reading and the start.
	read_status run
	run_number=$status_value
	[ "$run_steps" -ne 1 ] || run_first=$run_number
	tell_experiment begin
	read_status cpus
	log "run $run_number: CPU $status_value, states $run_states"
	await_run "$run_states" "$1" "$2"
	tell_experiment end
	run_counted
}

# step_taken_back: forgets the step that the kernel has not started
step_taken_back() {
	run_starting=no
	run_steps=$((run_steps - 1))
	[ "$run_steps" -ne 0 ] || run_open=no
}

# run_settled: finds out whether the kernel has started the step, if a signal has ended the
# recording before this was known
run_settled() {
	[ "$run_starting" = yes ] || return 0
	read_status run
	if [ "$status_value" = "$run_number" ]; then
		run_started=yes
	else
		step_taken_back
	fi
}

# tell_experiment begin|end: tells the experiment that a run begins or ends, by a pipe. Does
# nothing without this pipe. Opening it with <> does not wait for the reader.
tell_experiment() {
	[ -z "${WAKELAT_RUNS-}" ] || printf '%s\n' "$1" 1<>"$WAKELAT_RUNS"
}

# run_counted: writes counts.N, the kernel's counts of all steps up to step N, the last one. Does
# nothing if the file exists, because a signal can end the recording before or after this.
run_counted() {
	[ ! -e "$work_dir/counts.$run_steps" ] || return 0
	read_status elapsed_ns
	run_elapsed_ns=$((run_elapsed_ns + status_value))
	set -- "$wakelat/counts"
	[ "$run_steps" -eq 1 ] || set -- "$work_dir/counts.$((run_steps - 1))" "$@"
	awk -F '\t' -v OFS='\t' '
		NR == 1 { print; next }
		$1 == "cpu" { next }
		!($1 in columns) { order[++n] = $1 }
		{ columns[$1] = NF; for (i = 2; i <= NF; i++) sum[$1, i] += $i }
		END {
			for (k = 1; k <= n; k++) {
				line = order[k]
				for (i = 2; i <= columns[order[k]]; i++)
					line = line OFS sprintf("%.0f", sum[order[k], i])
				print line
			}
		}' "$@" >"$work_dir/counts.new" && mv "$work_dir/counts.new" "$work_dir/counts.$run_steps" || cannot_write "$work_dir"
}

# run_ended: adds the results of a run to run.tsv, and tells them to the user. If a signal ends the
# recording before run_open is no, run_ended_early does this again.
run_ended() {
	[ "$run_open" = yes ] || return 0
	# If the recording ends early, the run was stopped and $reason is still empty, or a sweep was
	# stopped between two steps.
	[ -n "$reason" ] || read_reason
	run_counted
	[ "$sweeping$reason" != yessamples ] || reason=stopped
	ended_number=$((run_first + run_offset))
	fact "run.$ended_number.plan" "$plan_number"
	read_status cpus
	ended_cpus=$status_value
	fact "run.$ended_number.cpus" "$ended_cpus"
	fact "run.$ended_number.state" "$run_states"
	fact "run.$ended_number.reason" "$reason"
	[ "$run_warmup" = no ] || fact "run.$ended_number.warmup" yes
	if [ "$run_offset" -ne 0 ]; then
		fact "run.$ended_number.trace" trace.dat
		fact "run.$ended_number.trace_run" "$run_first"
	fi
	[ "$run_steps" -le 1 ] || fact "run.$ended_number.steps" "$run_steps"
	facts_counts "$ended_number" "$work_dir/counts.$run_steps"
	facts_source "$ended_number" "$source"
	sort_cpulist "$ended_cpus"
	facts_cpus "$ended_number" "$sorted_cpus"
	run_open=no
	ended_text="run $ended_number, $run_states"
	[ "$run_warmup" = no ] || ended_text="$ended_text, warm-up"
	say "$ended_text: $(awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ printf "%s%s samples (%s tainted) on CPU %s", (NR > 2 ? ", " : ""), $at["samples"], $at["tainted"], $1 }
		' "$work_dir/counts.$run_steps"); ended by: $reason"
	# After a kill, --resume goes on from these facts.
	[ "$plan_runs" -eq 1 ] || save_facts
}

# run_ended_early: adds the results of the run that a signal has ended, or whose results a signal has
# interrupted. Lines of the run that are in run.tsv already are replaced.
run_ended_early() {
	[ "$run_open" = yes ] || return 0
	awk -F . -v run="$((run_first + run_offset))" '!($1 == "run" && $2 == run)' "$work_dir/run.tsv" >"$work_dir/run.tsv.new" &&
		mv "$work_dir/run.tsv.new" "$work_dir/run.tsv" || cannot_write "$work_dir"
	run_ended
}

# all_runs: makes the runs of the plan. Sets $reason to the reason of the last run.
all_runs() {
	reason=
	plan_number=0
	plan_last_cpu=
	# Read from fd 4, so that the commands in the loop keep their standard input.
	while IFS=$journal_tab read -r plan_cpus plan_states <&4; do
		plan_number=$((plan_number + 1))
		if [ -n "$resume" ] && resume_has "$plan_number"; then
			reason=samples
			continue
		fi
		one_run "$plan_cpus" "$plan_states"
		run_is_whole "$reason" || break
	done 4<<END_PLAN
$plan
END_PLAN
}
