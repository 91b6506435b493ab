#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat record sends its samples to trace-cmd's listener: it is there, it goes away, there is none.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/record.sh"

record_job record-listen 12
ok "what the listener has written can be dumped" "$top/scripts/wakelat" dump "$tmp/record-listen/far"
done_testing
