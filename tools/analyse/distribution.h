/* SPDX-License-Identifier: GPL-2.0 */
/* Sorted values and how often each occurred, from samples or from counts. */
#ifndef WAKELAT_DISTRIBUTION_H
#define WAKELAT_DISTRIBUTION_H

#include <stddef.h>
#include <stdint.h>

struct distribution {
	int64_t *value;		/* ascending, each once */
	uint64_t *upto;		/* the number of samples that are not above the value */
	size_t nr;
	uint64_t n;		/* samples */
};

/*
 * Make a distribution of NR values in any order. COUNTS: how often each occurs; NULL: once. Takes
 * over both arrays.
 */
struct distribution distribution_of(int64_t *values, uint64_t *counts, size_t nr);
void distribution_free(struct distribution *d);

/* Sort NR values, and their counts with them. */
void distribution_sort(int64_t *values, uint64_t *counts, size_t nr);

/* Return the sample at RANK, counted from 0. */
int64_t distribution_at(const struct distribution *d, uint64_t rank);
/* Return the number of samples above LIMIT. */
uint64_t distribution_above(const struct distribution *d, int64_t limit);

static inline uint64_t distribution_count(const struct distribution *d, size_t i)
{
	return d->upto[i] - (i ? d->upto[i - 1] : 0);
}

#endif
