# SPDX-License-Identifier: GPL-2.0
# independent.awk - "P,P": the percentiles of a single one at which the slowest of N independent ones has its median and its p99.
#	-v n=N

# root(SHARE): the N-th one, by bisection: not every awk has powers of fractions
function root(share,    low, high, i, j, middle, power) {
	high = 1
	for (i = 0; i < 40; i++) {
		middle = (low + high) / 2
		power = 1
		for (j = 0; j < n; j++)
			power *= middle
		if (power < share)
			low = middle
		else
			high = middle
	}
	return low
}

BEGIN {
	printf "%.4f,%.4f\n", 100 * root(0.5), 100 * root(0.99)
}
