# SPDX-License-Identifier: GPL-2.0
# record-watch.sh - watch a run: wait for its end, show its progress, and see whether its maximum
# still changes. End it when its time is over, or when no sample comes.
# shellcheck shell=sh
#
# kernel_run (record-runs.sh) sets the number of the run before it calls await_run.
#
# Needs message.sh, sysfs.sh, run-file.sh.

# Variables that other files set:
: "${quiet?message.sh}" "${write_error?sysfs.sh}" "${work_dir?journal.sh}" "${wakelat?tracefs.sh}" \
	"${filter_irqs_off?tracefs.sh}" "${filter_irqs_on?tracefs.sh}" "${filter_clean?tracefs.sh}" "${instance?recorder.sh}" \
	"${duration?session-options.sh}" "${steady?record-options.sh}" "${ldist_max?session-options.sh}" "${recorder_cpus?record-choices.sh}" "${plan_runs?record-plan.sh}" \
	"${status_value?tracefs.sh}" "${stop?record-options.sh}"

# The run that is watched: its number, its number of CPUs, and its number in the plan.
run_number=0
run_cpus=0
plan_number=0

# A run ends if it has no clean sample for so many seconds.
barren_s=60
# How long the earlier steps of a sweep have taken.
run_elapsed_ns=0

# Why the last run ended (see await_run). Empty before the first run and while a run is active.
reason=
: "$reason"

# The file with the maximum. See maximum_begin.
maximum_file=
# Processes: see guard_run and await_run.
guard=
waiter=

# maximum_begin: let the kernel keep the maximum latency of each run and CPU, by histogram triggers.
# The latency is wake_latency, or intr_latency if the state is entered with interrupts on. A trigger
# has one maximum, and replaces a trigger with the same keys. So the two triggers have their keys in
# different order. The instance cannot be removed while it has triggers.
maximum_begin() {
	maximum_event=$instance/events/wakelat/wakelat_sample
	maximum_set "keys=run,common_cpu:wake=wake_latency:onmax(\$wake).save(seq) if $filter_clean && $filter_irqs_off && wake_latency >= 0" &&
		maximum_set "keys=common_cpu,run:intr=intr_latency:onmax(\$intr).save(seq) if $filter_clean && $filter_irqs_on && intr_latency >= 0" ||
		return
	maximum_file=$maximum_event/hist
}

# maximum_set HIST: adds a histogram trigger
maximum_set() {
	write_value "$maximum_event/trigger" "hist:$1" || {
		log "no maximum while recording: $write_error"
		return 1
	}
}

# maximum: prints the maximum latency of the run so far in ns, or 0 if there is no sample yet. Fails
# without maximum_begin.
maximum() {
	[ -n "$maximum_file" ] || return 1
	awk -v run="$run_number" '
		/^\{/ { here = 0; for (i = 1; i < NF; i++) if ($i == "run:") here = ($(i + 1) + 0 == run) }
		here && $1 == "max:" && $2 + 0 > max { max = $2 + 0 }
		END { printf "%.0f\n", max }' "$maximum_file"
}

# show_progress STATES LIMIT: shows the progress in one line, from the counts of all CPUs of the run
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

# is_steady: succeeds if the maximum has not changed for $steady samples. It is called once a
# second, so there may be more samples.
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

# clean_samples: prints the number of clean samples of all CPUs of the run
clean_samples() {
	awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ good += $at["samples"] - $at["tainted"] }
		END { printf "%.0f\n", good }' "$wakelat/counts"
}

# end_run REASON: ends the run of our open file, and notes REASON, because the kernel only says
# "stopped".
end_run() {
	printf '%s\n' "$1" >"$work_dir/stopped_by" && run_write stop
}

# guard_run: ends the run after $duration, or if no clean sample has come for $barren_s plus twice
# the launch distance. It is a background process. guard_end kills it when the run is over. It does
# not sleep in a subshell, because the subshell would outlive it.
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
		# sleep takes s. The leading 1 keeps the zeros after the point.
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
	[ "$reason" = stopped ] || return 0
	[ "$stop" = no ] || ! threshold_stopped || reason=threshold
	[ ! -e "$work_dir/stopped_by" ] || read -r reason <"$work_dir/stopped_by"
}

# await_run STATES LIMIT STEADY: waits for the end of the run, and sets $reason. LIMIT is the
# maximum number of samples of a CPU (0: no limit). If STEADY is yes, the run ends when its maximum
# has not changed for $steady samples. Reading the control file blocks, so that no process wakes up
# during the run. If there is a recorder CPU, this process wakes up each second to show progress on
# a terminal or to check the maximum.
await_run() {
	# In the background, because a shell handles a signal at once only in wait.
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
