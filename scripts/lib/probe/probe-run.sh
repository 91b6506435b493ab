# SPDX-License-Identifier: GPL-2.0
# probe-run.sh - run tools/bin/probe, write run.tsv, and check whether there are samples.
# shellcheck shell=sh
#
# Needs message.sh, journal.sh, cpuidle.sh, runtsv.sh, revision.sh, probe-options.sh, probe-machine.sh.

# Variables that other files set:
: "${me?the command}" "${here?the command}" "${work_dir?journal.sh}" "${journal_tab?journal.sh}" "${source?session-options.sh}" "${seed?session-options.sh}" \
	"${output?session-options.sh}" "${threshold?probe-options.sh}" "${stop?probe-options.sh}" "${cost?session-options.sh}" \
	"${every?session-options.sh}" "${alarm?probe-options.sh}" "${live?session-options.sh}" "${tools?probe-machine.sh}" \
	"${by_trace?probe-machine.sh}" "${at_once?probe-machine.sh}" "${cpu_list?record-choices.sh}" "${cpu_count?record-choices.sh}" "${first_cpu?record-choices.sh}" \
	"${ldist_min?session-options.sh}" "${ldist_max?session-options.sh}"

# The file of samples. With --threshold it is outliers.tsv: its samples are a selection, so
# statistics of them would be wrong.
rows_file=samples.tsv

# systematic_error: print the systematic error of the latencies in words, for run.tsv
systematic_error() {
	[ "$by_trace" = no ] || {
		printf "source stock: wake_latency includes the kernel's path from the idle state to event cpu_idle and the recording itself, usually less than 1 us (380 ns in the testbed); this is not subtracted\n"
		return
	}
	systematic_size='less than 1 us as a rule (277 ns in the testbed, C1E and C6)'
	systematic_event=local_timer_entry
	case $(uname -m) in
	aarch64)
		systematic_size='less than 1 us as a rule, and by 2 us if the CPU loses its context in the state (270 ns, WFI, and 1897 ns in the testbed)'
		systematic_event=irq_handler_entry ;;
	esac
	printf 'source %s: each latency is too long by %s, which is not subtracted:' "$source" "$systematic_size"
	printf " wake_latency includes the kernel's path from the idle state to event cpu_idle, interrupt latency that to %s, and both the BPF program until it reads the clock" "$systematic_event"
	case $source in
	wake) printf '; wake_latency begins where the scheduler decides to wake the thread (sched_waking), sent_latency just after the interrupt is sent or the flag is set: less than 1 us too late as a rule' ;;
	esac
	printf '\n'
}

facts_settings() {
	if [ "$source" = passive ] || [ "$waker" = any ]; then
		ldist_mode=
		: "$ldist_mode"
	fi
	facts_asked CLOCK_MONOTONIC "${states:-all}" "${recorder_cpus:-$online}"
	[ -z "$waker" ] || fact waker "$waker"
	[ -z "$waker_place" ] || fact waker_placement "$waker_place"
	fact latency_limit_us "${latency_limit:--}"
	fact run.1.cpus "$cpu_list"
	fact run.1.state "$(states_enabled "$first_cpu")"
	fact systematic_error "$(systematic_error)"
	fact taints_unknown "SMIs cannot be seen without their counter, nor interrupts that have no tracepoint"
}

# run_probe: run tools/bin/probe until it ends by itself or by a signal. Its messages go to stderr.
run_probe() {
	set -- -s "$source" -c "$cpu_list" -l "$ldist_min:$ldist_max" -S "$seed" -n "${samples:-0}" -T "${duration:-0}"
	[ -z "$recorder_cpus" ] || set -- "$@" -H "$recorder_cpus"
	[ "$source" != wake ] || [ "$waker" = any ] || set -- "$@" -w "$waker"
	[ -z "$latency_limit" ] || set -- "$@" -L "$latency_limit"
	[ "$cost" = no ] || set -- "$@" -C
	[ "$threshold" -eq 0 ] || set -- "$@" -X "$threshold"
	[ "$stop" = no ] || set -- "$@" -O
	[ "$live" != --live ] || set -- "$@" -V 2 -t "$(machine_words)"
	state_names "$first_cpu" >"$work_dir/names"
	while IFS= read -r name; do
		set -- "$@" -N "$name"
	done <"$work_dir/names"
	if [ -n "$export_file" ]; then
		set -- "$@" -E "$export_file" -e "$every" -A "$alarm" -M "$(machine_kind)" /dev/null
	else
		set -- "$@" "$output/$rows_file.partial"
	fi
	(
		# The file has names of processes and of the kernel's functions. Nobody else may read it.
		[ "$threshold" -eq 0 ] || umask 077
		WAKELAT_PROGRAM=$me exec "$tools/probe" "$@" "$work_dir/facts.tsv"
	) &
	await_measurement "$!" || exit
}

# add_slowest: add the column slowest_latency: the time from the event until all CPUs were awake
add_slowest() {
	[ "$at_once" = yes ] && [ "$threshold" -eq 0 ] || return 0
	awk -v cpus="$cpu_count" -v facts="$work_dir/facts.tsv" -f "$here/lib/probe/slowest.awk" "$output/samples.tsv.partial" \
		"$output/samples.tsv.partial" >"$output/samples.tsv.new.partial" &&
		mv "$output/samples.tsv.new.partial" "$output/samples.tsv.partial" ||
		cannot_write "$output/samples.tsv"
}

# count_of NAME: print the sum of the count over the CPUs, from facts.tsv
count_of() {
	awk -F '\t' -v name="$1" '$1 ~ "^run\\.1\\.cpu[0-9]+\\." name "$" { n += $2 } END { printf "%.0f\n", n }' "$work_dir/facts.tsv"
}

# foreign_cause: print what else woke the CPU: the most frequent interrupts, or else the most frequent taints
foreign_cause() {
	cause=$(sed -n "s/^foreign_interrupts$journal_tab//p" "$work_dir/facts.tsv")
	if [ -n "$cause" ]; then
		printf 'other interrupts came at the same time (%s): find what causes them, e.g. with wakelat doctor\n' "$cause"
	else
		printf 'at the same time something else wakes the CPU (column taint)\n'
	fi
}

# judge: die if there is no sample; warn if most are tainted or some were lost
judge() {
	judge_n=$(count_of samples)
	judge_tainted=$(count_of tainted)
	[ "$judge_n" -gt 0 ] ||
		die "no sample in $(count_of idle_periods) idle periods: $(count_of other_wakeups) ended by something other than source $source, $(count_of late) began after the event, $(count_of other_clock) ended by timers of another clock"
	[ "$judge_tainted" -lt "$((judge_n - judge_tainted))" ] ||
		warn "$judge_tainted of $judge_n samples of CPU $cpu_list are tainted: $(foreign_cause)"
	judge_lost=$(sed -n "s/^lost_overrun$journal_tab//p" "$work_dir/facts.tsv")
	[ "$judge_lost" -eq 0 ] || warn "lost $judge_lost samples: no room in the buffer; the rest is in $output"
}
