# SPDX-License-Identifier: GPL-2.0
# One machine and its peers, in % of the peers' median. For each state and statistic: the range of
# all peers (line), their scale (box), and the machine (point).

call ARG3.'/style.gp' ARG1 ARG2 'One machine and its peers' ARG4

key_n = 3
key_text[1] = fleet_machine
key_text[2] = 'spread of the peers'
key_text[3] = 'all peers'
@key_layout
set label 997 'From the peers'' median ('.percent.')' @left_axis
set xrange [0.4:column_n + 0.6]
set yrange [around_low(low, high):around_high(low, high)]
set xzeroaxis lw 0.8 dt 1 lc rgb dark
unset xtics
do for [i=1:column_n] { set label 100+i column_name[i] at i, graph 0 center offset 0,-0.6 font text_font(5) }
do for [i=1:state_n] { set label 200+i state_name[i] at state_at[i], graph 0 center offset 0,-1.6 font small_font }
unset grid
set grid y lw 0.4 lc rgb '#e4e4e4' dt 1
set datafile separator '\t'
machine_entry = entry('1')
scale_entry = entry('2')
all_entry = entry('3')
plot 'peers.dat' using 1:2:(0):($3 - $2) with vectors nohead lw 0.8 lc rgb grey notitle, \
	'peers.dat' using 1:(0):($1 - 0.2):($1 + 0.2):4:5 with boxxyerror lw 0.8 lc rgb palette_8[1] fs solid 0.3 border notitle, \
	'peers.dat' using 1:7:(0):($8 - $7) with vectors heads size screen 0.005,90 lw 0.9 lc rgb palette_8[2] notitle, \
	'peers.dat' using 1:6 with points pt 7 ps 0.5 lc rgb palette_8[2] notitle, \
	keyentry with points pt 7 ps 0.5 lc rgb palette_8[2] @machine_entry, \
	keyentry with boxes lc rgb palette_8[1] fs solid 0.3 border @scale_entry, \
	keyentry with lines lw 0.8 lc rgb grey @all_entry
