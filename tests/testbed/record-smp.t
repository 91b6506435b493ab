#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat record with two CPUs: where the recorder runs, both measured, one going offline.
# needs: qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/record.sh"

record_job record-smp 25 --cpus 2
done_testing
