/* SPDX-License-Identifier: GPL-2.0 */
/* The binomial distribution, exact: how many of n events happen, each with probability p. */
#ifndef WAKELAT_BINOMIAL_H
#define WAKELAT_BINOMIAL_H

#include <stdint.h>

struct binomial {
	uint64_t n;
	long double p, q;	/* q = 1 - p, without the loss of subtracting */
};

/* P(at most K), P(at least K) */
long double binomial_at_most(const struct binomial *b, uint64_t k);
long double binomial_at_least(const struct binomial *b, uint64_t k);

/*
 * K of N were seen: the p above which that few are seen with probability TAIL at most (Clopper and Pearson's upper
 * bound); 1 if K is N.
 */
long double binomial_upper(uint64_t n, uint64_t k, long double tail);

#endif
