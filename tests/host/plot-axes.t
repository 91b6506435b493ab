#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat plot: what the axes, the colours and the key of a figure say. A single sample far from all others does not take the
# room of the others, and a state has one colour in all figures of a recording.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
command -v gnuplot >/dev/null || skip_all "gnuplot is not installed"
build_tools
cd "$tmp" || exit 1

# rows STATE N LOW RANGE: print N samples from LOW to LOW + RANGE ns
rows() {
	awk -v state="$1" -v n="$2" -v low="$3" -v range="$4" 'BEGIN {
		for (i = 0; i < n; i++)
			print state, 50000 + i * 100, (state == 1 ? "-" : int(low + i * range / n)), int(low + i * range / n), "-"
	}'
}
# recording DIR < ROWS [KEY VALUE...]
recording() {
	mkdir "$1"
	samples_tsv "$1/samples.tsv"
	recording_run=$1/run.tsv
	shift
	run_tsv "$recording_run" "$@"
}
# drawn DIR FIGURES [OPTION...]
drawn() {
	drawn_dir=$1
	drawn_figures=$2
	shift 2
	"$wakelat" plot -q -k svg -f "$drawn_figures" -o "$drawn_dir/drawn" "$@" "$drawn_dir" || bail "$drawn_dir: plot failed"
}
# texts SVG: print the texts of a figure, one per line
texts() {
	sed -n '/<text/{s/<[^>]*>/ /g; s/^[[:space:]]*//; s/[[:space:]]*$//; p;}' "$1"
}
# numbers SVG: print the numbers among them, one per line
numbers() {
	texts "$1" | grep -xE '[0-9.]+'
}

# One tainted sample of 0.02 us among latencies of 100 to 110 us, which are advertised as 133 us.
{
	rows 3 2000 100000 10000
	echo 3 60000 20 20 foreign_timer
	echo 3 90000000 105000 105000 smi
} | recording tainted
drawn tainted silent-time,order,density,ccdf
for figure in silent-time order density ccdf; do
	is "$(numbers "tainted/drawn/$figure.svg" | awk '$1 > 0 && $1 < 50' | paste -sd ' ' -)" "" \
		"$figure: a tainted sample of 0.02 us does not stretch the axis"
done
like "$(texts tainted/drawn/order.svg)" '^tainted \(1 outside\)$' "order: the key counts the tainted samples outside of the axes"
like "$(texts tainted/drawn/silent-time.svg)" '^tainted \(2, all outside\)$' \
	"silent-time: the key counts a tainted sample whose silent time is outside of the axis, too"
is "$(numbers tainted/drawn/silent-time.svg | sort -g | tail -n 1)" 200 "silent-time: the axis of silent time ends with the untainted samples"

# Two clean samples far below 1999 others: 0.1 % of them is less than three, so both are left out.
{
	rows 3 1998 100000 10000
	echo 3 60000 20 20 -
	echo 3 60000 400 400 -
} | recording short
drawn short silent-time,order,histogram,ccdf,percentiles,states
for figure in silent-time order histogram ccdf percentiles states; do
	is "$(numbers "short/drawn/$figure.svg" | awk '$1 > 0 && $1 < 50' | grep -vxE '1|10' | paste -sd ' ' -)" "" \
		"$figure: two of 2000 clean samples do not stretch the axis"
	like "$(texts "short/drawn/$figure.svg")" '^N = 2 000 \(2 below 100\.000 µs, not shown\) ' "$figure: the note counts the samples below the axis"
done
# 1 % of the samples missed their state: they are drawn.
{
	rows 3 1980 100000 10000
	rows 3 20 400 20
} | recording missed
drawn missed ccdf
unlike "$(texts missed/drawn/ccdf.svg)" 'not shown' "samples that are more than one in 1000 are drawn, however short they are"
{
	rows 3 500 100000 10000
	echo 3 60000 400 400 -
} | recording few
drawn few ccdf
unlike "$(texts few/drawn/ccdf.svg)" 'not shown' "none of fewer than 1000 samples is left out"
ok "--linear draws all clean samples" "$wakelat" plot -q -k svg -f ccdf --linear -o linear short
unlike "$(texts linear/ccdf.svg)" 'not shown' "--linear leaves no clean sample out"

# A logarithmic axis with at least three numbers, however short it is.
for range in 1 10 1000 50000 900000; do
	rows 3 500 100000 $range | recording "range-$range" state.3.latency_ns $((100000 + range / 2))
	"$wakelat" plot -q -k svg -f order -o "range-$range/drawn" "range-$range" || bail "range $range: no figure"
	# The numbers of the x axis are 0, 200, 400 (88 mm); those of y are written first.
	is "$(numbers "range-$range/drawn/order.svg" | awk '$1 == 0 { exit } { n++ } END { print (n >= 3 ? "at least three" : n + 0) }')" "at least three" \
		"latencies of 100 us to $((100000 + range)) ns: the axis has at least three numbers"
done

