#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat record, sweep and restore as root in the virtual Xeon: another user's files cannot mislead them.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/measuring.sh"

words "$(measuring)" guest_job "$tmp/out" "$top/tests/guest/safe-record.job" --add "$top/tests/guest/record.sh=/record.sh"
is "$status" 0 "the job ran"
replay_checks "$tmp/out" 62
done_testing
