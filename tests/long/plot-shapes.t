#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat plot draws unusual samples: equal, few, without some columns, huge, of many states, not
# above 0, without a launch distance.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
build_tools
cd "$tmp" || exit 1

shape() {
	mkdir "$1"
	samples_tsv "$1/samples.tsv"
	run_tsv "$1/run.tsv"
	ok "$2: plot succeeds" "$wakelat" plot -q -k svg,png,pdf "$1"
	is "$(find "$1/figures" -name '*.svg' -size +1k | wc -l | tr -d ' ')" "$3" "$2: all figures are drawn"
}
awk 'BEGIN { for (i = 0; i < 400; i++) print 3, 1000000, 133000, 134000, "-" }' >rows
shape equal "400 equal samples" 7 <rows
awk 'BEGIN { for (i = 0; i < 9; i++) print 3, i * 1000, 133000 + i, 134000, "-" }' >rows
shape few "nine samples" 6 <rows
awk 'BEGIN { for (i = 0; i < 40; i++) print 3, "-", 100 + i, "-", "-" }' >rows
shape bare "latencies only" 5 <rows
awk 'BEGIN { for (i = 0; i < 40; i++) print 3, i * 1000, i ? i "000000000000000" : "9223372036854775807", "-", "-" }' >rows
shape huge "latencies of days" 6 <rows
awk 'BEGIN { for (s = 0; s < 11; s++) for (i = 0; i < 40; i++) print s, i * 1000, 100 + i * (s + 1), "-", (s == 10 ? "nmi" : "-") }' >rows
shape many_states "eleven states, one of them tainted" 6 <rows
# Most latencies are 0 or less; the minimum of the others is 50 ns.
awk 'BEGIN { for (i = 0; i < 400; i++) print 3, 1000000 + i, (i % 5 < 3 ? i % 5 * -400 : 47 + i), 134000, "-" }' >rows
shape not_above_0 "latencies of 0 and less among others" 6 <rows
like "$(grep '<text' not_above_0/figures/ccdf.svg)" '400 \(240 below 0\.050 µs, not shown\)' "latencies of 0 and less: the note counts them"
"$top/tools/bin/answer" figures -o not_above_0 -r not_above_0/run.tsv not_above_0/samples.tsv
is "$(grep '^latency_low' not_above_0/ranges.dat)" "latency_low	0.050" "latencies of 0 and less do not change the lower end of a logarithmic axis"
is "$(grep -c "<path stroke='rgb(  0, 158, 115)'" not_above_0/figures/states.svg)" 3 "latencies of 0 and less: whiskers, box and median are drawn, down to the axis"
ok "plot draws latencies of 0 and less on linear axes" "$wakelat" plot -q -k svg --linear -o linear not_above_0
unlike "$(grep '<text' linear/silent-time.svg)" 'not shown' "linear axes show latencies of 0 and less"
"$top/tools/bin/answer" figures -l -o not_above_0 -r not_above_0/run.tsv not_above_0/samples.tsv
is "$(head -n 1 not_above_0/ccdf-1.dat) $(awk '$3 != "-" && NF { n += $2 } END { print n }' not_above_0/histogram-1.dat)" "-0.800	1 400" "linear axes: CCDF and histogram contain latencies of 0 and less"
for figure in ccdf histogram percentiles; do
	not_ok "$figure: --linear has an effect" cmp -s "linear/$figure.svg" "not_above_0/figures/$figure.svg"
done
sed 's/-[48]00/0/' rows >zero
shape least_0 "latencies of 0 and more" 6 <zero

# The launch distance is 0 if wakelat did not arm the event: in one sample, or in all.
awk 'BEGIN { for (i = 0; i < 400; i++) print 3, 1000000 + i, 133000 + i, 134000, "-" }' | samples_tsv armed.tsv
mkdir one_passive passive
awk -F '\t' -v OFS='\t' 'NR == 9 { $6 = 0 } { print }' armed.tsv >one_passive/samples.tsv
awk -F '\t' -v OFS='\t' 'NR > 1 { $6 = 0 } { print }' armed.tsv >passive/samples.tsv
run_tsv one_passive/run.tsv
run_tsv passive/run.tsv
run_tsv one_passive/run.tsv ldist_mode sweep
grep -v '^ldist_mode	uniform' one_passive/run.tsv >new && mv new one_passive/run.tsv
ok "plot draws a sweep with one launch distance of 0" "$wakelat" plot -q -f order -k svg one_passive
like "$(grep '<text' one_passive/figures/order.svg)" '>Launch distance' "a sweep with one launch distance of 0: the other launch distances are drawn"
ok "plot draws samples whose launch distances are all 0" "$wakelat" plot -q -f order -k svg passive
unlike "$(grep '<text' passive/figures/order.svg)" '>Launch distance' "all launch distances are 0: the figure has no axis for them"
mkdir empty
samples_tsv empty/samples.tsv </dev/null
run_tsv empty/run.tsv
refused "no rows" "no samples" "$wakelat" plot -q empty
ok "no samples: plot leaves no figures" test ! -e empty/figures

done_testing
