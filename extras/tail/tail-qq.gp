# SPDX-License-Identifier: GPL-2.0
# Quantiles of the tail against those of the fitted distribution, a panel for each stratum. If the
# fit is true, 95 % of the samples of each rank lie in the band. On the line, sample and fit are
# equal.

call ARG3.'/style.gp' ARG1 ARG2 'Quantiles of the tail and of its fit' ARG4

columns = wide ? (qq_series < 4 ? qq_series : 4) : (qq_series < 3 ? qq_series : qq_series < 5 ? 2 : 3)
rows = int(ceil(1.0 * qq_series / columns))
set label 995 'Quantile of the fit (µs)' at screen 0.53, screen up(bottom_name_mm) center
set label 997 'Latency (µs)' at screen across(1.9), screen 0.5 center rotate by 90
left = across(left_mm)
# Room for tics and a name in each panel.
gap_x = across(9.0)
gap_y = up(8.0)
width = (1 - left - across(right_mm) - (columns - 1) * gap_x) / columns
# The names of the first row's panels are below the title.
first_mm = key_top_mm + 3.3
height = (1 - up(bottom_mm) - up(first_mm) - (rows - 1) * gap_y) / rows
set xtics font small_font
set ytics font small_font
unset key

# A name that would reach into the next panel is drawn in a smaller font; if it is still too long,
# its middle is left out.
qq_mm = (width + gap_x) * width_mm - 1.5
qq_narrow(i) = text_mm(qq_label[i]) > qq_mm
qq_name(i) = qq_narrow(i) && text_mm(qq_label[i]) * 0.75 > qq_mm && kind ne 'tex' ? qq_label[i][1:8].'..'.qq_label[i][strlen(qq_label[i]) - int(qq_mm / 1.06) + 12:*] : qq_label[i]

set multiplot
do for [i=1:qq_series] {
	column = (i - 1) % columns
	row = (i - 1) / columns
	set lmargin at screen left + column * (width + gap_x)
	set rmargin at screen left + column * (width + gap_x) + width
	set tmargin at screen 1 - up(first_mm) - row * (height + gap_y)
	set bmargin at screen 1 - up(first_mm) - row * (height + gap_y) - height
	# Reset the ranges. Otherwise stats uses only the data within the ranges of the panel before.
	set xrange [*:*]
	set yrange [*:*]
	stats 'qq-'.i.'.dat' using 1 name 'FIT' nooutput
	stats 'qq-'.i.'.dat' using 2 name 'DATA' nooutput
	low = FIT_min < DATA_min ? FIT_min : DATA_min
	high = FIT_max > DATA_max ? FIT_max : DATA_max
	margin = high > low ? (high - low) * 0.04 : 1
	set xrange [low - margin:high + margin]
	set yrange [low - margin:high + margin]
	step = step_of((high - low + 2 * margin) / 4.0)
	set xtics step
	set ytics step
	set label 990 qq_name(i) at graph 0, graph 1 offset 0.3,0.55 left font (qq_narrow(i) ? note_font : small_font)
	plot 'qq-'.i.'.dat' using 1:3:4 with filledcurves fc rgb palette_8[qq_hue[i]] fs transparent solid 0.2 noborder, \
		x with lines lw 0.6 dt (3,3) lc rgb grey, \
		'qq-'.i.'.dat' using 1:2 with points pt 7 ps 0.18 lc rgb palette_8[qq_hue[i]]
	# Labels that are drawn only once in the figure.
	unset label 995
	unset label 997
	unset label 998
	unset label 999
	unset label 992
	unset label 991
}
unset multiplot
