# SPDX-License-Identifier: GPL-2.0
# Histogram, its counts on a logarithmic axis: what happens usually and what happens once.

call ARG3.'/style.gp' ARG1 ARG2 'Histogram of latency' ARG4
load ARG3.'/series.gp'

@key_layout
set label 995 latency_name.' (µs)' @bottom_axis
set label 997 'Samples per bin' @left_axis
@distribution_axis
set logscale y
set yrange [0.5:2 * most]
@count_tics
@advertised_lines

plot for [i=1:states] 'histogram-'.position[i].'.dat' using 1:2 \
		with filledcurves y1=0.5 fc rgb colour[i] fs transparent solid 0.3 noborder notitle, \
	for [i=1:states] 'histogram-'.position[i].'.dat' using 1:2 with lines lw 0.6 lc rgb colour[i] notitle, \
	for [i=1:states] 'histogram-'.position[i].'.dat' using 3:2 \
		with points pt mark[i] ps 0.25 lc rgb colour[i] notitle, \
	@point_key \
	@advertised_key
