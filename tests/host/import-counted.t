#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat import: histograms of cyclictest and rtla become counts whose values are intervals; all commands accept such counts.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
printf 'WakeLatency,ReqCState\n133.070,C6\n2.5,C1\n133.081,C6\n' >samples.csv
"$wakelat" import -q -o samples samples.csv || bail "samples cannot be imported"

# A histogram only knows the bin of each value. So its values are intervals.
fixtures=$top/tests/fixtures/import
# bounds DIR STATE CPU STATISTIC: print the statistic's interval. CPU "all" means all CPUs together.
bounds() {
	table=$1/stats-cpu.tsv
	[ "$3" != all ] || table=$1/stats.tsv
	awk -F '\t' -v state="$2" -v cpu="$3" -v name="$4" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 == state && (cpu == "all" || $at["cpu"] == cpu) { print $at[name == "n" ? "n" : "latency_" name] }' "$table"
}
# histogram FILE DIR: import FILE into DIR, and make statistics.
histogram() {
	ok "$1: import" "$wakelat" import -q -o "$2" "$fixtures/$1"
	ok "$1: statistics" "$wakelat" stats "$2"
}
histogram cyclictest-histogram.json ch
is "$("$wakelat" stats ch | grep '^Taint'; "$wakelat" verdict -b 50us ch | grep '^Taint')" \
	"$(printf '%s\n' 'Taints: not known: smi, nmi.' 'Taints: not known: smi, nmi.')" \
	"cyclictest --json: stats and verdict say that SMIs and NMIs are not known"
is "$(bounds ch thread 0 n) $(bounds ch thread all n)" "300 600" "cyclictest --json: number of samples"
is "$(bounds ch thread 0 min) $(bounds ch thread 0 p50) $(bounds ch thread 0 max)" \
	"34000..35000 55000..56000 589000..590000" "minimum, median and maximum are exact to one bin"
is "$(bounds ch thread 1 p99)" "59000..1545000" "a percentile beyond the last bin reaches up to the maximum"
is "$(bounds ch thread 1 p99.9)" "-" "a percentile of too few samples is -"
is "$(bounds ch thread all p50) $(bounds ch thread all p99) $(bounds ch thread all mean)" "54000..55000 59000..1545000 57638..106547" \
	"all CPUs together: median, p99, mean"
like "$out" 'Caveat: cyclictest held /dev/cpu_dma_latency at 0' "a caveat says that cyclictest prevented idle states"
like "$out" 'p99 +59\.000\.\.1545\.000$' "the printed table shows intervals"
like "$out" 'the samples are known only in bins of 1 us' "the printed table states the bin width"
is "$(awk -F '\t' '$1 == "kernel" { print $2 }' ch/run.tsv)" "6.12.0-rt1" "run.tsv has the kernel that was measured"
histogram cyclictest.json cj
is "$(bounds cj thread 0 min) $(bounds cj thread 0 p50) $(bounds cj thread 0 max)" \
	"31000..32000 31000..254000 253000..254000" "without a histogram, percentiles are between minimum and maximum"
# Not every writer has an empty histogram there.
for none in 's/"histogram": {[ }]*,//' 's/"histogram": {[ }]*,/"histogram": null,/'; do
	sed "$none" "$fixtures/cyclictest.json" >none.json
	ok "a thread with neither a histogram nor an empty one is imported" "$wakelat" import -q -o none none.json
	is "$(cksum <none/counts.tsv)" "$(cksum <cj/counts.tsv)" "without a histogram, the counts are those of an empty one"
	rm -r none
done
histogram cyclictest.txt ct
is "$(for s in n min p50 p99 max; do bounds ct thread 0 $s; done | paste -sd ' ' -)" \
	"$(for s in n min p50 p99 max; do bounds ch thread 0 $s; done | paste -sd ' ' -)" \
		"cyclictest -h: the text has the same statistics as the JSON"
histogram cyclictest-summary.txt cs
is "$(bounds cs thread 0 n) $(bounds cs thread 1 n) $(bounds cs thread 1 min)" "200 77 54000..55000" \
	"cyclictest -H: the sum column is not a CPU; a CPU may have all samples beyond the last bin"
