# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# record.sh - a job of the guest that tries `wakelat record`, as results of a test on the host. One test each, so that
# they run side by side.

: "${top:?}" "${tmp:?}" "${status=}"

# record_job NAME CHECKS [TESTBED-OPTION...]: guest/NAME.job, which makes so many checks
record_job() {
	job=$1
	checks=$2
	shift 2
	guest_job "$tmp/$job" "$top/tests/guest/$job.job" "$@" --add "$top/tests/guest/record.sh=/record.sh"
	is "$status" 0 "$job: the job ran"
	replay_checks "$tmp/$job" "$checks"
	unlike "$(cat "$tmp/$job/dmesg.log")" 'WARNING|BUG|Oops|Call Trace' "$job: the kernel has nothing to complain about"
}
