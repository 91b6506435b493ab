# SPDX-License-Identifier: GPL-2.0
# The common style of all figures: one column of a paper, 88 mm wide, text of 7 pt.
#
# A figure is called with the working directory holding its data (tools/figdata.c):
#
#	gnuplot -c FIGURE.gp KIND OUTPUT STYLE_DIRECTORY
#
# and calls this file with KIND OUTPUT TITLE.
#
# KIND is pdf, svg or png. setup.gp in the working directory says what to write on it:
#	states			how many states have something to draw
#	array position[]	which of figdata's files are theirs
#	array label[]		their names in the key
#	array advertised[]	exit latency in us that the driver states; 0: none
#	array maximum[]		us
#	array count[]		samples, untainted
#	tainted			1 if there are tainted samples to draw, else 0
#	emulated		' (emulated)' or ''
#	latency_name		what the latency is: of wake-up, of interrupt, or both
#	any_advertised		1 if some advertised[] is not 0, else 0
#	note			the small print below
#	latency_low, latency_high, silent_low, silent_high,
#	ldist_low, ldist_high	us, of all samples
#	untainted_low, untainted_high	us, of the latencies of untainted ones
#	samples, silent_log	and whether silent time has a log axis

kind = ARG1
load 'setup.gp'
figure_title = ARG3.emulated
width_mm = 88.0
height_mm = 62.0

# Each terminal in its own unit; text has the same size in all of them.
if (kind eq 'pdf') {
	# 0.75: the terminal counts 96 dots to the inch, but its page 72.
	set terminal pdfcairo noenhanced size width_mm/10 cm, height_mm/10 cm font 'Sans,7' fontscale 0.75 linewidth 1 pointscale 0.75
}
if (kind eq 'png') {
	# 300 dots per inch, where the terminal takes 96 for granted.
	dots = 300.0 / 96
	set terminal pngcairo noenhanced background '#ffffff' size int(width_mm/25.4*300 + 0.5), int(height_mm/25.4*300 + 0.5) font 'Sans,7' fontscale dots linewidth dots pointscale dots
}
if (kind eq 'svg') {
	# Pixels, 96 to the inch.
	set terminal svg noenhanced dynamic size int(width_mm/25.4*96 + 0.5), int(height_mm/25.4*96 + 0.5) font 'DejaVu Sans,9.3' background '#ffffff'
}
set output ARG2
set encoding utf8

# Okabe and Ito's colours, which the colour-blind tell apart, the yellow last. Marks
# and dashes differ as well, for those who print in grey.
array colour[8] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#56B4E9', '#E69F00', '#000000', '#F0E442']
array mark[8] = [7, 9, 5, 13, 6, 8, 4, 12]
array dash[8] = [1, 2, 4, 3, 5, 1, 2, 4]
grey = '#808080'
band = '#fdf1dc'
band_edge = '#f0b95a'
band_text = '#a06a00'

set border 3 lw 0.6 lc rgb '#404040'
set tics nomirror scale 0.5,0.3 textcolor rgb '#000000'
set grid lw 0.4 lc rgb '#e4e4e4' dt 1
set datafile missing '-'

# The same frame in every figure, so that two of them stand side by side.
set lmargin at screen 0.16
set rmargin at screen 0.965
set bmargin at screen 0.175
set tmargin at screen 0.835
set label 998 figure_title at screen 0.16, screen 0.955 left font ',7.5'
set label 999 note at screen 0.985, screen 0.025 right font ',4.5' textcolor rgb grey
set key at graph 0, graph 1.015 left bottom horizontal Left reverse font ',6' samplen 1 width -2 maxcols 5
set xlabel offset 0,0.4
# Where no width of tic labels pushes it out of the figure.
left_axis = "at screen 0.022, graph 0.5 center rotate by 90"

# Limits that leave room for marks and end on no particular number.
below(v) = v / 1.25
above(v) = v * 1.25

# 1 and 10 rather than 10^0 and 10^1.
set format '%g'

# A round distance between tics that gives about four of them.
power(v) = 10 ** floor(log10(v))
round_up(v) = v > 5 ? 10 : v > 2 ? 5 : v > 1 ? 2 : 1
tic_step(range) = power(range / 4.0) * round_up(range / 4.0 / power(range / 4.0))

# Samples of the state that has most.
most = 1
do for [i=1:states] { most = count[i] > most ? count[i] : most }

# Drawn only if there are any: gnuplot warns of an empty file.
tainted_points = tainted ? ", tainted_file with points pt 2 ps 0.4 lw 0.7 lc rgb grey notitle, keyentry with points pt 2 ps 0.5 lc rgb grey title 'tainted'" : ""

# The range of latencies, untainted and advertised.
distribution_low = untainted_low
distribution_high = untainted_high
do for [i=1:states] {
	if (advertised[i] > 0 && advertised[i] < distribution_low) { distribution_low = advertised[i] }
	if (advertised[i] > distribution_high) { distribution_high = advertised[i] }
}

# What the driver advertises: a dashed line in the colour of its state.
advertised_lines = "do for [i=1:states] { if (advertised[i] > 0) { set arrow from first advertised[i], graph 0 to first advertised[i], graph 1 nohead lw 0.8 dt (8,5) lc rgb colour[i] } }"

# On a logarithmic axis of few decades also 2 and 5 get a number.
few_decades(low, high) = log10(high / low) < 3
log_xtics = "do for [decade=-3:9] { do for [digit in '2 5'] { set xtics add (digit * 10.0**decade) } }"
log_ytics = "do for [decade=-3:9] { do for [digit in '2 5'] { set ytics add (digit * 10.0**decade) } }"
log_y2tics = "do for [decade=-3:9] { do for [digit in '2 5'] { set y2tics add (digit * 10.0**decade) } }"
