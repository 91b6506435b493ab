# SPDX-License-Identifier: GPL-2.0
# The states side by side. The box is from the 25th to the 75th percentile, with the median. The
# whiskers are from the 1st to the 99th percentile, and samples outside of them are points. A dashed
# line is the advertised latency.

call ARG3.'/style.gp' ARG1 ARG2 'Latency of each state' ARG4
load ARG3.'/series.gp'

if (of_what ne '') { figure_title = titled('Latency').of_what.emulated }
@draw_title
# The key explains the parts of a box. The state's name is below the box.
key_n = 3 + any_advertised
key_text[1] = 'median'
key_text[2] = '25 to 75 '.percent
key_text[3] = '1 to 99 '.percent
if (any_advertised) { key_text[4] = 'advertised' }
advertised_n = 4
@key_layout
set label 997 y_name @left_axis
@latency_axis
set xrange [0.4:states + 0.6]
unset xtics
# Names of states below the axis: in two rows if they are long, upright if two rows are not enough.
# A long name is shortened in the middle, because it begins with the data set and ends with the state.
short(name) = strlen(name) > 20 ? name[1:6].'..'.name[strlen(name) - 11:*] : name
longest_mm = 0
do for [i=1:states] { longest_mm = text_mm(label[i]) > longest_mm ? text_mm(label[i]) : longest_mm }
room = (width_mm - left_mm - right_mm) / states
upright = longest_mm + 1.5 > 2 * room
two_rows = longest_mm + 1.5 > room
if (upright) {
	do for [i=1:states] { label[i] = short(label[i]) }
	longest_mm = 0
	do for [i=1:states] { longest_mm = text_mm(label[i]) > longest_mm ? text_mm(label[i]) : longest_mm }
	set bmargin at screen up(5 + longest_mm)
}
do for [i=1:states] {
	if (upright) {
		set label 100+i label[i] at i, graph 0 right rotate by 90 offset 0,-0.4 font small_font
	} else {
		set label 100+i label[i] at i, graph -0.03 center offset 0,(two_rows && i % 2 == 0 ? -1.3 : -0.35) font small_font
	}
	if (advertised[i] > 0) {
		set arrow from i - 0.38, advertised[i] to i + 0.38, advertised[i] nohead front lw 0.8 dt (6,4) lc rgb dark
	}
}
unset grid
set grid y lw 0.4 lc rgb '#e4e4e4' dt 1

whiskers = whiskers_drawn eq '' ? "" : "for [k in whiskers_drawn] 'boxes.dat' using ($1 == position[nr(k)] ? nr(k) : NaN):(on_axis($2)):(0):(on_axis($6) - on_axis($2)) with vectors nohead lw 0.8 lc rgb colour[nr(k)] notitle,"
boxes = halves_drawn eq '' ? "" : "for [k in halves_drawn] 'boxes.dat' using ($1 == position[nr(k)] ? nr(k) : NaN):(on_axis($4)):(nr(k) - 0.22):(nr(k) + 0.22):(on_axis($3)):(on_axis($5)) with boxxyerror lw 0.8 lc rgb colour[nr(k)] fs solid 0.35 border notitle,"
medians = medians_drawn eq '' ? "" : "for [k in medians_drawn] 'boxes.dat' using ($1 == position[nr(k)] ? nr(k) - 0.3 : NaN):(on_axis($4)):(0.6):(0) with vectors nohead lw 1.5 lc rgb colour[nr(k)] notitle,"
outside = boxes_drawn eq '' ? "" : "for [k in boxes_drawn] 'boxes-'.position[nr(k)].'.dat' using (nr(k)):1 with points pt mark[nr(k)] ps 0.25 lc rgb colour[nr(k)] notitle,"
median_entry = entry('1')
box_entry = entry('2')
whisker_entry = entry('3')
plot @whiskers @boxes @medians @outside \
	keyentry with lines lw 1.5 lc rgb dark @median_entry, \
	keyentry with boxes lc rgb dark fs solid 0.35 border @box_entry, \
	keyentry with lines lw 0.8 lc rgb dark @whisker_entry \
	@advertised_key