# colour_of SVG NAME: print the colour of NAME's mark in the key, which precedes its text.
colour_of() {
	awk -v name="$2" '
		index($0, ">" name "<") || index($0, ">" name ",") { found = 1 }
		found && match($0, /rgb\( *[0-9]+, *[0-9]+, *[0-9]+\)/) && !/stroke:none|<text|fill="black"/ {
			colour = substr($0, RSTART, RLENGTH)
			gsub(/ /, "", colour)
			if (colour != "rgb(0,0,0)") { print colour; exit }
		}' "$1"
}
# C1, the first state, has only tainted samples. C1E and C6 keep their colours: orange and green.
{
	rows 1 5 2000 10 | sed 's/-$/smi/'
	rows 2 300 10000 1000
	rows 3 300 100000 10000
} | recording colours tsc_khz 2000000 state.1.desc 'MWAIT 0x00' state.2.desc 'MWAIT 0x01' state.3.desc 'MWAIT 0x20'
awk -F '\t' 'NR > 1 { print $11 * 2 + 100, ($4 < 3 ? $11 * 2 : 0), ($4 == 3 ? $11 * 2 : 0) }' colours/samples.tsv |
	add_columns colours/samples.tsv tsc_cyc cc1_cyc cc6_cyc
drawn colours silent-time,order,histogram,ccdf,percentiles,residency,residency-share
for figure in silent-time order histogram ccdf percentiles residency; do
	is "$(colour_of "colours/drawn/$figure.svg" C1E_x) $(colour_of "colours/drawn/$figure.svg" C6)" "rgb(213,94,0) rgb(0,158,115)" \
		"$figure: C1E and C6 have their colours although C1 has nothing to draw"
done
# The counter's colour is 55 % of the state's, on white.
is "$(colour_of colours/drawn/residency-share.svg C6)" "rgb(114,201,178)" "residency-share: the core's C6 has the colour of the state C6, paler"

# Two recordings with one advertised latency: the line belongs to both.
rows 3 300 100000 10000 | recording a
rows 3 300 110000 10000 | recording b
ok "plot draws two recordings" "$wakelat" plot -q -k svg -f ccdf,histogram,differences -o two a b
for figure in ccdf histogram; do
	# Upright dashed lines that are not of the grid.
	is "$(grep -o "stroke='[^']*' stroke-dasharray='[^']*' *d='M\([0-9.]*\),[0-9.]* L\1,[0-9.]* *\(M[^L]*L[^L]*\)\{0,1\}'" "two/$figure.svg" | cut -d "'" -f 2 | sort -u)" "rgb( 64,  64,  64)" \
		"$figure: the line of an advertised latency that both recordings have is dark"
done
is "$(colour_of two/differences.svg C6) $(colour_of two/ccdf.svg b)" "rgb(213,94,0) rgb(213,94,0)" "differences: a recording has the colour that it has in ccdf"

# For a caption: without the title and the grey lines.
ok "plot takes --without" "$wakelat" plot -q -k svg,tex -f ccdf,states,residency --without title,note -o bare colours
for figure in ccdf states residency; do
	unlike "$(texts bare/$figure.svg)" 'N = |Not measured|CCDF|Latency of each|Residency in' "--without title,note: $figure has neither"
	like "$(texts bare/$figure.svg)" '^\(emulated\)$' "--without title,note: $figure still says that the machine is emulated"
done
refused "'legend' is none of title,note" "--without: an unknown part" "$wakelat" plot --without legend -o bare2 a
refused "needs? -o" "--without: no -o" "$wakelat" plot --without title a
ok "report takes --without with --paper" "$wakelat" report -q --paper paper --without title,note a
unlike "$(texts paper/figures/ccdf.svg)" 'N = |Not measured|CCDF' "report --paper --without: figures have neither title nor grey lines"
like "$(cat paper/figures/caption.txt)" '^N = 300 · hrtimer · a · 0123456789ab$' "report --paper: caption.txt has the grey lines"
like "$(cat paper/figures/caption.txt)" '^Not measured: ' "report --paper: caption.txt has the uses to which the figures do not apply"
refused "without needs --paper" "report: --without alone" "$wakelat" report --without title a

# A density of few samples would be a figure of single points.
rows 3 200 100000 10000 | recording sparse
awk 'BEGIN { FS = OFS = "\t" } NR > 1 { $11 = NR * 7919 % 200 * 10000 } { print }' sparse/samples.tsv >new && mv new sparse/samples.tsv
ok "plot draws 200 samples" "$wakelat" plot -q -k svg -o sparse/drawn sparse
like "$(cat sparse/drawn/left-out.tsv)" '^density	most samples would be single points: see figure silent-time$' "200 samples: density is left out, with the reason"
# A long line below the figure has a smaller font. Its size must not depend on the letters of the revision.
for revision in 000000000000 ffffffffffff; do
	rows 3 300 100000 10000 | recording "$revision" revision "$revision"
	drawn "$revision" ccdf -w 'silent_time > 1 && silent_time > 2 && silent_time > 3 && silent_time > 4 && wake_latency > 5'
	grep -o 'font-size="[0-9.]*"' "$revision/drawn/ccdf.svg" >"$revision/sizes"
done
like "$(cat ffffffffffff/sizes)" '"[345][.][0-9]*"' "a line that is too long has a smaller font"
same 000000000000/sizes ffffffffffff/sizes "the letters of the revision do not change the size of the font"
done_testing
