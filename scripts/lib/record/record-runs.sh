# SPDX-License-Identifier: GPL-2.0
# record-runs.sh - the runs of a recording: started one after the other, and counted when they have ended.
# shellcheck shell=sh
#
# Needs message.sh, sysfs.sh, cpulist.sh, journal.sh, cpuidle.sh, reasons.sh, runtsv.sh, run-file.sh, for-verdict.sh, resume.sh,
# record-plan.sh, record-watch.sh.

# Read here, set there:
: "${journal_tab?journal.sh}" "${work_dir?journal.sh}" "${cpu_sysfs?cpuidle.sh}" \
	"${wakelat?tracefs.sh}" "${each_cpu?record-options.sh}" "${ldist_mode?session-options.sh}" \
	"${source?session-options.sh}" "${samples?session-options.sh}" "${steady?record-options.sh}" \
	"${warmup?record-options.sh}" "${ldist_min?session-options.sh}" "${ldist_max?session-options.sh}" \
	"${sweep_factor?record-options.sh}" "${per_step?record-options.sh}" "${run_offset?resume.sh}" "${plan?record-plan.sh}" \
	"${plan_runs?record-plan.sh}" \
	"${run_samples?record-plan.sh}" "${reason?record-watch.sh}" "${run_elapsed_ns?record-watch.sh}"

# For the way out: has a run been started, and not been counted yet?
run_started=no
run_open=no
# Of a sweep, which is a run of the kernel for each step and one run of the recording: how many so far, and is it not through yet?
run_steps=0
sweeping=no
: "$run_started"

# one_run CPUS STATES: with a warm-up before it, which is a run like it, but short, and marked
one_run() {
	# The CPUs that had their turn go back to their own states: a package sleeps as deep as all its CPUs.
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

# warm_up: its samples are in the recording, and dump marks them.
warm_up() {
	run_set "max_samples $warmup"
	start_run yes "$warmup" no
	run_set "max_samples $samples"
}

# start_run WARMUP LIMIT STEADY: the latter two as for await_run
start_run() {
	begin_run "$1"
	kernel_run "$2" "$3"
	run_ended
}

# sweep_run: each step is a run of the kernel with one launch distance
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

# begin_run WARMUP: a run of the recording
begin_run() {
	find_enabled "$run_first_cpu"
	run_states=$enabled_list
	run_warmup=$1
	run_steps=0
	run_elapsed_ns=0
	[ ! -e "$work_dir/counts" ] || rm -f "$work_dir/counts"
}

# kernel_run LIMIT STEADY: a run of the kernel, until it is over; sets $reason
kernel_run() {
	[ ! -e "$work_dir/recorded" ] || return
	[ ! -e "$work_dir/stopped_by" ] || rm -f "$work_dir/stopped_by"
	reason=
	run_start
	read_status run
	run_number=$status_value
	[ "$run_steps" -ne 0 ] || run_first=$run_number
	run_steps=$((run_steps + 1))
	run_started=yes
	run_open=yes
	tell_experiment begin
	read_status cpus
	log "run $run_number: CPU $status_value, states $run_states"
	await_run "$run_states" "$1" "$2"
	tell_experiment end
	run_counted
}

# tell_experiment begin|end: of a run, where wakelat sweep or tune reads a pipe for it. This opening does not wait for the reader.
tell_experiment() {
	[ -z "${WAKELAT_RUNS-}" ] || printf '%s\n' "$1" 1<>"$WAKELAT_RUNS"
}

# run_counted: adds the kernel's counts of its last run to those of the steps before
run_counted() {
	read_status elapsed_ns
	run_elapsed_ns=$((run_elapsed_ns + status_value))
	set -- "$wakelat/counts"
	[ ! -e "$work_dir/counts" ] || set -- "$work_dir/counts" "$@"
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
		}' "$@" >"$work_dir/counts.new" && mv "$work_dir/counts.new" "$work_dir/counts" || die "$work_dir cannot be written"
}

# run_ended: what the kernel has counted, for run.tsv and for the user
run_ended() {
	[ "$run_open" = yes ] || return 0
	run_open=no
	# Left early: the last run has been stopped, or the steps that were to come have.
	[ -n "$reason" ] || {
		read_reason
		run_counted
	}
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
	facts_counts "$ended_number"
	facts_source "$ended_number" "$source"
	sort_cpulist "$ended_cpus"
	facts_cpus "$ended_number" "$sorted_cpus"
	ended_text="run $ended_number, $run_states"
	[ "$run_warmup" = no ] || ended_text="$ended_text, warm-up"
	say "$ended_text: $(awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ printf "%s%s samples (%s tainted) on CPU %s", (NR > 2 ? ", " : ""), $at["samples"], $at["tainted"], $1 }
		' "$work_dir/counts"); ended by: $reason"
	# What a kill leaves is what the next one resumes from.
	[ "$plan_runs" -eq 1 ] || save_facts
}

# all_runs: sets $reason to that of the last one
all_runs() {
	reason=
	plan_number=0
	plan_last_cpu=
	# On fd 4: the loop's own input stays what it was.
	while IFS=$journal_tab read -r plan_cpus plan_states <&4; do
		plan_number=$((plan_number + 1))
		if resume_has "$plan_number"; then
			reason=samples
			continue
		fi
		one_run "$plan_cpus" "$plan_states"
		run_is_whole "$reason" || break
	done 4<<END_PLAN
$plan
END_PLAN
}
