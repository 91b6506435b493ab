# SPDX-License-Identifier: GPL-2.0
# looks.awk - decide whether the recording of a state may end. The samples are tested several times
# (a "look"), and each look may err. Look k may use 1 / (k (k + 1)) of the allowed error. The sum of
# these parts does not exceed 1, however many looks there are. Each look has twice as many samples
# as the one before.
#	-v percentile=P -v tail=PPM	percentile and allowed error, as in wakelat verdict
#	-v look=K			prints the number of samples of look K
#	-v look=K -v each=1		prints the minimum number of samples with which look K can
#					decide "kept"
#	-v look=K -v n=N -v over=COUNT	prints kept, exceeded or undecided: COUNT of N samples
#					are longer than the limit
# No look has fewer samples than it takes to see bursts, because verdict would doubt its result.
# Needs enough.awk.
#
# busybox awk of Debian has no log, exp or ^. A number that is too small for a double is kept as x
# times 1e-100 ^ scale.

# Set x and scale to base ^ n, for a base below 1.
function power(base, n,  b, b_scale) {
	x = 1
	scale = 0
	for (b = base; n > 0; n = int(n / 2)) {
		if (n % 2) {
			x *= b
			scale += b_scale
			normalise()
		}
		b *= b
		b_scale *= 2
		if (b < 1e-100) {
			b *= 1e100
			b_scale++
		}
	}
}

function normalise() {
	if (x < 1e-100) {
		x *= 1e100
		scale++
	}
}

function unscaled(value, times) {
	for (; times > 0 && value > 0; times--)
		value *= 1e-100
	return value
}

# Return the probability of at most k of n (binomial). Add the terms from the first on. Beyond the
# mean the terms fall, so stop when they no longer change the sum.
function at_most(n, k, p,  term, sum, i) {
	if (k < 0)
		return 0
	if (k >= n)
		return 1
	power(1 - p, n)
	term = sum = x
	for (i = 0; i < k && (i < n * p || term > sum * 1e-17); i++) {
		term *= (n - i) / (i + 1) * p / (1 - p)
		sum += term
		if (sum > 1e100) {
			term *= 1e-100
			sum *= 1e-100
			scale--
		}
	}
	return unscaled(sum, scale)
}

# Return the minimum number of samples with which LOOK decides kept if none is above the limit.
function fewest_kept(look,  n, low, high) {
	for (high = 1; all_kept(high) > error_of(look); high *= 2)
		low = high
	while (high - low > 1) {
		n = int((low + high) / 2)
		if (all_kept(n) > error_of(look))
			low = n
		else
			high = n
	}
	return high
}

function all_kept(n) {
	power(percentile / 100, n)
	return unscaled(x, scale)
}

function error_of(look) { return int(tail / (look * (look + 1))) / 1000000 }

BEGIN {
	allowed = 1 - percentile / 100
	if (each) {
		printf "%.0f\n", fewest_kept(look)
	} else if (n == "") {
		samples = fewest_kept(1)
		if (samples < enough_for_bursts(percentile))
			samples = enough_for_bursts(percentile)
		for (i = 1; i < look; i++)
			samples *= 2
		printf "%.0f\n", samples
	} else if (at_most(n, over, allowed) <= error_of(look)) {
		print "kept"
	} else if (1 - at_most(n, over - 1, allowed) <= error_of(look)) {
		print "exceeded"
	} else {
		print "undecided"
	}
}
