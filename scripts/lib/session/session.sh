# SPDX-License-Identifier: GPL-2.0
# session.sh - begin and end a session: a command that measures, and may change the machine.
# shellcheck shell=sh
#
# record, probe and sweep use this file. However a session ends, also by Ctrl-C or an
# error, `leave` restores what the journal lists. A command defines two functions for `leave`:
#	stop_measuring		ends what still runs; also called if nothing runs
#	leave_unfinished	keeps useful files of an unfinished directory, or calls clear_output
#
# Needs message.sh, put-file.sh, journal.sh, output.sh.

# Variables that other files set:
: "${placing?put-file.sh}" "${output_ready?output.sh}" "${finished?output.sh}"

# The PID of the measuring program while it runs. See end_early and await_measurement.
measurement=
interrupted=0
signals=0
changing=no
: "$interrupted"
# Blank, TAB and newline
session_ifs=$IFS

# session_begin: from here on, leave is called however the command ends.
session_begin() {
	trap leave EXIT
	obey_signals
}

# obey_signals: from here on, a signal ends the measurement or the session
obey_signals() {
	trap 'end_early 129' HUP
	trap 'end_early 130' INT
	trap 'end_early 143' TERM
}

# may_change: begins the journal. The machine may be changed from here on.
may_change() {
	changing=yes
	journal_begin
	[ "$output_ready" = no ] || unfinished_begin "${output:?}"
}

# end_early STATUS: ends the measurement, so that the session goes on with the results so far. Ends
# the session if no measurement is running.
end_early() {
	[ -n "$measurement" ] || exit "$1"
	interrupted=$1
	signals=$((signals + 1))
	kill -TERM "$measurement" 2>/dev/null
}

# await_measurement PID: waits for this process, and returns its status. A signal interrupts wait,
# so wait again after each signal. After this function, this shell and all processes that it starts
# ignore signals, because a second Ctrl-C would lose what was measured. obey_signals undoes that.
await_measurement() {
	measurement=$1
	while :; do
		signals_before=$signals
		wait "$measurement"
		measurement_status=$?
		[ "$signals" -ne "$signals_before" ] || break
	done
	trap '' HUP INT TERM
	measurement=
	return "$measurement_status"
}

# end_process PID: ends a process with SIGTERM, and waits until it has ended. A wakelat command
# restores what it has changed before it ends.
end_process() {
	kill -TERM "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# undone TEXT: logs a change that was undone. journal_undo calls it.
undone() {
	log "restored $*"
}

# put_back: restores what the journal lists. Sets $leave_status to 1 if something cannot be restored
# and the status was 0.
put_back() {
	if ! journal_is_ours; then
		journal_not_begun
	elif journal_undo; then
		unfinished_end
	else
		warn "some settings could not be restored: run wakelat restore"
		[ "$leave_status" -ne 0 ] || leave_status=1
	fi
}

leave() {
	leave_status=$?
	trap '' HUP INT TERM
	trap - EXIT
	# A signal may have come in a loop over a list that is not separated by blanks.
	IFS=$session_ifs
	set +f
	progress_end
	[ -z "$measurement" ] || end_process "$measurement"
	stop_measuring
	[ -z "$placing" ] || rm -f "$placing"
	[ "$finished" = yes ] || [ "$output_ready" = no ] || leave_unfinished
	[ "$changing" = no ] || put_back
	exit "$leave_status"
}
