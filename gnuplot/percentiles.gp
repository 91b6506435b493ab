# SPDX-License-Identifier: GPL-2.0
# Latency by percentile, with an axis that is stretched towards 100 % (as HdrHistogram draws it). The
# line is solid as far as the samples support a percentile. From there to the maximum it is thin and dotted.

call ARG3.'/style.gp' ARG1 ARG2 'Latency by percentile' ARG4
load ARG3.'/series.gp'

@key_layout
set label 995 'Percentile' @bottom_axis
set label 997 y_name @left_axis
set logscale x
set xrange [1:most * 1.5]
# Leave room for half of the last name.
set rmargin at screen 1 - across(6.5)
set xtics ('50'.tic_percent 2)
if (most < 20) { set xtics add ('0'.tic_percent 1) }
names = '90 99 99.9 99.99 99.999 99.9999 99.99999 99.999999'
# If the long names would touch, print only every second one.
every_second = !wide && most > 200000
do for [d=1:words(names)] { if (10.0**d < most * 1.5 && (d < 4 || d % 2 || !every_second)) { set xtics add (word(names, d).tic_percent 10.0**d) } }
if (!wide && most > 20000) { set xtics font small_font }
unset mxtics
@latency_axis

# True if n samples support this share, i.e. if they exceed the percentile with a probability of 95 %: 1 - (1 - share)^n >= 95 %.
supported(share, i) = share >= 1 - 0.05**(1.0 / count[i])
bands = band_drawn eq '' ? "" : "for [k in band_drawn] 'band-'.position[nr(k)].'.dat' using (1/$1):2:3 with filledcurves fc rgb colour[nr(k)] fs transparent solid 0.2 noborder notitle,"
plot @bands \
	for [i=1:states] 'ccdf-'.position[i].'.dat' using (1/$2):1 \
		with steps lw 0.8 dt (2,3) lc rgb colour[i] notitle, \
	for [i=1:states] 'ccdf-'.position[i].'.dat' using (1/$2):(supported($2, i) ? $1 : NaN) \
		with steps lw 1 dt dash[i] lc rgb colour[i] notitle, \
	for [i=1:states] 'ccdf-'.position[i].'.dat' using (1/$2):1 every 50 \
		with points pt mark[i] ps 0.3 lc rgb colour[i] notitle, \
	for [i=1:states] '+' using (1.0*count[i]):(maximum[i]) every ::0::0 \
		with points pt mark[i] ps 0.6 lc rgb colour[i] notitle, \
	@line_key \
	@advertised_levels @advertised_key
