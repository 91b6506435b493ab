#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat record and restore on the virtual Xeon: what they write and refuse, and that everything is as it was
# after every way out. The checks themselves are in guest/record*.job.
. "$(dirname "$0")/lib/tap.sh"
. "$top/tests/lib/replay.sh"

# record_job NAME CHECKS [TESTBED-OPTION...]
record_job() {
	job=$1
	checks=$2
	shift 2
	guest_job "$tmp/$job" "$top/tests/guest/$job.job" "$@" --add "$top/tests/guest/record.sh=/record.sh"
	is "$status" 0 "$job: the job ran"
	replay_checks "$tmp/$job" "$checks"
	unlike "$(cat "$tmp/$job/dmesg.log")" 'WARNING|BUG|Oops|Call Trace' "$job: the kernel has nothing to complain about"
}

record_job record 76
record_job record-signals 73
record_job record-lost 25
record_job record-smp 25 --cpus 2
done_testing
