# SPDX-License-Identifier: GPL-2.0
# The key: rows of names above the frame, in columns as wide as their names. gnuplot's own key would have a different
# number of rows in each terminal, because their letters differ in width, and could cover the title.
#
# A figure adds its entries first:	key_n = key_n + 1; key_text[key_n] = 'name'
# Then it loads this file, and draws entry N with:
#					keyentry ... title key_text[N] at screen key_x(N), screen key_y(N)
# entry('N') of style.gp returns this text.

# The width that is available for the key, in mm.
key_room = width_mm - key_left_mm - 1.5
# The number of rows is limited, to leave room for the figure. Names that do not fit lose their
# middles, except in LaTeX.
key_most_rows = int(0.38 * height_mm / 2.8)
do for [key_most in '60 24 18 14 10 7'] {
	key_cols = 1
	do for [c=1:(key_n < 8 ? key_n : 8)] {
		key_total = 0
		do for [j=1:c] {
			key_widest = 0
			do for [i=j:key_n:c] { key_widest = key_wide(i) > key_widest ? key_wide(i) : key_widest }
			key_total = key_total + key_widest
		}
		if (key_total <= key_room) { key_cols = c }
	}
	key_rows = int((key_n + key_cols - 1) / key_cols)
	if (key_rows <= key_most_rows || kind eq 'tex') { break }
	key_half = int(key_most / 2)
	do for [i=1:key_n] { if (strlen(key_text[i]) > key_most) { key_text[i] = key_text[i][1:key_half - 1].'..'.key_text[i][strlen(key_text[i]) - key_half + 2:*] } }
}
# Avoid a row with a single name below full rows.
if (key_rows > 1) { key_cols = int((key_n + key_rows - 1) / key_rows) }

# The left edge of each column, mm.
array key_begins[8]
key_total = key_left_mm
do for [j=1:key_cols] {
	key_begins[j] = key_total
	key_widest = 0
	do for [i=j:key_n:key_cols] { key_widest = key_wide(i) > key_widest ? key_wide(i) : key_widest }
	key_total = key_total + key_widest
}
key_x(n) = across(key_begins[(n - 1) % key_cols + 1] + key_sample_mm)
key_y(n) = 1 - up(key_top_mm + int((n - 1) / key_cols) * 2.8)
frame_mm = key_top_mm + (key_rows - 1) * 2.8 + 2.2
if (frame_mm < top_mm) { frame_mm = top_mm }
set tmargin at screen 1 - up(frame_mm)
