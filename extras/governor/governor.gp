# SPDX-License-Identifier: GPL-2.0
# How well an idle governor chose. A bar for each state shows the shares of its idle periods for which the state was too deep,
# right or too shallow. There is a group of bars for each recording. Its last bar is for all states.
#	bars.dat	x name too_deep right too_shallow	in % of the idle periods
# setup.gp also has bars, longest_name, most_x; groups, array group_x[] (the middle of each) and array group_name[].

call ARG3.'/style.gp' ARG1 ARG2 'Idle states chosen' ARG4

key_n = 3
key_text[1] = 'fitting'
key_text[2] = 'too deep'
key_text[3] = 'too shallow'
@key_layout
fitting_entry = entry('1')
deep_entry = entry('2')
shallow_entry = entry('3')
# Names of states are upright if they would otherwise touch each other. The recordings' names are
# below them.
upright = bars > (wide ? 20 : 9)
bottom = bottom_mm + (upright ? longest_name * 0.75 : 0)
set bmargin at screen up(bottom)
set xtics scale 0 font ',6'
if (upright) { set xtics rotate by 90 right }
# Set the names as labels. If they were read from a file, a space would end a name, and a backslash
# would be an escape.
do for [i=1:groups] { set label 100+i group_name[i] at group_x[i], 0 center offset 0,(upright ? -1.6 - longest_name * 0.32 : -1.7) font ',6.5' }
set label 997 'Idle periods in a state' @left_axis
set xrange [0:most_x]
set yrange [0:100]
set format y percent_format
unset grid
set grid y lw 0.4 lc rgb '#e4e4e4' dt 1
set style fill solid noborder

# Blue: fitting choices. All three colours can be told apart when printed in grey, too.
segment(from, to) = 0.5 * (from + to)
plot 'bars.dat' using 1:(segment(0, $4)):(0.4):(0.5 * $4):xtic(2) with boxxyerror lc rgb palette_8[5] @fitting_entry, \
	'bars.dat' using 1:(segment($4, $4 + $3)):(0.4):(0.5 * $3) with boxxyerror lc rgb palette_8[2] @deep_entry, \
	'bars.dat' using 1:(segment($4 + $3, 100)):(0.4):(0.5 * $5) \
		with boxxyerror lc rgb palette_8[7] fs pattern 4 @shallow_entry
