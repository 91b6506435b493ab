# SPDX-License-Identifier: GPL-2.0
# Latency in the order of recording, with the launch distance on the right (figure 4 of
# Govtva's thesis): drift, steps and single events show here and in no distribution.

call ARG3.'/style.gp' ARG1 ARG2 'Latency in recording order'

set rmargin at screen 0.865
set xlabel 'Sample'
set label 997 latency_name.' (µs)' @left_axis
set label 996 'Launch distance (µs)' at screen 0.978, graph 0.5 center rotate by 90 textcolor rgb band_text
set border 11
set y2tics nomirror
set logscale y
set logscale y2
# gnuplot puts a small tic at 40 when the axis begins at 40.1, outside of the frame.
unset my2tics
unset mytics
# Before the band, which would cover them.
set tics front
set yrange [below(latency_low):above(latency_high)]
if (few_decades(latency_low, latency_high)) { @log_ytics }
set y2range [below(ldist_low):above(ldist_high)]
if (few_decades(ldist_low, ldist_high)) { @log_y2tics }
set xrange [0:samples + 1]
set xtics tic_step(samples > 3 ? samples : 4)
set format x '%.0f'

tainted_file = 'order-tainted.dat'

# Uniform launch distances fill a band. In a sweep it is too thin to be seen without its edges.
plot 'ldist.dat' using 1:2:3 axes x1y2 with filledcurves fc rgb band notitle, \
	for [i=1:silent_log] 'ldist.dat' using 1:2 axes x1y2 with lines lw 1 lc rgb band_edge notitle, \
	for [i=1:silent_log] 'ldist.dat' using 1:3 axes x1y2 with lines lw 1 lc rgb band_edge notitle, \
	for [i=1:states] 'order-'.position[i].'.dat' \
		with points pt mark[i] ps 0.12 lc rgb colour[i] notitle, \
	for [i=1:states] keyentry with points pt mark[i] ps 0.5 lc rgb colour[i] title label[i] @tainted_points
