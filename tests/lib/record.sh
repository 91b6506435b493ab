# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# record.sh - run a guest job that tests `wakelat record`, and report its checks on the host. Each job has a test of its own,
# so that the jobs run in parallel.

: "${top:?}" "${tmp:?}" "${status=}"

# record_job NAME CHECKS [TESTBED-OPTION...]: run guest/NAME.job, which makes CHECKS checks
record_job() {
	job=$1
	checks=$2
	shift 2
	guest_job "$tmp/$job" "$top/tests/guest/$job.job" "$@" --add "$top/tests/guest/record.sh=/record.sh"
	is "$status" 0 "$job: the job succeeds"
	replay_checks "$tmp/$job" "$checks"
	unlike "$(cat "$tmp/$job/dmesg.log")" 'WARNING|BUG|Oops|Call Trace' "$job: the kernel log has no warning or bug"
}
