/* SPDX-License-Identifier: GPL-2.0 */
/* The exact binomial distribution: how many of n events happen, each with probability p. */
#ifndef WAKELAT_BINOMIAL_H
#define WAKELAT_BINOMIAL_H

#include <stdint.h>

struct binomial {
	uint64_t n;
	long double p, q;	/* q = 1 - p. The caller sets both, because the subtraction can lose precision */
};

/* P(at most K), P(at least K) */
long double binomial_at_most(const struct binomial *b, uint64_t k);
long double binomial_at_least(const struct binomial *b, uint64_t k);

/*
 * Return Clopper and Pearson's upper confidence bound on p after K of N events were seen. For a p above the bound, the
 * probability of K or fewer events is at most TAIL. If K is N, the bound is 1.
 */
long double binomial_upper(uint64_t n, uint64_t k, long double tail);

#endif