like "$out" 'Caveat: the file does not say whether cyclictest held /dev/cpu_dma_latency at 0' \
	"a text without cyclictest's line about /dev/cpu_dma_latency gets a caveat"
{ printf 'WARN: not setting cpu_dma_latency to save battery power\n' && cat "$fixtures/cyclictest-summary.txt"; } >laptop.txt
"$wakelat" import -q -o laptop laptop.txt
unlike "$(cat laptop/run.tsv)" caveat "cyclictest --laptop: no caveat"
sed '1s/0us/20us/' "$fixtures/cyclictest.txt" >latency.txt
"$wakelat" import -q -o latency latency.txt
like "$(cat latency/run.tsv)" '^caveat	cyclictest held /dev/cpu_dma_latency at 20 us' "cyclictest --latency=20: the caveat names the value"
sed 's/cyclictest -q/cyclictest --latency=20 -q/' "$fixtures/cyclictest.json" >latency.json
"$wakelat" import -q -o latency-json latency.json
like "$(cat latency-json/run.tsv)" '^caveat	cyclictest held /dev/cpu_dma_latency at 20 us' "cyclictest --json --latency=20: the same"
rm -rf cs
ok "cyclictest -N: import with --unit, because the text does not state the unit" \
	"$wakelat" import -q -o cs -u ns "$fixtures/cyclictest-summary.txt"
ok "stats of the import with --unit" "$wakelat" stats -q cs
is "$(bounds cs thread 1 min)" "54..55" "-u ns: values are in ns"
histogram timerlat.txt rt
is "$(bounds rt interrupt 1 n) $(bounds rt user 3 n)" "10001 10000" "rtla timerlat hist: N includes overflows"
is "$(bounds rt interrupt 1 p50) $(bounds rt thread 1 max)" "0..2000 107000..108000" \
	"rtla: bins of 2 us, and the maximum beyond the last bin"
is "$(bounds rt interrupt 1 p99.9)" "12000..14000" "rtla: p99.9 is the interval of a bin"
is "$(awk -F '\t' '$2 == 1 && $4 == 1 && $7 == "interval" { print $8, $10, $9 }' rt/counts.tsv | paste -sd ';' -)" \
	"2000 4000 9500;4000 6000 490;12000 14000 4;13000 108000 6;107000 108000 1" "counts.tsv has the bins and the maximum"
is "$(grep -E '^(source|resolution_ns|cpus|state.2.name)	' rt/run.tsv | paste -sd ';' - | tr '\t' ' ')" \
	"state.2.name user;source timerlat;resolution_ns 2000;cpus 1,3" "run.tsv has the states, source, bin width and CPUs"
sed 's/^max: .*/max: - - - - - -/' "$fixtures/timerlat.txt" >no-max.txt
ok "imports an rtla histogram without maxima" "$wakelat" import -q -o open no-max.txt
ok "stats of an rtla histogram without maxima" "$wakelat" stats open
is "$(bounds open thread 1 max) $(bounds open thread 1 mean)" "13000..- 2109..-" \
	"without a maximum, the last bin has no upper end"
like "$out" 'above the last bin; the tool states no maximum' "the printed table says why there is no upper end"
# rtla's output on a real machine with four CPUs: the numbers in the message of Linux commit 1eeb6328e8b3.
histogram timerlat-real.txt rr
is "$(bounds rr interrupt all n) $(bounds rr thread all n)" "240004 240004" "published histogram: all samples of 60 s are counted"
is "$(bounds rr interrupt 3 max) $(bounds rr thread 3 max)" "2000..3000 8000..9000" \
	"published histogram: CPU 3 has the published maxima"

