#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# make demo QEMU=stock: an answer without a QEMU that had to be built, which says everywhere that its states are artificial.
# needs: tools qemu kernel:default
# takes: minutes
. "$(dirname "$0")/../lib/tap.sh"

command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
label='emulated, artificial states'
demo=$top/out/demo-stock

refused '^demo: takes no arguments but --qemu stock$' "another argument" "$top/testbed/demo" --qemu ours
refused '^testbed/run: --qemu stock has no model of a CPU' "a model of a CPU for a QEMU that has none" \
	"$top/testbed/run" --qemu stock --model skylake-sp --out "$tmp/none" "$top/tests/guest/artificial.job"

run make -C "$top" demo QEMU=stock
is "$status" 0 "make demo QEMU=stock"
printf '%s\n' "$out" >"$tmp/demo.out"
like "$out" '^EXCEEDED: A3: longer than 50 us; kept: A1, A2$' "its answer"
like "$out" "^demo-stock \\($label\\), " "its label"
is "$(awk '/^A[123] / { print $1, $2, $3 >= $2 && $3 <= $2 + 0.5, $6 >= $2 && $6 <= $2 + 0.5 }' "$tmp/demo.out")" \
	"A1 5.000 1 1
A2 20.000 1 1
A3 100.000 1 1" "each state's percentile and maximum are what is set, and half a microsecond more at most"
like "$out" '^N = 3000 each' "of as many samples as p99.9 needs"
like "$(cat "$demo/run.tsv")" '^emulated	yes$' "the recording says that it is emulated"
like "$(cat "$demo/run.tsv")" '^driver	artificial$' "and by what its states are made"
like "$(cat "$demo/run.tsv")" '^state\.1\.desc	artificial, 20 us$' "and which"
like "$("$top/scripts/wakelat" stats "$demo")" "^Latency from idle states \\($label\\): demo-stock" "the table is labelled"
like "$(cat "$demo/report.html")" "<title>Wake latency \\($label\\): demo-stock" "the page's title is"
like "$(cat "$demo/report.html")" 'class="warn">Artificial: the idle states are those of cpuidle-artificial' "and it warns"
unlike "$(cat "$demo/report.html")" 'set by its model' "of what is so, and of nothing else"
figures=0
for figure in "$demo"/figures/*.svg; do
	figures=$((figures + 1))
	like "$(cat "$figure")" "$label" "${figure##*/} is labelled"
done
ok "there are figures" test "$figures" -ge 5
done_testing
