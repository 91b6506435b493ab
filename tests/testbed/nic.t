#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat nic with one i210 of the testbed, and with two.
# needs: qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

guest_job "$tmp/out" "$top/tests/guest/nic.job" --model skylake-sp-i210
is "$status" 0 "the job ran"
replay_checks "$tmp/out" 54
unlike "$(cat "$tmp/out/dmesg.log")" 'WARNING|BUG|Oops|Call Trace' "the kernel log has no warning or bug"

guest_job "$tmp/two" "$top/tests/guest/nic-two.job" --model skylake-sp-i210 --set nic.count=2
is "$status" 0 "two cards: the job ran"
replay_checks "$tmp/two" 9
done_testing
