# SPDX-License-Identifier: GPL-2.0
# The common part of figures of samples, loaded after style.gp: colours and marks of the series (a state of a data set),
# the key, the axes of latency and of silent time, the advertised latencies. tools/figures/figdata.c writes the data.
# setup.gp sets
#	states			number of series that have something to draw
#	array position[]	of each series: the number in the names of the data files
#	array label[]		its name
#	array hue[], shape[]	the numbers of its colour and mark
#	array advertised[]	advertised exit latency in us; 0: none
#	array maximum[]		us
#	array count[]		number of untainted samples
#	array intervals_of[]	1: the latencies are only known as intervals
#	keys, array key_label[], key_hue[], key_shape[]		the entries of the key: the series, or with
#				several data sets the states (hue 0: dark)
#	set_keys, array set_label[]		with several data sets: their entries in the key, which show
#				the colours. set_keys is 0 with one data set
#	NAME_drawn		the series that have data in NAME-P.dat, as words: gnuplot warns of empty files
#	sets			number of data sets
#	silent_time_tainted, order_tainted	1 if this figure has tainted samples to draw, else 0. The figure
#				sets tainted to this value, and sets tainted_file and tainted_outside
#	outside_silent, outside_order	the tainted samples that lie outside of the axes
#	x_name, y_name		of the axes of silent time and of latency, which a chosen column can replace
#	y_unit			" µs", or that of a chosen column
#	any_advertised		1 if some advertised[] is not 0, else 0
#	latency_low, latency_high, silent_low, silent_high,
#	ldist_low, ldist_high	us, of the untainted samples (of ldist: of all). Some latencies may lie below latency_low: see
#				shortest_drawn() of tools/figures/figread.c
#	residency_low, residency_high	us, of the time in the state asked for
#	cells_high		samples in the fullest cell of density
#	cpu_low, cpu_high
#	samples			number of samples
#	silent_log, latency_log	1 if this axis is logarithmic
#	swept			1 if launch distances increased in steps

if (!exists('tainted')) { tainted = 0; tainted_outside = 0 }

array colour[states]
array mark[states]
array dash[states]
do for [i=1:states] {
	colour[i] = palette_8[hue[i]]
	mark[i] = mark_8[shape[i]]
	dash[i] = dash_8[shape[i]]
}
array key_colour[keys]
array key_mark[keys]
array key_dash[keys]
do for [i=1:keys] {
	key_colour[i] = key_hue[i] ? palette_8[key_hue[i]] : '#404040'
	key_mark[i] = mark_8[key_shape[i]]
	key_dash[i] = dash_8[key_shape[i]]
}
# Return the series that a word of NAME_drawn names.
nr(k) = int(k)

# The names of the key: data sets, series, and entries that most figures have.
do for [i=1:set_keys] { key_text[i] = set_label[i] }
do for [i=1:keys] { key_text[set_keys + i] = key_label[i] }
key_n = set_keys + keys
if (tainted || tainted_outside) {
	key_n = key_n + 1
	key_text[key_n] = tainted_outside ? sprintf('tainted (%.0f%s outside)', tainted_outside, tainted ? '' : ', all') : 'tainted'
	tainted_n = key_n
}
if (any_advertised) {
	key_n = key_n + 1
	key_text[key_n] = 'advertised'
	advertised_n = key_n
}

# The largest number of samples of a state.
most = 1
do for [i=1:states] { most = count[i] > most ? count[i] : most }

# The key's entries, as points or as lines with points.
set_key = set_keys == 0 ? "" : "for [i=1:set_keys] keyentry with boxes lc rgb palette_8[i] fs solid noborder ".entry('i').", "
point_key = set_key."for [i=1:keys] keyentry with points pt key_mark[i] ps 0.5 lc rgb key_colour[i] ".entry('set_keys+i')
line_key = set_key."for [i=1:keys] keyentry with linespoints pt key_mark[i] ps 0.4 dt key_dash[i] lc rgb key_colour[i] ".entry('set_keys+i')

