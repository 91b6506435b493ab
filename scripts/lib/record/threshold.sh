# SPDX-License-Identifier: GPL-2.0
# threshold.sh - record --threshold: keep the events before each sample that took too long.
# shellcheck shell=sh
#
# A second tracefs instance overwrites its oldest events. A trigger of the kernel stops the instance at a sample above
# the threshold, so that nothing has to watch the run. tools/bin/outliers sees that the instance has stopped, writes the
# events to outliers.tsv and lets the instance go on. A second trigger counts all such samples.
#
# Needs message.sh, sysfs.sh, journal.sh, tracefs.sh, units.sh, recorder.sh, runtsv.sh.

# Variables that other files set:
: "${here?the command}" "${write_error?sysfs.sh}" "${work_dir?journal.sh}" "${tracefs?tracefs.sh}" \
	"${filter_irqs_off?tracefs.sh}" "${filter_irqs_on?tracefs.sh}" "${max_uncertainty_ns?tracefs.sh}" "${status_value?tracefs.sh}" \
	"${threshold?record-options.sh}" "${stop?record-options.sh}"

threshold_tool=$here/../tools/bin/outliers
threshold_instance=
threshold_pid=
threshold_all=
# KiB per CPU: room for about 300 events, more than the 32 that outliers.tsv has of a CPU.
threshold_kb=32
# Events of the measured CPUs, and events that other CPUs have when they wake one of these.
threshold_own='power/cpu_idle nmi/nmi_handler irq/irq_handler_entry irq_vectors timer/hrtimer_expire_entry
	timer/timer_expire_entry sched/sched_switch wakelat/wakelat_sample'
threshold_senders='ipi/ipi_send_cpu sched/sched_wake_idle_without_ipi'

# check_threshold: refuse options that leave the end of a run or its CPU to something else
check_threshold() {
	: "${for_verdict_ns?record-options.sh}" "${ldist_mode?session-options.sh}" "${plan_runs?record-plan.sh}"
	need_tools outliers
	[ "$stop" = no ] || [ "$plan_runs$ldist_mode$for_verdict_ns" = "1uniform" ] ||
		bad_usage "--stop ends the only run of a recording: leave out --each-state, --each-cpu, --ldist-steps and --for-verdict"
}

# threshold_enable FILTER EVENT...: enable the events that this kernel has, with a filter if FILTER is not empty
threshold_enable() {
	threshold_filter=$1
	shift
	for threshold_event; do
		threshold_event=$threshold_instance/events/$threshold_event
		[ -d "$threshold_event" ] || continue
		[ -z "$threshold_filter" ] || write_value "$threshold_event/filter" "$threshold_filter" &&
			write_value "$threshold_event/enable" 1 || die "$threshold_event cannot be enabled: $write_error"
	done
}

# threshold_begin CPUS: make the instance and start the program that reads it. CPUS are words.
threshold_begin() {
	: "${output?session-options.sh}" "${recorder_cpus?record-choices.sh}"
	[ -n "$recorder_cpus" ] || die "--threshold needs one CPU that is not measured: name fewer with --cpu"
	threshold_instance=$tracefs/instances/wakelat-threshold
	[ ! -d "$threshold_instance" ] ||
		die "tracefs instance $threshold_instance was not created by wakelat: if nothing uses it, rmdir $threshold_instance"
	journal rmdir "$threshold_instance"
	mkdir "$threshold_instance" || die "cannot create $threshold_instance"
	threshold_trigger=$threshold_instance/events/wakelat/wakelat_sample/trigger
	journal trigger "$threshold_trigger"
	# The events need the clock of the samples' stamps: the TSC, or local_clock() in ns, which is "perf" here.
	threshold_clock=perf
	threshold_khz=1000000
	read_status clock
	case $status_value in
	TSC)
		threshold_clock=x86-tsc
		read_status clock_khz
		threshold_khz=$status_value
		;;
	local_clock) ;;
	*) die "--threshold: the kernel has no trace clock of the samples' clock, $status_value" ;;
	esac
	write_value "$threshold_instance/trace_clock" "$threshold_clock" && write_value "$threshold_instance/buffer_size_kb" "$threshold_kb" ||
		die "$threshold_instance: cannot set clock and buffer: $write_error"
	threshold_longer="($filter_irqs_off && wake_latency > $threshold) || ($filter_irqs_on && intr_latency > $threshold)"
	write_value "$threshold_trigger" "traceoff if $threshold_longer" &&
		write_value "$threshold_trigger" "hist:keys=common_cpu if $threshold_longer" ||
		die "--threshold: the kernel refuses a trigger (CONFIG_HIST_TRIGGERS): $write_error"
	# shellcheck disable=SC2086  # words
	threshold_enable "$(cpu_filter "$1")" $threshold_own
	# shellcheck disable=SC2086  # words
	threshold_enable '' $threshold_senders
	threshold_watch &
	threshold_pid=$!
}

# threshold_watch: write outliers.tsv until SIGTERM. With --stop, end the run at the first untainted sample. Only SIGTERM
# ends it: at Ctrl-C this shell ends the run first.
threshold_watch() {
	trap '' HUP INT
	# The file has names of tasks and of the kernel's functions. Nobody else may read it.
	umask 077
	exec 3>&-
	set -- wakelat-threshold "$threshold_khz" "$threshold" "$max_uncertainty_ns" "$output/outliers.tsv.partial" "$work_dir/outliers"
	if [ "$stop" = yes ]; then
		exec "$threshold_tool" -O "$@" >&5
	else
		exec "$threshold_tool" "$@" 5>&-
	fi
}

# threshold_stopped: succeed if --stop has ended the run
threshold_stopped() {
	[ "$stop" = yes ] && [ -e "$work_dir/outliers" ]
}

# threshold_end: end the program, count all samples above the threshold, and remove the instance
threshold_end() {
	[ -n "$threshold_pid" ] || return 0
	kill "$threshold_pid" 2>/dev/null
	wait "$threshold_pid"
	threshold_status=$?
	threshold_pid=
	threshold_all=$(awk '/^\{/ { for (i = 1; i < NF; i++) if ($i == "hitcount:") n += $(i + 1) } END { printf "%.0f\n", n }' \
		"${threshold_trigger%trigger}hist")
	undo_trigger "$threshold_trigger"
	undo_rmdir "$threshold_instance"
}

# threshold_facts: add the facts to run.tsv, or die if outliers.tsv is not complete
threshold_facts() {
	[ -n "$threshold_all" ] || return 0
	[ "$threshold_status" -eq 0 ] || die "outliers.tsv is not complete: tools/bin/outliers ended with status $threshold_status"
	fact threshold_ns "$threshold"
	fact systematic_error "--threshold: each interrupt latency, and so the latency of states that are entered with interrupts on, includes the recording of the other events (2 us in the testbed); wake_latency does not"
	fact beyond "$threshold_all"
	while IFS= read -r threshold_fact; do
		fact "${threshold_fact%%	*}" "${threshold_fact#*	}"
	done <"$work_dir/outliers"
}

# threshold_say: say how many samples were above the threshold, and what the events of the longest are
threshold_say() {
	say "$threshold_all samples longer than $threshold ns: $(file=$output/outliers.tsv awk -F '\t' '
		{ value[$1] = $2 }
		END {
			printf "%s with their events in %s", value["outliers"], ENVIRON["file"]
			if (value["longest_outlier"] != "")
				printf "; the longest of these: %s", value["longest_outlier"]
		}' "$work_dir/outliers")"
}
