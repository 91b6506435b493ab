#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat plot and report: every figure is there, readable, says what it must, and is the same again.

. "$(dirname "$0")/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
build_tools
cd "$tmp" || exit 1
figures='silent-time density order histogram ccdf percentiles states'

# Three states with a step at 250 us of silent time, one entered with interrupts on, one with an outlier.
make_data() {
	mkdir -p "$1"
	awk 'BEGIN {
		for (i = 1; i <= 3000; i++) {
			silent = (i * 7919) % 7900000 + 50000
			print 1, silent, "-", 2600 + i % 90, "-"
			print 2, silent, 10060 + i % 31, 10800, i % 700 ? "-" : "smi"
			print 3, silent, i == 1234 ? 987654 : (silent < 250000 ? 12000 : 133000) + i % 97, 134000, "-"
		}
	}' | samples_tsv "$1/samples.tsv"
	run_tsv "$1/run.tsv"
}
make_data d_1

run "$wakelat" plot d_1
is "$status$out" 0 "plot"
is "$(cd d_1/figures && printf '%s ' *)" "$(for figure in $figures; do printf '%s\n' "$figure".pdf "$figure".png "$figure".svg; done |
	{ cat; echo left-out.tsv; } | LC_ALL=C sort | tr '\n' ' ')" "all figures in all kinds, and no other file"
is "$(cut -f 1 d_1/figures/left-out.tsv | paste -sd ' ' -)" "figure residency residency-share cpus" "but those for which there is no data"
like "$err" "no figure cpus: one CPU was measured" "and it says why"

for figure in $figures; do
	svg=$(grep -E '<text|<rect x="0"' "d_1/figures/$figure.svg")
	like "$svg" 'width="333" height="234"' "$figure: 88 mm wide"
	like "$svg" '\(emulated\)' "$figure: says that it is emulated"
	like "$svg" '>C1E_x[<,]' "$figure: a name with an underscore"
	like "$svg" '>C1 \(intr\.\)[<,]' "$figure: says which latency is that of the interrupt"
	like "$svg" 'N = 3 000, 2 996, 3 000 · hrtimer · d_1 · 0123456789ab' "$figure: N, source, data set, revision"
	like "$svg" '\(µs\)<' "$figure: units"
	is "$(od -An -tu1 -j16 -N8 "d_1/figures/$figure.png" | tr -s ' ')" " 0 0 4 15 0 0 2 220" "$figure: 1039 x 732 pixels"
done
like "$(grep '<text' d_1/figures/ccdf.svg)" 'C6, max 987\.7' "ccdf: the maximum is named"
like "$(grep '<text' d_1/figures/histogram.svg)" '>advertised<' "histogram: advertised values"
like "$(grep '<text' d_1/figures/silent-time.svg)" '>tainted<' "silent-time: tainted samples"
if command -v pdftotext >/dev/null; then
	like "$(pdfinfo d_1/figures/ccdf.pdf)" 'Page size: +2(49|50)(\.[0-9]+)? x 17[56]' "pdf: 88 mm wide"
	# 4 digits of 7 pt DejaVu Sans are 17.8 pt wide; nothing that matters is below 5 pt.
	is "$(pdftotext -bbox d_1/figures/silent-time.pdf - | sed -n 's/.*xMin="\([0-9.]*\)".*xMax="\([0-9.]*\)".*>2000<.*/\1 \2/p' |
		awk '{ print ($2 - $1 > 16.5) }')" 1 "pdf: tics of 7 pt"
else
	skip 2 "no pdftotext"
fi

