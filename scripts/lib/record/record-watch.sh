# SPDX-License-Identifier: GPL-2.0
# record-watch.sh - watching a run: its end, its progress, whether its maximum still moves; and ending it when its time is over or
# when no sample comes.
# shellcheck shell=sh
#
# Which run it is: kernel_run (record-runs.sh) says so before it calls await_run.
#
# Needs message.sh, sysfs.sh, run-file.sh.

# Read here, set there:
: "${quiet?message.sh}" "${write_error?sysfs.sh}" "${work_dir?journal.sh}" "${wakelat?tracefs.sh}" \
	"${filter_irqs_off?tracefs.sh}" "${filter_irqs_on?tracefs.sh}" "${filter_clean?tracefs.sh}" "${instance?recorder.sh}" \
	"${duration?session-options.sh}" "${steady?record-options.sh}" "${ldist_max?session-options.sh}" "${recorder_cpus?record-choices.sh}" "${plan_runs?record-plan.sh}"

# Of the run that is watched: its number, on how many CPUs it is, and which it is of the plan.
run_number=0
run_cpus=0
plan_number=0

# A run without a clean sample for so many seconds ends.
barren_s=60
# How long the earlier steps of a sweep have taken.
run_elapsed_ns=0

# What await_run has found; empty before there is a run and while one is active.
reason=
: "$reason"

# The file with the maximum, once there is one.
maximum_file=
# Processes: see guard_run and await_run.
guard=
waiter=

# The kernel keeps the greatest latency of each run and CPU, by histogram triggers in our instance: of
# wake_latency, or of intr_latency where the state is entered with interrupts on. A trigger has one maximum, and
# takes the place of one with the same keys: the order of the keys makes them differ. While they are there the
# instance cannot be removed.
maximum_begin() {
	maximum_event=$instance/events/wakelat/wakelat_sample
	maximum_set "keys=run,common_cpu:wake=wake_latency:onmax(\$wake).save(seq) if $filter_clean && $filter_irqs_off && wake_latency >= 0" &&
		maximum_set "keys=common_cpu,run:intr=intr_latency:onmax(\$intr).save(seq) if $filter_clean && $filter_irqs_on && intr_latency >= 0" ||
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

# show_progress STATES LIMIT: one line, from the counts of all CPUs of the run
show_progress() {
	progress "$(awk -F '\t' -v states="$1" -v limit="$(($2 * run_cpus))" -v seconds="$duration" \
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

# clean_samples: of all CPUs of the run
clean_samples() {
	awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ good += $at["samples"] - $at["tainted"] }
		END { printf "%.0f\n", good }' "$wakelat/counts"
}

# end_run REASON: ends the run of our open file; its reason is not the kernel's, which says "stopped"
end_run() {
	printf '%s\n' "$1" >"$work_dir/stopped_by" && run_write stop
}

# guard_run: in a process of its own (no subshell of that, which would outlive it), which is killed when the run is over: ends the run after $duration, and if no clean sample has
# come for $barren_s and twice the launch distance.
guard_run() {
	trap 'kill "$guard_nap" 2>/dev/null; exit' TERM
	exec 3>&-
	guard_clean=0
	guard_left=$((duration * 1000000000 - run_elapsed_ns))
	while :; do
		guard_ns=$((barren_s * 1000000000 + 2 * ldist_max))
		guard_reason=barren
		if [ "$duration" -ne 0 ] && [ "$guard_left" -le "$guard_ns" ]; then
			guard_ns=$((guard_left > 0 ? guard_left : 0))
			guard_reason=duration
		fi
		# In s, as sleep takes it; the 1 keeps the zeros after the point.
		guard_fraction=$((1000000000 + guard_ns % 1000000000))
		sleep "$((guard_ns / 1000000000)).${guard_fraction#1}" 5>&- &
		guard_nap=$!
		wait "$guard_nap"
		guard_left=$((guard_left - guard_ns))
		guard_before=$guard_clean
		guard_clean=$(clean_samples)
		[ "$guard_reason" = barren ] && [ "$guard_clean" != "$guard_before" ] || break
	done
	end_run "$guard_reason"
}

# read_reason: sets $reason to why the run of our open file has ended
read_reason() {
	reason=
	read -r reason <"$work_dir/reason"
	[ "$reason" != stopped ] || [ ! -e "$work_dir/stopped_by" ] || read -r reason <"$work_dir/stopped_by"
}

# await_run STATES LIMIT STEADY: until the run is over; sets $reason. LIMIT is the maximum number of samples of a CPU (0: none); with
# STEADY yes the run ends when its maximum has not moved for $steady samples. Reading the control file blocks: nothing wakes up
# meanwhile, unless there is a CPU to do it, and a terminal to show progress on or a maximum to wait for.
await_run() {
	# In the background, so that a signal is obeyed.
	cat <&5 >"$work_dir/reason" 3>&- &
	waiter=$!
	guard_run &
	guard=$!
	await_show=no
	[ "$quiet" = yes ] || [ ! -t 2 ] || await_show=yes
	steady_last=
	if [ -n "$recorder_cpus" ] && { [ "$await_show" = yes ] || [ "$3" = yes ]; }; then
		while read_status state && [ "$status_value" = running ]; do
			[ "$await_show" = no ] || show_progress "$1" "$2"
			if [ "$3" = yes ] && is_steady; then
				end_run steady
				break
			fi
			sleep 1 3>&- 5>&- &
			wait "$!"
		done
		progress_end
	fi
	wait "$waiter" && [ -s "$work_dir/reason" ] || die "cannot wait for the end of the run: $wakelat/run cannot be read"
	guard_end
	read_reason
}

guard_end() {
	[ -n "$guard" ] || return 0
	kill "$guard" 2>/dev/null
	wait "$guard" 2>/dev/null
	guard=
}
