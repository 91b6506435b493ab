# SPDX-License-Identifier: GPL-2.0
# Another tool's histogram, as it counted: samples in each bucket. Dotted: samples of which only the range is known.
# tools/histstats.c wrote the data; setup.gp says
#	series			how many
#	array position[]	which of histstats' files are theirs
#	array label[]
#	array beyond[]		1: some are beyond the last bucket
#	array counted[]		1: some are in buckets
#	most			samples of the series that has most
#	greatest		us

call ARG3.'/style.gp' ARG1 ARG2 'Histogram of latency' ARG4

any_beyond = 0
do for [i=1:series] { any_beyond = any_beyond + beyond[i] }
do for [i=1:series] { key_text[i] = label[i] }
key_n = series + (any_beyond > 0)
if (any_beyond) { key_text[key_n] = 'somewhere here' }
@key_layout
label_entry = entry('i')
set label 995 'Latency (µs)' @bottom_axis
set label 997 'Samples per bucket' @left_axis
set xrange [0:linear_high(greatest)]
set xtics tic_step(greatest)
set logscale y
set yrange [0.5:2 * most]
@count_tics

# Gnuplot warns of an empty file, and goes through an empty list once.
drawn = ''
drawn_beyond = ''
do for [i=1:series] {
	if (counted[i]) { drawn = drawn.' '.i }
	if (beyond[i]) { drawn_beyond = drawn_beyond.' '.i }
}
nr(k) = int(k)
bars = drawn eq '' ? '' : "for [k in drawn] 'buckets-'.position[nr(k)].'.dat' using (0.5 * ($1 + $2)):(0.5 * (0.5 + $3)):(0.5 * ($2 - $1)):(0.5 * ($3 - 0.5)) with boxxyerror fc rgb palette_8[nr(k)] fs transparent solid 0.35 border lc rgb palette_8[nr(k)] lw 0.4 notitle,"
ranges = drawn_beyond eq '' ? '' : "for [k in drawn_beyond] 'wide-'.position[nr(k)].'.dat' using 1:3:($2 - $1):(0) with vectors nohead lw 1 dt (2,3) lc rgb palette_8[nr(k)] notitle, for [k in drawn_beyond] 'wide-'.position[nr(k)].'.dat' using 2:3 with points pt mark_8[nr(k)] ps 0.4 lc rgb palette_8[nr(k)] notitle,"
ranges_key = drawn_beyond eq '' ? '' : ", keyentry with lines lw 1 dt (2,3) lc rgb dark ".entry('key_n')
plot @bars \
	@ranges \
	for [i=1:series] keyentry with points pt mark_8[i] ps 0.5 lc rgb palette_8[i] @label_entry \
	@ranges_key
