#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat probe on Debian's own kernel in the virtual Xeon (emulated), if a CPU is never idle, beside a program that prints, while
# a tracer is active, and with --budget.
# needs: tools qemu image
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/probe.sh"
ready_to_probe image

probe_job "$tmp/out" probe-busy 4 "probe check-tables quantiles" --cpus 2
cd "$tmp/out" || exit 1
is "$(grep -c '^wakelat_idle_periods_total{cpu="1"} 0$' m.prom)" 1 "--export: the busy CPU has a row that says that it was not idle"
like "$(cat m.prom)" '^wakelat_idle_periods_total\{cpu="0"\} [1-9]' "--export: the other CPU is measured"
for said in export two enough; do
	like "$(cat $said.said)" '^wakelat probe: CPU 1 was not idle once in 5 s, so it has no samples: what keeps it busy' "$said: the message names the busy CPU"
done
like "$(cat none.said)" '^wakelat probe: CPU 1 was not idle once in 5 s: what keeps it busy' "no CPU is idle: probe ends with a message"
ok "no CPU is idle: no directory is left" test ! -e none
like "$(cat two.table)" '^CPU 1 was not idle once, so nothing is known about it\.$' "the answer has a line for the busy CPU"
ok "only the idle CPU has samples" test "$(cut -f 2 two/samples.tsv | sort -u | paste -sd ' ' -)" = "0 cpu"
is "$(sed -n 's/^run\.1\.reason\t//p' enough/run.tsv)" samples "a number of samples ends the measurement although a CPU is busy"
like "$(sed -n 's/^foreign_interrupts\t//p' printing/run.tsv)" '^irq 4 ttyS0: [0-9]+' "beside a program that prints: run.tsv names the interrupt"
like "$(cat traced.said)" '^wakelat probe: a tracer is active \(function\): latencies are too long' "an active tracer: the message names it"
is "$(sed -n 's/^tracers\t//p' traced/run.tsv)" function "an active tracer: run.tsv names it"
like "$("$top/scripts/wakelat" verdict --budget 1ms traced)" '^Caveat: a tracer was active \(function\)' "an active tracer: verdict says so"
is "$(cat untraced.said; grep -E '^(tracers|caveat)' untraced/run.tsv)" "" "no tracer: neither a message nor a caveat"
is "$(cat 1ms.status) $(cat 20us.status)" "0 4" "--budget: the exit status is that of verdict"
like "$(cat 1ms.table)" '^KEPT' "--budget: the text of verdict is printed"
like "$(cat 20us.table)" '^EXCEEDED by C6' "--budget: the text of verdict names the state"
for budget in 1ms 20us; do
	"$top/scripts/wakelat" verdict --budget "$budget" "$budget" >verdict.txt
	is "$?" "$(cat "$budget.status")" "verdict on the recording has the same status"
	sed 1,/^CPU/d "$budget.table" | sed '/./,$!d' | sed 's|/out/||; s|^  *To set it.*||' >probe.txt
	is "$(sed -n 1,8p probe.txt)" "$(sed -n 1,8p verdict.txt)" "verdict on the recording prints the same text"
done
done_testing
