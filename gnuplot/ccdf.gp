# SPDX-License-Identifier: GPL-2.0
# Complementary distribution: the share of wake-ups that took as long or longer. The band contains the
# true share (95 %, for each percentile separately). The last step of each curve is its maximum, one
# sample of N, and has a mark. If latencies are only known as intervals, the share is between the
# solid and the thin, dotted curve.

call ARG3.'/style.gp' ARG1 ARG2 'CCDF of latency' ARG4
load ARG3.'/series.gp'

set label 995 y_name @bottom_axis
set label 997 (y_what eq 'latency' ? 'Share as long or longer' : 'Share as large or larger') @left_axis
@distribution_axis
set logscale y
set yrange [20.0/most:150]
@share_tics
@advertised_lines
# The key shows the maximum of each series if it has one line for each series, and at most four.
max_name(i) = intervals_of[i] ? label[i] : sprintf('%s, max '.(maximum[i] >= 1e7 ? '%.3g' : y_unit eq ' µs' ? '%.1f' : '%g').'%s', label[i], maximum[i], y_unit)
if (set_keys == 0 && keys <= 4) { do for [i=1:keys] { key_text[i] = max_name(i) } }
if (ccdf_most_drawn ne '') { key_n = key_n + 1; key_text[key_n] = 'at most'; most_n = key_n }
@key_layout

bands = band_drawn eq '' ? "" : "for [k in band_drawn] 'ccdf-band-'.position[nr(k)].'.dat' using 1:(100*$2) with filledcurves closed fc rgb colour[nr(k)] fs transparent solid 0.2 noborder notitle,"
most_curves = ccdf_most_drawn eq '' ? "" : "for [k in ccdf_most_drawn] 'ccdf-most-'.position[nr(k)].'.dat' using 1:(100*$2) with fsteps lw 0.6 dt (2,3) lc rgb colour[nr(k)] notitle, keyentry with lines lw 0.6 dt (2,3) lc rgb dark ".entry('most_n').","
plot @bands @most_curves \
	for [i=1:states] 'ccdf-'.position[i].'.dat' using 1:(100*$2) \
		with fsteps lw 1 dt dash[i] lc rgb colour[i] notitle, \
	for [i=1:states] 'ccdf-'.position[i].'.dat' using 1:(100*$2) every 50 \
		with points pt mark[i] ps 0.3 lc rgb colour[i] notitle, \
	for [i=1:states] '+' using (intervals_of[i] ? NaN : maximum[i]):(100.0/count[i]) every ::0::0 \
		with points pt mark[i] ps 0.6 lc rgb colour[i] notitle, \
	@line_key \
	@advertised_key
