# SPDX-License-Identifier: GPL-2.0
# analysis.sh - code that dump, stats, plot and report share. These commands make the following files
# in a recording's directory:
# shellcheck shell=sh
#
#	trace.dat --dump--> samples.tsv --stats--> stats.tsv --plot, report--> figures/ report.html
#
# Needs message.sh; sources all other files that are needed to read a recording.

# Variables that other files set:
: "${here?the command}" "${me?the command}"

# shellcheck source=scripts/lib/common/trust.sh
. "$here/lib/common/trust.sh"
# shellcheck source=scripts/lib/common/put-file.sh
. "$here/lib/common/put-file.sh"

tools=$here/../tools/bin
status_incomplete=3

# The programs in tools/ begin their messages with the command's name.
export WAKELAT_PROGRAM="$me"

# The work directory. Each command has its own, and removes it at its end, with all unfinished
# files.
work=

# shellcheck source=scripts/lib/analysis/results.sh
. "$here/lib/analysis/results.sh"
# shellcheck source=scripts/lib/analysis/directory.sh
. "$here/lib/analysis/directory.sh"
# shellcheck source=scripts/lib/analysis/convert.sh
. "$here/lib/analysis/convert.sh"
# shellcheck source=scripts/lib/analysis/samples.sh
. "$here/lib/analysis/samples.sh"

# check_lines FILE: exits if a line is too long, for which awk would take all memory
check_lines() {
	need_tools check-tables
	"$tools/check-tables" -l "$1" || exit
}

analysis_leave() {
	leave_status=$?
	trap '' HUP INT TERM PIPE XFSZ
	trap - EXIT
	[ -z "$work" ] || rm -rf "$work"
	exit "$leave_status"
}

make_work() {
	[ -z "$work" ] || return 0
	trap analysis_leave EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	# PIPE: the reader of the output, such as head, has ended. XFSZ: a file exceeds the limit on
	# file sizes.
	trap 'exit 141' PIPE
	trap 'exit 153' XFSZ
	must_trust place "${TMPDIR:-/tmp}" "set TMPDIR to a directory of your own"
	work=$(mktemp -d "${TMPDIR:-/tmp}/wakelat.XXXXXX" 2>/dev/null) || {
		work=
		cannot_write_temporary
	}
	export WAKELAT_WORK="$work"
}

# exit_analysis: exits with status 3 if samples are missing from the recording, else with 0
exit_analysis() {
	[ "$incomplete" = no ] || exit "$status_incomplete"
	exit 0
}
