# SPDX-License-Identifier: GPL-2.0
# For one idle state: each machine's median latency relative to the median of its kind, sorted, with 95 % intervals. Machines that
# are called different have another colour and their names.

call ARG3.'/style.gp' ARG1 ARG2 'Machines' ARG4

key_n = 2 + (odd_n > 0)
key_text[1] = 'median and 95 '.percent.' interval'
key_text[2] = 'one MAD'
if (odd_n > 0) { key_text[3] = 'different' }
@key_layout
set label 997 'Median, from that of the kind ('.percent.')' @left_axis
set label 995 'Machines, sorted' @bottom_axis
set xrange [0:machine_n + 1]
set yrange [around_low(low, high):around_high(low, high)]
set xzeroaxis lw 0.8 dt 1 lc rgb dark
set object 1 rectangle from graph 0, first -scale to graph 1, first scale behind fc rgb band fs solid noborder
set datafile separator '\t'
interval_entry = entry('1')
band_entry = entry('2')
odd_entry = entry('3')
# Many machines: their marks are smaller.
size = machine_n > 200 ? 0.15 : machine_n > 50 ? 0.3 : 0.45
odd_key = odd_n > 0 ? ", keyentry with points pt 7 ps 0.5 lc rgb palette_8[2] ".odd_entry : ""
odd_marks = odd_n > 0 ? ", 'odd.dat' using 1:3:(0):($4 - $3) with vectors nohead lw 1.2 lc rgb palette_8[2] notitle, 'odd.dat' using 1:2 with points pt 7 ps 0.5 lc rgb palette_8[2] notitle, 'odd.dat' using 1:2:5 with labels right offset -0.6,0 font small_font tc rgb palette_8[2] notitle" : ""
plot 'machines.dat' using 1:3:(0):($4 - $3) with vectors nohead lw (machine_n > 200 ? 0.4 : 0.9) lc rgb '#8cb8d8' notitle, \
	'machines.dat' using 1:2 with points pt 7 ps size lc rgb palette_8[1] notitle, \
	keyentry with linespoints pt 7 ps 0.4 lw 0.9 lc rgb palette_8[1] @interval_entry, \
	keyentry with boxes lc rgb band fs solid border lc rgb band_edge @band_entry \
	@odd_key @odd_marks
