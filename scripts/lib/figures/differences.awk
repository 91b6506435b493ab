# SPDX-License-Identifier: GPL-2.0
# differences.awk - compare.tsv: write the data of figure differences, and print its variables for setup.gp. Needs series.awk.
# Files and their columns:
#
#	difference-K.dat	place difference low high		us; of series K: a recording and a state

# Keep the order of the statistics: percentiles, then the maximum.
function take_place(statistic,  i) {
	if (statistic in known_place)
		return
	known_place[statistic] = 1
	for (i = ++places; i > 1 && share_of(place[i - 1]) > share_of(statistic); i--)
		place[i] = place[i - 1]
	place[i] = statistic
}

function share_of(statistic) { return statistic == "max" ? 100 : substr(statistic, 2) + 0 }

"difference" in at && $at["difference"] != "-" && $at["statistic"] ~ /^(p[0-9.]+|max)$/ {
	take_place($at["statistic"])
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
