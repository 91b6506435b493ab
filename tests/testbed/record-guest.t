#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat record on the virtual Xeon: what it writes and refuses, and that it restores all settings.
# needs: qemu kernel:default
# takes: minutes
# tier: first
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/record.sh"

record_job record 81
done_testing
