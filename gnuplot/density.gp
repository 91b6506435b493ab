# SPDX-License-Identifier: GPL-2.0
# The same as silent-time, for many samples: how many fell into each cell; those that lie
# alone stay points with the colour and mark of their state (the key is of those).

call ARG3.'/style.gp' ARG1 ARG2 'Density of latency against silent time' ARG4
tainted = silent_time_tainted
tainted_file = 'silent-time-tainted.dat'
load ARG3.'/series.gp'

set label 995 'Silent time (µs)' @bottom_axis
set label 997 latency_name.' (µs)' @left_axis
@silent_axis
@latency_axis

# One hue from pale to dark, which stays in order when it is printed in grey.
set palette defined (0 '#cfe3f1', 1 '#56a5cf', 2 '#0b5c94', 3 '#04223f')
set rmargin at screen 1 - across(12)
set logscale cb
set cbrange [1:cells_high > 1 ? cells_high : 10]
set colorbox user origin screen 1 - across(10.6), graph 0 size screen across(2), graph 1 noborder
set cbtics font small_font offset -0.8,0 scale 0.3
set label 996 'Samples per cell' at screen 1 - across(1.9), graph 0.5 center rotate by 90 font small_font

# Cells overlap a little: no seams between them.
wider(low, high) = high + (high - low) * 0.1
density_points = density_drawn eq '' ? "" : "for [k in density_drawn] 'density-'.position[nr(k)].'.dat' with points pt mark[nr(k)] ps 0.25 lc rgb colour[nr(k)] notitle,"
plot 'density.dat' using 1:3:1:(wider($1, $2)):3:(wider($3, $4)):5 \
		with boxxyerror lc palette fs solid noborder notitle, \
	@density_points \
	@point_key \
	@tainted_points @advertised_levels @advertised_key
