/* SPDX-License-Identifier: GPL-2.0 */
/* Percentiles as exact fractions, and how sure a number of samples makes one. */
#ifndef WAKELAT_PERCENTILE_H
#define WAKELAT_PERCENTILE_H

#include <stddef.h>
#include <stdint.h>

struct percentile {
	char *text;		/* as given: "99.9" */
	uint64_t part, whole;	/* 999 of 1000 */
	uint64_t needed;	/* samples that support it */
};

/* Ranks of two order statistics, from 1; 0 where no order statistic will do. */
struct ranks {
	uint64_t low, high;
};

/* From a list "50,99.9"; die()s at what is no percentage between 0 and 100. */
size_t parse_percentiles(const char *text, struct percentile **list);

/*
 * The order statistics of N independent samples that the percentile lies between, each
 * bound wrong with probability TAIL (below one half) at most, whatever the distribution.
 */
struct ranks percentile_ranks(const struct percentile *p, uint64_t n, long double tail);

#endif
