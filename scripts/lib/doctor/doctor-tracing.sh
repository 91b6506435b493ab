# SPDX-License-Identifier: GPL-2.0
# doctor-tracing.sh - check what traces the kernel: tracers, events and function hooks lengthen the path from an interrupt to its
# handler.
# shellcheck shell=sh
#
# Needs doctor.sh, settings.sh.

# Variables that other files set:
: "${root?sysfs.sh}" "${value?doctor.sh}" "${setting_found?settings.sh}"

# The tracers that are active, joined by commas; see check_tracing.
tracers_active=

# check_tracing: look at all instances of tracefs except that of a recording. A tracer is active even if its instance records
# nothing (tracing_on is 0). Without access to tracefs, check_wakelat has said so.
check_tracing() {
	tracers_active=
	for tracing_dir in "$root/sys/kernel/tracing" "$root"/sys/kernel/tracing/instances/*; do
		[ "$tracing_dir" != "$root/sys/kernel/tracing/instances/wakelat" ] || continue
		check_tracer "${tracing_dir#"$root"}"
		check_trace_events "${tracing_dir#"$root"}"
	done
	if [ -z "$tracers_active" ]; then
		[ ! -e "$root/sys/kernel/tracing/current_tracer" ] || finding tracer machine ok nop "no tracer is active"
		check_hooks
	fi
	check_setting stack_tracer machine
	[ "$setting_found" = no ] || [ "$value" = 0 ] || tracers_active=$tracers_active${tracers_active:+,}stack
}

check_tracer() {
	known tracer machine "$1/current_tracer" || return 0
	[ "$value" != nop ] || return 0
	finding tracer machine doubt "$value" "tracer $value is active in $1: the kernel's functions take longer, so interrupt latency (states that are entered with interrupts on) can be several times too long" \
		"echo nop >$1/current_tracer" "echo $value >$1/current_tracer"
	tracers_active=$tracers_active${tracers_active:+,}$value
}

# check_trace_events DIR: 0: no event is enabled, 1: all are, X: some
check_trace_events() {
	known trace_events machine "$1/events/enable" || return 0
	case $value in
	0) finding trace_events machine ok 0 "no event is enabled in $1" ;;
	*)
		finding trace_events machine note "$value" "events are enabled in $1: each that is on the path of a wake-up makes it longer" \
			"end the program that records them, or echo 0 >$1/events/enable" "enable them again"
		;;
	esac
}

# check_hooks: report functions that something other than a tracer hooks: perf, BPF, a live patch, kprobes
check_hooks() {
	for hooks_file in /sys/kernel/tracing/enabled_functions /sys/kernel/debug/kprobes/list; do
		get "$hooks_file" && [ -n "$value" ] || continue
		finding function_hooks machine note "${hooks_file##*/}" "functions of the kernel are hooked (BPF, perf, kprobes, a live patch), e.g. $value: see $hooks_file"
	done
}
