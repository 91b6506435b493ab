# SPDX-License-Identifier: GPL-2.0
# The common style of all figures: text of 7 pt; as wide as one column of a paper, 88 mm, or two, 180 mm.
#
# A figure is called in the directory that has its data:
#
#	gnuplot -c FIGURE.gp KIND OUTPUT STYLE_DIRECTORY WIDTH
#
# and calls this file with KIND OUTPUT TITLE WIDTH (mm; 88 if there is none).
#
# KIND is pdf, svg, png or tex. setup.gp in the working directory (setup-tex.gp: with LaTeX's
# special characters escaped) has the texts of the figure:
#	emulated		' (emulated)' or ''
#	of_what			the end of the title, e.g. ' of C6'; may be missing
#	without			some of the words title and note: what the figure leaves out; may be missing
#	note			the small print below the figure
#	limits			the line below the note: what the figure does not show; may be missing
# and other values that the figure needs. Figures of samples load series.gp next.

kind = ARG1
load (kind eq 'tex' ? 'setup-tex.gp' : 'setup.gp')
if (!exists('of_what')) { of_what = '' }
if (!exists('limits')) { limits = '' }
if (!exists('without')) { without = '' }
with_title = strstrt(without, 'title') == 0
if (strstrt(without, 'note')) { note = ''; limits = '' }
# The title names the columns that the user has chosen for the axes (x_what, y_what).
if (!exists('x_what')) { x_what = 'silent time'; y_what = 'latency' }
replaced(text, old, new) = strstrt(text, old) ? text[1:strstrt(text, old) - 1].new.text[strstrt(text, old) + strlen(old):*] : text
titled(text) = y_what eq 'latency' ? text : replaced(text, text[1:1] eq 'L' ? 'Latency' : 'latency', y_what)
figure_title = titled(replaced(ARG3, 'silent time', x_what)).of_what.emulated
width_mm = strlen(ARG4) ? real(ARG4) : 88.0
wide = width_mm > 100
height_mm = wide ? 95.0 : 62.0

# Each terminal has its own unit. Text has the same size in all of them.
if (kind eq 'pdf') {
	# 0.75: the terminal assumes 96 dots per inch, but its page has 72.
	set terminal pdfcairo noenhanced size width_mm/10 cm, height_mm/10 cm font 'Sans,7' fontscale 0.75 linewidth 1 pointscale 0.75
}
if (kind eq 'tex') {
	# LaTeX sets the text in the font of the paper. The size of the text can only be set in this header.
	set terminal cairolatex pdf input header '\fontsize{7}{8.4}\selectfont' size width_mm/10 cm, height_mm/10 cm font ',7' linewidth 1 pointscale 0.75
}
sized(text) = (kind eq 'tex' ? '\fontsize{4.5}{5}\selectfont ' : '').text
if (kind eq 'png') {
	# 300 dots per inch; the terminal assumes 96.
	dots = 300.0 / 96
	set terminal pngcairo noenhanced background '#ffffff' size int(width_mm/25.4*300 + 0.5), int(height_mm/25.4*300 + 0.5) font 'Sans,7' fontscale dots linewidth dots pointscale dots
}
if (kind eq 'svg') {
	# The unit is pixels, 96 per inch.
	set terminal svg noenhanced dynamic size int(width_mm/25.4*96 + 0.5), int(height_mm/25.4*96 + 0.5) font 'DejaVu Sans,9.3' background '#ffffff'
}
set output ARG2
set encoding utf8
# Return a font of this size in points, which are pixels in svg.
text_font(points) = sprintf(',%g', kind eq 'svg' ? points * 4.0 / 3 : points)
small_font = text_font(6)
note_font = text_font(4.5)
percent = kind eq 'tex' ? '\%' : '%'

# Okabe and Ito's colours, which colour-blind readers can distinguish, yellow last. Marks
# and dashes differ as well, for prints in grey.
array palette_8[8] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#56B4E9', '#E69F00', '#000000', '#F0E442']
array mark_8[8] = [7, 9, 5, 13, 6, 8, 4, 12]
array dash_8[8] = [1, 2, 4, 3, 5, 1, 2, 4]
array rgb_8[8] = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xE69F00, 0x000000, 0xF0E442]
grey = '#808080'
dark = '#404040'
band = '#fdf1dc'
band_edge = '#f0b95a'
band_text = '#a06a00'

