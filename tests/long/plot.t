#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat plot draws every figure, with text large enough to read, its source, units and notes. The
# same input gives identical files.
# needs: tools
# takes: minutes

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
build_tools
cd "$tmp" || exit 1
# All figures of samples, except those that need data which three_states does not have.
absent='residency residency-share cpus differences'
figures=$(awk -F '\t' -v absent=" $absent " '$2 == "samples" && !index(absent, " " $1 " ") { print $1 }' "$top/scripts/lib/figures/figures.tsv" |
	paste -sd ' ' -)

three_states d_1

run "$wakelat" plot d_1
is "$status$out" 0 "plot succeeds, and prints nothing on standard output"
is "$(cd d_1/figures && printf '%s ' *)" "$(for figure in $figures; do printf '%s\n' "$figure".pdf "$figure".png "$figure".svg; done |
	{ cat; echo left-out.tsv; } | LC_ALL=C sort | tr '\n' ' ')" "plot writes all figures in all kinds, and no other file"
is "$(cut -f 1 d_1/figures/left-out.tsv | core_figures | paste -sd ' ' -)" "figure $absent" "left-out.tsv names the figures for which there are no data"
like "$err" "no figure cpus: one CPU was measured" "a message says why a figure is left out"

for figure in $figures; do
	svg=$(grep -E '<text|<rect x="0"' "d_1/figures/$figure.svg")
	like "$svg" 'width="333" height="234"' "$figure: 88 mm wide"
	like "$svg" '\(emulated\)' "$figure: says that it is emulated"
	like "$svg" '>C1E_x[<,]' "$figure: the underscore in a state's name is drawn"
	like "$svg" '>C1 \(intr\.\)[<,]' "$figure: says which latency is that of the interrupt"
	like "$svg" 'N = 3 000, 2 996, 3 000 · hrtimer · d_1 · 0123456789ab' "$figure: the note has N, source, name, revision"
	like "$svg" '\(µs\)<' "$figure: the axes have units"
	is "$(od -An -tu1 -j16 -N8 "d_1/figures/$figure.png" | tr -s ' ')" " 0 0 4 15 0 0 2 220" "$figure: 1039 x 732 pixels"
done
like "$(grep '<text' d_1/figures/ccdf.svg)" 'C6, max 987\.7 µs' "ccdf: the maximum is named, with its unit"
like "$(grep '<text' d_1/figures/histogram.svg)" '>advertised<' "histogram: the advertised latencies are drawn"
like "$(grep '<text' d_1/figures/silent-time.svg)" '>tainted<' "silent-time: tainted samples are drawn"
if command -v pdftotext >/dev/null; then
	like "$(pdfinfo d_1/figures/ccdf.pdf)" 'Page size: +2(49|50)(\.[0-9]+)? x 17[56]' "pdf: 88 mm wide"
	like "$(TZ=UTC pdfinfo -isodates d_1/figures/ccdf.pdf)" 'CreationDate: +2026-01-02T03:04:05Z' "pdf: the date of creation is that of the recording"
	# Four digits of DejaVu Sans at 7 pt are 17.8 pt wide. No important text may be below 5 pt.
	is "$(pdftotext -bbox d_1/figures/silent-time.pdf - | sed -n 's/.*xMin="\([0-9.]*\)".*xMax="\([0-9.]*\)".*>2000<.*/\1 \2/p' |
		awk '{ print ($2 - $1 > 16.5) }')" 1 "pdf: tics of 7 pt"
else
	skip 3 "no pdftotext"
fi

# The data of the figures: no outlier is lost, and a million points become a few thousand.
"$top/tools/bin/answer" figures -o d_1 -r d_1/run.tsv d_1/samples.tsv
is "$(grep -c 987.654 d_1/silent-time-3.dat d_1/order-3.dat | tr '\n' ' ')" "d_1/silent-time-3.dat:1 d_1/order-3.dat:1 " "the outlier is a point of its own"
is "$(tail -n 1 d_1/ccdf-3.dat)" "$(printf '987.654\t0.000333333333')" "the ccdf ends at one sample of n, not at 0"
is "$(head -n 1 d_1/ccdf-1.dat)" "$(printf '2.600\t1')" "the ccdf begins with all samples"
is "$(awk '$3 != "-" && NF { n += $2 } END { print n }' d_1/histogram-3.dat)" 3000 "the histogram holds every sample"
# C6 takes 133.000 to 133.096, or 12 to 12.096. A bin across 133.050 would hide which samples are
# above it.
sed 's/^\(state.3.latency_ns	\).*/\1133050/' d_1/run.tsv >advertised-run.tsv
"$top/tools/bin/answer" figures -o d_1 -r advertised-run.tsv d_1/samples.tsv
is "$(awk -F '\t' '$3 != "-" && NF && $1 > 14 && $3 <= 133.05 { n += $2 } END { print n }' d_1/histogram-3.dat)" \
	"$(awk -F '\t' '$4 == 3 && $12 > 14000 && $12 <= 133050 { n++ } END { print n }' d_1/samples.tsv)" "no bin spans the advertised latency"
