#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat record sends its samples to trace-cmd's listener. It fails cleanly if the listener ends during the
# run, or does not exist.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/record.sh"

record_job record-listen 12
ok "dump reads the recording that the listener has written" "$top/scripts/wakelat" dump "$tmp/record-listen/far"
done_testing
