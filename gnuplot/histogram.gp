# SPDX-License-Identifier: GPL-2.0
# Histogram with logarithmic counts, so that a bin with one sample is visible beside the usual ones.
# Dotted: samples of which only the range is known.

call ARG3.'/style.gp' ARG1 ARG2 'Histogram of latency' ARG4
load ARG3.'/series.gp'

if (wide_drawn ne '') { key_n = key_n + 1; key_text[key_n] = 'somewhere here'; wide_n = key_n }
@key_layout
set label 995 y_name @bottom_axis
set label 997 'Samples per bin' @left_axis
@distribution_axis
set logscale y
set yrange [0.5:2 * most]
@count_tics
if (most < 50) { eval log_125('y', 0.5, 2 * most) }
@advertised_lines

wide_ranges = wide_drawn eq '' ? "" : "for [k in wide_drawn] 'wide-'.position[nr(k)].'.dat' using 1:3:($2 - $1):(0) with vectors nohead lw 1 dt (2,3) lc rgb colour[nr(k)] notitle, for [k in wide_drawn] 'wide-'.position[nr(k)].'.dat' using 2:3 with points pt mark[nr(k)] ps 0.4 lc rgb colour[nr(k)] notitle, keyentry with lines lw 1 dt (2,3) lc rgb dark ".entry('wide_n').","
plot @wide_ranges for [i=1:states] 'histogram-'.position[i].'.dat' using 1:2 \
		with filledcurves y1=0.5 fc rgb colour[i] fs transparent solid 0.3 noborder notitle, \
	for [i=1:states] 'histogram-'.position[i].'.dat' using 1:2 with lines lw 0.6 lc rgb colour[i] notitle, \
	for [i=1:states] 'histogram-'.position[i].'.dat' using 3:2 \
		with points pt mark[i] ps 0.25 lc rgb colour[i] notitle, \
	@point_key \
	@advertised_key