rm -f d_1/*.dat
mkdir many
awk 'BEGIN { for (i = 1; i <= 300000; i++) print 3, (i * 7919) % 7900000 + 50000, 133000 + i % 97 + (i % 1000 ? 0 : i / 10), 134000, "-" }' |
	samples_tsv many.tsv
ok "answer figures reads 300,000 samples" "$top/tools/bin/answer" figures -o many -r d_1/run.tsv many.tsv
is "$(($(wc -l <many/silent-time-1.dat) < 4000))" 1 "300,000 samples become a few thousand points"
is "$(awk -F '\t' '$2 > 133.2' many/silent-time-1.dat | wc -l | awk '{ print ($1 > 270) }')" 1 "nearly all of 298 separate outliers are points of their own"

# The same input gives the same figures.
cp -r d_1/figures before
rm -r d_1/figures
sleep 1
"$wakelat" plot -q d_1
ok "the same input gives the same bytes" diff -r before d_1/figures
printf '# other\n' >>d_1/figures/ccdf.svg
touch -d '2030-01-01' d_1/figures/*
"$wakelat" plot -q d_1
ok "a changed figure is replaced by the correct one, whatever its date" diff -r before d_1/figures
rm -r d_1/figures
"$wakelat" plot -q -f ccdf -k svg d_1
ok "plot takes an output called like an option" "$wakelat" plot -q -f ccdf -k svg -o -z d_1
ok "-o: an output called like an option is a directory" [ -s ./-z/ccdf.svg ]
is "$(names d_1/figures)" "ccdf.svg left-out.tsv" "-f and -k: plot writes only the requested figure, in the requested kind"

# Unusual data.
three_states sweep
run_tsv sweep/run.tsv ldist_mode sweep
grep -v '^ldist_mode	uniform' sweep/run.tsv >new && mv new sweep/run.tsv
ok "plot draws a sweep" "$wakelat" plot -k svg sweep
mkdir one
printf '3 1000 5 6 -\n' | samples_tsv one/samples.tsv
run_tsv one/run.tsv
ok "plot draws one sample" "$wakelat" plot -k svg one
like "$(grep '<text' one/figures/order.svg)" '>Wake latency \(µs\)<' "one sample: the axis says that only the wake latency is drawn"
mkdir odd
samples_tsv odd/samples.tsv <<'END'
3 1000 -5 6 -
3 2000 0 6 -
3 3000 9223372036854775807 6 -
3 -3000 70 6 -
2 3000 10 6 smi
END
run_tsv odd/run.tsv
ok "plot draws latencies of -5, 0 and 2^63 - 1" "$wakelat" plot -k svg odd
like "$(grep '<text' odd/figures/ccdf.svg)" '\(2 below 0\.070 µs, not shown\)' "the note counts latencies that a logarithmic axis cannot show"
mkdir bad
printf '3 1000 -5 6 -\n' | samples_tsv bad/samples.tsv
run_tsv bad/run.tsv
refused "nothing to draw" "no latency above 0" "$wakelat" plot bad
ok "no latency above 0: plot leaves no figures" test ! -e bad/figures

# plot fails and leaves no figure, rather than an empty one.
mkdir broken
cp -r "$top/scripts" "$top/tools" "$top/gnuplot" broken/
printf "set output ARG2\n" >>broken/gnuplot/style.gp
printf "plot 'nowhere.dat'\n" >>broken/gnuplot/order.gp
rm -rf one/figures
refused "figure order.svg: gnuplot says: .*nowhere.dat" "an error of gnuplot" broken/scripts/wakelat plot -k svg one
ok "an error of gnuplot: plot leaves no figures" test ! -e one/figures
cp -r d_1 full
rm -r full/figures
plot_limited() (
	# The limit counts blocks of 512 bytes. The svg files can be written, but not all of the png files.
	ulimit -f 120
	exec "$wakelat" plot -q full
)
not_ok "plot fails if it cannot write all figures" plot_limited
is "$(find full -name '*partial*' -o -name figures)" "" "plot that cannot write all figures leaves none"
refused "cannot write /proc/figures: " "a place that cannot be written" "$wakelat" plot -q -k svg -o /proc/figures one
without_gnuplot() (
	mkdir -p path
	for tool in sh awk cat sed dirname basename head find env id readlink; do
		ln -sf "$(command -v $tool)" "path/$tool"
	done
	exec env PATH="$PWD/path" "$wakelat" plot one
)
refused "gnuplot is missing: apt-get install gnuplot-nox" "no gnuplot" without_gnuplot
refused "'pie' is none of" "an unknown figure" "$wakelat" plot -f ccdf,pie one
refused "'gif' is none of" "an unknown kind" "$wakelat" plot -k gif one
refused "[-]k needs a value" "an empty list" "$wakelat" plot -k '' one
refused "name a directory" "no directory" "$wakelat" plot

# Several recordings in one figure, and figures of selected samples. with_counters DIR: add
# residency counters. That of C6 begins to count 200 us after the CPU went idle.
with_counters() {
	awk -F '\t' 'NR > 1 { cyc = $11 * 2
		print cyc + 100, ($4 < 3 ? cyc : 0), 0, ($4 == 3 && $11 > 200000 ? cyc - 400000 : 0), (NR == 5 ? "18446744073709551615" : 0) }' \
		"$1/samples.tsv" | add_columns "$1/samples.tsv" tsc_cyc cc1_cyc cc3_cyc cc6_cyc cc7_cyc
	run_tsv "$1/run.tsv" tsc_khz 2000000 state.1.desc 'MWAIT 0x00' state.2.desc 'MWAIT 0x01' state.3.desc 'MWAIT 0x20'
}
three_states skl
with_counters skl
awk 'BEGIN { FS = OFS = "\t" } NR > 1 { $2 = NR % 3 ? 0 : 7 } { print }' skl/samples.tsv >new && mv new skl/samples.tsv
three_states bdw
with_counters bdw
ok "plot draws a recording with counters and two CPUs" "$wakelat" plot -q -k svg skl
is "$(cut -f 1 skl/figures/left-out.tsv | core_figures | paste -sd ' ' -)" "figure differences" "with counters and two CPUs, only figures of several recordings are left out"
like "$(grep '<text' skl/figures/residency-share.svg)" '>asked for: C6<' "residency-share: a panel for each state"
like "$(grep '<text' skl/figures/cpus.svg)" '>7<' "cpus: each CPU has its number"
like "$(grep '<text' skl/figures/states.svg)" '>C1E_x<' "states: each state has its name"
unlike "$(grep '<text' skl/figures/order.svg)" '>Launch distance' "random launch distances are not drawn: they fill the figure"
for few in 5 60; do
	mkdir "few-$few"
	awk -v few="$few" 'BEGIN { for (i = 1; i <= 2 * few; i++) print 3, i * 1000, 130000 + i, 131000, "-" }' | samples_tsv "few-$few/samples.tsv"
	awk 'BEGIN { FS = OFS = "\t" } NR > 1 { $2 = NR % 2 } { print }' "few-$few/samples.tsv" >new && mv new "few-$few/samples.tsv"
	run_tsv "few-$few/run.tsv"
	ok "cpus: plot draws two CPUs with $few samples each, too few for a percentile" "$wakelat" plot -q -k svg "few-$few"
done
"$top/tools/bin/answer" figures -o bdw -r skl/run.tsv skl/samples.tsv
# Column 1 is the silent time, column 2 the residency, both in us. They differ by the 200 us before
# the counter begins.
is "$(awk -F '\t' '$1 > 200 && $1 - $2 > 200.001 { bad++ } END { print bad + 0, (NR > 100) }' bdw/residency-3.dat)" "0 1" "residency: the data are exact to the ns"
is "$(awk -F '\t' '$1 > 1000 { n++; sum += $5 } END { print (n > 60 && sum / n > 80 && sum / n < 100) }' bdw/shares-3.dat)" 1 "residency-share: % of the idle period"
rm -f bdw/*.dat
refused "name a directory for their figures with -o" "several recordings without -o" "$wakelat" plot skl bdw
refused "need -o: name a directory" "selected samples without -o" "$wakelat" plot -w 'state == C6' skl
ok "plot draws two recordings into the same figures" "$wakelat" plot -q -k svg -o both skl bdw
svg=$(grep '<text' both/silent-time.svg)
like "$svg" '>skl<' "two recordings: the key has their names"
like "$svg" '>C6<' "two recordings: the key has the states"
like "$svg" '· skl, bdw ·' "two recordings: the note has their names"
is "$(cut -f 1 both/left-out.tsv | core_figures | paste -sd ' ' -)" "figure order residency-share cpus" "two recordings: figures of a single recording are left out"
svg=$(grep '<text' both/differences.svg)
like "$svg" '>Differences of bdw from skl \(emulated\)<' "differences: the title names the recording compared with"
like "$svg" '>C6<' "differences: the key names the state"
ok "plot draws one state of two recordings" "$wakelat" plot -q -k svg -o zoom -w 'state == C6 && silent_time < 2ms' --linear skl bdw
svg=$(grep '<text' zoom/silent-time.svg)
like "$svg" '>Latency against silent time of C6 \(emulated\)<' "one state of two recordings: the title names the state"
like "$svg" 'only state == C6 &amp;&amp; silent_time &lt; 2ms' "one state of two recordings: the note has the condition"
unlike "$svg" '>C6<' "one state of two recordings: the key has only the recordings"
refused "the condition excludes all of" "a condition that nothing meets" "$wakelat" plot -q -o none -w 'ldist < 0' skl
refused "cannot be drawn: one CPU" "a figure that is asked for and cannot be drawn" "$wakelat" plot -q -f cpus bdw

# Many recordings with long names; and counters that the CPU does not have.
name='a name of many letters, longer than any figure is wide, and ÄÖÜ in it'
for k in 1 2 3 4; do
	three_states "$name $k"
	awk 'NR > 1 { print "-", "-" }' "$name $k/samples.tsv" | add_columns "$name $k/samples.tsv" cc1_cyc cc6_cyc
	run_tsv "$name $k/run.tsv" tsc_khz 2000000 state.3.desc 'MWAIT 0x20'
done
ok "plot draws five recordings with long names" "$wakelat" plot -q -k svg,tex -o long "$name 1" "$name 2" "$name 3" "$name 4" bdw
like "$(grep '<text' long/states.svg)" '>a name\.\.[^<]* in it 3 C6<' "long names are cut in the middle, not at their ends"
like "$(grep '<text' long/ccdf.svg)" '· 5 recordings ·' "if the names are too long for the note, it counts the recordings"
ok "plot draws a recording whose counters are all absent" "$wakelat" plot -q -k svg "$name 1"
is "$(grep -c '^residency' "$name 1/figures/left-out.tsv")" 2 "absent counters: the figures of residency are left out"

# If the kernel's log had overflowed when the recording was made, run.tsv has no tsc_khz.
three_states late
with_counters late
sed -i 's/^tsc_khz.*/tsc_khz	-/' late/run.tsv
ok "plot draws a recording without the TSC's rate" "$wakelat" plot -q -k svg late
is "$(grep -c '^residency	' late/figures/left-out.tsv)" 1 "without the TSC's rate, figure residency is left out"
like "$(cat late/figures/left-out.tsv)" 'or run\.tsv no tsc_khz' "without the TSC's rate, left-out.tsv says why"
refused "cannot be drawn" "-f: a figure that needs the TSC's rate, which is not known" "$wakelat" plot -q -f residency late
run_tsv late/run.tsv tsc_khz 2000000
ok "plot draws a recording without a counter of the requested state" "$wakelat" plot -q -k svg late

