# SPDX-License-Identifier: GPL-2.0
# tail-figures.awk - tail-stability.tsv tail-qq.tsv: write the data of their figures, and print variables for setup.gp. Needs
# series.awk. Files and their columns:
#
#	stability-K.dat		exceedances shape low high expected_low expected_high chosen	of stratum K
#	qq-K.dat		model sample low high			us; of stratum K

# Return the index of the stratum in FAMILY. Its colour is that of its state.
function stratum(family,  name, k) {
	name = state_name($at["reached"] == "no" ? " not reached" : $at["reached"] == "yes" ? " reached" : "")
	k = number_of(family, name)
	hue[family, k] = hue_of[state_name()] ? hue_of[state_name()] : (k - 1) % 8 + 1
	return name
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

END {
	print_labels("stability")
	print_labels("qq")
	print_words("expected_drawn", expected, count["stability"])
	print_words("bounded_drawn", bounded, count["stability"])
	print_words("chosen_drawn", chosen, count["stability"])
}
