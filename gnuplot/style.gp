# SPDX-License-Identifier: GPL-2.0
# The common style of all figures: one column of a paper, 88 mm wide, or two, 180 mm; text of 7 pt.
#
# A figure is called with the working directory holding its data (tools/figdata.c):
#
#	gnuplot -c FIGURE.gp KIND OUTPUT STYLE_DIRECTORY WIDTH
#
# and calls this file with KIND OUTPUT TITLE WIDTH.
#
# KIND is pdf, svg, png or tex. setup.gp in the working directory (setup-tex.gp: with the characters
# escaped that LaTeX takes for its own) says what to write on it; a series is a state of a data set:
#	states			how many series have something to draw
#	array position[]	which of figdata's files are theirs
#	array label[]		their names in the key
#	array hue[], shape[]	which of the colours and marks below are theirs
#	keys, array key_label[], key_hue[], key_shape[]		what the key explains: the series; of
#				several data sets the states (hue 0: dark), and
#	set_keys, array set_label[]		the data sets, which then have the colours
#	array advertised[]	exit latency in us that the driver states; 0: none
#	array maximum[]		us
#	array count[]		samples, untainted
#	NAME_drawn		which series have data in NAME-P.dat, as words: gnuplot warns of empty files
#	sets			data sets
#	longest_label, longest_key	in characters
#	tainted			1 if there are tainted samples to draw, else 0
#	emulated		' (emulated)' or ''
#	of_what			' of C6' where all of a comparison are of that state, else ''
#	latency_name		what the latency is: of wake-up, of interrupt, or both
#	any_advertised		1 if some advertised[] is not 0, else 0
#	note			the small print below
#	latency_low, latency_high, silent_low, silent_high,
#	ldist_low, ldist_high	us, of all samples
#	untainted_low, untainted_high	us, of the latencies of untainted ones
#	residency_low, residency_high	us, of the time in the state asked for
#	cells_high		samples in the fullest cell of density
#	cpu_low, cpu_high
#	samples, silent_log, latency_log	how many, and which axes are logarithmic

kind = ARG1
load (kind eq 'tex' ? 'setup-tex.gp' : 'setup.gp')
figure_title = ARG3.of_what.emulated
width_mm = real(ARG4)
wide = width_mm > 100
height_mm = wide ? 95.0 : 62.0

