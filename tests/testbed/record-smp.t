#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat record with two CPUs: on which CPU the recorder runs, a run on both CPUs, and a CPU that goes offline.
# needs: qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/record.sh"

record_job record-smp 25 --cpus 2
done_testing
