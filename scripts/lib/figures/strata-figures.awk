# SPDX-License-Identifier: GPL-2.0
# strata-figures.awk - tail-stability.tsv tail-qq.tsv: write the data for the figures of the tail;
# or compare.tsv: write the data for the figure of differences. Needs us.awk and gnuplot-text.awk.
# Files and their columns:
#
#	stability-K.dat		exceedances shape low high expected_low expected_high chosen	of stratum K
#	qq-K.dat		model sample low high			us; of stratum K
#	difference-K.dat	place difference low high		us; of series K: a recording and a state
#
# Prints variables for setup.gp. From the environment: data (the directory of the files), hues (FILE: colours and marks of the
# states, see figures.awk), set_paths (FILE: path and name of each recording), tex (not empty: for LaTeX).

function us_or_dash(x) { return x == "" || x == "-" ? "-" : us(x) }

# Return the index of NAME in FAMILY, adding NAME if it is new.
function number_of(family, name) {
	if (!((family, name) in number)) {
		number[family, name] = ++count[family]
		label[family, count[family]] = name
	}
	return number[family, name]
}

# Return the name of the state, with WHICH of its samples, and its source if there are several.
function state_name(which) {
	return $at["state"] ($at["metric"] == "intr_latency" ? " (intr.)" : "") which (sources > 1 && "source" in at ? " " $at["source"] : "")
}

# Return the index of the stratum in FAMILY. Its colour is that of its state.
function stratum(family,  name, k) {
	name = state_name($at["reached"] == "no" ? " not reached" : $at["reached"] == "yes" ? " reached" : "")
	k = number_of(family, name)
	hue[family, k] = hue_of[state_name()] ? hue_of[state_name()] : (k - 1) % 8 + 1
	return name
}

# Read the files of figures.awk and figure-data.sh: hue and mark of each state, number and name of each recording.
function read_names(  line, cell, n) {
	while (ENVIRON["hues"] != "" && (getline line <ENVIRON["hues"]) > 0) {
		split(line, cell, "\t")
		hue_of[cell[1]] = cell[2]
		mark_of[cell[1]] = cell[3]
	}
	while (ENVIRON["set_paths"] != "" && (getline line <ENVIRON["set_paths"]) > 0) {
		split(line, cell, "\t")
		set_of[cell[1]] = ++n
		set_name[cell[1]] = cell[2]
	}
}

function write(family, name, line,  k) {
	k = number_of(family, name)
	print line >(ENVIRON["data"] "/" family "-" k ".dat")
	return k
}

# Count the sources in a file. Labels contain the source only if there are several, so the number
# has to be known before the first row.
function count_sources(file,  line, cell, n, i, column) {
	while ((getline line <file) > 0) {
		n = split(line, cell, "\t")
		if (column == "")
			for (i = column = 0; ++i <= n; )
				column = cell[i] == "source" ? i : column
		else if (column && !known_source[cell[column]]++)
			sources++
	}
	close(file)
}

BEGIN {
	OFS = FS
	places = split("p50 p90 p99 p99.9 p99.99 p99.999 max", place, " ")
	for (i = 1; i <= places; i++)
		known_place[place[i]] = 1
	for (i = 1; i < ARGC; i++)
		count_sources(ARGV[i])
	read_names()
}

FNR == 1 {
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

"chosen" in at {
	k = write("stability", stratum("stability"), $at["exceedances"] OFS $at["shape"] OFS $at["shape_low"] OFS $at["shape_high"] OFS \
		$at["expected_low"] OFS $at["expected_high"] OFS $at["chosen"])
	if ($at["expected_low"] != "-")
		expected[k] = 1
	if ($at["shape_low"] != "-" && $at["shape_high"] != "-")
		bounded[k] = 1
	if ($at["chosen"] == 1)
		chosen[k] = 1
	next
}

"rank" in at {
	k = write("qq", stratum("qq"), us_or_dash($at["model_ns"]) OFS us_or_dash($at["sample_ns"]) OFS us_or_dash($at["low_ns"]) \
		OFS us_or_dash($at["high_ns"]))
	points[k]++
	next
}

"difference" in at && $at["difference"] != "-" && $at["statistic"] in known_place {
	name = state_name()
	k = number_of("difference", $at["run_b"] SUBSEP name)
	r = number_of("recording", $at["run_b"])
	hue["recording", r] = (set_of[$at["run_b"]] - 1) % 8 + 1
	state_of[k] = number_of("state", name)
	mark["state", state_of[k]] = mark_of[name] ? mark_of[name] : (state_of[k] - 1) % 8 + 1
	recording_of[k] = r
	statistic[++differences] = $at["statistic"]
	series[differences] = k
	difference[differences] = us_or_dash($at["difference"]) OFS us_or_dash($at["difference_low"]) OFS \
		us_or_dash($at["difference_high"])
	there[$at["statistic"]] = 1
	if ($at["difference_low"] != "-" && $at["difference_high"] != "-")
		interval[k] = 1
	run_a = $at["run_a"]
	next
}

function print_numbers(name, of, n,  k, text) {
	for (k = 1; k <= n; k++)
		text = text (k > 1 ? ", " : "") of[k]
	printf "array %s[%d] = [%s]\n", name, (n ? n : 1), (n ? text : 0)
}

# Print the names, colours and marks of a family. gnuplot does not allow an empty array, so an empty one gets one element.
function print_labels(family,  k, n, texts, hues, marks) {
	n = count[family] + 0
	for (k = 1; k <= n; k++) {
		texts = texts (k > 1 ? ", " : "") quoted(shortened(family == "recording" ? set_name[label[family, k]] : label[family, k]))
		hues = hues (k > 1 ? ", " : "") (hue[family, k] + 0)
		marks = marks (k > 1 ? ", " : "") (mark[family, k] + 0)
	}
	if (!n)
		texts = hues = marks = "0"
	printf "%s_series = %d\n", family, n
	n = n ? n : 1
	printf "array %s_label[%d] = [%s]\narray %s_hue[%d] = [%s]\narray %s_mark[%d] = [%s]\n", family, n, texts, family, n, hues, family, n, marks
}

function print_words(name, of, n,  k, text) {
	for (k = 1; k <= n; k++)
		if (of[k])
			text = text (text == "" ? "" : " ") k
	printf "%s = '%s'\n", name, text
}

# Write the differences. Only statistics that a series has get a place on the axis.
function write_differences(  i, n, names) {
	for (i = 1; i <= places; i++)
		if (place[i] in there) {
			place_of[place[i]] = ++n
			names = names (n > 1 ? " " : "") place[i]
		}
	for (i = 1; i <= differences; i++)
		write("difference", label["difference", series[i]], place_of[statistic[i]] OFS difference[i])
	printf "difference_places = %d\n", n
	printf "difference_names = %s\n", quoted(names)
}

END {
	write_differences()
	print_labels("stability")
	print_labels("qq")
	print_labels("recording")
	print_labels("state")
	printf "difference_series = %d\n", count["difference"]
	print_numbers("difference_recording", recording_of, count["difference"])
	print_numbers("difference_state", state_of, count["difference"])
	print_words("expected_drawn", expected, count["stability"])
	print_words("bounded_drawn", bounded, count["stability"])
	print_words("chosen_drawn", chosen, count["stability"])
	print_words("interval_drawn", interval, count["difference"])
	printf "difference_from = %s\n", quoted(shortened(set_name[run_a]))
}
