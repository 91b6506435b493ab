/* SPDX-License-Identifier: GPL-2.0 */
/* What a histogram knows: so many samples, each somewhere between two values. */
#ifndef WAKELAT_BUCKETS_H
#define WAKELAT_BUCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a bucket without an upper end: overflows, with no maximum known. */
#define BUCKET_OPEN INT64_MAX

struct bucket {
	int64_t low, high;	/* ns; high is no longer in it */
	uint64_t count;
};

/* One kind of latency on one CPU. Buckets may overlap, where a tool tells more than counts. */
struct histogram {
	char *metric;
	int64_t cpu;		/* or the number of the thread */
	struct bucket *buckets;
	size_t nr;
	uint64_t total;
};

struct histograms {
	struct histogram *list;
	size_t nr;
	int64_t unit;		/* ns of one: values are cut to whole ones of these */
};

struct histogram *histograms_add(struct histograms *all, const char *metric, int64_t cpu);

/* COUNT samples, LOW up to HIGH in units; die()s if that leaves 64 bits. */
void histogram_add(struct histograms *all, struct histogram *histogram, int64_t low, int64_t high,
		   uint64_t count);

/*
 * OVER samples are at FROM or above, and the extremes are known to a unit, if there are any:
 * what more than counts is known. MAX < 0: not known.
 */
void histogram_add_over(struct histograms *all, struct histogram *histogram, int64_t from,
			int64_t max, uint64_t over);

/* Only these are known, of COUNT samples. */
void histogram_add_range(struct histograms *all, struct histogram *histogram, int64_t min,
			 int64_t max, uint64_t count);

#endif
