# SPDX-License-Identifier: GPL-2.0
# differences.awk - compare.tsv: write the data of figure differences, and print its variables for setup.gp. Needs series.awk.
# Files and their columns:
#
#	difference-K.dat	place difference low high		us; of series K: a recording and a state

BEGIN {
	places = split("p50 p90 p99 p99.9 p99.99 p99.999 max", place, " ")
	for (i = 1; i <= places; i++)
		known_place[place[i]] = 1
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
	print_labels("recording")
	print_labels("state")
	printf "difference_series = %d\n", count["difference"]
	print_numbers("difference_recording", recording_of, count["difference"])
	print_numbers("difference_state", state_of, count["difference"])
	print_words("interval_drawn", interval, count["difference"])
	printf "difference_from = %s\n", quoted(shortened(set_name[run_a]))
}
