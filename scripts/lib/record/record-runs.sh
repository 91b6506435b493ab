# SPDX-License-Identifier: GPL-2.0
# record-runs.sh - the runs of a recording: started one after the other, and counted when they have ended.
# shellcheck shell=sh
#
# Needs message.sh, sysfs.sh, cpulist.sh, journal.sh, cpuidle.sh, reasons.sh, runtsv.sh, for-verdict.sh, resume.sh, record-plan.sh,
# record-watch.sh.

# Read here, set there:
: "${write_error?sysfs.sh}" "${journal_tab?journal.sh}" "${work_dir?journal.sh}" "${cpu_sysfs?cpuidle.sh}" \
	"${wakelat?tracefs.sh}" "${each_cpu?record-options.sh}" "${ldist_mode?record-options.sh}" \
	"${output?record-options.sh}" "${source?record-options.sh}" "${samples?record-options.sh}" "${steady?record-options.sh}" \
	"${warmup?record-options.sh}" "${run_offset?resume.sh}" "${plan?record-plan.sh}" "${plan_runs?record-plan.sh}" \
	"${run_samples?record-plan.sh}" "${reason?record-watch.sh}" "${steady_reached?record-watch.sh}"

# For the way out: has a run been started, and not been counted yet?
run_started=no
run_open=no
: "$run_started"

# one_run CPUS STATES: with a warm-up before it, which is a run like it, but short, and marked
one_run() {
	# The CPUs that had their turn go back to their own states: a package sleeps as deep as all its CPUs.
	if [ "$each_cpu" = yes ] && [ "$plan_last_cpu" != "$1" ]; then
		[ -z "$plan_last_cpu" ] || change_back "$cpu_sysfs/cpu$plan_last_cpu"/cpuidle/state*/disable
		plan_last_cpu=$1
	fi
	change "$wakelat/cpus" "$1"
	run_first_cpu=
	run_cpus=0
	for cpu in $(cpulist_sorted "$1"); do
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
	if [ "$steady" -eq 0 ]; then
		start_run no "$run_samples" no
	else
		start_run no "$run_samples" yes
	fi
}

# warm_up: its samples are in the recording, and dump marks them.
warm_up() {
	change "$wakelat/max_samples" "$warmup"
	change "$wakelat/ldist_mode" uniform
	start_run yes "$warmup" no
	change "$wakelat/ldist_mode" "$ldist_mode"
	change "$wakelat/max_samples" "$samples"
}

# start_run WARMUP LIMIT STEADY: the latter two as for await_run
start_run() {
	run_states=$(states_enabled "$run_first_cpu")
	run_warmup=$1
	[ ! -e "$work_dir/recorded" ] || return
	write_value "$wakelat/run" 1 ||
		die "the run cannot be started: $write_error ($(kernel_status error))"
	run_number=$(kernel_status run)
	run_started=yes
	run_open=yes
	log "run $run_number: CPU $(read_value "$wakelat/cpus"), states $run_states"
	await_run "$run_states" "$2" "$3"
	run_ended
}

# run_ended: what the kernel has counted, for run.tsv and for the user
run_ended() {
	[ "$run_open" = yes ] || return 0
	run_open=no
	ended_reason=$(kernel_status reason)
	[ "$steady_reached$ended_reason" != yesstopped ] || ended_reason=steady
	ended_number=$((run_number + run_offset))
	fact "run.$ended_number.plan" "$plan_number"
	fact "run.$ended_number.cpus" "$(read_value "$wakelat/cpus")"
	fact "run.$ended_number.state" "$run_states"
	fact "run.$ended_number.reason" "$ended_reason"
	[ "$run_warmup" = no ] || fact "run.$ended_number.warmup" yes
	if [ "$run_offset" -ne 0 ]; then
		fact "run.$ended_number.trace" trace.dat
		fact "run.$ended_number.trace_run" "$run_number"
	fi
	facts_counts "$ended_number"
	facts_source "$ended_number" "$source"
	facts_cpus "$ended_number"
	ended_text="run $ended_number, $run_states"
	[ "$run_warmup" = no ] || ended_text="$ended_text, warm-up"
	say "$ended_text: $(awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ printf "%s%s samples (%s tainted) on CPU %s", (NR > 2 ? ", " : ""), $at["samples"], $at["tainted"], $1 }
		' "$wakelat/counts"); ended by: $ended_reason"
	# What a kill leaves is what the next one resumes from.
	[ "$plan_runs" -eq 1 ] || runtsv_write "$output/run.tsv" ||
		die "$output/run.tsv cannot be written: is the disk full?"
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
