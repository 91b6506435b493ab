# SPDX-License-Identifier: GPL-2.0
# strata-figures.awk - tail-stability.tsv tail-qq.tsv: write the data for the figures of the tail;
# or compare.tsv: write the data for the figure of differences. Needs us.awk and gnuplot-text.awk.
# Files and their columns:
#
#	stability-K.dat		exceedances shape low high expected_low expected_high chosen	of stratum K
#	qq-K.dat		model sample low high			us; of stratum K
#	difference-K.dat	place difference low high		us; of series K: a recording and a state
#
# Prints variables for setup.gp. From the environment: data (the directory of the files), tex (not
# empty: for LaTeX).

function us_or_dash(x) { return x == "" || x == "-" ? "-" : us(x) }

# Return the index of NAME in FAMILY, adding NAME if it is new.
function number_of(family, name) {
	if (!((family, name) in number)) {
		number[family, name] = ++count[family]
		label[family, count[family]] = name
	}
	return number[family, name]
}

function stratum_name() {
	return $at["state"] ($at["metric"] == "intr_latency" ? " (intr.)" : "") \
		($at["reached"] == "no" ? " not reached" : $at["reached"] == "yes" ? " reached" : "") \
		(sources > 1 ? " " $at["source"] : "")
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
}

FNR == 1 {
	split("", at)
	for (i = 1; i <= NF; i++)
		at[$i] = i
	next
}

"chosen" in at {
	k = write("stability", stratum_name(), $at["exceedances"] OFS $at["shape"] OFS $at["shape_low"] OFS $at["shape_high"] OFS \
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
	k = write("qq", stratum_name(), us_or_dash($at["model_ns"]) OFS us_or_dash($at["sample_ns"]) OFS us_or_dash($at["low_ns"]) \
		OFS us_or_dash($at["high_ns"]))
	points[k]++
	next
}

"difference" in at && $at["difference"] != "-" && $at["statistic"] in known_place {
	split($at["run_b"], path, "/")
	for (n = 1; n in path; n++)
		base = path[n]
	name = $at["state"] ($at["metric"] == "intr_latency" ? " (intr.)" : "") (sources > 1 && "source" in at ? " " $at["source"] : "")
	k = number_of("difference", base SUBSEP name)
	recording_of[k] = number_of("recording", base)
	state_of[k] = number_of("state", name)
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

function print_labels(family,  k, text) {
	for (k = 1; k <= count[family]; k++)
		text = text (k > 1 ? ", " : "") quoted(shortened(label[family, k]))
	printf "%s_series = %d\n", family, count[family]
	printf "array %s_label[%d] = [%s]\n", family, (count[family] ? count[family] : 1), (count[family] ? text : "''")
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
	sub(/.*\//, "", run_a)
	printf "difference_from = %s\n", quoted(shortened(run_a))
}
