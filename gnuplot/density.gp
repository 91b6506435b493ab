# SPDX-License-Identifier: GPL-2.0
# Draw latency against silent time, as silent-time does, but for many samples: the colour of a cell
# shows its number of samples. Single samples stay points with the colour and mark of their state;
# the key shows these marks.

call ARG3.'/style.gp' ARG1 ARG2 'Density of latency against silent time' ARG4
tainted = silent_time_tainted
tainted_file = 'silent-time-tainted.dat'
tainted_outside = outside_silent
load ARG3.'/series.gp'

set label 995 x_name @bottom_axis
set label 997 y_name @left_axis
@silent_axis
@latency_axis

# Cells have the colour of their series, from pale to dark. The key shows the scale in grey.
mix(a, b, part) = int(a * (1 - part) + b * part + 0.5)
mixed(from, to, part) = mix(from >> 16, to >> 16, part) << 16 | mix(from >> 8 & 255, to >> 8 & 255, part) << 8 | mix(from & 255, to & 255, part)
shaded(rgb, part) = part < 0.5 ? mixed(mixed(0xffffff, rgb, 0.35), rgb, 2 * part) : mixed(rgb, mixed(rgb, 0, 0.5), 2 * part - 1)
part_of(n) = cells_high > 1 ? log(n) / log(cells_high) : 0.5
array base[states]
do for [i=1:states] { base[i] = hue[i] ? rgb_8[hue[i]] : 0x404040 }
grey_entry = key_n + 1
key_text[grey_entry] = '1 per cell'
if (cells_high > 1) { key_text[key_n + 2] = sprintf('%.0f per cell', cells_high) }
key_n = key_n + (cells_high > 1 ? 2 : 1)
array grey_part[2] = [cells_high > 1 ? 0 : 0.5, 1]
@key_layout

# A border in the cell's colour hides seams, and makes very low cells visible.
wider(low, high) = high + (high - low) * 0.1
density_cells = cells_drawn eq '' ? "" : "for [k in cells_drawn] 'cells-'.position[nr(k)].'.dat' using 1:3:1:(wider($1, $2)):3:4:(shaded(base[nr(k)], part_of($5))) with boxxyerror lc rgb variable lw 0.5 fs solid border notitle,"
density_points = density_drawn eq '' ? "" : "for [k in density_drawn] 'density-'.position[nr(k)].'.dat' with points pt mark[nr(k)] ps 0.25 lc rgb colour[nr(k)] notitle,"
density_key = "for [g=grey_entry:key_n] keyentry with boxes lc rgb shaded(0x707070, grey_part[g - grey_entry + 1]) fs solid noborder ".entry('g')
plot @density_cells \
	@density_points \
	@point_key, @density_key \
	@tainted_points @advertised_levels @advertised_key
