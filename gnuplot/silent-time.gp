# SPDX-License-Identifier: GPL-2.0
# Latency against silent time (figure 5 of Govtva's thesis): the latency shows
# which state the CPU had entered when the event came.

call ARG3.'/style.gp' ARG1 ARG2 'Latency against silent time' ARG4
tainted = silent_time_tainted
tainted_file = 'silent-time-tainted.dat'
tainted_outside = outside_silent
load ARG3.'/series.gp'

set label 995 x_name @bottom_axis
set label 997 y_name @left_axis
@key_layout
@silent_axis
@latency_axis

silent_time_points = silent_time_drawn eq '' ? "" : "for [k in silent_time_drawn] 'silent-time-'.position[nr(k)].'.dat' with points pt mark[nr(k)] ps 0.12 lc rgb colour[nr(k)] notitle,"
plot @silent_time_points \
	@point_key \
	@tainted_points @advertised_levels @advertised_key
