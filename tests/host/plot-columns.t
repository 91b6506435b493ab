#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat plot -x and -y: any column of samples.tsv with numbers on the axes.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
build_tools
cd "$tmp" || exit 1

# texts SVG: print the texts of a figure, one per line
texts() {
	sed -n '/<text/{s/<[^>]*>/ /g; s/^[[:space:]]*//; s/[[:space:]]*$//; p;}' "$1"
}
# has SVG TEXT WHAT: check that one of the texts of a figure is TEXT
has() {
	is "$(texts "$1" | grep -cxF -e "$2")" 1 "$3"
}
names() {
	(cd "$1" && printf '%s\n' *.svg) | paste -sd ' ' -
}

# Per state 200 samples. cc6_cyc is 1,000,000 to 3,000,000 cycles, smi is 0, dma is 7 to 9 us in C6 and absent elsewhere.
mkdir d
awk 'BEGIN {
	for (i = 1; i <= 200; i++) {
		print 2, 50000 + i * 1000, 10000 + i, 10800 + i, "-"
		print 3, 50000 + i * 1000, 133000 + i, 134000 + i, (i == 5 ? "smi" : "-")
	}
}' | samples_tsv d/samples.tsv
awk 'BEGIN {
	for (i = 1; i <= 200; i++) {
		print 1000000 + i * 10000, 0, "-"
		print 1000000 + i * 10000, 0, 7000 + i * 10
	}
}' | add_columns d/samples.tsv cc6_cyc smi dma
run_tsv d/run.tsv tsc_khz 2000000

ok "-x and -y are drawn" "$wakelat" plot -q -k svg -x cc6_cyc -y dma -o both d
is "$(names both)" dma-by-cc6_cyc.svg "-x and -y: a figure of points, called after the columns"
has both/dma-by-cc6_cyc.svg "dma against cc6_cyc (emulated)" "-x and -y: the title names both columns"
has both/dma-by-cc6_cyc.svg "cc6_cyc (TSC cycles)" "a column in cycles has its unit at the axis"
has both/dma-by-cc6_cyc.svg "dma (µs)" "a column in ns is in us"
is "$(texts both/dma-by-cc6_cyc.svg | grep -cxE '3e\+06|[789]')" 4 "the numbers at the axes are those of the columns"
is "$(texts both/dma-by-cc6_cyc.svg | grep -cE '^(C1E_x|advertised)')" 0 \
	"a state without values, and the advertised latency, are not in a figure of another column"

ok "-x alone is drawn" "$wakelat" plot -q -k svg -x ldist -f silent-time -o x d
is "$(names x)" latency-by-ldist.svg "-x: the latency by the column"
has x/latency-by-ldist.svg "Latency against ldist (emulated)" "-x: the title names the column"
has x/latency-by-ldist.svg advertised "-x: the advertised latency is shown"

ok "-y alone is drawn" "$wakelat" plot -q -k svg -y cc6_cyc -o y d
is "$(names y)" "ccdf-cc6_cyc.svg histogram-cc6_cyc.svg order-cc6_cyc.svg percentiles-cc6_cyc.svg states-cc6_cyc.svg" \
	"-y: figures of the distribution, called after the column"
has y/ccdf-cc6_cyc.svg "C6, max 3e+06 TSC cycles" "-y: the key has the maximum with its unit"
has y/histogram-cc6_cyc.svg "Histogram of cc6_cyc (emulated)" "-y: the title names the column"
has y/order-cc6_cyc.svg "cc6_cyc in recording order (emulated)" "-y: so does that of order"
is "$(cat y/left-out.tsv)" "figure	reason
cpus	one CPU was measured" "left-out.tsv names only figures that show a column"
ok "a column that is 0 everywhere is drawn" "$wakelat" plot -q -k svg -y smi -o zero d
ok "two recordings are drawn" "$wakelat" plot -q -k svg --width 180mm -f ccdf -y dma -o two d d
is "$(names two)" ccdf-dma-180mm.svg "the width is in the name"
run "$wakelat" plot -k svg -f ccdf -y dma -o said d
is "$err" "wakelat plot: said has ccdf-dma as svg" "plot says which figures it has drawn"

run "$wakelat" plot -y taint -o no d
is "$status $err" "2 wakelat plot: -y: column taint has no numbers (wakelat plot -h: usage)" "a column of text is refused"
run "$wakelat" plot -x '../x' -o no d
is "$status $err" "2 wakelat plot: -x: '../x' is not the name of a column of samples.tsv (wakelat plot -h: usage)" "a path is refused"
run "$wakelat" plot -y depth -o no d
is "$status $err" "1 wakelat plot: ./d/samples.tsv:1: no column depth" "a column that the samples do not have is named"
run "$wakelat" plot -y dma -w 'state == C1E_x' -o no d
is "$status $err" "1 wakelat plot: no untainted sample with a value of dma: nothing to draw" "a column without values is refused"
run "$wakelat" plot -y dma -f residency -o no d
is "$status $err" "1 wakelat plot: figure residency cannot be drawn: it has columns of its own: leave out -x and -y" \
	"a figure that has its own columns is refused"
run "$wakelat" plot -y dma d
is "$status $err" "2 wakelat plot: -x, -y, --where, --linear and --without need -o: name a directory for the figures (wakelat plot -h: usage)" \
	"without -o, the recording's figures are not replaced"
sed 's/	1010000	/	9300000000000000	/' d/samples.tsv >big.tsv
mkdir big && mv big.tsv big/samples.tsv && cp d/run.tsv big
run "$wakelat" plot -y cc6_cyc -o no big
is "$status $err" "1 wakelat plot: ./big/samples.tsv:2: cc6_cyc: too large to be drawn" "a number that cannot be drawn is refused"
"$wakelat" import -q -o counts "$top/tests/fixtures/import/cyclictest.txt"
run "$wakelat" plot -y dma -o no counts
is "$status $err" "1 wakelat plot: ./counts/counts.tsv: counts have no columns of single samples" "counts are refused"
ok "nothing is left after a refusal" [ ! -e no ]
done_testing
