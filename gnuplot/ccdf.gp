# SPDX-License-Identifier: GPL-2.0
# Complementary distribution: the share of wake-ups that took as long or longer. The
# last step of each curve is its maximum, one sample of N, marked.

call ARG3.'/style.gp' ARG1 ARG2 'CCDF of latency'

set xlabel latency_name.' (µs)'
set label 997 'Share as long or longer' @left_axis
set logscale xy
set xrange [below(distribution_low):above(distribution_high)]
if (few_decades(distribution_low, distribution_high)) { @log_xtics }
set yrange [20.0/most:150]
set format y '%g %%'
@advertised_lines
# Beside the mark, or below it where there is no room.
beside(v) = log(v / distribution_low) < 0.75 * log(distribution_high / distribution_low)
do for [i=1:states] {
	set label i sprintf('max %.1f', maximum[i]) at maximum[i], 100.0/count[i] font ',5.5' textcolor rgb colour[i]
	if (beside(maximum[i])) {
		set label i left offset 0.8,0
	} else {
		set label i right offset -0.4,-0.75
	}
}

plot for [i=1:states] 'ccdf-'.position[i].'.dat' using 1:(100*$2) \
		with fsteps lw 1 lc rgb colour[i] notitle, \
	for [i=1:states] 'ccdf-'.position[i].'.dat' using 1:(100*$2) every 50 \
		with points pt mark[i] ps 0.3 lc rgb colour[i] notitle, \
	for [i=1:states] '+' using (maximum[i]):(100.0/count[i]) every ::0::0 \
		with points pt mark[i] ps 0.6 lc rgb colour[i] notitle, \
	for [i=1:states] keyentry with linespoints pt mark[i] ps 0.4 lc rgb colour[i] title label[i], \
	for [i=1:any_advertised] keyentry with lines lw 0.8 dt (6,4) lc rgb '#404040' title 'advertised'