set border 3 lw 0.6 lc rgb dark
set tics nomirror scale 0.5,0.3 textcolor rgb '#000000'
set grid lw 0.4 lc rgb '#e4e4e4' dt 1
set datafile missing '-'

# Estimate the width in mm of a text in DejaVu Sans of 6 pt, from its narrow, wide and other
# letters.
text_mm(text) = strlen(text) ? (sum [c=1:strlen(text)] (strstrt("iljtfrI.,:;'|!()[] ", text[c:c]) ? 0.88 : strstrt('mwMW@%&#~', text[c:c]) ? 2.0 : 1.42)) : 0
# The small print has 4.5 pt, but text_mm() assumes 6 pt. A line that is too long gets a smaller font. Limits that are too long are
# broken at the comma nearest to their middle.
# The letter f counts as any other digit of a revision: the size of the font must not depend on the revision.
print_width(text) = 0.75 * (text_mm(text) + (strlen(text) ? (sum [c=1:strlen(text)] (text[c:c] eq 'f' ? 0.54 : 0)) : 0))
print_font(text) = print_width(text) < width_mm - 2.6 ? note_font : text_font(4.5 * (width_mm - 2.6) / print_width(text))
limits_broken = print_width(limits) > width_mm - 2.6
limits_at = 0
if (limits_broken) { do for [c=1:strlen(limits) - 1] { if (limits[c:c + 1] eq ', ' && abs(c - strlen(limits) / 2.0) < abs(limits_at - strlen(limits) / 2.0)) { limits_at = c } } }
limits_rest = limits_at ? limits[limits_at + 2:*] : limits
limits_first = limits_at ? limits[1:limits_at] : ''

# Every figure has the same frame, so that two figures can be put side by side.
left_mm = 14.1
right_mm = 3.1
# From the bottom: the small print, the name of the axis, its tics. From the top: the title, the key.
print_mm = note eq '' ? 0.5 : limits eq '' ? 2.5 : limits_at ? 5.1 : 3.4
bottom_name_mm = print_mm + 2.1
bottom_mm = print_mm + 8.6
key_top_mm = with_title ? 6.2 : emulated eq '' ? 2.6 : 4.2
top_mm = key_top_mm + 4.0
across(mm) = mm / width_mm
up(mm) = mm / height_mm
set lmargin at screen across(left_mm)
set rmargin at screen 1 - across(right_mm)
set bmargin at screen up(bottom_mm)
set tmargin at screen 1 - up(top_mm)
if (note ne '') { set label 999 sized(note) at screen 1 - across(1.3), screen up(limits eq '' ? 1.6 : print_mm - 0.8) right font print_font(note) textcolor rgb grey }

if (limits ne '') { set label 992 sized(limits_rest) at screen 1 - across(1.3), screen up(0.8) right font print_font(limits_rest) textcolor rgb grey }
if (limits_at) { set label 991 sized(limits_first) at screen 1 - across(1.3), screen up(2.5) right font print_font(limits_first) textcolor rgb grey }
# A long title has a smaller font.
title_font_for(text) = text_font(1.25 * text_mm(text) < width_mm - left_mm - 1 ? 7.5 : 7.5 * (width_mm - left_mm - 1) / (1.25 * text_mm(text)))
# A figure without a title still says that its machine is emulated.
draw_title = "if (with_title) { set label 998 figure_title at screen across(left_mm), screen 1 - up(2.8) left font title_font_for(figure_title) } else { if (emulated ne '') { set label 998 sized(emulated[2:*]) at screen across(left_mm), screen 1 - up(1.6) left font note_font textcolor rgb grey } }"
@draw_title
# key.gp computes the places of the key's names.
set key Left reverse font small_font samplen 1
key_left_mm = left_mm
key_sample_mm = 4.4
array key_text[80]
key_n = 0
key_wide(n) = key_sample_mm + text_mm(key_text[n]) + 2.0
key_layout = "load ARG3.'/key.gp'"
entry(n) = sprintf(' title key_text[%s] at screen key_x(%s), screen key_y(%s) ', n, n, n)
# The left margin, mm, for numbers with this many characters.
left_for(chars) = 4.6 + 1.55 * chars > left_mm ? 4.6 + 1.55 * chars : left_mm
# Names of axes have fixed places, which do not depend on the size of tic labels.
left_axis = "at screen across(1.9), graph 0.5 center rotate by 90"
bottom_axis = "at graph 0.5, screen up(bottom_name_mm) center"

