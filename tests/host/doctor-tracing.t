#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat doctor on simulated machines that are traced, and verdict on a recording that was made while a tracer was active.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/machine.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

chmod 755 "$tmp"
TMPDIR=$tmp/t
mkdir -m 1777 "$TMPDIR"
WAKELAT_ROOT=$tmp/m
export WAKELAT_ROOT TMPDIR
tracing=/sys/kernel/tracing

# found STATUS SEVERITY CHECK ERE [FILE VALUE]: on a machine with FILE, doctor ends with STATUS and has this finding. In
# /sys/kernel/tracing are an instance of somebody and that of a recording.
found() {
	rm -rf m
	make_machine "$tmp/m"
	put $tracing/current_tracer nop
	put $tracing/events/enable 0
	for instance in theirs wakelat; do
		put "$tracing/instances/$instance/current_tracer" nop
		put "$tracing/instances/$instance/events/enable" 0
	done
	[ $# -eq 4 ] || put "$5" "$6"
	run "$wakelat" doctor --time 0s --cpu 1 --tsv
	is "$status" "$1" "${5-no tracer}: status"
	like "$out" "^$3	machine	$2	.*$4" "${5-no tracer}: $3 is found"
}
found 0 ok tracer 'no tracer is active'
found 1 doubt tracer "tracer function is active in $tracing: .*echo nop >$tracing/current_tracer	echo function >" $tracing/current_tracer function
found 1 doubt tracer "tracer function_graph is active in $tracing/instances/theirs:" $tracing/instances/theirs/current_tracer function_graph
found 0 ok tracer 'no tracer is active' $tracing/instances/wakelat/current_tracer function
found 0 note trace_events "events are enabled in $tracing/instances/theirs" $tracing/instances/theirs/events/enable X
found 0 ok trace_events "no event is enabled in $tracing" $tracing/instances/wakelat/events/enable X
found 0 note function_hooks 'e\.g\. schedule \(1\) R: see .*/enabled_functions' $tracing/enabled_functions 'schedule (1) R'
found 0 note function_hooks 'e\.g\. .*do_exit: see .*/kprobes/list' /sys/kernel/debug/kprobes/list 'ffff0000 k do_exit'
found 1 doubt stack_tracer 'hooks each function' /proc/sys/kernel/stack_tracer_enabled 1
unset WAKELAT_ROOT

# The caveat that record and probe write.
three_states traced 0 tracers function caveat 'a tracer was active (function), so latencies are too long'
run "$wakelat" verdict -b 50us traced
like "$out" '^Caveat: a tracer was active \(function\), so latencies are too long\.$' "verdict says that a tracer was active"
ok "scrub keeps the caveat" "$wakelat" scrub -q -o public traced
is "$(grep -cE '^(tracers|caveat)	' public/run.tsv)" 2 "the copy says that a tracer was active"
done_testing