# The commands that take samples also take counts. No printed bound is finer than a bin.
run "$wakelat" verdict -b 100us rt
like "$out" '^UNDECIDED for thread on CPU 1, user on CPU 1 .* kept by interrupt$' "verdict: each CPU of the histogram is judged by itself"
run "$wakelat" verdict --pooled -b 100us rt
is "$status" 0 "verdict: all states keep 100 us"
like "$out" '^KEPT by interrupt, thread, user \(p99\.9 not longer than 100 us\)$' "verdict: each timed latency is judged separately"
is "$(awk -F '\t' 'NR == 3 { print $9, $10, $11, $14 }' rt/verdict.tsv)" "12000..14000 4000 14000 107000..108000" \
	"verdict.tsv: p99.9, its bounds, the maximum"
run "$wakelat" verdict --pooled -b 13us rt
is "$status" 5 "verdict: a budget within a bin is undecided"
is "$(awk -F '\t' 'NR == 3 { print $20, $21 }' rt/verdict.tsv)" "2..21 0.0100..0.1050" \
	"verdict.tsv: number and share of samples above the budget are intervals"
run "$wakelat" verdict -b 100us -p max rt
is "$status" 4 "verdict: a maximum above the budget exceeds it"
run "$wakelat" verdict -b 100us ch
is "$status" 5 "verdict: too few samples are undecided"
like "$out" '^Caveat: cyclictest held' "verdict prints the caveat of the import"
run "$wakelat" verdict --pooled --json -b 100us rt
like "$out" '"value": "2000\.\.4000"' "--json: intervals are strings"
run "$wakelat" compare rt rr
is "$status" 4 "compare accepts two histograms"
is "$(awk -F '\t' '$1 == "thread" && $3 == "p99" { print $8, $9, $10, $16, $17, $18 }' rt/compare.tsv)" \
	"4000..6000 2000..3000 -4000..-1000 -4000 -1000 yes" "compare.tsv: values, difference and its interval"
refused "no state in common" "compare refuses counts and samples without a common state" "$wakelat" compare samples rt
ok "import --states: names the states" "$wakelat" import -q -o st --states C6:133:600,C1 "$fixtures/timerlat.txt"
is "$(sed -n 's/^state\.\([0-9]*\)\.\(name\|latency_ns\)	/\1 /p' st/run.tsv | paste -sd ';' -)" \
	"0 C6 interrupt;0 133000;1 C6 thread;1 133000;2 C6 user;2 133000;3 C1" "--states: the timed latency is appended to the state's name"
run "$wakelat" verdict -b 100us st
like "$out" '^C6 thread \(CPU 1\) +133\.000 ' "--states: the advertised latency is printed"
run "$wakelat" report --mail rt
like "$out" '^thread \(CPU 1\) +2\.\.4 +12\.\.14 +4\.00 \.\. 108\.00 +107\.\.108 +10001$' "report --mail prints intervals"

# --- export to files of counts, and import from them
"$wakelat" import -q -o m1 --set emulated=no --set cpu_model=A --set kernel=6.12 "$fixtures/timerlat.txt"
sed 's/^4 /5 /; /^max/s/ 4 *$/ 5/; /^min/s/ 3 *$/ 2/' "$fixtures/timerlat.txt" >finer.txt
"$wakelat" import -q -o m2 --set emulated=no --set cpu_model=A --set kernel=6.12 finer.txt
is "$(grep '^resolution_ns' m2/run.tsv | cut -f 2)" 1000 "the second recording has another bin width"
for name in m1 m2; do
	ok "$name: stats --counts writes a file of counts" "$wakelat" stats -q --counts "$name.counts" "$name"
done
is "$(sed 1d m1.counts | sed '$d' | cksum | tr ' ' '\t')" "$(sed -n 's/^end	//p' m1.counts)" \
	"the last line of a file of counts is the output of cksum"
ok "import of a file of counts makes a directory" "$wakelat" import -q -o back m1.counts
same m1/counts.tsv back/counts.tsv "the directory has the original counts"
same m1/run.tsv back/run.tsv "the directory has the original run.tsv"
ok "merge of two recordings with different bin widths" "$wakelat" merge -q -o both.counts m1.counts m2.counts m1.counts
ok "import of the merged counts" "$wakelat" import -q -o both both.counts
ok "stats of the merged counts" "$wakelat" stats -q both
is "$(bounds both thread all n) $(bounds both thread all min) $(bounds both thread all max)" "40002 2000..3000 107000..108000" \
	"merged counts have all samples, whatever their bin width"
