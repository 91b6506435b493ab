# SPDX-License-Identifier: GPL-2.0
# recorder.sh - run trace-cmd in the background, to write the events of the tracefs instance
# `wakelat` to a file.
# shellcheck shell=sh
#
# trace-cmd runs as long as its child. The child only waits for the end of its standard input, which
# is a pipe from this shell. However this shell ends, also by kill -9, the pipe is closed and
# trace-cmd finishes its file. trace-cmd has a session of its own, so that Ctrl-C on the terminal
# reaches only this shell, which stops the run first and then the recorder.
#
# Needs message.sh, sysfs.sh, cpuidle.sh, journal.sh, tracefs.sh; run-file.sh unless the events are stock.

# Variables that other files set:
: "${log_file?message.sh}" "${write_error?sysfs.sh}" "${work_dir?journal.sh}" "${tracefs?tracefs.sh}" \
	"${start_field?journal.sh}" "${cpu_sysfs?cpuidle.sh}" "${here?the command}"

recorder_pid=
# HOST:PORT of a `trace-cmd listen` to which the recording is sent instead of to a file.
listen=

# yes: also record what the cpuidle governor is told (--governor-events), as governor-events.tsv lists.
recorder_governor_events=no
# See instance_make.
instance=
instance_trigger=

# instance_make KB PERCENT CPUS: creates a tracefs instance with a buffer of KB for each of CPUS
# (words). The other CPUs get the smallest buffer. An instance leaves the user's own buffer, clock
# and events alone, and removing it undoes everything.
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

# instance_triggers_end: removes all histogram triggers, also those of a wakelat top, because the
# instance cannot be removed while it has triggers.
instance_triggers_end() {
	[ -z "$instance_trigger" ] || undo_trigger "$instance_trigger"
}

# cpu_filter CPUS: prints a filter for events of these CPUs (words)
cpu_filter() {
	filter_text=
	for filter_cpu in $1; do
		filter_text="$filter_text${filter_text:+ || }CPU == $filter_cpu"
	done
	printf '%s\n' "$filter_text"
}

# recorder_arguments: sets $recorder_events to the arguments of trace-cmd that name the events, one
# a line
recorder_arguments() {
	recorder_events='-e
wakelat'
	[ "$recorder_governor_events" = yes ] || return 0
	recorder_functions=
	while read -r recorder_kind recorder_name; do
		case $recorder_kind in
		event)
			if [ -d "$tracefs/events/$(printf '%s' "$recorder_name" | tr : /)" ]; then
				recorder_events="$recorder_events
-e
$recorder_name"
			else
				warn "the kernel has no events $recorder_name"
			fi ;;
		function)
			! grep -q "^$recorder_name\$" "$tracefs/available_filter_functions" 2>/dev/null || recorder_functions="$recorder_functions
-l
$recorder_name" ;;
		esac
	done <"$here/lib/record/governor-events.tsv"
	if [ -n "$recorder_functions" ] && grep -qw function "$tracefs/available_tracers" 2>/dev/null; then
		recorder_events="$recorder_events
-p
function$recorder_functions"
	else
		warn "the kernel has no function tracer: the calls of the cpuidle governor are not recorded"
	fi
}

# governor_restart: changes the cpuidle governor and back, if the kernel has another one, so that the recording has all
# that it has learnt
governor_restart() {
	restart_file=$cpu_sysfs/cpuidle/current_governor
	[ -w "$restart_file" ] || return 0
	restart_name=$(read_value "$restart_file") || return 0
	for restart_other in $(read_value "$cpu_sysfs/cpuidle/available_governors"); do
		[ "$restart_other" != "$restart_name" ] || continue
		change "$restart_file" "$restart_other"
		change "$restart_file" "$restart_name"
		return
	done
}

# recorder_run FILE: runs trace-cmd until it ends, in a subshell. Then stops the run, which must not
# go on unrecorded. FILE is absolute, because trace-cmd runs in $work_dir: trace-cmd 3.1 creates
# files named "(null).cpu0" in the current directory.
recorder_run() {
	trap '' HUP INT TERM
	# Only root may read the file, because it has the kernel's symbols with their addresses.
	umask 077
	# Close fd 3 here, because busybox keeps a copy of it if the caller redirects.
	exec 3>&-
	cd "$work_dir" || exit
	if [ -n "$listen" ]; then
		# Send by TCP, so that nothing is lost on the way.
		set -- -N "$listen" -t
	else
		set -- -o "$1"
	fi
	while IFS= read -r recorder_argument; do
		set -- "$@" "$recorder_argument"
	done <<END_EVENTS
$recorder_events
END_EVENTS
	# Opening a pipe for both directions neither waits for the other side nor fails without one.
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

# recorder_start FILE [EVENTS]: starts the recorder, and returns when it records. It records the
# events of wakelat into FILE, or to $listen. EVENTS, arguments of trace-cmd, one a line, replace
# these events on a kernel without wakelat.
recorder_start() {
	recorder_stock=${2-}
	recorder_events=$recorder_stock
	[ -n "$recorder_stock" ] || recorder_arguments
	mkfifo "$work_dir/end" "$work_dir/begin" || die "cannot create $work_dir/end"
	# Opening a pipe for both directions does not wait for the other side.
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

# recorder_await NAME: waits for the line NAME [VALUE] from the recorder, and sets $recorder_value
# to VALUE. Dies if trace-cmd has ended. Reading the pipe needs no polling. A signal ends the read,
# and the loop then reads again.
recorder_await() {
	recorder_said=
	while [ "$recorder_said" != "$1" ]; do
		recorder_said=
		read -r recorder_said recorder_value <&9
		[ "$recorder_said" != ended ] || die "trace-cmd did not start: $(recorder_message)"
	done
}

# recorder_end: lets trace-cmd finish its file, and returns its status.
recorder_end() {
	[ -n "$recorder_pid" ] || return 0
	exec 3>&-
	wait "$recorder_pid"
	recorder_status=$?
	recorder_pid=
	{ [ -z "$log_file" ] || sed 's/^/trace-cmd: /' "$work_dir/trace-cmd.log" >>"$log_file"; } 2>/dev/null
	return "$recorder_status"
}

# recorder_message: prints in one line why trace-cmd failed
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

# recorder_check FILE: succeeds if FILE has the whole recording. trace-cmd has a recorder process
# for each CPU. The status of trace-cmd does not show that one of these failed, for example on a
# full disk.
recorder_check() {
	! grep -q 'recorder error' "$work_dir/trace-cmd.log" && trace_is_whole "$1"
}

# trace_is_whole FILE: succeeds if trace-cmd has finished the file
trace_is_whole() {
	[ -e "$1" ] || return
	case $(trace-cmd dump --summary -i "$1" 2>/dev/null) in
	*'buffer "wakelat"'*) ;;
	*) return 1 ;;
	esac
}

# instance_stats: prints the numbers of lost events, summed over all CPUs, as lines of run.tsv. Call
# it before trace-cmd ends, which empties the buffers and removes the instance.
instance_stats() {
	awk -F ': ' '
		{ n[$1] += $2 }
		END {
			printf "lost_overrun\t%.0f\n", n["overrun"]
			printf "lost_dropped\t%.0f\n", n["dropped events"]
			printf "lost_commit_overrun\t%.0f\n", n["commit overrun"]
		}' "$instance"/per_cpu/cpu*/stats 2>/dev/null
}
