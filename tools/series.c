// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdbool.h>

#include "binomial.h"
#include "series.h"

/* The longest tenth, and not more than so many. */
#define MOST 500
/* With fewer no test says anything. */
#define LEAST 30

struct longest {
	int64_t threshold;
	size_t nr;
	bool equal_too;	/* those that are equal to the threshold belong to them */
};

static bool is_long(const struct longest *l, int64_t v)
{
	return v > l->threshold || (l->equal_too && v == l->threshold);
}

/* Equal values cannot be told apart: all of them or none. */
static struct longest find_longest(const struct distribution *sorted)
{
	size_t wanted = sorted->n / 10 < MOST ? sorted->n / 10 : MOST;
	struct longest l = { .threshold = distribution_at(sorted, sorted->n - 1 - wanted) };

	l.nr = distribution_above(sorted, l.threshold);
	if (l.nr < LEAST) {
		l.equal_too = true;
		l.nr = l.threshold > INT64_MIN ? distribution_above(sorted, l.threshold - 1) : sorted->n;
	}
	return l;
}

/* Gaps between two of them that are not longer than a tenth of the mean gap, or than the shortest that there is. */
static double clusters(uint64_t gaps, uint64_t close, double share, uint64_t width)
{
	long double none = powl(1 - share, width);
	struct binomial b = { .n = gaps, .p = 1 - none, .q = none };

	return binomial_at_least(&b, close);
}

static double drift(uint64_t nr, uint64_t in_first, size_t first, size_t all)
{
	struct binomial b = { .n = nr, .p = (long double)first / all, .q = (long double)(all - first) / all };
	long double few = binomial_at_most(&b, in_first), many = binomial_at_least(&b, in_first);

	return fminl(1, 2 * fminl(few, many));
}

struct series series_test(const int64_t *recorded, const struct distribution *sorted)
{
	size_t nr = sorted->n;
	struct series none = { .clusters_p = -1, .drift_p = -1 };
	struct longest l;
	uint64_t close = 0, in_first = 0, width;
	size_t last = 0;
	bool any = false;
	double share;

	if (nr < 10 * LEAST)
		return none;
	l = find_longest(sorted);
	if (l.nr < LEAST || l.nr > nr - LEAST)
		return none;
	share = (double)l.nr / nr;
	width = share < 0.1 ? 0.1 / share : 1;
	for (size_t i = 0; i < nr; i++) {
		if (!is_long(&l, recorded[i]))
			continue;
		in_first += i < nr / 2;
		close += any && i - last <= width;
		any = true;
		last = i;
	}
	return (struct series) {
		.clusters_p = clusters(l.nr - 1, close, share, width),
		.drift_p = drift(l.nr, in_first, nr / 2, nr),
	};
}
