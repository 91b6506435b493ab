/* SPDX-License-Identifier: GPL-2.0 */
/* Do the longest of the values come in clusters, or more often in one half of the recording? */
#ifndef WAKELAT_SERIES_H
#define WAKELAT_SERIES_H

#include <stdint.h>

#include "distribution.h"

/* The probability of what was seen, or more of it, if neither is so; -1: not to be told. */
struct series {
	double clusters_p;	/* so many of the longest follow each other so closely */
	double drift_p;		/* so many, or so few, of the longest are in the first half */
};

/* The same values as they were recorded, and sorted. */
struct series series_test(const int64_t *recorded, const struct distribution *sorted);

#endif
