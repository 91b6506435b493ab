#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat probe: its options, and its messages if it was not built, or if neither BPF nor trace-cmd can be used.
# machine/probe.t, and probe-*.t in the testbed, test what it measures.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

refused "'nmi' is none of timer, passive, wake" "refuses an unknown source" "$wakelat" probe --source nmi
refused '^wakelat probe: --passive is now --source passive ' "names the new option for the old one" "$wakelat" probe --passive
refused "unknown option '--never'" "refuses an unknown option" "$wakelat" probe --never x
refused 'standard error is not a terminal' "refuses --live without a terminal" "$wakelat" probe --live
refused 'not a time in whole us' "refuses a latency limit of 1 ns" "$wakelat" probe --latency-limit 1ns
refused 'waker needs' "refuses --waker without source wake" "$wakelat" probe --waker 0
refused 'samples 0 needs' "refuses -n 0 without --duration" "$wakelat" probe -n 0
if [ "$(id -u)" -eq 0 ]; then
	chmod 711 "$tmp"
	refused 'must be root.*without root:' "refuses to run without root" setpriv --reuid 65534 --regid 65534 --clear-groups "$wakelat" probe
fi
refused "'never' is not a time" "refuses a threshold that is not a time" "$wakelat" probe --threshold never
refused 'stop needs --threshold' "refuses --stop without --threshold" "$wakelat" probe --stop
refused '--export and --threshold exclude each other' "refuses --threshold with --export" "$wakelat" probe --threshold 1us --export m.prom

# Column slowest_latency, for events that wake several CPUs. The samples have times with more digits than a double, nanoseconds
# that begin with zeros (octal to busybox), interrupts on, and a taint. One event lacks the sample of a CPU.
{
	printf 'cpu\tseq\tltime\twake_latency\tintr_latency\tirqs_on\ttaint\n'
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' 1 7 123456789070626231 133468 - 0 - 2 7 123456789070626949 133737 - 0 - \
		1 8 123456790000000009 100 900 1 - 2 8 123456789999999999 200 - 0 - 1 9 5 10 - 0 resched 2 9 6 10 - 0 - 2 10 7 10 - 0 -
} >at-once.tsv
# slowest_by AWK...: check slowest.awk with this awk
slowest_by() {
	: >facts
	is "$("$@" -v cpus=2 -v facts=facts -f "$top/scripts/lib/probe/slowest.awk" at-once.tsv at-once.tsv | cut -f 1,2,8 | tr '\t\n' ' ,')" \
		"cpu seq slowest_latency,1 7 -,2 7 134455,1 8 910,2 8 -,1 9 -,2 9 -,2 10 -," "$*: the CPU that woke last has slowest_latency"
	is "$(cat facts)" "run.1.events_complete	2" "$*: complete events are counted"
}
slowest_by awk
[ -z "$(command -v busybox)" ] || slowest_by busybox awk
is "$(awk -v n=1 -f "$top/scripts/lib/probe/independent.awk") $(awk -v n=3 -f "$top/scripts/lib/probe/independent.awk")" \
	"50.0000,99.0000 79.3701,99.6655" "the median and p99 of the slowest of three CPUs are p79.37 and p99.67 of one CPU"


refused '--budget excludes --export and --threshold' "refuses --budget with --export" "$wakelat" probe --budget 50us --export m.prom
refused '--budget excludes --export and --threshold' "refuses --budget with --threshold" "$wakelat" probe --budget 50us --threshold 1us
refused "'50' is not a time" "refuses a budget without a unit" "$wakelat" probe --budget 50

