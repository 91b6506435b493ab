#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Test source ipi with launch distances from 5 us. Meanwhile a program on the sender's CPU causes other function calls
# (IPIs) on the measured CPU. An event has a short latency if it is queued behind another call, or comes while the CPU is
# waking up. Each such sample must have a taint.
# needs: tools qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"
. "$top/tests/lib/conditions.sh"

enough=400
kernel default
boot ipi-calls --cpus 2 <<"J"
[ -c /dev/cpu/1/msr ] || { echo "no /dev/cpu/1/msr" >&2; exit 1; }
limit=20s
# With calls of others, the sender needs up to 26 instructions more from its stamp to its write: 13 ns at 2 GHz.
bound=80
# MSR 16 is the TSC. To read it, the kernel calls a function on CPU 1.
while :; do
	dd if=/dev/cpu/1/msr of=/dev/null bs=8 count=1 skip=2 2>/dev/null
	usleep 1000
done &
calls=$!
try "calls from elsewhere" ipi C1E,C6 --cpu 1 --setting sender=0 --ldist 5us:500us -n 500
kill "$calls"
J
start_boots
judge_boots
note "emulated; error = measured - injected, ns:"
note "$(cat "$tmp/conditions.tsv")"
for state in C1E C6; do
	ok "calls from elsewhere, $state: the calls taint samples" awk -F '\t' -v state=$state '
		$3 == state && $8 > 0 { found = 1 } END { exit !found }' "$tmp/conditions.tsv"
done
is "$(awk -F '\t' 'NR > 1 { n += $10 } END { print n + 0 }' "$tmp/conditions.tsv")" 0 \
	"no untainted sample is foreign or exceeds its error bound"
done_testing
