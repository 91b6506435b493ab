# SPDX-License-Identifier: GPL-2.0
# The C-states during the idle period, against silent time. Each requested state has a panel with
# stacked shares of the core's C-states by their residency counters. A line shows the share of
# samples that reached the requested state.

call ARG3.'/style.gp' ARG1 ARG2 'Share of the idle period in each C-state' ARG4
load ARG3.'/series.gp'

# From the bottom of a stack, the deepest state. Grey is the time that no counter counted: C0, entry and exit.
array part[5] = ['C7', 'C6', 'C3', 'C1', 'no C-state']
# part_hue[] of setup.gp: the colours of the states that use these counters. They are pale, so that text on them can be read.
array part_colour[5]
paled(v) = int(255 - (255 - v) * 0.55)
do for [k=1:4] { part_colour[k] = sprintf('#%02x%02x%02x', paled(rgb_8[part_hue[k]] >> 16), paled(rgb_8[part_hue[k]] >> 8 & 255), paled(rgb_8[part_hue[k]] & 255)) }
part_colour[5] = '#e4e4e4'
# Return the sum of the columns of shares-P.dat up to this part.
upto(k) = k < 1 ? 0 : k == 1 ? column(6) : k == 2 ? column(6) + column(5) : k == 3 ? column(6) + column(5) + column(4) : k == 4 ? column(6) + column(5) + column(4) + column(3) : 100
middle(low, high) = (low + high) / 2
# Boxes overlap a little, so that there are no gaps between neighbours.
wider(low, high) = high + (high - low) * 0.1
# The sum can be above 100 %, because the counters are not read at the same time.
share(k) = upto(k) > 100 ? 100 : upto(k)

zero = '0'.tic_percent
half = '50'.tic_percent
whole = '100'.tic_percent
# The first panel has the key with the names. The key must not change the panel's size.
key_n = 6
do for [k=1:5] { key_text[k] = part[6 - k] }
key_text[6] = 'reached it'
@key_layout
# The gap between two panels is as high as a digit.
gap = up(3.2)
panels = words(shares_drawn)
# If no counter tells how many samples reached the state, an invisible line is drawn from another column. A line without
# points is an error, and in gnuplot 6 a "-" in the data is not a point.
unseen = 0xff000000
panel = (1 - up(frame_mm) - up(bottom_mm) - (panels - 1) * gap) / panels
set yrange [0:100]
panel_mm = panel * height_mm
set ytics (whole 100) font small_font
if (panel_mm > 2.9) { set ytics add (zero 0) }
if (panel_mm > 5.8) { set ytics add (half 50) }
@silent_axis
unset grid
set tics front
set label 995 x_name @bottom_axis
set label 997 'Share of the idle period' at screen across(1.9), screen (up(bottom_mm) + 1 - up(frame_mm)) / 2 center rotate by 90

part_entry = entry('k')
reached_entry = entry('6')
set multiplot
do for [n=1:panels] {
	i = int(word(shares_drawn, n))
	set tmargin at screen 1 - up(frame_mm) - (n - 1) * (panel + gap)
	set bmargin at screen 1 - up(frame_mm) - (n - 1) * (panel + gap) - panel
	set label 990 'asked for: '.label[i] at graph 0.975, graph 0.5 right front font small_font textcolor rgb '#000000'
	tells = value('reached_'.position[i])
	set format x (n == panels ? '%g' : '')
	plot for [k=1:5] 'shares-'.position[i].'.dat' \
			using (middle($1, $2)):(share(k)):1:(wider($1, $2)):(share(k - 1)):(share(k)) \
			with boxxyerror lc rgb part_colour[k] fs solid noborder notitle, \
		'shares-'.position[i].'.dat' using (middle($1, $2)):(column(tells ? 8 : 7)) \
			with lines lw 1 dt (4,3) lc rgb (tells ? 0 : unseen) notitle, \
		for [k=1:(n == 1 ? 5 : 1)] keyentry with boxes lc rgb part_colour[6 - k] fs solid noborder @part_entry, \
		keyentry with lines lw 1 dt (4,3) lc rgb '#000000' @reached_entry
	# Labels that are drawn only once in the figure.
	unset key
	unset label 995
	unset label 997
	unset label 998
	unset label 999
	unset label 992
	unset label 991
}
unset multiplot
