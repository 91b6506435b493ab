# SPDX-License-Identifier: GPL-2.0
# Latency against silent time (figure 5 of Govtva's thesis): how long the CPU took to
# come back shows what it had entered by the time of the event.

call ARG3.'/style.gp' ARG1 ARG2 'Latency against silent time'

set xlabel 'Silent time (µs)'
set label 997 latency_name.' (µs)' @left_axis
set logscale y
set yrange [below(latency_low):above(latency_high)]
if (few_decades(latency_low, latency_high)) { @log_ytics }
if (silent_log) {
	set logscale x
	set xrange [below(silent_low):above(silent_high)]
	if (few_decades(silent_low, silent_high)) { @log_xtics }
} else {
	x_low = silent_low < 0 ? silent_low : 0
	x_high = silent_high > 0 ? silent_high * 1.02 : 1
	set xrange [x_low:x_high]
	set xtics tic_step(x_high / 1.02 - x_low)
}

tainted_file = 'silent-time-tainted.dat'
plot for [i=1:states] 'silent-time-'.position[i].'.dat' \
		with points pt mark[i] ps 0.12 lc rgb colour[i] notitle, \
	for [i=1:states] keyentry with points pt mark[i] ps 0.5 lc rgb colour[i] title label[i] @tainted_points