# Ends of an axis that leave room for marks.
below(v) = v / 1.25
above(v) = v * 1.25

# Print 1 and 10 instead of 10^0 and 10^1.
set format '%g'
# gnuplot takes the names of tics as formats, too.
percent_format = kind eq 'tex' ? '%g \%%' : '%g %%'
tic_percent = kind eq 'tex' ? ' \%%' : ' %%'

# A round distance between tics, so that there are about four, or eight in a wide figure.
power(v) = 10 ** floor(log10(v))
round_up(v) = v > 5 ? 10 : v > 2 ? 5 : v > 1 ? 2 : 1
tic_step(range) = step_of((range > 0 ? range : 1) / (wide ? 8.0 : 4.0))
step_of(v) = power(v) * round_up(v / power(v))

# Return the commands that add numbers to a logarithmic axis ('x', 'y' or 'y2') with few decades: 2 and 5 of each decade, or
# even steps if the axis would have fewer than three numbers. The caller runs them with eval. Numbers that would run into the one
# before, into the next power of ten, or over the edge of the figure are left out. gnuplot itself draws powers of ten.
within(v, low, high) = v >= low && v <= high
numbers_125(low, high) = sum [decade=-3:9] (within(10.0**decade, low, high) + within(2 * 10.0**decade, low, high) + within(5 * 10.0**decade, low, high))
is_power(v) = abs(log10(v) - floor(log10(v) + 0.5)) < 1e-9
tic_mm(v) = 7.0 / 6 * text_mm(sprintf('%g', v))
log_mm(a, b) = log10(1.0 * b / a) / log10(1.0 * tic_high / tic_low) * (tic_axis eq 'x' ? width_mm - left_mm - right_mm : 0.5 * height_mm)
tic_far(a, b) = a < tic_low || b > tic_high || log_mm(a, b) >= (tic_axis eq 'x' ? 1.2 + (tic_mm(a) + tic_mm(b)) / 2 : 3.2)
tic_inside(v) = tic_axis ne 'x' || log_mm(v, tic_high) + right_mm >= 0.3 + tic_mm(v) / 2
tic_fits(v) = is_power(v) || (tic_far(tic_last, v) && tic_far(v, 10.0 ** ceil(log10(v))) && tic_inside(v))
log_range(axis, low, high) = sprintf("tic_axis = '%s'; tic_low = %.9g; tic_high = %.9g; tic_last = 1e-99; ", axis, low, high)
log_add(axis) = "if (tic_v > 0 && tic_fits(tic_v)) { set ".axis."tics add (tic_v); tic_last = tic_v }"
log_125(axis, low, high) = log_range(axis, low, high)."do for [decade=-3:9] { do for [digit in '1 2 5'] { tic_v = digit * 10.0**decade; ".log_add(axis)." } }"
log_steps(axis, low, high, step) = log_range(axis, low, high).sprintf("do for [k=1:9] { tic_v = %.9g + k * %.9g; ", floor(low / step) * step, step).log_add(axis)." }"
log_tics(axis, low, high) = log10(high / low) >= 3 ? "" : numbers_125(low, high) >= 3 ? log_125(axis, low, high) : log_steps(axis, low, high, step_of((high - low) / 8.0))

# Format of counts on the left axis, where 100000 would be too long.
count_tics = "set format y (most < 1e5 ? '%.0f' : '%.0s%c')"
# The tics of an axis of shares: from 100 % down to 20 % / most, where most is the number of samples. One sample is 100 / most %. The
# names of the tics are words, because %g would print 1e-05.
share_names = '100 10 1 0.1 0.01 0.001 0.0001 0.00001 0.000001 0.0000001'
share_tics = "set ytics (''1); set ytics (); do for [d=1:words(share_names)] { if (10.0 ** (3 - d) >= 20.0 / most) { set ytics add (word(share_names, d).tic_percent 10.0 ** (3 - d)); share_chars = strlen(word(share_names, d)) + 2 } }; set lmargin at screen across(left_for(share_chars < 5 ? 5 : share_chars))"

# Return the lower end of an axis: 0, or less if a value is negative.
linear_low(low) = low < 0 ? low * 1.02 : 0
linear_high(high) = high > 0 ? high * 1.02 : 1
# Ends of an axis that begins slightly below its first value.
around_low(low, high) = high > low ? low - 0.04 * (high - low) : low * 0.99 - 0.001
around_high(low, high) = high > low ? high + 0.04 * (high - low) : high * 1.01 + 0.001
