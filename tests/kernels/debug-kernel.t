#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The series runs without a warning in a kernel with PROVE_LOCKING, PROVE_RCU and DEBUG_ATOMIC_SLEEP, built with objtool's
# noinstr check.
# needs: qemu kernel:debug
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

use_kernel debug
for option in PROVE_LOCKING PROVE_RCU DEBUG_ATOMIC_SLEEP DEBUG_ENTRY IRQSOFF_TRACER NOINSTR_VALIDATION; do
	ok "built with $option" grep -qx "CONFIG_$option=y" "${kernel%/*}/config"
done
unlike "$(cat "${kernel%/*}/build.log")" 'warning: objtool' "objtool has no warning"

guest_job "$tmp/out" "$top/tests/guest/debug-kernel.job" --kernel "$kernel" --cpus 2
is "$status" 0 "the job succeeds"
replay_checks "$tmp/out" 8
unlike "$(cat "$tmp/out/dmesg.log")" 'WARNING|BUG|INFO: |Oops|Call Trace|possible|suspicious' "the kernel log has no warning"
done_testing
