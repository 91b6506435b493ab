# SPDX-License-Identifier: GPL-2.0
# probe-trace.sh - run wakelat probe with trace-cmd if BPF is not available: record the events that
# dump --from-events reads.
# shellcheck shell=sh
#
# Needs message.sh, sysfs.sh, journal.sh, tracefs.sh, recorder.sh.

# Variables that other files set:
: "${me?the command}" "${write_error?sysfs.sh}" "${work_dir?journal.sh}" "${tracefs?tracefs.sh}" \
	"${instance?recorder.sh}"

stock_events="power/cpu_idle timer/hrtimer_start timer/hrtimer_cancel timer/hrtimer_expire_entry"

# ftrace_may_change: succeed if ftrace_enabled can be written, because trace-cmd writes it first. The
# test writes the value that the file already has.
ftrace_may_change() {
	lack_file=/proc/sys/kernel/ftrace_enabled
	[ ! -e "$lack_file" ] || write_value "$lack_file" "$(read_value "$lack_file")"
}

# trace_lack: print why trace-cmd cannot measure, or nothing if it can. Nothing is changed.
trace_lack() {
	: "${tools?probe-machine.sh}"
	if ! command -v trace-cmd >/dev/null; then
		printf 'trace-cmd is not installed'
	elif [ ! -x "$tools/stock" ] || [ ! -x "$tools/timers" ]; then
		printf 'tools/bin/stock and timers are not built: make tools'
	elif [ -z "$tracefs" ]; then
		printf 'tracefs is not mounted: mount -t tracefs tracefs /sys/kernel/tracing'
	elif [ ! -w "$tracefs/set_event" ] || ! ftrace_may_change; then
		printf 'tracing may not be changed here (/proc/sys/kernel/ftrace_enabled cannot be written)'
	else
		for lack_event in $stock_events; do
			[ -d "$tracefs/events/$lack_event" ] || printf 'the kernel has no event %s' "$lack_event"
		done
	fi
}

# stock_arguments: print the arguments of trace-cmd, one a line
stock_arguments() {
	for stock_event in $stock_events irq_vectors irq/irq_handler_entry nmi; do
		[ ! -d "$tracefs/events/$stock_event" ] || printf -- '-e\n%s\n' "$(printf '%s' "$stock_event" | tr / :)"
	done
}

# cpu_mask CPUS: print the mask of the CPUs (words) as the kernel reads it, 32 CPUs a group. The
# mask replaces a filter, which would cost time in each event.
cpu_mask() {
	for mask_cpu in $1; do
		printf '%s\n' "$mask_cpu"
	done | awk '
		# awk of busybox has no operator for powers.
		{ for (bit = 1; $1 % 16 > n[NR]; n[NR]++) bit *= 2; half[int($1 / 16)] += bit; if ($1 / 32 >= groups) groups = int($1 / 32) + 1 }
		END {
			for (g = groups - 1; g >= 0; g--)
				printf "%04x%04x%s", half[2 * g + 1], half[2 * g], g ? "," : "\n"
		}'
}

# trace_probe: measure as run_probe does, but with trace-cmd
trace_probe() {
	: "${interrupted?session.sh}" "${cpus?record-choices.sh}" "${cpu_list?record-choices.sh}"
	: "${output?session-options.sh}" "${ldist_min?session-options.sh}" "${ldist_max?session-options.sh}" "${seed?session-options.sh}" \
		"${duration?session-options.sh}"
	instance_make 16384 50 "$cpus"
	write_value "$instance/tracing_cpumask" "$(cpu_mask "$cpus")" || die "$instance/tracing_cpumask cannot be set: $write_error"
	recorder_start "$output/stock.dat" "$(stock_arguments)"
	"$tools/timers" "$cpu_list" "$ldist_min:$ldist_max" "$seed" "$duration" &
	await_measurement "$!"
	timers_status=$?
	recorder_end && recorder_check "$output/stock.dat" || die "trace-cmd: $(recorder_message)"
	[ "$timers_status" -eq 0 ] || exit "$timers_status"
	WAKELAT_PROGRAM=$me "$tools/stock" "$output/stock.dat" "$output/samples.tsv.partial" "$work_dir/facts.tsv"
	stock_status=$?
	case $stock_status in
	0 | 3) ;;
	*) exit "$stock_status" ;;
	esac
	rm -f "$output/stock.dat"
	printf 'run.1.reason\t%s\n' "$([ "$interrupted" -eq 0 ] && printf duration || printf stopped)" >>"$work_dir/facts.tsv"
}
