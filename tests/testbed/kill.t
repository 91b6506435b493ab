#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# guest/kill.job ends a prepared recording (CPUs offline, interrupts moved) at 50 random moments by TERM, INT, HUP and
# KILL. Afterwards (after KILL, when restore has run) each writable file of sysfs, procfs and tracefs has its old value.
# needs: qemu kernel:default
# takes: minutes
# tier: first WAKELAT_KILLS=12
# tier: rest WAKELAT_KILLS=38 WAKELAT_SEED=2
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

: "${WAKELAT_SEED:=1}" "${WAKELAT_KILLS:=50}"
note "$WAKELAT_KILLS kills, seed of the moments $WAKELAT_SEED (WAKELAT_SEED=N, WAKELAT_KILLS=N for others)"
printf '%s\n' "$WAKELAT_KILLS" >"$tmp/kills"
printf '%s\n' "$WAKELAT_SEED" >"$tmp/seed"
guest_job "$tmp/kill" "$top/tests/guest/kill.job" --cpus 2 --add "$tmp/seed=/seed" --add "$tmp/kills=/kills" \
	--add "$top/tests/guest/record.sh=/record.sh"
is "$status" 0 "the job ran"
replay_checks "$tmp/kill" $((WAKELAT_KILLS + 7))
unlike "$(cat "$tmp/kill/dmesg.log")" 'WARNING|BUG|Oops|Call Trace' "the kernel log has no warning or bug"
done_testing