is "$(awk -F '\t' '$2 == 1 && $4 == 1 && $7 == "interval" { n += $9; print $8, $10, $9 } END { print n }' both/counts.tsv | paste -sd ';' -)" \
	"2000 3000 9500;2000 4000 9500;4000 6000 490;5000 6000 490;12000 13000 4;12000 14000 4;13000 108000 12;107000 108000 2;20002" \
	"merged counts keep both sets of intervals, and add up equal ones"
for line in '2000	2000	9000' '2000	1000	9000' '2000	x	9000' '0	4000	9000'; do
	awk -v line="$line" '/^intervals/ && ++n == 2 { print; getline; print; print line; next } { print }' m1.counts |
		sed '1d; $d' >block
	{ printf 'wakelat-counts\t1\n' && cat block && printf 'end\t%s\n' "$(cksum <block | tr ' ' '\t')"; } >wrong.counts
	run "$wakelat" import -q -o x wrong.counts
	like "$status$err" '^1.*left out: line [0-9]+ of its recording: (not an interval|the counts do not add up)' \
		"import leaves out a recording with a wrong interval: $line"
done

if command -v gnuplot >/dev/null; then
	for data in rt ch cj open; do
		ok "$data: plot draws figures" "$wakelat" plot -q -k png,svg "$data"
	done
	is "$(cd rt/figures && echo *)" "ccdf.png ccdf.svg histogram.png histogram.svg left-out.tsv" \
		"plot draws two figures of counts"
	like "$(cat rt/figures/left-out.tsv)" '^percentiles	latencies are only known as intervals$' \
		"left-out.tsv says why the other figures are missing"
	like "$(tr -d '\n' <ch/figures/histogram.svg | sed 's/<[^>]*>/ /g')" 'N = 600 .*somewhere here .*thread ' \
		"the histogram has N, the marked bin and the states"
	# Memory does not grow with the number of samples: each row of a histogram is drawn once.
	sed 's/^000055.*/000055 9000000000000	000038/; s/^# Total: [0-9]*/# Total: 9000000000164/' "$fixtures/cyclictest.txt" >many.txt
	ok "imports a histogram of 9 * 10^12 samples" "$wakelat" import -q -o many many.txt
	ok "plot of 9 * 10^12 samples needs less than 2 GB of address space" \
		sh -c 'ulimit -v 2000000; exec "$1" plot -q -k svg many' sh "$wakelat"
	ok "plot draws counts and samples in one figure" "$wakelat" plot -q -k svg -o mixed samples rt
	refused "counts have no order" "plot -f order refuses counts" "$wakelat" plot -f order rt
else
	skip 11 "gnuplot is not installed"
fi
refused "counts have no single samples" "stats -w refuses counts" "$wakelat" stats -w 'state == 0' rt
refused "only known as intervals" "stats --hgrm refuses intervals" "$wakelat" stats -q --hgrm hg rt
mkdir old-one && printf 'key\tvalue\nsource\tx\n' >old-one/run.tsv && : >old-one/histogram.tsv
refused "older wakelat imported: import it again" "refuses counts imported by an older wakelat" "$wakelat" stats old-one

# Bounds of samples are wider if the samples depend on each other. Counts have no order, so their dependence is unknown.
unordered='ounts have no order, so the bounds assume independent samples\.$'
for command in 'verdict ch' 'verdict m1' 'stats --all ch' 'stats --all back'; do
	words "$command" run "$wakelat"
	like "$out" "^C$unordered" "$command: says that counts have no order"
done
run "$wakelat" compare ch samples ch
is "$(printf '%s\n' "$out" | grep -cE "^ch: c$unordered")" 2 "compare names the recordings that are counts"
unlike "$("$wakelat" stats --all samples)$("$wakelat" verdict samples)" 'counts' \
	"stats and verdict of samples do not mention counts"

