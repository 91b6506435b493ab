# SPDX-License-Identifier: GPL-2.0
# looks.awk - decide whether the recording of a state may end. The samples are tested several times
# (a "look"), and each look may err. Look k may use 1 / (k (k + 1)) of the allowed error. The sum of
# these parts does not exceed 1, however many looks there are. Each look has twice as many samples
# as the one before.
#	-v percentile=P -v tail=PPM	percentile and allowed error, as in wakelat verdict
#	-v look=K			prints the number of samples of look K
#	-v look=K -v judge=1		judges the lines of the input, CPU N OVER: OVER of N samples of
#					the CPU are longer than the limit. Prints kept, exceeded or
#					undecided, and the line of the CPU that decides, or the sums
#					of all CPUs as CPU "all"
# No look has fewer samples than it takes to see bursts, because verdict would doubt its result.
# Needs enough.awk.
#
# The rules are those of wakelat verdict: a state is kept if each CPU keeps the limit, and
# exceeded if one CPU or all CPUs together exceed it. The error of "exceeded" is divided by the
# number of these tests. If a CPU has too few samples, the answer is that of all CPUs together.
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

# Return the minimum number of samples that are "kept" with this ERROR if none is above the limit.
function fewest_kept(error,  n, low, high) {
	for (high = 1; all_kept(high) > error; high *= 2)
		low = high
	while (high - low > 1) {
		n = int((low + high) / 2)
		if (all_kept(n) > error)
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

function samples_of(look,  i, samples) {
	samples = fewest_kept(error_of(1))
	if (samples < enough_for_bursts(percentile))
		samples = enough_for_bursts(percentile)
	for (i = 1; i < look; i++)
		samples *= 2
	return samples
}

function answer(n, over) {
	if (at_most(n, over, allowed) <= error)
		return "kept"
	return 1 - at_most(n, over - 1, allowed) <= error / (cpus > 1 ? cpus + 1 : 1) ? "exceeded" : "undecided"
}

# Set said[], and worst[] to the CPU with the greatest share of samples above the limit among those
# with this answer. Return the answer for the state. Set decides to the CPU that decides.
function judge_state(  i, together, short) {
	error = error_of(look)
	for (i = 0; i <= cpus; i++) {
		said[i] = n[i] ? answer(n[i], over[i]) : "undecided"
		if (i && (!(said[i] in worst) || over[i] * n[worst[said[i]]] > over[worst[said[i]]] * n[i]))
			worst[said[i]] = i
		short = short || (n[i] && n[i] < fewest_kept(tail / 1000000))
	}
	together = said[0]
	decides = 0
	if (cpus > 1 && !("exceeded" in worst) && (short || together == "exceeded"))
		return together
	for (i = split("kept undecided exceeded", word, " "); !(word[i] in worst); i--)
		;
	decides = worst[word[i]]
	return word[i]
}

BEGIN {
	allowed = 1 - percentile / 100
	if (!judge) {
		printf "%.0f\n", samples_of(look)
		exit
	}
	cpu[0] = "all"
}

{
	cpu[++cpus] = $1
	n[cpus] = $2
	over[cpus] = $3
	n[0] += $2
	over[0] += $3
}

END {
	if (judge && cpus) {
		verdict = judge_state()
		print verdict, cpu[decides], n[decides], over[decides]
	}
}
