# SPDX-License-Identifier: GPL-2.0
# The points of a sweep side by side: interrupt latency above, and below where the time went, the states'
# shares on top of each other (white: awake), with the power where it is known.
#
# sweep.dat and setup.gp: scripts/lib/sweep-figure.awk.

call ARG3.'/style.gp' ARG1 ARG2 'Latency and residency at each point' ARG4

middle_mm = 27.0
gap_mm = 5.2
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
if (few_decades(low, high)) { @log_ytics }
set key maxcols 4 width 1
p99 = any_p99 ? ", 'sweep.dat' using 1:3 with linespoints lw 1 pt mark_8[2] ps 0.5 dt 2 lc rgb palette_8[2] title 'p99'" : ""
p9999 = any_p9999 ? ", 'sweep.dat' using 1:4 with linespoints lw 1 pt mark_8[3] ps 0.5 dt 4 lc rgb palette_8[3] title 'p99.99'" : ""
p50 = any_p50 ? ", 'sweep.dat' using 1:2 with linespoints lw 1 pt mark_8[1] ps 0.5 lc rgb palette_8[1] title 'p50'" : ""
plot 'sweep.dat' using 1:5 with linespoints lw 1 pt mark_8[7] ps 0.5 dt 3 lc rgb palette_8[7] title 'max' @p9999 @p99 @p50

unset label 998
unset label 999
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
set key at graph 0, graph 1.02 left bottom horizontal Left reverse font ',5.5' samplen 1 width 0.5 maxcols 8
power = any_power ? ", 'sweep.dat' using 1:(50):(sprintf('%.1f W', $6)) with labels font ',5' textcolor rgb '#000000' notitle" : ""
plot for [s=1:states] 'sweep.dat' using 1:((column(6+s) + column(7+s)) / 2):(0.34):((column(7+s) - column(6+s)) / 2) \
		with boxxyerror lw 0.2 lc rgb palette_8[(s - 1) % 8 + 1] fs solid 0.6 title state_name[s] @power
unset multiplot
