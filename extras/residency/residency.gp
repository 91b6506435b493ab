# SPDX-License-Identifier: GPL-2.0
# Power by interval between wake-ups, of two idle states; the crossing with its 95 % interval, and the table's value.
#
# The command writes points-a.dat, points-b.dat (interval us, W) and setup.gp.

call ARG3.'/style.gp' ARG1 ARG2 'Power by interval between wake-ups' ARG4

set label 997 'Power (W)' @left_axis
set xlabel 'Interval between wake-ups (µs)' offset 0,0.3
set logscale x
unset mxtics
set xrange [first:last]
eval log_tics('x', first, last)
set yrange [lowest:highest]
curve_a(t) = pa + ea / t
curve_b(t) = pb + eb / t
if (crossing > 0) {
	set object 1 rectangle from low, graph 0 to high, graph 1 fc rgb '#bbbbbb' fs solid 0.6 noborder behind
	set arrow 1 from crossing, graph 0 to crossing, graph 1 nohead lw 0.7 lc rgb '#000000'
	set label 1 crossing_text at crossing, graph 0.9 left offset 0.6,0 font small_font
}
set arrow 2 from table, graph 0 to table, graph 1 nohead lw 0.7 dt 2 lc rgb '#D55E00'
if (table < crossing && table > 1.5 * first) { set label 2 table_text at table, graph 0.8 right offset -0.6,0 font small_font textcolor rgb '#D55E00' } \
else { set label 2 table_text at table, graph 0.8 left offset 0.6,0 font small_font textcolor rgb '#D55E00' }
key_text[1] = name_a
key_text[2] = name_b
key_n = 2
@key_layout
entry_a = entry('1')
entry_b = entry('2')
plot curve_a(x) with lines lw 1 lc rgb palette_8[1] @entry_a, curve_b(x) with lines lw 1 dt 2 lc rgb palette_8[3] @entry_b, \
	'points-a.dat' using 1:2 with points pt mark_8[1] ps 0.4 lw 0.6 lc rgb palette_8[1] notitle, \
	'points-b.dat' using 1:2 with points pt mark_8[3] ps 0.4 lw 0.6 lc rgb palette_8[3] notitle
