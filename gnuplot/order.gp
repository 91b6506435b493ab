# SPDX-License-Identifier: GPL-2.0
# Latency in the order of recording, with the launch distance of a sweep on the right (figure 4 of
# Govtva's thesis). It shows drift, steps and single events, which no distribution shows.

call ARG3.'/style.gp' ARG1 ARG2 'Latency in recording order' ARG4
tainted = order_tainted
tainted_file = 'order-tainted.dat'
tainted_outside = outside_order
load ARG3.'/series.gp'

set label 995 'Sample' @bottom_axis
set label 997 y_name @left_axis
# gnuplot would draw a small tic at 40 outside of the frame if the axis begins at 40.1.
unset mytics
@latency_axis
# Draw launch distances only for a sweep, where they are steps. Random ones would fill the figure.
with_ldist = swept && exists('ldist_low')
if (with_ldist) {
	# Draw the tics in front of the band, which would cover them.
	set tics front
	set rmargin at screen 1 - across(14.5)
	set label 996 'Launch distance (µs)' at screen 1 - across(1.9), graph 0.5 center rotate by 90 textcolor rgb band_text
	set border 11
	set y2tics nomirror
	unset my2tics
	set logscale y2
	set y2range [below(ldist_low):above(ldist_high)]
	eval log_tics('y2', below(ldist_low), above(ldist_high))
} else {
	# Leave room for half of the last number.
	set rmargin at screen 1 - across(5.5)
}
# The band is drawn with edges, because it can be very thin.
ldist_band = with_ldist ? "'ldist.dat' using 1:2:3 axes x1y2 with filledcurves fc rgb band notitle, 'ldist.dat' using 1:2 axes x1y2 with lines lw 1 lc rgb band_edge notitle, 'ldist.dat' using 1:3 axes x1y2 with lines lw 1 lc rgb band_edge notitle, " : ""
@key_layout
set xrange [0:samples + 1]
set xtics tic_step(samples > 3 ? samples : 4)
set format x (samples < 1e5 ? '%.0f' : '%.0s%c')

order_points = order_drawn eq '' ? "" : "for [k in order_drawn] 'order-'.position[nr(k)].'.dat' with points pt mark[nr(k)] ps 0.12 lc rgb colour[nr(k)] notitle,"
plot @ldist_band @order_points \
	@point_key \
	@tainted_points @advertised_levels @advertised_key
