# SPDX-License-Identifier: GPL-2.0
# run-file.sh - the kernel's file wakelat/run: settings of a run, its start and its end. A run belongs to the open file that has
# started it, and ends with it, however this shell ends.
# shellcheck shell=sh
#
# The file is open as fd 5. A child that may outlive this shell closes it, or stops the run itself.
#
# Needs message.sh, tracefs.sh.

# Read here, set there:
: "${wakelat?tracefs.sh}"

# run_file_open: settings are those of this open file only, and begin with the kernel's defaults.
run_file_open() {
	[ -w "$wakelat/run" ] || die "$wakelat/run cannot be written"
	exec 5<>"$wakelat/run"
}

# run_write LINE...: in one write, of which the kernel takes all or nothing; on failure the kernel's reason is in $run_error.
# By dd, see write_value; one line by the shell first, of which several may become several writes.
run_write() {
	run_error=
	[ $# -ne 1 ] || ! { printf '%s\n' "$1" >&5; } 2>/dev/null || return 0
	run_error=$(printf '%s\n' "$@" | dd bs=4096 2>&1 >&5) && return
	run_error=$(printf '%s\n' "$run_error" | sed -n 's/^dd: .*: //p')
	return 1
}

# run_set LINE...: "KEY VALUE", or dies.
run_set() {
	run_write "$@" || die "the kernel refuses $(printf '%s, ' "$@" | sed 's/, $//'): $run_error"
}

# run_start: or dies. A source whose start fails may say why in a line of its own.
run_start() {
	! run_write start || return 0
	read_status error
	run_why=$status_value
	status_value=
	case $run_why in
	[a-z]*': cannot start: '*) read_status "${run_why%%:*}.problem" ;;
	esac
	run_problem=$status_value
	die "the run cannot be started: $run_error (${run_problem:-$run_why})"
}
