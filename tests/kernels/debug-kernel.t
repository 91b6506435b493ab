#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The series under PROVE_LOCKING, PROVE_RCU, DEBUG_ATOMIC_SLEEP, with objtool's noinstr check when it was built.
# needs: qemu kernel:debug
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

use_kernel debug
for option in PROVE_LOCKING PROVE_RCU DEBUG_ATOMIC_SLEEP DEBUG_ENTRY IRQSOFF_TRACER NOINSTR_VALIDATION; do
	ok "built with $option" grep -qx "CONFIG_$option=y" "${kernel%/*}/config"
done
unlike "$(cat "${kernel%/*}/build.log")" 'warning: objtool' "objtool has nothing to say"

guest_job "$tmp/out" "$top/tests/guest/debug-kernel.job" --kernel "$kernel" --cpus 2
is "$status" 0 "the job ran"
replay_checks "$tmp/out" 8
unlike "$(cat "$tmp/out/dmesg.log")" 'WARNING|BUG|INFO: |Oops|Call Trace|possible|suspicious' "no splat"
done_testing