# Both widths, and LaTeX.
ok "plot draws 180 mm and LaTeX" "$wakelat" plot -q -k svg,tex --width 88mm,180mm -f ccdf d_1
like "$(head -n 9 d_1/figures/ccdf-180mm.svg)" 'viewBox="0 0 680 359"' "ccdf-180mm.svg is 180 mm wide"
is "$(grep -o 'includegraphics\[[^]]*\]{[^}]*}' d_1/figures/ccdf-180mm.tex | sed 's/.*{//' | paste -sd ' ' -)" 'ccdf-180mm-graph}' "LaTeX: the text names the file of the graph"
ok "LaTeX: the file of the graph exists" test -s d_1/figures/ccdf-180mm-graph.pdf
like "$(cat d_1/figures/ccdf.tex)" 'C1E\\_x, max' "LaTeX: special characters are escaped"
if command -v pdflatex >/dev/null && kpsewhich graphicx.sty xcolor.sty >/dev/null; then
	printf '%s\n' '\documentclass{article}\usepackage{graphicx,xcolor}\graphicspath{{d_1/figures/}}' \
		'\begin{document}\input{d_1/figures/ccdf}\end{document}' >paper.tex
	ok "LaTeX: pdflatex accepts the file" pdflatex -interaction=nonstopmode -halt-on-error paper.tex
else
	skip 1 "no pdflatex with graphicx and xcolor"
fi

done_testing
