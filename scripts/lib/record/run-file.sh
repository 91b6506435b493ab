# SPDX-License-Identifier: GPL-2.0
# run-file.sh - set up, start and stop runs with the kernel's file wakelat/run. A run belongs to the
# open file that started it. The run ends when this file is closed, however this shell ends.
# shellcheck shell=sh
#
# The file is open as fd 5. A child that may outlive this shell closes fd 5, or stops the run
# itself.
#
# Needs message.sh, tracefs.sh.

# Variables that other files set:
: "${wakelat?tracefs.sh}"

# run_file_open: opens the file. Settings belong to this open file only, and begin with the kernel's
# defaults.
run_file_open() {
	[ -w "$wakelat/run" ] || die "cannot write $wakelat/run"
	exec 5<>"$wakelat/run"
}

# run_write LINE...: writes the lines in one write, which the kernel accepts as a whole or not at
# all. On failure the kernel's reason is in $run_error. The shell writes a single line, because it
# starts no process. dd writes several lines, which the shell may split into several writes, and
# gives the reason of a failure (see write_value).
run_write() {
	run_error=
	[ $# -ne 1 ] || ! { printf '%s\n' "$1" >&5; } 2>/dev/null || return 0
	run_error=$(printf '%s\n' "$@" | dd bs=4096 2>&1 >&5) && return
	run_error=$(printf '%s\n' "$run_error" | sed -n 's/^dd: .*: //p')
	return 1
}

# run_set LINE...: writes settings ("KEY VALUE"), or dies.
run_set() {
	run_write "$@" || die "the kernel refuses $(printf '%s, ' "$@" | sed 's/, $//'): $run_error"
}

# run_refused: dies, because the kernel has not started a run. A source that cannot start may give
# the reason in its own line of status.
run_refused() {
	read_status state
	[ "$status_value" != running ] || die "the run cannot be started: $run_error (another program's run is active)"
	read_status error
	run_why=$status_value
	status_value=
	case $run_why in
	[a-z]*': cannot start: '*) read_status "${run_why%%:*}.problem" ;;
	esac
	run_problem=$status_value
	die "the run cannot be started: $run_error (${run_problem:-$run_why})"
}