# judged SAMPLES TAINTED [FOREIGN]: call judge of probe-run.sh with these counts; $err has its message
judged() {
	printf 'run.1.cpu1.samples\t%s\nrun.1.cpu1.tainted\t%s\nlost_overrun\t0\n' "$1" "$2" >facts.tsv
	[ $# -eq 2 ] || printf 'foreign_interrupts\t%s\n' "$3" >>facts.tsv
	cat >judge.sh <<END
set -u
me='wakelat probe' work_dir=. journal_tab='	' source=timer seed= output=. threshold=0 stop=no cost=no every= alarm= live= tools=. by_trace=no
at_once=no cpu_list=1 cpu_count=1 first_cpu=1 ldist_min=1 ldist_max=2 here=$top/scripts
. "$top/scripts/lib/common/message.sh"
. "$top/scripts/lib/probe/probe-run.sh"
judge
END
	run dash judge.sh
}
judged 900 900 'irq 24 virtio0: 812, vector 0xf6 irq_work: 88'
is "$err" "wakelat probe: 900 of 900 samples of CPU 1 are tainted: other interrupts came at the same time (irq 24 virtio0: 812, vector 0xf6 irq_work: 88): find what causes them, e.g. with wakelat doctor" \
	"the message about tainted samples names the interrupts"
judged 900 500
like "$err" '^wakelat probe: 500 of 900 samples of CPU 1 are tainted: at the same time something else wakes' "the message about tainted samples comes if most are tainted"
judged 900 449
is "$err" "" "there is no message if most samples are clean"

# answered ROW...: print the answer for these rows "state metric-p50 p99 max n advertised"
answered() {
	printf 'state\tn\tadvertised_ns\twake_latency_p50\twake_latency_p99\twake_latency_max\n' >stats.tsv
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$@" >>stats.tsv
	printf 'run.1.cpu0.idle_periods\t17\nrun.1.cpu3.idle_periods\t0\n' >facts.tsv
	awk -F '\t' -v cpus=0,3 -f "$top/scripts/lib/common/us.awk" -f "$top/scripts/lib/probe/probe-answer.awk" facts.tsv stats.tsv
}
is "$(answered C1 5000 2000 31700 40000 51000 C2 42 - 19000 - 20000 C3 3 - - - 19291 C4 1 133000 - - 19290)" \
"CPU 0,3 takes 31.700 us to wake from C1 (median), in 99 of 100 cases at most 40.000 us; the longest of 5000 wake-ups took 51.000 us (the driver says 2.000 us).
CPU 0,3 takes 19.000 us to wake from C2 (median); the longest of 42 wake-ups took 20.000 us.
CPU 0,3 took 19.291 us to wake from C3 at most; that is the longest of only 3 wake-ups.
CPU 0,3 took 19.290 us to wake from C4 the only time it was measured (the driver says 133.000 us).
CPU 3 was not idle once, so nothing is known about it." "the answer names the median, does not generalise from one wake-up, and names a CPU that was not idle"

[ "$(id -u)" -eq 0 ] || { done_testing; exit; }
# The programs that make the table after the measurement are not built.
mkdir -p copy/tools/bin && cp -R "$top/scripts" copy/
for tool in check-tables quantiles safe-copy; do
	ln -s "$top/tools/bin/$tool" copy/tools/bin/
done
refused '^wakelat probe: tools/bin/answer is not built' "without the program for the table: refuses before it measures" copy/scripts/wakelat probe
refused '^wakelat probe: tools/bin/answer is not built' "without the program for the verdict: the same" \
	copy/scripts/wakelat probe -q --budget 50us
# Neither probe's own program is built, nor the programs that measure with trace-cmd.
ln -s "$top/tools/bin/answer" copy/tools/bin/
refused 'not built: scripts/dev/packages probe, then make tools; trace-cmd cannot measure here either: tools/bin/stock and timers are not built: make tools' \
	"names what is not built" copy/scripts/wakelat probe
no_tracefs() (
	exec unshare -m sh -c 'umount -a -t tracefs; mount -t tmpfs none /sys/kernel/btf && exec "$0" probe' "$wakelat"
)
if [ -d /sys/kernel/btf ] && command -v trace-cmd >/dev/null; then
	refused 'no BTF.*trace-cmd cannot measure here either: (tracefs is not mounted: mount|tracing may not be changed)' "names what is missing: BTF and tracefs" no_tracefs
fi
is "$(find . -name 'wakelat-*' | grep -v copy)" "" "a probe that failed leaves no directory"
done_testing
