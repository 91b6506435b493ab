# SPDX-License-Identifier: GPL-2.0
# figures.awk - run.tsv... states.dat ranges.dat: print the variables that gnuplot/style.gp
# describes. Needs gnuplot-text.awk. From the environment: limits (the line of answer limits), by_steps
# (not empty: launch distances by steps), linear (not empty: linear axes of latency and silent
# time), x_label and y_label (the names of chosen columns), machine (" (emulated)"), names (of the data sets, separated by TABs), files (the data files
# that are not empty), where (the condition), without (what the figure leaves out), reached (which counter counts in which
# state, as answer figures writes it), tex (not empty: text for LaTeX), and hues (FILE: also
# write "NAME hue mark" of each state there), lines (FILE: also write the grey lines there).

# Print an array for gnuplot. gnuplot does not allow an empty array, so an empty one gets one element.
function list(name, values, n, quote,  i, text) {
	for (i = 1; i <= n; i++)
		text = text (i > 1 ? ", " : "") (quote ? quoted(values[i]) : values[i])
	printf "array %s[%d] = [%s]\n", name, (n ? n : 1), (n ? text : quote ? "''" : 0)
}

# Return the different values of an array, in the order of their appearance, separated by commas.
function different(values, n,  i, seen, text) {
	for (i = 1; i <= n; i++)
		if (!seen[values[i]]++)
			text = text (text == "" ? "" : ", ") values[i]
	return text
}

function state_name(i) {
	return state_of[i] (metric[i] == "intr_latency" ? " (intr.)" : "")
}

# Return the colour of a state: its place in the recording's table of states, without POLL. So a state has the same colour in
# all figures of a recording, whatever else they show. POLL is black.
function state_hue(set, n,  key, place) {
	if (of[set, "state." n ".name"] == "POLL")
		return 7
	for (key = 0; key < n && key < 1000; key++)
		place += (set, key) in table && of[set, "state." key ".name"] != "POLL"
	return place % 8 + 1
}

# Return the colour of the C-state that a residency counter counts: that of the first state with this counter; of an unused
# counter, a colour from the end of the palette.
function counter_hue(counter, unused,  i, n, pair) {
	n = split(substr(ENVIRON["reached"], index(ENVIRON["reached"], ":") + 1), pair, ",")
	for (i = 1; i <= n; i++)
		if (pair[i] ~ "=" counter "_cyc$")
			return state_hue(1, substr(pair[i], 1, index(pair[i], "=") - 1))
	return unused
}

# Name the series, and choose their colours and marks. With one data set, a series has the name and the colour of its
# state. If there are several sources, it has the name of the source as well, and a colour of its own. With several data sets of
# the same state, it has the name of the data set. Otherwise colours stand for the data sets, and marks for the states.
function name_series(  i, key) {
	for (i = 1; i <= states; i++)
		full_label[i] = state_name(i) (index(sources, ",") ? " " source[i] : "")
	for (i = 1; i <= states; i++)
		state_of[i] = shortened(state_of[i], states > 4 ? 18 : 28)
	for (i = 1; i <= states; i++) {
		label[i] = state_name(i)
		if (index(sources, ","))
			label[i] = label[i] " " source[i]
		hue[i] = shape[i] = index(sources, ",") || sets > 1 ? (i - 1) % 8 + 1 : state_hue(1, number[i])
		if (sets > 1 && one_state) {
			label[i] = set_name[set[i] + 1]
		} else if (sets > 1) {
			key = add_state_key(label[i])
			label[i] = set_name[set[i] + 1] " " label[i]
			hue[i] = set[i] % 8 + 1
			shape[i] = key_shape[key]
		}
		if (ENVIRON["hues"] != "")
			printf "%s\t%d\t%d\n", full_label[i], hue[i], shape[i] >ENVIRON["hues"]
	}
	if (keys) {
		set_keys = sets
		return
	}
	for (keys = 1; keys <= states; keys++) {
		key_label[keys] = label[keys]
		key_hue[keys] = hue[keys]
		key_shape[keys] = shape[keys]
	}
	keys--
}

# Return the index of the state NAME in the key, adding the state if it is new.
function add_state_key(name) {
	if (!(name in number_of)) {
		number_of[name] = ++keys
		key_label[keys] = name
		key_hue[keys] = 0
		key_shape[keys] = (keys - 1) % 8 + 1
	}
	return number_of[name]
}

function is_one_state(  i) {
	for (i = 2; i <= states; i++)
		if (state_name(i) != state_name(1) || set[i] == set[i - 1])
			return 0
	return 1
}

function drawn(family,  i, text) {
	for (i = 1; i <= states; i++)
		if (index(" " ENVIRON["files"] " ", " " family "-" position[i] ".dat "))
			text = text (text == "" ? "" : " ") i
	gsub(/-/, "_", family)
	printf "%s_drawn = '%s'\n", family, text
}

# Print which series have at least NEEDED samples: enough for a percentile and for the opposite one,
# such as p99 and p1.
function supported(name, needed,  i, text) {
	for (i = 1; i <= states; i++)
		if (count[i] >= needed)
			text = text (text == "" ? "" : " ") i
	printf "%s_drawn = '%s'\n", name, text
}

# Return the numbers of samples, as text: one number if all series have it, else all numbers, or
# their range if there are more than four series.
function the_counts(  i, least, greatest) {
	least = greatest = count[1]
	for (i = 2; i <= states; i++) {
		least = count[i] < least ? count[i] : least
		greatest = count[i] > greatest ? count[i] : greatest
	}
	if (states > 1 && least == greatest)
		return grouped(least) " each"
	return states > 4 ? grouped(least) " to " grouped(greatest) : counts
}

