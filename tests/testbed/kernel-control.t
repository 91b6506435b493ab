#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The kernel's control files, with two CPUs (whose timing need not be exact here).
# needs: qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

gcc -O2 -Wall -static -o "$tmp/run-file" "$top/tests/guest/run-file.c" || bail "no compiler"
guest_job "$tmp/out" "$top/tests/guest/kernel-control.job" --cpus 2 --add "$tmp/run-file=/run-file"
is "$status" 0 "the job ran"
replay_checks "$tmp/out" 102
unlike "$(cat "$tmp/out/dmesg.log")" 'WARNING|BUG|Oops|Call Trace' "the kernel log has no warning or bug"
done_testing
