# SPDX-License-Identifier: GPL-2.0
# The first machines of a ranking by state: the difference of each statistic from the median of the kind, in %. The colour shows
# this difference in MADs. A frame: the machine is called different.

call ARG3.'/style.gp' ARG1 ARG2 'Ranked machines' ARG4

# The left margin fits the names, and the height fits the rows.
longest_mm = 0
do for [i=1:row_n] { longest_mm = text_mm(row_name[i]) > longest_mm ? text_mm(row_name[i]) : longest_mm }
set lmargin at screen across(longest_mm + 3 > left_mm ? longest_mm + 3 : left_mm)
set rmargin at screen 1 - across(13)
set tmargin at screen 1 - up(11)
set bmargin at screen up(4)
set xrange [0.5:column_n + 0.5]
set yrange [row_n + 0.5:0.5]
unset grid
set border 0
set tics scale 0
unset xtics
# A name is not higher than its row.
row_mm = (height_mm - 15.0) / row_n
row_font = text_font(row_mm > 2.6 ? 6 : 2.3 * row_mm)
set ytics () font row_font
do for [i=1:column_n] { set label 100+i column_name[i] at i, graph 1 center offset 0,0.5 font text_font(5) }
do for [i=1:state_n] { set label 200+i state_name[i] at state_at[i], graph 1 center offset 0,1.3 font small_font }
do for [i=1:row_n] { set ytics add (row_name[i] i) }
set palette defined (-20 '#2166ac', -8 '#92c5de', 0 '#f7f7f7', 8 '#fdae61', 20 '#d73027')
set cbrange [-20:20]
set cbtics ('-20' -20, '0' 0, '20' 20) font small_font
set colorbox user origin screen 1 - across(11), screen up(8) size screen across(2), screen up(30)
set label 996 'MADs from the median' at screen 1 - across(1.3), screen up(23) center rotate by 90 font text_font(5)
set datafile separator '\t'
cell_font = text_font(row_n > 20 ? 3.6 : 4.6)
frames = frame_n > 0 ? ", 'frames.dat' using 1:2:($1 - 0.47):($1 + 0.47):($2 - 0.46):($2 + 0.46) with boxxyerror lw 0.9 lc rgb '#000000' fs empty notitle" : ""
plot 'map.dat' using 1:2:($1 - 0.48):($1 + 0.48):($2 - 0.47):($2 + 0.47):($3 > 20 ? 20 : $3 < -20 ? -20 : $3) with boxxyerror lc palette fs solid noborder notitle, \
	'map.dat' using 1:2:4 with labels font cell_font notitle @frames
