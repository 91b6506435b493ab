#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Source passive: samples of wake-ups that a program's timers cause.
# needs: qemu kernel:default
# tier: first
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/instructions.sh"

build_sleeper || bail "no compiler"
guest_job "$tmp/out" "$top/tests/guest/passive.job" --add "$tmp/sleeper=/sleeper"
is "$status" 0 "the job ran"
replay_checks "$tmp/out" 8
done_testing
