# SPDX-License-Identifier: GPL-2.0
# Published wake latencies, measured against advertised, in one colour per source of the wake-up. A
# mark is the maximum. If the median is known, too, a line goes from the mark down to the median. On
# the diagonal, measured and advertised latency are equal.
#	EVENT.dat	advertised maximum median	us
# setup.gp also has EVENT_n (rows), low, high.

call ARG3.'/style.gp' ARG1 ARG2 'Published wake latencies' ARG4

names = 'card timer wake ipi other this'
array title_of[6] = ['network card', 'timer', 'another thread', 'IPI', 'other', 'this recording']
array rows_of[6] = [card_n, timer_n, wake_n, ipi_n, other_n, this_n]
array colour_of[6] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#56B4E9', '#000000']
drawn = ''
key_n = 0
do for [i=1:6] {
	if (rows_of[i] > 0) {
		drawn = drawn.sprintf(' %d', i)
		key_n = key_n + 1
		key_text[key_n] = title_of[i]
	}
}
@key_layout
set label 997 'Measured: median to maximum (µs)' @left_axis
set label 995 'Advertised (µs)' @bottom_axis
set logscale xy
set xrange [below(low):above(high)]
set yrange [below(low):above(high)]
set datafile separator '\t'
number(k) = int(word(drawn, k))
file(k) = word(names, number(k)).'.dat'
plot x with lines lw 0.8 dt (6,4) lc rgb dark notitle, \
	for [k=1:key_n] file(k) using 1:3:(0):($2 - $3) with vectors nohead lw 0.6 lc rgb colour_of[number(k)] notitle, \
	for [k=1:key_n] file(k) using 1:2 with points pt mark_8[number(k)] ps 0.45 lc rgb colour_of[number(k)] notitle, \
	for [k=1:key_n] keyentry with points pt mark_8[number(k)] ps 0.45 lc rgb colour_of[number(k)] \
		title key_text[k] at screen key_x(k), screen key_y(k)
