/* SPDX-License-Identifier: GPL-2.0 */
/* The exact binomial distribution: how many of n events happen, each with probability p. */
#ifndef WAKELAT_BINOMIAL_H
#define WAKELAT_BINOMIAL_H

#include <stdint.h>

struct binomial {
	uint64_t n;
	long double p, q;	/* q = 1 - p; the caller avoids the loss of precision of subtracting */
};

/* P(at most K), P(at least K) */
long double binomial_at_most(const struct binomial *b, uint64_t k);
long double binomial_at_least(const struct binomial *b, uint64_t k);

/*
 * Return Clopper and Pearson's upper bound on p if K of N events were seen: above it, K or fewer are seen with a
 * probability of at most TAIL. It is 1 if K is N.
 */
long double binomial_upper(uint64_t n, uint64_t k, long double tail);

#endif
