# SPDX-License-Identifier: GPL-2.0
# histogram-compare.awk - A's and B's intervals, of histstats -i: rows of compare.tsv, of all CPUs together. Of a histogram
# only buckets are known: no value has a digit that it has not, so that the bounds are all there is.
#	from the environment: a, b (names of the recordings)
#	-v header=1	with a header line

function minus(x, y) { return x == "-" || y == "-" ? "-" : sprintf("%.0f", x - y) }

BEGIN { OFS = FS }

FNR == 1 {
	side++
	for (i = 1; i <= NF; i++)
		name[i] = $i
	next
}

# The row of all CPUs comes after that of the first, and the only one stands for all.
{
	key = $1 SUBSEP $3
	if ((side, key, "n") in value && $2 != "all")
		next
	if (side == 1 && !((side, key, "n") in value))
		order[++rows] = key
	for (i = 4; i <= NF; i++)
		value[side, key, name[i]] = $i
}

function verdict(low, high) {
	if ((low != "-" && low + 0 > 0) || (high != "-" && high + 0 < 0))
		return "yes"
	return low == "-" || high == "-" ? "-" : "no"
}

END {
	if (header)
		print "state", "metric", "statistic", "run_a", "run_b", "n_a", "n_b", "a", "b", "difference",
			"difference_pct", "a_low", "a_high", "b_low", "b_high", "difference_low", "difference_high",
			"distinguishable", "effective_n_a", "effective_n_b", "doubt"
	for (r = 1; r <= rows; r++) {
		key = order[r]
		if (!((2, key, "n") in value))
			continue
		split(key, part, SUBSEP)
		low = minus(value[2, key, "low_joint"], value[1, key, "high_joint"])
		high = minus(value[2, key, "high_joint"], value[1, key, "low_joint"])
		print "-", part[1], part[2], ENVIRON["a"], ENVIRON["b"], value[1, key, "n"], value[2, key, "n"], "-", "-", "-", "-",
			value[1, key, "low"], value[1, key, "high"], value[2, key, "low"], value[2, key, "high"], low, high,
			verdict(low, high), "-", "-", "-"
	}
}
