# SPDX-License-Identifier: GPL-2.0
# independent.awk - print "P,P": the percentiles of one CPU's latency that equal the median and the
# p99 of the slowest of N independent CPUs.
#	-v n=N

# root(SHARE): return the N-th root of SHARE by bisection, because not every awk has fractional powers
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
