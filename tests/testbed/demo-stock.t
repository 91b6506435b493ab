#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make demo QEMU=stock answers without a QEMU that has to be built. Each output says that the states are artificial.
# needs: tools qemu kernel:default
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"

command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
label='emulated, artificial states'
demo=$top/out/demo-stock

refused '^demo: takes no arguments but --qemu stock$' "an argument other than --qemu stock is refused" \
	"$top/testbed/demo" --qemu ours
refused '^testbed/run: --qemu stock has no CPU model' "Debian's QEMU refuses a model of a CPU" \
	"$top/testbed/run" --qemu stock --model skylake-sp --out "$tmp/none" "$top/tests/guest/artificial.job"

run make -C "$top" demo QEMU=stock
is "$status" 0 "make demo QEMU=stock succeeds"
printf '%s\n' "$out" >"$tmp/demo.out"
like "$out" '^EXCEEDED by A3 \(p99\.9 longer than 50 us\); kept by A1, A2$' "the answer names the states that keep and exceed the budget"
like "$out" "^demo-stock \\($label\\), " "the answer has the label of artificial states"
is "$(awk '/^A[123] / { print $1, $2, $3 >= $2 && $3 <= $2 + 0.5, $7 >= $2 && $7 <= $2 + 0.5 }' "$tmp/demo.out")" \
	"A1 5.000 1 1
A2 20.000 1 1
A3 100.000 1 1" "each state's percentile and maximum are its set latency, or up to 0.5 us more"
like "$out" '^N = 3000 each' "each state has as many samples as p99.9 needs"
like "$(cat "$demo/run.tsv")" '^emulated	yes$' "run.tsv says that the recording is emulated"
like "$(cat "$demo/run.tsv")" '^driver	artificial$' "run.tsv names the driver of the artificial states"
like "$(cat "$demo/run.tsv")" '^state\.1\.desc	artificial, 20 us$' "run.tsv describes the artificial states"
like "$("$top/scripts/wakelat" stats "$demo")" "^Latency from idle states \\($label\\): demo-stock" \
	"the table of stats has the label"
like "$(cat "$demo/report.html")" "<title>Wake latency \\($label\\): demo-stock" "the report's title has the label"
like "$(cat "$demo/report.html")" 'class="warn">Artificial: the idle states are those of cpuidle-artificial' \
	"the report warns of artificial states"
unlike "$(cat "$demo/report.html")" 'set by its model' "the report does not warn of a model's latencies"
figures=0
for figure in "$demo"/figures/*.svg; do
	figures=$((figures + 1))
	like "$(cat "$figure")" "$label" "${figure##*/} has the label"
done
ok "there are at least five figures" test "$figures" -ge 5
done_testing
