#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat top: which options it refuses, and how it names taints. testbed/top.t checks the rest.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"

wakelat=$top/scripts/wakelat
for wrong in '--interval=1' '--interval=1us' '--interval=2h' '--nope' 'dir'; do
	refused '^wakelat top: ' "refuses $wrong" "$wakelat" top --once "$wrong"
	is "$status" 2 "$wrong is wrong usage"
done

# A kernel made of files. The names of taints come from the field taint in the event's format.
[ -x "$top/tools/bin/top" ] || make -C "$top/tools" >"$tmp/make.log" 2>&1 || bail "tools do not build"
mkdir "$tmp/lock" "$tmp/event"
: >"$tmp/event/trigger"
cat >"$tmp/event/format" <<'END'
print fmt: "taint=%s unknown=%s", __print_flags(REC->taint, ",", { 0x01, "foreign_irq" }, { 0x02, "foreign_timer" }, { 0x10, "smi" }), __print_flags(REC->unknown, ",", { 0x1, "first" }, { 0x2, "nmi" }, { 0x10, "sixteen" })
END
cat >"$tmp/event/hist" <<'END'
# event histogram
#
# trigger info: hist:keys=state,taint:vals=hitcount:sort=hitcount:size=2048 [active]
#

{ state:          3, taint:         19 } hitcount:          5
{ state:          3, taint:          0 } hitcount:          7
END
printf 'cpu\tarmed\tsamples\n1\t20\t12\n' >"$tmp/counts"
run "$top/tools/bin/top" -1 -i 100 -N POLL -N C1 -N C1E -N C6 "$tmp/lock" "$tmp/event" "$tmp/counts"
is "$status" 0 "top prints a view"
like "$(printf '%s' "$out" | tr '\n' ' ')" 'tainted: 5 foreign_irq, 5 foreign_timer, 5 smi' "taints have the names of the field taint, not of another field"
is "$(grep -ac irqs_on "$tmp/event/trigger")" 0 "the trigger uses no field that the event does not have"
done_testing
