#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat record is ended from outside: everything is put back, at once or by restore.
# needs: qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/record.sh"

record_job record-signals 73
done_testing
