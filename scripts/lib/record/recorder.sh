# SPDX-License-Identifier: GPL-2.0
# recorder.sh - trace-cmd in the background, writing the tracefs instance `wakelat` to a file.
# shellcheck shell=sh
#
# trace-cmd runs for as long as its child, which does nothing but wait for the end of its standard
# input, a pipe from this shell. However this shell ends, also by kill -9, the pipe is closed and
# trace-cmd finishes its file. It has a session of its own, so that Ctrl-C on the terminal reaches this
# shell only: the run is stopped first, then the recorder.
#
# Needs message.sh, sysfs.sh, journal.sh, tracefs.sh; run-file.sh unless the events are stock.

# Read here, set there:
: "${log_file?message.sh}" "${write_error?sysfs.sh}" "${work_dir?journal.sh}" "${tracefs?tracefs.sh}"

recorder_pid=
# HOST:PORT of a trace-cmd listen that is sent what is recorded, in place of a file.
listen=

# What is recorded beside our own events: see --governor-events.
recorder_governor_events=no
# See instance_make.
instance=
instance_trigger=

# instance_make KB PERCENT CPUS: CPUS are words. A tracefs instance, so that the user's own buffer, clock and events
# are left alone and removing the instance undoes everything. The other CPUs get the smallest buffer.
instance_make() {
	instance=$tracefs/instances/wakelat
	[ ! -d "$instance" ] ||
		die "tracefs instance $instance was not created by wakelat: if nothing uses it, rmdir $instance"
	journal rmdir "$instance"
	mkdir "$instance" || die "cannot create $instance"
	instance_trigger=$instance/events/wakelat/wakelat_sample/trigger
	journal trigger "$instance_trigger"
	instance_kb=$1
	write_value "$instance/buffer_percent" "$2" ||
		die "$instance/buffer_percent: cannot write $2: $write_error"
	write_value "$instance/buffer_size_kb" 4 || die "$instance: cannot shrink the buffer: $write_error"
	for instance_cpu in $3; do
		write_value "$instance/per_cpu/cpu$instance_cpu/buffer_size_kb" "$instance_kb" ||
			die "no memory for a buffer of $instance_kb KiB for CPU $instance_cpu: $write_error; record fewer samples, or set --buffer"
	done
}

# instance_triggers_end: histograms, also those of a wakelat top, as they keep the instance from going.
instance_triggers_end() {
	[ -z "$instance_trigger" ] || undo_trigger "$instance_trigger"
}

# recorder_arguments: sets $recorder_events, arguments of trace-cmd, one a line
recorder_arguments() {
	: "${cpus?record-choices.sh}"
	recorder_events='-e
wakelat'
	[ "$recorder_governor_events" = yes ] || return 0
	recorder_filter=
	for recorder_cpu in $cpus; do
		recorder_filter="$recorder_filter${recorder_filter:+ || }CPU == $recorder_cpu"
	done
	for recorder_event in power:cpu_idle power:cpu_idle_miss timer:hrtimer_start timer:hrtimer_expire_entry; do
		[ -d "$tracefs/events/$(printf '%s' "$recorder_event" | tr : /)" ] || {
			warn "the kernel has no event $recorder_event"
			continue
		}
		recorder_events="$recorder_events
-e
$recorder_event
-f
$recorder_filter"
	done
}

# recorder_run FILE: in a subshell, until trace-cmd has ended. A run must not go on unrecorded.
# FILE is absolute: trace-cmd 3.1 makes files named "(null).cpu0" in the current directory, so that is
# one where it may.
recorder_run() {
	trap '' HUP INT TERM
	# It has the kernel's symbols with their addresses.
	umask 077
	# Not by a redirection of the call: busybox would keep a copy to go back to.
	exec 3>&-
	cd "$work_dir" || exit
	if [ -n "$listen" ]; then
		# By TCP: what is sent arrives.
		set -- -N "$listen" -t
	else
		set -- -o "$1"
	fi
	while IFS= read -r recorder_argument; do
		set -- "$@" "$recorder_argument"
	done <<END_EVENTS
$recorder_events
END_EVENTS
	# The pipe is opened for both directions, which does not wait for the other side, nor fails without one.
	setsid sh -c 'printf "group %s\n" "$$" 1<>"$1"; shift; exec "$@"' sh "$work_dir/begin" \
		trace-cmd record -B wakelat -C mono "$@" \
		sh -c 'printf "recording\n" 1<>"$1"; exec cat >/dev/null' sh "$work_dir/begin" \
		<"$work_dir/end" >"$work_dir/trace-cmd.log" 2>&1 5>&- 9>&-
	recorder_status=$?
	printf '%s\n' "$recorder_status" >"$work_dir/recorded"
	printf 'ended\n' >&9
	[ -n "$recorder_stock" ] || run_write stop
	exit "$recorder_status"
}

