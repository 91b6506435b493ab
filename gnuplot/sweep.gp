# SPDX-License-Identifier: GPL-2.0
# The points of a sweep side by side. The upper panel has the interrupt latency. The lower panel has the
# states' shares of the time, stacked (white: awake), and the power if it is known.
#
# scripts/lib/figures/sweep-figure.awk writes sweep.dat and setup.gp.

call ARG3.'/style.gp' ARG1 ARG2 'Latency and residency at each point' ARG4

middle_mm = 27.0
# The states' names are between the two panels, in as many rows as needed.
state_mm = 0
do for [s=1:states] { state_mm = key_sample_mm + text_mm(state_name[s]) + 1.0 > state_mm ? key_sample_mm + text_mm(state_name[s]) + 1.0 : state_mm }
state_room = width_mm - left_mm - 1.0
state_cols = int(state_room / state_mm) < 1 ? 1 : int(state_room / state_mm) > states ? states : int(state_room / state_mm)
state_rows = int((states + state_cols - 1) / state_cols)
state_x(s) = across(left_mm + key_sample_mm + (s - 1) % state_cols * state_room / state_cols)
state_y(s) = up(middle_mm + 2.1 + (state_rows - 1 - int((s - 1) / state_cols)) * 2.6)
gap_mm = 5.2 + (state_rows - 1) * 2.6
set multiplot
set xrange [0.4:points + 0.6]
unset xtics
unset grid
set grid y lw 0.4 lc rgb '#e4e4e4' dt 1

set bmargin at screen up(middle_mm + gap_mm)
set label 997 'Latency (µs)' @left_axis
set logscale y
unset mytics
set yrange [below(low):above(high)]
eval log_tics('y', below(low), above(high))
# The percentiles are dark, because colours are for states.
key_text[1] = 'max'
key_n = 1
if (any_p9999) { key_n = key_n + 1; n_p9999 = key_n; key_text[key_n] = 'p99.99' }
if (any_p99) { key_n = key_n + 1; n_p99 = key_n; key_text[key_n] = 'p99' }
if (any_p50) { key_n = key_n + 1; n_p50 = key_n; key_text[key_n] = 'p50' }
@key_layout
max_entry = entry('1')
p99 = any_p99 ? ", 'sweep.dat' using 1:3 with linespoints lw 1 pt mark_8[2] ps 0.5 dt 2 lc rgb dark ".entry('n_p99') : ""
p9999 = any_p9999 ? ", 'sweep.dat' using 1:4 with linespoints lw 1 pt mark_8[3] ps 0.5 dt 4 lc rgb dark ".entry('n_p9999') : ""
p50 = any_p50 ? ", 'sweep.dat' using 1:2 with linespoints lw 1 pt mark_8[1] ps 0.5 lc rgb dark ".entry('n_p50') : ""
plot 'sweep.dat' using 1:5 with linespoints lw 1 pt mark_8[7] ps 0.5 dt 3 lc rgb dark @max_entry @p9999 @p99 @p50

unset label 998
unset label 999
unset label 992
unset label 991
unset logscale y
set tmargin at screen up(middle_mm)
set bmargin at screen up(bottom_mm)
set label 997 'Residency ('.percent.')' @left_axis
set yrange [0:100]
set ytics 0,50,100
set format y '%g'
set xlabel axis_name offset 0,-0.75
step = ceil(points / (wide ? 24.0 : 12.0))
do for [i=1:points:step] { set label 100+i point_name[i] at i, graph -0.1 center offset 0,-0.1 font ',6' }
power = any_power ? ", 'sweep.dat' using 1:(50):(sprintf('%.1f W', $6)) with labels font ',5' textcolor rgb '#000000' notitle" : ""
plot for [s=1:states] 'sweep.dat' using 1:((column(6+s) + column(7+s)) / 2):(0.34):((column(7+s) - column(6+s)) / 2) \
		with boxxyerror lw 0.2 lc rgb palette_8[state_hue[s]] fs solid 0.6 title state_name[s] at screen state_x(s), screen state_y(s) @power
unset multiplot
