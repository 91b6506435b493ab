# SPDX-License-Identifier: GPL-2.0
# record-runs.sh - the runs of a recording: which, one after the other, watched, counted.
# shellcheck shell=sh
# shellcheck disable=SC2016,SC2034,SC2154  # names the kernel expands; for the caller; from record-options.sh, record-choices.sh, tracefs.sh, ...
#
# Needs message.sh, sysfs.sh, cpulist.sh, journal.sh, cpuidle.sh, reasons.sh, runtsv.sh.

# Before there is a run, for who leaves early.
steady_reached=no

# make_plan: sets $plan, one run a line: CPUS TAB STATES; "" leaves the states as they are. Sets $plan_runs, their
# number, $runs_per_cpu, and $run_samples, those of a run (0: no limit).
make_plan() {
	plan_groups=$cpu_list
	[ "$each_cpu" = no ] || plan_groups=$cpus
	plan=$(
		for plan_cpus in $plan_groups; do
			if [ -n "$state_runs" ]; then
				printf '%s\n' "$state_runs" | sed "s/^/$plan_cpus$journal_tab/"
			else
				printf '%s\t\n' "$plan_cpus"
			fi
		done
	)
	plan_runs=$(printf '%s\n' "$plan" | grep -c .)
	runs_per_cpu=$plan_runs
	run_samples=$samples
	# Most are decided before; longer runs empty the buffer now and then.
	[ -z "$for_verdict_ns" ] || run_samples=$(least_limit "$samples" "$(looks look=3)")
	[ "$ldist_mode" = uniform ] ||
		run_samples=$(($(sweep_steps "$ldist_min" "$ldist_max" "$sweep_factor") * per_step))
	[ "$each_cpu" = no ] || runs_per_cpu=$((plan_runs / cpu_count))
}

# kernel_status KEY: from the control file status
kernel_status() {
	sed -n "s/^$1 //p" "$wakelat/status"
}

###############################################################################
# Watching a run, from another CPU

# The kernel keeps the greatest latency of each run and CPU, by histogram triggers in our instance: of
# wake_latency, or of intr_latency where the state is entered with interrupts on. A trigger has one maximum, and
# takes the place of one with the same keys: the order of the keys makes them differ. While they are there the
# instance cannot be removed.
maximum_file=
maximum_begin() {
	maximum_event=$instance/events/wakelat/wakelat_sample
	maximum_set 'keys=run,common_cpu:wake=wake_latency:onmax($wake).save(seq) if taint == 0 && irqs_on == 0 && wake_latency >= 0' &&
		maximum_set 'keys=common_cpu,run:intr=intr_latency:onmax($intr).save(seq) if taint == 0 && irqs_on == 1 && intr_latency >= 0' ||
		return
	maximum_file=$maximum_event/hist
}

# maximum_set HIST
maximum_set() {
	write_value "$maximum_event/trigger" "hist:$1" || {
		log "no maximum while recording: $write_error"
		return 1
	}
}

