#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A signal ends wakelat record. All settings are restored, at once or by wakelat restore.
# needs: qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/record.sh"

record_job record-signals 103
done_testing
