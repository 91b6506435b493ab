# SPDX-License-Identifier: GPL-2.0
# How percentiles differ from those of the first recording, with the 95 % confidence interval of each difference; the
# maximum has none.

call ARG3.'/style.gp' ARG1 ARG2 'Differences' ARG4

several = recording_series > 1
figure_title = (several ? 'Differences' : 'Differences of '.recording_label[1]).' from '.difference_from.emulated
@draw_title

# The colours are those of the recordings, and the marks those of the states, as in the other figures.
if (several) { do for [i=1:recording_series] { key_text[i] = recording_label[i] } }
key_n = several ? recording_series : 0
do for [i=1:state_series] { key_text[key_n + i] = state_label[i] }
states_from = key_n
key_n = key_n + state_series
@key_layout
set label 997 'Difference (µs)' @left_axis
set xrange [0.5:difference_places + 0.5]
set xtics ()
do for [i=1:difference_places] { set xtics add (word(difference_names, i) i) }
set xzeroaxis lw 0.8 dt 1 lc rgb dark
set offsets 0, 0, graph 0.05, graph 0.05

aside(i) = (i - (difference_series + 1) / 2.0) * (difference_series > 1 ? 0.6 / difference_series : 0)
hue_of(i) = palette_8[recording_hue[difference_recording[i]]]
file(i) = 'difference-'.i.'.dat'
intervals = interval_drawn eq '' ? "" : "for [w in interval_drawn] file(int(w)) using ($1 + aside(int(w))):3:(0):($4 - $3) with vectors heads size screen 0.004,90 lw 0.9 lc rgb hue_of(int(w)) notitle,"
recordings = several ? "for [i=1:recording_series] keyentry with boxes lc rgb palette_8[recording_hue[i]] fs solid noborder ".entry('i')."," : ""
state_entry = entry('states_from+i')
plot @intervals \
	for [i=1:difference_series] file(i) using ($1 + aside(i)):2 \
		with points pt mark_8[state_mark[difference_state[i]]] ps 0.45 lc rgb hue_of(i) notitle, \
	@recordings \
	for [i=1:state_series] keyentry with points pt mark_8[state_mark[i]] ps 0.5 lc rgb several ? dark : palette_8[recording_hue[1]] @state_entry
