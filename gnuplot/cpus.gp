# SPDX-License-Identifier: GPL-2.0
# Each CPU beside the others: the median as the mark of its state, a bar from the minimum to the 99th
# percentile, the maximum as a cross. If there are too few samples for a percentile, it is drawn with
# length 0 or outside of the figure, because gnuplot warns of a file without any point.

call ARG3.'/style.gp' ARG1 ARG2 'Latency of each CPU' ARG4
load ARG3.'/series.gp'

key_text[key_n + 1] = 'min to 99 '.percent
key_text[key_n + 2] = 'maximum'
key_n = key_n + 2
@key_layout
set label 995 'CPU' @bottom_axis
set label 997 y_name @left_axis
@latency_axis
set xrange [cpu_low - 0.6:cpu_high + 0.6]
set format x '%.0f'
set xtics cpu_high - cpu_low < 8 ? 1 : tic_step(cpu_high - cpu_low)
unset grid
set grid y lw 0.4 lc rgb '#e4e4e4' dt 1

# States side by side.
beside(i) = states > 1 ? (i - (states + 1) / 2.0) * 0.6 / states : 0
cpu_bars = cpus_drawn eq '' ? "" : "for [k in cpus_drawn] 'cpus-'.position[nr(k)].'.dat' using ($1 + beside(nr(k))):(on_axis($3)):(0):(valid(5) ? on_axis($5) - on_axis($3) : 0) with vectors nohead lw 1.5 lc rgb colour[nr(k)] notitle,"
cpu_medians = cpus_drawn eq '' ? "" : "for [k in cpus_drawn] 'cpus-'.position[nr(k)].'.dat' using ($1 + beside(nr(k))):(valid(4) ? $4 : 1e30) with points pt mark[nr(k)] ps 0.45 lc rgb colour[nr(k)] notitle,"
cpu_greatest = cpus_drawn eq '' ? "" : "for [k in cpus_drawn] 'cpus-'.position[nr(k)].'.dat' using ($1 + beside(nr(k))):6 with points pt 2 ps 0.45 lw 0.8 lc rgb colour[nr(k)] notitle,"
bar_entry = entry('key_n-1')
cross_entry = entry('key_n')
plot @cpu_bars \
	@cpu_medians \
	@cpu_greatest \
	@point_key, \
	keyentry with lines lw 1.5 lc rgb dark @bar_entry, \
	keyentry with points pt 2 ps 0.5 lw 0.8 lc rgb dark @cross_entry \
	@advertised_levels @advertised_key
