// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "buckets.h"
#include "message.h"

struct histogram *histograms_add(struct histograms *all, const char *metric, int64_t cpu)
{
	for (size_t i = 0; i < all->nr; i++)
		if (all->list[i].cpu == cpu && !strcmp(all->list[i].metric, metric))
			die("two histograms of %s of CPU %lld", metric, (long long)cpu);
	all->list = xrealloc(all->list, all->nr + 1, sizeof(*all->list));
	all->list[all->nr] = (struct histogram) { .metric = xstrdup(metric), .cpu = cpu };
	return &all->list[all->nr++];
}

static int64_t in_ns(const struct histograms *all, int64_t units)
{
	int64_t ns;

	if (units == BUCKET_OPEN)
		return BUCKET_OPEN;
	if (__builtin_mul_overflow(units, all->unit, &ns))
		die("a latency of %lld units of %lld ns is too great", (long long)units,
		    (long long)all->unit);
	return ns;
}

void histogram_add(struct histograms *all, struct histogram *histogram, int64_t low, int64_t high,
		   uint64_t count)
{
	if (!count)
		return;
	if (__builtin_add_overflow(histogram->total, count, &histogram->total))
		die("more than 2^64 samples of %s", histogram->metric);
	/* Grows by halves: a histogram can have a million buckets. */
	if (!(histogram->nr & (histogram->nr - 1)))
		histogram->buckets = xrealloc(histogram->buckets,
					      histogram->nr ? 2 * histogram->nr : 1,
					      sizeof(*histogram->buckets));
	histogram->buckets[histogram->nr++] = (struct bucket) {
		.low = in_ns(all, low), .high = in_ns(all, high), .count = count,
	};
}

void histogram_add_over(struct histograms *all, struct histogram *histogram, int64_t from,
			int64_t max, uint64_t over)
{
	int64_t end = max < 0 || max == INT64_MAX ? BUCKET_OPEN : max + 1;

	if (!over)
		return;
	if (end != BUCKET_OPEN && max >= from) {
		histogram_add(all, histogram, from, end, over - 1);
		histogram_add(all, histogram, max, end, 1);
	} else {
		histogram_add(all, histogram, from, BUCKET_OPEN, over);
	}
}

void histogram_add_range(struct histograms *all, struct histogram *histogram, int64_t min,
			 int64_t max, uint64_t count)
{
	if (!count)
		return;
	if (min < 0 || max < min || max == INT64_MAX)
		die("a minimum of %lld and a maximum of %lld cannot be", (long long)min,
		    (long long)max);
	histogram_add(all, histogram, min, min + 1, 1);
	if (count > 1)
		histogram_add(all, histogram, max, max + 1, 1);
	if (count > 2)
		histogram_add(all, histogram, min, max + 1, count - 2);
}
