/* SPDX-License-Identifier: GPL-2.0 */
/* Values and how often each occurred: what samples become when they are sorted, and what counts are. */
#ifndef WAKELAT_DISTRIBUTION_H
#define WAKELAT_DISTRIBUTION_H

#include <stddef.h>
#include <stdint.h>

struct distribution {
	int64_t *value;		/* ascending, each once */
	uint64_t *upto;		/* so many samples are not above it */
	size_t nr;
	uint64_t n;		/* samples */
};

/* Of NR values in any order, which are no longer the caller's; with COUNTS, how often each is there, as well. */
struct distribution distribution_of(int64_t *values, uint64_t *counts, size_t nr);
void distribution_free(struct distribution *d);

/* The sample at RANK, from 0. */
int64_t distribution_at(const struct distribution *d, uint64_t rank);
uint64_t distribution_above(const struct distribution *d, int64_t limit);

static inline uint64_t distribution_count(const struct distribution *d, size_t i)
{
	return d->upto[i] - (i ? d->upto[i - 1] : 0);
}

#endif
