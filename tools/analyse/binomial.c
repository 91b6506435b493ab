// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "binomial.h"

/* Use logarithms, because the factors exceed the range of floating point numbers. */
static long double probability(const struct binomial *b, uint64_t k)
{
	return expl(lgammal(b->n + 1.0L) - lgammal(k + 1.0L) - lgammal(b->n - k + 1.0L) +
		    k * logl(b->p) + (b->n - k) * logl(b->q));
}

/*
 * Above this variance there are too many terms to add up, and the normal distribution is as good.
 */
#define LARGE_VARIANCE 1e9L

/*
 * Return P(at most K). K must be below the mean, so that from K down each term is less than the one
 * before.
 */
static long double sum_down(const struct binomial *b, uint64_t k)
{
	long double variance = b->n * b->p * b->q;
	long double term, sum;

	if (variance > LARGE_VARIANCE)
		return erfcl((b->n * b->p - k - 0.5L) / sqrtl(2 * variance)) / 2;
	term = probability(b, k);
	sum = term;
	for (; k && term > sum * 1e-20L; k--) {
		term *= k / (b->n - k + 1.0L) * (b->q / b->p);
		sum += term;
	}
	return sum;
}

long double binomial_at_most(const struct binomial *b, uint64_t k)
{
	struct binomial rest = { .n = b->n, .p = b->q, .q = b->p };

	if (k >= b->n)
		return 1;
	if (k < b->n * b->p)
		return sum_down(b, k);
	return 1 - sum_down(&rest, b->n - k - 1);
}

long double binomial_at_least(const struct binomial *b, uint64_t k)
{
	struct binomial rest = { .n = b->n, .p = b->q, .q = b->p };

	return k ? binomial_at_most(&rest, b->n - k) : 1;
}

long double binomial_upper(uint64_t n, uint64_t k, long double tail)
{
	long double low, high = 1;

	if (k >= n)
		return 1;
	low = (long double)k / n;
	/* After 64 halvings, the remaining error is too small to be printed. */
	for (int i = 0; i < 64; i++) {
		long double middle = (low + high) / 2;
		struct binomial b = { .n = n, .p = middle, .q = 1 - middle };

		if (binomial_at_most(&b, k) > tail)
			low = middle;
		else
			high = middle;
	}
	return high;
}
