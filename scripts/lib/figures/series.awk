# SPDX-License-Identifier: GPL-2.0
# series.awk - what the scripts share that make figures from tables of results: a family of series, with the name, the colour and
# the mark of each. Needs us.awk and gnuplot-text.awk.
#
# From the environment: data (the directory of the files), hues (FILE: colours and marks of the states, see figures.awk),
# set_paths (FILE: path and name of each recording), tex (not empty: for LaTeX).

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
