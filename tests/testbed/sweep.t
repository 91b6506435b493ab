#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat sweep in the virtual Xeon.
# needs: tools qemu kernel:default
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/measuring.sh"

# sweep_job NAME CHECKS [TESTBED-OPTION...]: run guest/NAME.job, which makes CHECKS checks
sweep_job() {
	job=$1
	checks=$2
	shift 2
	words "$(measuring)" guest_job "$tmp/$job" "$top/tests/guest/$job.job" "$@" --add "$top/tests/guest/record.sh=/record.sh"
	is "$status" 0 "$job: the job ran"
	replay_checks "$tmp/$job" "$checks"
	unlike "$(cat "$tmp/$job/dmesg.log")" 'WARNING|BUG|Oops|Call Trace' "$job: the kernel log has no warning or bug"
}

sweep_job sweep 63
sweep_job sweep-smp 14 --cpus 2
done_testing
