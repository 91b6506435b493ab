// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "binomial.h"
#include "message.h"
#include "percentile.h"
#include "tsv.h"

/*
 * The maximum of n values exceeds the p-quantile with probability 1 - p^n. Return the
 * smallest n that makes this 95 % or more. Fewer samples say nothing about the quantile.
 */
static uint64_t samples_needed(long double p)
{
	return ceill(logl(0.05L) / logl(p));
}

static void parse_percentile(struct percentile *p, char *text)
{
	const char *point = strchr(text, '.');
	size_t decimals = point ? strlen(point + 1) : 0;
	char *end;

	p->text = text;
	p->part = strtoull(text, &end, 10);
	if (point && end == point) {
		for (point++; *point >= '0' && *point <= '9'; point++)
			p->part = p->part * 10 + (*point - '0');
		end = (char *)point;
	}
	p->whole = 100;
	for (size_t i = 0; i < decimals && i < 9; i++)
		p->whole *= 10;
	/*
	 * With nine decimals, part * n fits into 128 bits. No recording has enough samples for more
	 * decimals.
	 */
	if (*end || *text < '0' || *text > '9' || decimals > 9 || !p->part || p->part >= p->whole)
		die("-p: '%s' is not a percentage between 0 and 100", text);
	p->needed = samples_needed((long double)p->part / p->whole);
}

uint64_t percentile_needs(const char *text)
{
	struct percentile percentile;
	char *copy = xstrdup(text);

	parse_percentile(&percentile, copy);
	free(copy);
	return percentile.needed;
}

static int compare_percentiles(const void *a, const void *b)
{
	const struct percentile *x = a, *y = b;
	unsigned __int128 left = (unsigned __int128)x->part * y->whole, right = (unsigned __int128)y->part * x->whole;

	return (left > right) - (left < right);
}

/* The list is sorted in ascending order. */
size_t parse_percentiles(const char *text, struct percentile **list)
{
	char **words;
	size_t nr = split_list(text, &words);

	*list = xrealloc(NULL, nr, sizeof(**list));
	for (size_t i = 0; i < nr; i++)
		parse_percentile(&(*list)[i], words[i]);
	qsort(*list, nr, sizeof(**list), compare_percentiles);
	free(words);
	return nr;
}

/* True if P(at most K) <= LIMIT. LIMIT must be below one half. */
static bool at_most_is_rare(const struct binomial *b, uint64_t k, long double limit)
{
	/*
	 * If K is not below the mean, K is not below the median either, which is at most the mean
	 * rounded up. Then P(at most K) is one half or more.
	 */
	return k < b->n * b->p && binomial_at_most(b, k) <= limit;
}

/*
 * Return the largest rank whose order statistic exceeds the quantile with probability TAIL at most;
 * 0: none.
 */
static uint64_t low_rank(const struct binomial *b, long double tail)
{
	uint64_t good = 0, bad = b->n + 1;

	/*
	 * The value of rank r exceeds the quantile if at most r - 1 values are below the quantile.
	 */
	while (bad - good > 1) {
		uint64_t rank = good + (bad - good) / 2;

		if (at_most_is_rare(b, rank - 1, tail))
			good = rank;
		else
			bad = rank;
	}
	return good;
}

struct ranks percentile_ranks(const struct percentile *p, uint64_t n, long double tail)
{
	struct binomial below = {
		.n = n,
		.p = (long double)p->part / p->whole,
		.q = (long double)(p->whole - p->part) / p->whole,
	};
	struct binomial above = { .n = n, .p = below.q, .q = below.p };
	uint64_t from_above = low_rank(&above, tail);

	return (struct ranks) {
		.low = low_rank(&below, tail),
		.high = from_above ? n + 1 - from_above : 0,
	};
}
