#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Source i210 with a card that fails: each failure has a clear message, the run ends, and igb can use the card again.
# needs: qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

# fault NAME CHECKS [OPTION]...: run the job for the fault NAME, which makes CHECKS checks
fault() {
	fault_name=$1
	fault_checks=$2
	shift 2
	printf '%s\n' "$fault_name" >"$tmp/fault"
	guest_job "$tmp/$fault_name" "$top/tests/guest/i210-faults.job" --add "$tmp/fault=/fault" "$@"
	is "$status" 0 "$fault_name: the job ran"
	replay_checks "$tmp/$fault_name" "$fault_checks"
	unlike "$(cat "$tmp/$fault_name/dmesg.log")" 'WARNING|BUG|Oops|Call Trace' "$fault_name: the kernel log has no warning or bug"
}

# The recordings begin about one virtual second after the machine is switched on.
fault none 3
fault gone 7 --model skylake-sp-i210 --set nic.fault_gone_at_ns=3000000000
fault jump 10 --model skylake-sp-i210 --set nic.fault_jump_at_ns=3000000000 --set nic.fault_jump_ns=-1000000000
fault reset 8 --model skylake-sp-i210 --set nic.fault_reset=on --set nic.fault_reset_from_ns=550000000 \
	--set nic.fault_reset_to_ns=4000000000
fault intx 3 --model skylake-sp-i210 --set nic.msix=off --set nic.msi=off
fault lost 21 --model skylake-sp-i210 --set nic.msix=off --set nic.fault_lost_every=10
done_testing
