# SPDX-License-Identifier: GPL-2.0
# heavy.awk - how often the intervals of heavy tails are too low, from coverage.tsv, which tests/bench/coverage writes.

function is_heavy(shape_high) { return shape_high ~ /^[0-9.]+$/ && shape_high + 0 > 0.25 }

# Read a row of coverage.tsv: distribution, repetitions, refused, by, intervals, holding the truth, above it, below it.
function read_coverage(  share) {
	if ($1 !~ /^(weibull 0[.]5|pareto 3|pareto pairs|t 4)$/ || !$5)
		return
	share = 100 * $8 / $5
	heavy_least = heavy_least == "" || share < heavy_least ? share : heavy_least
	heavy_most = share > heavy_most ? share : heavy_most
}

# Return the sentence for a shape whose interval ends at SHAPE_HIGH.
function heavy_text(shape_high) {
	return sprintf("the tail may be heavy (shape up to %s): in tests of such tails %.0f to %.0f %% of the intervals were too low", \
		shape_high, heavy_least, heavy_most)
}