# lying AWK-PROGRAM ERE WHAT: check that stats, verdict and plot refuse a counts.tsv that AWK-PROGRAM changed.
lying() {
	for lying_to in stats verdict 'plot -k svg'; do
		rm -rf lie
		cp -r ch lie
		rm -rf lie/stats* lie/figures
		awk -F '\t' -v OFS='\t' "$1 { print }" ch/counts.tsv >lie/counts.tsv
		words "$lying_to -q lie" refused "^wakelat [a-z]*: (\./)?lie/counts\.tsv:$2" "${lying_to%% *} refuses $3" "$wakelat"
	done
}
lying '$7 == "interval" && !n { n = $9++ }' '[0-9]+: 301 values of latency, but 300 samples' "one sample too many in an interval"
lying '$7 == "samples" && !n++ { $9-- }' '[0-9]+: 300 values of latency, but 299 samples' \
	"one sample too few in the row of samples"
lying '$7 == "samples" && !n++ { $10 = 5 }' '3: column high has a value, but the row is not an interval' \
	"an upper end in a row that is not an interval"
lying '$7 == "interval" && !n++ { $7 = "value" }' '[0-9]+: column high has a value, but' "an upper end in a row of a value"
lying '$7 == "interval" && !n++ { $10 = "-" }' '[0-9]+: an interval without its end' "an interval without upper end"
lying '$7 == "interval" && !n++ { $7 = "inter" }' "[0-9]+: unknown kind 'inter'" "an unknown kind"

# broken FIXTURE SED-SCRIPT ERE: check that import refuses the changed fixture.
broken() {
	sed "$2" "$fixtures/$1" >bad.csv
	refused "$3" "$1 with $2: refused" "$wakelat" import -o bad bad.csv
}
broken cyclictest-histogram.json '46,$d' 'bad\.csv:[0-9]+: the file is cut off'
broken cyclictest-histogram.json 's/"54": 75/"54": -75/' 'a count is missing, or not a whole number'
broken cyclictest-histogram.json 's/"54": 75/"54": 75.5/' 'not a whole number'
broken cyclictest-histogram.json 's/"54": 75/"54": 99999999999999999999/' 'bad\.csv:[0-9]+: 99999999999999999999 is not a whole number'
broken cyclictest-histogram.json 's/"54": 75/"54": 9223372036854775807/' 'more samples than "cycles"'
broken cyclictest-histogram.json 's/"54": 75/"35": 75/' "'35' is not a latency, or not in order"
broken cyclictest-histogram.json 's/"54"/"nan"/' "'nan' is not a latency"
broken cyclictest-histogram.json 's/"cycles"/"bicycles"/' '"cycles" is missing'
broken cyclictest-histogram.json 's/"max"/"min"/' '"min" occurs twice'
broken cyclictest-histogram.json 's/"thread"/"thread1"/' 'not of cyclictest'
broken cyclictest-histogram.json 's/"thread":/"thread"/' 'bad\.csv:[0-9]+: not JSON'
broken cyclictest.txt '/^# Min/d' "no line '# Min Latencies:': truncated"
broken cyclictest.txt '/^000055/d' 'samples in its buckets, .* in its total: cut off'
broken cyclictest.txt 's/^000055/000055 7/' 'the last column is not the sum'
broken cyclictest.txt 's/^000055/000054/' 'latency 000054 is not in order'
broken timerlat.txt '/^count/d' "no lines 'over:', 'count:'|'count' says"
broken timerlat.txt '/^4/d' "'count' says 10001: cut off"
broken timerlat.txt '/Time unit/d' "no line '# Time unit is'"
broken timerlat.txt 's/^4 .*/4 1 2/' '3 columns where 7 are expected'
broken timerlat.txt 's/IRQ-003/IRQ-001/' 'two histograms of interrupt latency of CPU 1'
broken timerlat.txt 's/^12 /9223372036854775806 /' 'too great'
is "$(find . -name 'bad*' ! -name bad.csv)" "" "a refused import leaves no files"
done_testing
