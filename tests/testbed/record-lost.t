#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Tests wakelat record when the ring buffer or the disk is full.
# needs: qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/record.sh"

record_job record-lost 29
done_testing
