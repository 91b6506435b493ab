#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat contribute in the virtual Xeon. On stock kernels: tests/machine/contribute.t.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/measuring.sh"

words "$(measuring) $(guest_tools merge pool reduce) $(guest_program "$(command -v cksum)" /bin/cksum)" guest_job "$tmp/contribute" "$top/tests/guest/contribute.job"
is "$status" 0 "the job ran"
replay_checks "$tmp/contribute" 15
note "$(cat "$tmp/contribute/said")"
done_testing