# maximum: of the run so far, in ns; 0 if there is no sample yet
maximum() {
	[ -n "$maximum_file" ] || return 1
	awk -v run="$run_number" '
		/^\{/ { here = 0; for (i = 1; i < NF; i++) if ($i == "run:") here = ($(i + 1) + 0 == run) }
		here && $1 == "max:" && $2 + 0 > max { max = $2 + 0 }
		END { printf "%.0f\n", max }' "$maximum_file"
}

# show_progress STATES: one line, from the counts of all CPUs of the run
show_progress() {
	progress "$(awk -F '\t' -v states="$1" -v limit="$((run_limit * run_cpus))" -v seconds="$duration" \
		-v ns="$(kernel_status elapsed_ns)" -v max="$(maximum || printf -- -)" -v number="$plan_number" -v of="$plan_runs" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ n += $at["samples"]; armed += $at["armed"]; tainted += $at["tainted"] }
		END {
			rate = ns ? n * 1e9 / ns : 0
			good = n - tainted
			line = sprintf("%s: %.0f samples (%.0f tainted) of %.0f events, %.0f/s", states, n, tainted, armed, rate)
			if (of > 1)
				line = sprintf("run %d of %d, ", number, of) line
			if (max != "-" && n)
				line = line sprintf(", maximum %.3f us", max / 1000)
			left = -1
			if (limit && good && good < limit)
				left = (limit - good) * ns / 1e9 / good
			if (seconds && (left < 0 || left > seconds - ns / 1e9))
				left = seconds - ns / 1e9
			if (left >= 0)
				line = line sprintf(", %.0f s left", left)
			print line
		}' "$wakelat/counts")"
}

# is_steady: has the maximum not moved for so many samples? Asked once a second, so it may be more of them.
is_steady() {
	steady_now=$(awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ good = $at["samples"] - $at["tainted"]; if (NR == 2 || good < least) least = good }
		END { printf "%.0f\n", least }' "$wakelat/counts")
	steady_max=$(maximum)
	if [ "$steady_max" != "$steady_last" ]; then
		steady_last=$steady_max
		steady_since=$steady_now
	fi
	[ $((steady_now - steady_since)) -ge "$steady" ]
}

# await_run STATES: until the run is over; sets $reason. Reading the control file blocks: nothing wakes
# up meanwhile, unless there is a CPU to do it, and a terminal to show progress on or a maximum to wait for.
await_run() {
	cat "$wakelat/wait" >"$work_dir/reason" 3>&- &
	waiter=$!
	await_show=no
	[ "$quiet" = yes ] || [ ! -t 2 ] || await_show=yes
	steady_last=
	steady_reached=no
	if [ -n "$recorder_cpus" ] && { [ "$await_show" = yes ] || [ "$run_steady" = yes ]; }; then
		while [ "$(read_value "$wakelat/run")" = 1 ]; do
			[ "$await_show" = no ] || show_progress "$1"
			if [ "$run_steady" = yes ] && is_steady; then
				write_value "$wakelat/run" 0
				steady_reached=yes
				break
			fi
			sleep 1 3>&- &
			wait "$!"
		done
		progress_end
	fi
	wait "$waiter" || die "cannot wait for the end of the run: $wakelat/wait cannot be read"
	reason=$(cat "$work_dir/reason")
	[ "$steady_reached$reason" != yesstopped ] || reason=steady
}

###############################################################################
# The runs

# one_run CPUS STATES: with a warm-up before it, which is a run like it, but short, and marked
one_run() {
	# The CPUs that had their turn go back to their own states: a package sleeps as deep as all its CPUs.
	if [ "$each_cpu" = yes ] && [ "$plan_last_cpu" != "$1" ]; then
		[ -z "$plan_last_cpu" ] || change_back "$cpu_sysfs/cpu$plan_last_cpu"/cpuidle/state*/disable
		plan_last_cpu=$1
	fi
	change "$wakelat/cpus" "$1"
	run_cpu_words=$(cpulist_sorted "$1")
	# shellcheck disable=SC2086  # words
	set -- "$1" "$2" $run_cpu_words
	run_first_cpu=$3
	run_cpus=$(($# - 2))
	if [ -n "$2" ]; then
		for cpu in $run_cpu_words; do
			use_only_states "$cpu" "$2"
		done
	fi
	if [ "$warmup" -ne 0 ]; then
		warm_up
		run_is_whole "$reason" || return 0
	fi
	if [ -n "$for_verdict_ns" ]; then
		run_steady=no
		run_for_verdict "$2"
		return 0
	fi
	run_limit=$run_samples
	run_steady=no
	[ "$steady" -eq 0 ] || run_steady=yes
	start_run no
}

# warm_up: its samples are in the recording, and dump marks them.
warm_up() {
	change "$wakelat/max_samples" "$warmup"
	change "$wakelat/ldist_mode" uniform
	run_limit=$warmup
	run_steady=no
	start_run yes
	change "$wakelat/ldist_mode" "$ldist_mode"
	change "$wakelat/max_samples" "$samples"
}

# start_run WARMUP
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
	await_run "$run_states"
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
	facts_source "$ended_number"
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