function the_note(  note) {
	note = "N = " the_counts()
	if (hidden)
		note = note " (" hidden " below " range["latency_low"] " µs, not shown)"
	if (ENVIRON["reached"] != "")
		note = note ", also if the state was not reached"
	note = note " · " sources
	if (sets == 1 || !one_state)
		note = note " · " (length(different(set_name, sets)) > 60 ? sets " recordings" : different(set_name, sets))
	if (ENVIRON["where"] != "")
		note = note " · only " ENVIRON["where"]
	note = note " · " different(revision, sets)
	return note
}

# Print the name of an axis, and of what is on it: of the chosen column LABEL, if there is one.
function print_axis(axis, label, usual, what) {
	printf "%s_name = %s\n", axis, quoted(label == "" ? usual : label)
	printf "%s_unit = %s\n", axis, quoted(label == "" ? " µs" : label ~ /[(]/ ? " " substr(label, index(label, "(") + 1, length(label) - index(label, "(") - 1) : "")
	sub(/ [(].*/, "", label)
	printf "%s_what = %s\n", axis, quoted(label == "" ? what : label)
}

BEGIN {
	n = split(ENVIRON["names"], set_name, "\t")
	for (i = 1; i <= n; i++)
		set_name[i] = shortened(set_name[i])
}

FNR == 1 && FILENAME ~ /run\.tsv$/ {
	runs++
	revision[runs] = "no revision"
}

FILENAME ~ /run\.tsv$/ {
	of[runs, $1] = $2
	if ($1 ~ /^state\.[0-9]+\.name$/)
		table[runs, substr($1, 7, length($1) - 11)]
	if ($1 == "revision" && $2 != "-")
		revision[runs] = $2
	next
}

# Columns: position, index, metric, n, tainted, min, max, below, set, source, intervals. A state has nothing to draw if all its
# samples are tainted or below the axis.
FILENAME ~ /states\.dat$/ {
	hidden += $8
	table[$9 + 1, $2]
	if ($4 - $8 <= 0)
		next
	states++
	number[states] = $2
	position[states] = $1
	name = of[$9 + 1, "state." $2 ".name"]
	state_of[states] = name == "" ? "state" $2 : name
	metric[states] = $3
	if ($3 == "intr_latency")
		intr++
	if ($3 == "latency")
		timed++
	count[states] = $4
	maximum[states] = $7
	set[states] = $9
	source[states] = $10
	intervals[states] = $11
	advertised[states] = ENVIRON["y_label"] ~ /^(|(wake|intr)_latency .*)$/ ? of[$9 + 1, "state." $2 ".latency_ns"] / 1000 : 0
	if (advertised[states] > 0)
		any_advertised = 1
	counts = counts (states > 1 ? ", " : "") grouped($4)
	next
}

{ range[$1] = $2 }

END {
	sets = runs
	sources = different(source, states)
	one_state = is_one_state()
	name_series()
	printf "states = %d\n", states
	printf "sets = %d\n", sets
	list("position", position, states, 0)
	list("label", label, states, 1)
	list("hue", hue, states, 0)
	list("shape", shape, states, 0)
	list("advertised", advertised, states, 0)
	list("maximum", maximum, states, 0)
	list("count", count, states, 0)
	list("intervals_of", intervals, states, 0)
	printf "keys = %d\n", keys
	list("key_label", key_label, keys, 1)
	list("key_hue", key_hue, keys, 0)
	list("key_shape", key_shape, keys, 0)
	printf "set_keys = %d\n", set_keys
	list("set_label", set_name, set_keys, 1)
	n = split("silent-time order residency cells density boxes cpus band shares wide ccdf-most", family, " ")
	for (i = 1; i <= n; i++)
		drawn(family[i])
	supported("medians", 5)
	supported("halves", 11)
	supported("whiskers", 299)
	printf "any_advertised = %d\n", any_advertised
	n = split("cc7 8 cc6 3 cc3 6 cc1 1", part, " ")
	for (i = 1; i < n; i += 2)
		part_hue[(i + 1) / 2] = counter_hue(part[i], part[i + 1])
	list("part_hue", part_hue, n / 2, 0)
	printf "silent_time_tainted = %d\n", (index(ENVIRON["files"], "silent-time-tainted.dat") > 0)
	printf "order_tainted = %d\n", (index(ENVIRON["files"], "order-tainted.dat") > 0)
	printf "swept = %d\n", (ENVIRON["by_steps"] != "")
	printf "silent_log = %d\n", (ENVIRON["by_steps"] != "" && ENVIRON["linear"] == "" && ENVIRON["x_label"] == "")
	printf "emulated = %s\nwithout = %s\n", quoted(ENVIRON["machine"]), quoted(ENVIRON["without"])
	printf "of_what = %s\n", quoted(sets > 1 && one_state ? " of " state_name(1) : "")
	y = intr == states ? "Interrupt latency" : intr || timed ? "Latency" : "Wake latency"
	print_axis("x", ENVIRON["x_label"], "Silent time (µs)", "silent time")
	print_axis("y", ENVIRON["y_label"], y " (µs)", "latency")
	printf "note = %s\nlimits = %s\n", quoted(the_note()), quoted(ENVIRON["limits"])
	if (ENVIRON["lines"] != "")
		printf "%s\n%s\n", the_note(), ENVIRON["limits"] >ENVIRON["lines"]
	for (key in range)
		printf "%s = %s\n", key, range[key]
}
