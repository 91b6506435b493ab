# SPDX-License-Identifier: GPL-2.0
# Complementary distribution of another tool's histogram: the share of samples that took as long or longer lies between
# the two curves of a colour; where they are one, the buckets are narrow. setup.gp: as in counted-histogram.gp.

call ARG3.'/style.gp' ARG1 ARG2 'CCDF of latency' ARG4

do for [i=1:series] { key_text[i] = label[i] }
key_n = series + 1
key_text[key_n] = 'at most'
@key_layout
label_entry = entry('i')
most_entry = entry('key_n')
set label 995 'Latency (µs)' @bottom_axis
set label 997 'Share as long or longer' @left_axis
set xrange [0:linear_high(greatest)]
set xtics tic_step(greatest)
set logscale y
set yrange [20.0/most:150]
@share_tics

plot for [i=1:series] 'least-'.position[i].'.dat' using 1:(100*$2) with fsteps lw 1 dt dash_8[i] lc rgb palette_8[i] notitle, \
	for [i=1:series] 'greatest-'.position[i].'.dat' using 1:(100*$2) with fsteps lw 0.6 dt (2,3) lc rgb palette_8[i] notitle, \
	for [i=1:series] 'least-'.position[i].'.dat' using 1:(100*$2) every 20 with points pt mark_8[i] ps 0.35 lc rgb palette_8[i] notitle, \
	for [i=1:series] keyentry with linespoints pt mark_8[i] ps 0.4 dt dash_8[i] lc rgb palette_8[i] @label_entry, \
	keyentry with lines lw 0.6 dt (2,3) lc rgb dark @most_entry
