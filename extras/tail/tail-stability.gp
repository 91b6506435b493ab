# SPDX-License-Identifier: GPL-2.0
# Shape of the generalised Pareto distribution fitted to the k longest latencies, against k. If the
# longest latencies are one distribution, the shape does not depend on k. If the chosen fit (filled
# mark) is true, the band contains the shape with a probability of 95 %.

call ARG3.'/style.gp' ARG1 ARG2 'Stability of the tail''s shape' ARG4

do for [i=1:stability_series] { key_text[i] = stability_label[i] }
key_n = stability_series + 1
key_text[key_n] = 'chosen'
@key_layout
stability_entry = entry('i')
chosen_entry = entry('key_n')
# Leave room for half of the last number.
set rmargin at screen 1 - across(5.5)
set label 995 'Exceedances of the threshold' @bottom_axis
set label 997 'Shape' @left_axis
set logscale x
set xtics (30, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
set offsets 0, 0, graph 0.05, graph 0.05
set autoscale xfixmin
set autoscale xfixmax

# Marks with the same k are drawn side by side.
aside(k, i) = k * 1.025 ** (i - (stability_series + 1) / 2.0)
hue_of(i) = palette_8[stability_hue[i]]
file(i) = 'stability-'.i.'.dat'
expected = expected_drawn eq '' ? "" : "for [w in expected_drawn] file(int(w)) using (aside($1, int(w))):5:6 with filledcurves fc rgb hue_of(int(w)) fs transparent solid 0.15 noborder notitle,"
bounds = bounded_drawn eq '' ? "" : "for [w in bounded_drawn] file(int(w)) using (aside($1, int(w))):3:(0):($4 - $3) with vectors heads size screen 0.004,90 lw 0.6 lc rgb hue_of(int(w)) notitle,"
chosen = chosen_drawn eq '' ? "" : "for [w in chosen_drawn] file(int(w)) using ($7 == 1 ? aside($1, int(w)) : NaN):2 with points pt 7 ps 0.7 lc rgb hue_of(int(w)) notitle,"
plot @expected @bounds \
	for [i=1:stability_series] file(i) using (aside($1, i)):2 \
		with linespoints lw 0.6 dt dash_8[(i - 1) % 8 + 1] pt 6 ps 0.35 lc rgb hue_of(i) notitle, \
	@chosen \
	for [i=1:stability_series] keyentry with linespoints lw 0.6 dt dash_8[(i - 1) % 8 + 1] pt 6 ps 0.35 lc rgb hue_of(i) @stability_entry, \
	keyentry with points pt 7 ps 0.6 lc rgb dark @chosen_entry