# The data behind them: no outlier is lost, a million points become a few thousand.
"$top/tools/bin/figdata" -o d_1 d_1/samples.tsv
is "$(grep -c 987.654 d_1/silent-time-3.dat d_1/order-3.dat | tr '\n' ' ')" "d_1/silent-time-3.dat:1 d_1/order-3.dat:1 " "the outlier is a point of its own"
is "$(tail -n 1 d_1/ccdf-3.dat)" "$(printf '987.654\t0.000333333333')" "the ccdf ends at one sample of n, not at 0"
is "$(head -n 1 d_1/ccdf-1.dat)" "$(printf '2.600\t1')" "and begins with all"
is "$(awk '$3 != "-" && NF { n += $2 } END { print n }' d_1/histogram-3.dat)" 3000 "the histogram holds every sample"
rm -f d_1/*.dat
mkdir many
awk 'BEGIN { for (i = 1; i <= 300000; i++) print 3, (i * 7919) % 7900000 + 50000, 133000 + i % 97 + (i % 1000 ? 0 : i / 10), 134000, "-" }' |
	samples_tsv many.tsv
ok "300,000 samples" "$top/tools/bin/figdata" -o many many.tsv
is "$(($(wc -l <many/silent-time-1.dat) < 4000))" 1 "are a few thousand points"
is "$(awk -F '\t' '$2 > 133.2' many/silent-time-1.dat | wc -l | awk '{ print ($1 > 270) }')" 1 "with nearly all of 298 outliers, that lie apart"

# The same again.
cp -r d_1/figures before
rm -r d_1/figures
sleep 1
"$wakelat" plot -q d_1
ok "the same input, the same bytes" diff -r before d_1/figures
touch -d '2001-01-01' d_1/figures/*
cp -p d_1/figures/ccdf.svg old.svg
"$wakelat" plot -q d_1
is "$(find d_1/figures -newer old.svg | wc -l | tr -d ' ')" 23 "what is older than its data is drawn again"
touch -d '2030-01-01' d_1/figures/*
touch -d '2029-01-01' mark
"$wakelat" plot -q d_1
is "$(find d_1/figures/* ! -newer mark)" "" "what is newer is not"
rm -r d_1/figures
"$wakelat" plot -q -f ccdf -k svg d_1
is "$(ls d_1/figures | tr '\n' ' ')" "ccdf.svg left-out.tsv " "one figure of one kind"

# Odd data.
make_data sweep
run_tsv sweep/run.tsv ldist_mode sweep
grep -v '^ldist_mode	uniform' sweep/run.tsv >new && mv new sweep/run.tsv
ok "a sweep" "$wakelat" plot -k svg sweep
mkdir one
printf '3 1000 5 6 -\n' | samples_tsv one/samples.tsv
run_tsv one/run.tsv
ok "one sample" "$wakelat" plot -k svg one
like "$(grep '<text' one/figures/order.svg)" '>Wake latency \(µs\)<' "of wake latency only, which the axis says"
mkdir odd
samples_tsv odd/samples.tsv <<'END'
3 1000 -5 6 -
3 2000 0 6 -
3 3000 9223372036854775807 6 -
3 -3000 70 6 -
2 3000 10 6 smi
END
run_tsv odd/run.tsv
ok "latencies of -5, 0 and 2^63 - 1" "$wakelat" plot -k svg odd
like "$(grep '<text' odd/figures/ccdf.svg)" '\(2 not above 0, not shown\)' "says what a logarithmic axis cannot show"
mkdir bad
printf '3 1000 -5 6 -\n' | samples_tsv bad/samples.tsv
run_tsv bad/run.tsv
refused "nothing to draw" "nothing above 0" "$wakelat" plot bad
ok "leaves no figures" test ! -e bad/figures

# No figure is better than an empty one.
mkdir broken
cp -r "$top/scripts" "$top/tools" "$top/gnuplot" broken/
printf "set output ARG2\n" >>broken/gnuplot/style.gp
printf "plot 'nowhere.dat'\n" >>broken/gnuplot/order.gp
rm -rf one/figures
refused "figure order.svg: gnuplot says: .*nowhere.dat" "an error of gnuplot" broken/scripts/wakelat plot -k svg one
ok "leaves no figures" test ! -e one/figures
cp -r d_1 full
rm -r full/figures
plot_limited() (
	# A block of this limit has 512 bytes: the svg files fit, not all of the png.
	ulimit -f 120
	exec "$wakelat" plot -q full
)
not_ok "a full disk" plot_limited
is "$(find full -name '*partial*' -o -name figures)" "" "leaves no figures"
without_gnuplot() (
	mkdir -p path
	for tool in sh awk sed dirname basename head find env id readlink; do
		ln -sf "$(command -v $tool)" "path/$tool"
	done
	# shellcheck disable=SC2123
	PATH=$PWD/path
	exec "$wakelat" plot one
)
refused "gnuplot is missing: apt-get install gnuplot-nox" "no gnuplot" without_gnuplot
refused "'pie' is none of" "an unknown figure" "$wakelat" plot -f ccdf,pie one
refused "'gif' is none of" "an unknown kind" "$wakelat" plot -k gif one
refused "empty name" "an empty list" "$wakelat" plot -k '' one
refused "which directory" "no directory" "$wakelat" plot

# The page.
run "$wakelat" report d_1
is "$status$out" 0 "report"
# Without the images, which would fill the screen of whoever sees a test fail.
page=$(sed 's/base64,[^"]*//' d_1/report.html)
like "$page" '<title>Wake latency \(emulated\): d_1</title>' "its title says that it is emulated"
like "$page" '<p class="warn">Emulated' "and so does its text"
like "$page" '<tr><th>C6</th><td>133\.000</td><td>3000</td><td>0</td><td>12\.' "a row of numbers"
is "$(printf '%s\n' "$page" | grep -o '<img [^>]*src="data:image/[a-z+]*' | sed 's/.*image/image/' | paste -sd ' ' -)" "image/png image/png image/svg+xml image/svg+xml" "four figures in the page itself"
like "$page" 'quiet &lt;&amp;&gt; &quot;x&quot;' "text is escaped"
unlike "$page" '<script|https?://|src="[^d]' "no script, nothing from elsewhere"
like "$page" '4 of 9000 samples \(4 smi\)' "taints"
if command -v python3 >/dev/null; then
	ok "tags are balanced" python3 -c '
import sys
from html.parser import HTMLParser
class P(HTMLParser):
	stack = []
	def handle_starttag(self, tag, attrs):
		if tag not in ("meta", "img"): self.stack.append(tag)
	def handle_endtag(self, tag):
		assert self.stack.pop() == tag, (tag, self.getpos())
p = P()
p.feed(open(sys.argv[1], encoding="utf-8").read())
assert not p.stack
' d_1/report.html
else
	skip 1 "no python3"
fi
mv d_1/report.html first.html
ok "again" "$wakelat" report -q d_1
same first.html d_1/report.html "the same input, the same bytes"
report_limited() (
	rm -f d_1/report.html
	ulimit -f 8
	exec "$wakelat" report d_1
)
not_ok "a full disk" report_limited
is "$(find d_1 -name 'report*')" "" "leaves nothing"
run_tsv d_1/run.tsv run.1.cpu0.samples 9999
run "$wakelat" report d_1
is "$status" 3 "an incomplete recording: status 3"
like "$(grep Incomplete d_1/report.html)" 'class="warn">Incomplete' "and the page says so"

done_testing
