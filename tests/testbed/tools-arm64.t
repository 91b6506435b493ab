#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat's own programs, cross-built for the arm64 machine, record, dump and judge there. The results are the same as
# on the host.
# needs: tools tools-arm64 qemu-arm64 kernel:arm64
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/measuring.sh"

declared tools
use_kernel arm64
words "$(guest_tools_arm64)" guest_job "$tmp/out" "$top/tests/guest/tools-arm64.job" --machine arm64 --kernel "$kernel"
is "$status" 0 "the arm64 machine ran the job" || bail "no files of the job"
replay_checks "$tmp/out" 5

wakelat=$top/scripts/wakelat
ok "dump on the host reads the recording" "$wakelat" dump "$tmp/out/run"
ok "stats on the host makes the table" "$wakelat" stats "$tmp/out/run"
ok "verdict on the host says that the budget is kept" "$wakelat" verdict -p 99 -b 10us "$tmp/out/run"
for table in samples stats verdict; do
	ok "$table.tsv is the same from the arm64 machine and from the host" cmp "$tmp/out/here/$table.tsv" "$tmp/out/run/$table.tsv"
done
done_testing
