# SPDX-License-Identifier: GPL-2.0
# session.sh - what everything that measures has in common: it begins, it may change the machine, and it ends in one way.
# shellcheck shell=sh
#
# Used by record, probe, who, sweep and tune. Whatever ends a session, Ctrl-C and errors too, `leave` puts back what the
# journal lists. A command defines two functions for it:
#	stop_measuring		end what still runs; also called if nothing does
#	leave_unfinished	keep what is worth it of an unfinished directory, or call clear_output
#
# Needs message.sh, place.sh, journal.sh, output.sh.

# Read here, set there:
: "${placing?place.sh}" "${output_ready?output.sh}" "${finished?output.sh}"

# The program that measures, while it does. See end_early and await_measurement.
measurement=
interrupted=0
changing=no
: "$interrupted"

# session_begin: from here on leave is the way out.
session_begin() {
	trap leave EXIT
	trap 'end_early 129' HUP
	trap 'end_early 130' INT
	trap 'end_early 143' TERM
}

# may_change: begin the journal. The machine may be changed from here on.
may_change() {
	changing=yes
	journal_begin
	[ "$output_ready" = no ] || unfinished_begin "${output:?}"
}

# end_early STATUS: end the measurement, and go on with what it has measured; end the session if there is none.
end_early() {
	[ -n "$measurement" ] || exit "$1"
	interrupted=$1
	kill -TERM "$measurement" 2>/dev/null
}

# await_measurement PID: return the status of this process. A signal ends the waiting, not the measurement.
await_measurement() {
	measurement=$1
	while :; do
		wait "$measurement"
		measurement_status=$?
		kill -0 "$measurement" 2>/dev/null || break
	done
	measurement=
	return "$measurement_status"
}

# end_process PID: and wait for it. A command of ours that is told to end puts back what it has changed.
end_process() {
	kill -TERM "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# undone TEXT: called for each thing that was changed back.
undone() {
	log "restored $*"
}

# put_back: what the journal lists; sets $leave_status if something is left
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
	progress_end
	[ -z "$measurement" ] || end_process "$measurement"
	stop_measuring
	[ -z "$placing" ] || rm -f "$placing"
	[ "$finished" = yes ] || [ "$output_ready" = no ] || leave_unfinished
	[ "$changing" = no ] || put_back
	exit "$leave_status"
}
