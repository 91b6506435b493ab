/* SPDX-License-Identifier: GPL-2.0 */
/* Percentiles as exact fractions, and their confidence intervals. */
#ifndef WAKELAT_PERCENTILE_H
#define WAKELAT_PERCENTILE_H

#include <stddef.h>
#include <stdint.h>

struct percentile {
	char *text;		/* as given: "99.9" */
	uint64_t part, whole;	/* 999 of 1000 */
	uint64_t needed;	/* samples that support it */
};

/* Ranks of two order statistics, from 1; 0 if no order statistic is a bound. */
struct ranks {
	uint64_t low, high;
};

/*
 * Parse a list such as "50,99.9". Return its length; die() if an item is not a percentage between 0
 * and 100.
 */
size_t parse_percentiles(const char *text, struct percentile **list);

/* Return how many samples support a percentile such as "99.9". */
uint64_t percentile_needs(const char *text);

/*
 * Return the order statistics of N independent samples that enclose the percentile. Each bound
 * is wrong with probability TAIL (below one half) at most, for any distribution.
 */
struct ranks percentile_ranks(const struct percentile *p, uint64_t n, long double tail);

#endif