# gnuplot warns of an empty file, and executes a loop over an empty list once. So the parts of a plot
# that depend on a list are strings, which are empty if the list is.
tainted_points = (tainted ? ", tainted_file with points pt 2 ps 0.4 lw 0.7 lc rgb grey notitle" : "").(tainted || tainted_outside ? ", keyentry with points pt 2 ps 0.5 lc rgb grey ".entry('tainted_n') : "")

# The axis of latency contains the advertised latencies, too.
do for [i=1:states] {
	if (advertised[i] > 0 && advertised[i] < latency_low) { latency_low = advertised[i] }
	if (advertised[i] > latency_high) { latency_high = advertised[i] }
}
# Return a latency, or the lower end of a logarithmic axis if the latency is below it.
latency_end = latency_log ? below(latency_low) : 0
on_axis(v) = latency_log && v < latency_end ? latency_end : v

# The advertised latency is a dashed line. With latency on the x axis (advertised_lines), it has the
# colour of its state, or is dark if states of several colours have this advertised latency. With latency on the y axis (advertised_levels), it is dark, because points of
# that colour are around it, and it is no arrow, because svg would not dash an arrow.
others_like(i) = sum [k=1:states] (advertised[k] == advertised[i] && hue[k] != hue[i])
advertised_colour(i) = others_like(i) ? dark : colour[i]
advertised_lines = "do for [i=1:states] { if (advertised[i] > 0) { set arrow from first advertised[i], graph 0 to first advertised[i], graph 1 nohead lw 0.8 dt (8,5) lc rgb advertised_colour(i) } }"
advertised_drawn = ''
do for [i=1:states] { if (advertised[i] > 0) { advertised_drawn = advertised_drawn.' '.i } }
advertised_levels = any_advertised == 0 ? "" : ", for [k in advertised_drawn] advertised[nr(k)] with lines lw 0.6 dt (8,5) lc rgb dark notitle"
advertised_key = any_advertised == 0 ? "" : ", keyentry with lines lw 0.8 dt (6,4) lc rgb dark ".entry('advertised_n')

# The x axis of latency, for distributions. Their y axis, of shares or counts, is always logarithmic.
distribution_axis = "if (latency_log) { set logscale x; set xrange [below(latency_low):above(latency_high)]; eval log_tics('x', below(latency_low), above(latency_high)) } else { set xrange [around_low(latency_low, latency_high):around_high(latency_low, latency_high)]; set xtics tic_step(latency_high - latency_low) }"
# The x axis of silent time, and the y axis of latency. Linear axes begin at 0, but those of chosen columns at the smallest value.
if (exists('silent_low')) {
	x_low = x_what eq 'silent time' ? linear_low(silent_low) : around_low(silent_low, silent_high)
	x_high = x_what eq 'silent time' ? linear_high(silent_high) : around_high(silent_low, silent_high)
}
y_low = y_what eq 'latency' ? linear_low(latency_low) : around_low(latency_low, latency_high)
y_high = y_what eq 'latency' ? linear_high(latency_high) * 1.03 : around_high(latency_low, latency_high)
silent_axis = "if (silent_log) { set logscale x; set xrange [below(silent_low):above(silent_high)]; eval log_tics('x', below(silent_low), above(silent_high)) } else { set xrange [x_low:x_high]; set xtics tic_step(x_what eq 'silent time' ? silent_high - (silent_low < 0 ? silent_low : 0) : silent_high - silent_low) }"
latency_axis = "if (latency_log) { set logscale y; set yrange [below(latency_low):above(latency_high)]; eval log_tics('y', below(latency_low), above(latency_high)) } else { set yrange [y_low:y_high]; set ytics step_of((y_what eq 'latency' ? latency_high - (latency_low < 0 ? latency_low : 0) : y_high - y_low) / 5) }"
