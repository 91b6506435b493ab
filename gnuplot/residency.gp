# SPDX-License-Identifier: GPL-2.0
# Time in the requested state, by its residency counter, against silent time (figure 6 of Govtva's
# thesis). The points form a line that leaves the x axis at the time when the CPU enters the state.
# Several lines mean that the CPU enters the state at one of several times.

call ARG3.'/style.gp' ARG1 ARG2 'Residency in the C-state asked for' ARG4
load ARG3.'/series.gp'

if (of_what ne '') { figure_title = 'Residency in'.of_what[4:*].emulated }
@draw_title
# This figure has no advertised latency.
key_n = set_keys + keys + 1
key_text[key_n] = 'all the time'
@key_layout
all_entry = entry('key_n')
set label 995 x_name @bottom_axis
set label 997 'Time in that state (µs)' @left_axis
@silent_axis
# If the x axis is logarithmic, so is the y axis. Then a line bends down at the time when the CPU
# enters the state.
residency_log = silent_log && residency_high > 0
if (residency_log) {
	set logscale y
	set yrange [below(silent_low > 1 ? silent_low : 1):above(residency_high)]
} else {
	set yrange [0:linear_high(residency_high)]
	set ytics step_of((residency_high > 0 ? residency_high : 1) / 5)
}
# The diagonal: residency equal to silent time.
set samples 400
residency_points = residency_drawn eq '' ? "" : "for [k in residency_drawn] 'residency-'.position[nr(k)].'.dat' with points pt mark[nr(k)] ps 0.12 lc rgb colour[nr(k)] notitle,"
plot x with lines lw 0.8 dt (3,3) lc rgb grey notitle, \
	@residency_points \
	@point_key, \
	keyentry with lines lw 0.8 dt (3,3) lc rgb grey @all_entry