# Each terminal in its own unit; text has the same size in all of them.
if (kind eq 'pdf') {
	# 0.75: the terminal counts 96 dots to the inch, but its page 72.
	set terminal pdfcairo noenhanced size width_mm/10 cm, height_mm/10 cm font 'Sans,7' fontscale 0.75 linewidth 1 pointscale 0.75
}
if (kind eq 'tex') {
	# Text is LaTeX's, in the font of the paper.
	set terminal cairolatex pdf input noheader size width_mm/10 cm, height_mm/10 cm font ',7' linewidth 1 pointscale 0.75
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
percent = kind eq 'tex' ? '\%' : '%'

# Okabe and Ito's colours, which the colour-blind tell apart, the yellow last. Marks
# and dashes differ as well, for those who print in grey.
array palette_8[8] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#56B4E9', '#E69F00', '#000000', '#F0E442']
array mark_8[8] = [7, 9, 5, 13, 6, 8, 4, 12]
array dash_8[8] = [1, 2, 4, 3, 5, 1, 2, 4]
array colour[states]
array mark[states]
array dash[states]
do for [i=1:states] {
	colour[i] = palette_8[hue[i]]
	mark[i] = mark_8[shape[i]]
	dash[i] = dash_8[shape[i]]
}
array key_colour[keys]
array key_mark[keys]
array key_dash[keys]
do for [i=1:keys] {
	key_colour[i] = key_hue[i] ? palette_8[key_hue[i]] : '#404040'
	key_mark[i] = mark_8[key_shape[i]]
	key_dash[i] = dash_8[key_shape[i]]
}
# The series that a word of NAME_drawn is.
nr(k) = int(k)
grey = '#808080'
dark = '#404040'
band = '#fdf1dc'
band_edge = '#f0b95a'
band_text = '#a06a00'

set border 3 lw 0.6 lc rgb dark
set tics nomirror scale 0.5,0.3 textcolor rgb '#000000'
set grid lw 0.4 lc rgb '#e4e4e4' dt 1
set datafile missing '-'

# The same frame in every figure, so that two of them stand side by side.
left_mm = 14.1
right_mm = 3.1
bottom_mm = 10.9
top_mm = 10.2
across(mm) = mm / width_mm
up(mm) = mm / height_mm
set lmargin at screen across(left_mm)
set rmargin at screen 1 - across(right_mm)
set bmargin at screen up(bottom_mm)
set tmargin at screen 1 - up(top_mm)
set label 998 figure_title at screen across(left_mm), screen 1 - up(2.8) left font ',7.5'
set label 999 note at screen 1 - across(1.3), screen up(1.6) right font ',4.5' textcolor rgb grey
set key at graph 0, graph 1.015 left bottom horizontal Left reverse font ',6' samplen 1 width -2
# As many names side by side as fit, and room for more than two rows of them: a figure says how many there
# are, and of how many characters the longest is.
key_columns(chars) = int((width_mm - left_mm) / (6 + chars * 1.3))
key_rows(entries, chars) = key_columns(chars) < 1 ? entries : ceil(1.0 * entries / key_columns(chars))
key_room(rows) = top_mm + (rows > 2 ? (rows - 2) * 2.9 : 0)
key_layout = "set key maxcols (key_columns(key_chars) < 1 ? 1 : key_columns(key_chars)); set tmargin at screen 1 - up(key_room(key_rows(key_entries, key_chars)))"
# What most figures have: the series, tainted samples, what is advertised.
key_entries = set_keys + keys + tainted + any_advertised
key_chars = longest_key > 10 ? longest_key : tainted || any_advertised ? 10 : longest_key
@key_layout
set xlabel offset 0,0.4
# Where no width of tic labels pushes it out of the figure.
left_axis = "at screen across(1.9), graph 0.5 center rotate by 90"

# Limits that leave room for marks and end on no particular number.
below(v) = v / 1.25
above(v) = v * 1.25

# 1 and 10 rather than 10^0 and 10^1.
set format '%g'
# The names of tics are formats as well.
percent_format = kind eq 'tex' ? '%g \%%' : '%g %%'
tic_percent = kind eq 'tex' ? ' \%%' : ' %%'

# A round distance between tics that gives about four of them, eight in a wide figure.
power(v) = 10 ** floor(log10(v))
round_up(v) = v > 5 ? 10 : v > 2 ? 5 : v > 1 ? 2 : 1
tic_step(range) = step_of(range / (wide ? 8.0 : 4.0))
step_of(v) = power(v) * round_up(v / power(v))

# Samples of the state that has most.
most = 1
do for [i=1:states] { most = count[i] > most ? count[i] : most }

# The key's names, as points or as lines with points.
set_key = set_keys == 0 ? "" : "for [i=1:set_keys] keyentry with boxes lc rgb palette_8[i] fs solid noborder title set_label[i], "
point_key = set_key."for [i=1:keys] keyentry with points pt key_mark[i] ps 0.5 lc rgb key_colour[i] title key_label[i]"
line_key = set_key."for [i=1:keys] keyentry with linespoints pt key_mark[i] ps 0.4 dt key_dash[i] lc rgb key_colour[i] title key_name(i)"
key_name(i) = key_label[i]

# Drawn only if there are any: gnuplot warns of an empty file, and goes through an empty list once.
# The parts of a plot that depend on a list are therefore strings, and empty with it.
tainted_points = tainted ? ", tainted_file with points pt 2 ps 0.4 lw 0.7 lc rgb grey notitle, keyentry with points pt 2 ps 0.5 lc rgb grey title 'tainted'" : ""

# The range of latencies, untainted and advertised; and of all of them.
distribution_low = untainted_low
distribution_high = untainted_high
do for [i=1:states] {
	if (advertised[i] > 0 && advertised[i] < distribution_low) { distribution_low = advertised[i] }
	if (advertised[i] > distribution_high) { distribution_high = advertised[i] }
}
plane_low = distribution_low < latency_low ? distribution_low : latency_low
plane_high = distribution_high > latency_high ? distribution_high : latency_high

# What the driver advertises: a dashed line in the colour of its state where it crosses the
# figure, dark before points of that colour where it goes along with them.
advertised_lines = "do for [i=1:states] { if (advertised[i] > 0) { set arrow from first advertised[i], graph 0 to first advertised[i], graph 1 nohead lw 0.8 dt (8,5) lc rgb colour[i] } }"
advertised_levels = "do for [i=1:states] { if (advertised[i] > 0) { set arrow from graph 0, first advertised[i] to graph 1, first advertised[i] nohead front lw 0.6 dt (8,5) lc rgb dark } }"
advertised_key = any_advertised == 0 ? "" : ", keyentry with lines lw 0.8 dt (6,4) lc rgb dark title 'advertised'"

# On a logarithmic axis of few decades also 2 and 5 get a number.
few_decades(low, high) = log10(high / low) < 3
log_xtics = "do for [decade=-3:9] { do for [digit in '2 5'] { set xtics add (digit * 10.0**decade) } }"
log_ytics = "do for [decade=-3:9] { do for [digit in '2 5'] { set ytics add (digit * 10.0**decade) } }"
log_y2tics = "do for [decade=-3:9] { do for [digit in '2 5'] { set y2tics add (digit * 10.0**decade) } }"

# An axis that begins at 0, or below if it must.
linear_low(low) = low < 0 ? low * 1.02 : 0
linear_high(high) = high > 0 ? high * 1.02 : 1

# The axis of silent time, and that of the latency beside it.
silent_axis = "if (silent_log) { set logscale x; set xrange [below(silent_low):above(silent_high)]; if (few_decades(silent_low, silent_high)) { @log_xtics } } else { set xrange [linear_low(silent_low):linear_high(silent_high)]; set xtics tic_step(silent_high - (silent_low < 0 ? silent_low : 0)) }"
latency_axis = "if (latency_log) { set logscale y; set yrange [below(plane_low):above(plane_high)]; if (few_decades(plane_low, plane_high)) { @log_ytics } } else { set yrange [linear_low(plane_low):linear_high(plane_high) * 1.03]; set ytics step_of((plane_high - (plane_low < 0 ? plane_low : 0)) / 5) }"