# recorder_start FILE [EVENTS]: returns when events are being recorded: those of wakelat, with --listen to there, or EVENTS of any
# kernel, as arguments of trace-cmd, one a line.
recorder_start() {
	recorder_stock=${2-}
	recorder_events=$recorder_stock
	[ -n "$recorder_stock" ] || recorder_arguments
	mkfifo "$work_dir/end" "$work_dir/begin" || die "cannot create $work_dir/end"
	# For both directions, which does not wait for the other side.
	exec 3<>"$work_dir/end" 9<>"$work_dir/begin"
	recorder_run "$1" &
	recorder_pid=$!
	recorder_await group
	recorder_group=$recorder_value
	find_start "$recorder_group"
	journal group "$recorder_group" "$start_field"
	recorder_await recording
	exec 9>&-
}

# recorder_await NAME: until the recorder says so; sets $recorder_value to what it says of it. Nobody wakes up meanwhile to
# look, and a signal ends the reading, not the waiting.
recorder_await() {
	recorder_said=
	while [ "$recorder_said" != "$1" ]; do
		recorder_said=
		read -r recorder_said recorder_value <&9
		[ "$recorder_said" != ended ] || die "trace-cmd did not start: $(recorder_message)"
	done
}

# recorder_end: lets trace-cmd finish its file; its status.
recorder_end() {
	[ -n "$recorder_pid" ] || return 0
	exec 3>&-
	wait "$recorder_pid"
	recorder_status=$?
	recorder_pid=
	{ [ -z "$log_file" ] || sed 's/^/trace-cmd: /' "$work_dir/trace-cmd.log" >>"$log_file"; } 2>/dev/null
	return "$recorder_status"
}

# recorder_message: why trace-cmd failed, in one line
recorder_message() {
	if grep -q 'No space left on device' "$work_dir/trace-cmd.log"; then
		printf 'no space left on the disk\n'
	elif grep -q . "$work_dir/trace-cmd.log"; then
		grep . "$work_dir/trace-cmd.log" | tail -n 1 | sed 's/^[[:space:]]*//'
	elif [ -n "$listen" ]; then
		printf 'the listener went away (trace-cmd ended with status %s)\n' "$(cat "$work_dir/recorded")"
	else
		printf 'trace-cmd ended with status %s\n' "$(cat "$work_dir/recorded")"
	fi
}

# recorder_check FILE: is what was recorded in the file? trace-cmd's status does not cover its
# recorders, one process for each CPU, and a disk can be full for these alone.
recorder_check() {
	! grep -q 'recorder error' "$work_dir/trace-cmd.log" && trace_is_whole "$1"
}

# trace_is_whole FILE: has trace-cmd finished it?
trace_is_whole() {
	[ -e "$1" ] || return
	case $(trace-cmd dump --summary -i "$1" 2>/dev/null) in
	*'buffer "wakelat"'*) ;;
	*) return 1 ;;
	esac
}

# instance_stats: what was lost, summed over all CPUs, as lines of run.tsv.
# Before trace-cmd ends: that empties the buffers and removes the instance.
instance_stats() {
	awk -F ': ' '
		{ n[$1] += $2 }
		END {
			printf "lost_overrun\t%.0f\n", n["overrun"]
			printf "lost_dropped\t%.0f\n", n["dropped events"]
			printf "lost_commit_overrun\t%.0f\n", n["commit overrun"]
		}' "$instance"/per_cpu/cpu*/stats 2>/dev/null
}
