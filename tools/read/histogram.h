/* SPDX-License-Identifier: GPL-2.0 */
/* Histograms of other tools: histogram.c keeps and writes them, the other files read them. */
#ifndef WAKELAT_HISTOGRAM_H
#define WAKELAT_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * COUNT samples are at least LOW and less than HIGH, in ns. HIGH is COUNTS_OPEN if the bin has no
 * upper limit.
 */
struct bin {
	int64_t low, high;
	uint64_t count;
};

enum timed { INTERRUPT, THREAD, USER, NR_TIMED };
extern const char *const timed_names[NR_TIMED];

/*
 * One kind of latency on one CPU. Bins can overlap. If the tool states the minimum or maximum of some
 * samples, this extreme sample has its own bin, which is inside the bin of the others.
 */
struct histogram {
	enum timed timed;
	int64_t cpu;		/* or the number of the thread */
	struct bin *bins;
	size_t nr;
	uint64_t total;
};

struct histograms {
	const char *input;
	const char *source;
	struct histogram *list;
	size_t nr;
	int64_t unit;		/* in ns; the tool rounds latencies down to a multiple */
	int64_t bin_width;	/* in units; 0: not known */
};

extern struct histograms all;

/*
 * Add a histogram. The pointer is valid until the next call; die() if this CPU has one of this
 * kind.
 */
struct histogram *add_histogram(enum timed timed, int64_t cpu);

/* Add COUNT samples that are at least LOW and less than HIGH, in units. */
void add_bin(struct histogram *histogram, int64_t low, int64_t high, uint64_t count);

/* Add OVER samples at FROM or above. MAX is their maximum; below 0: no maximum is stated. */
void add_over(struct histogram *histogram, int64_t from, int64_t max, uint64_t over);

/* Add COUNT samples of which only the minimum and the maximum are known. */
void add_range(struct histogram *histogram, int64_t min, int64_t max, uint64_t count);

/*
 * Limit the bins to the stated MIN and MAX, in units; below 0: not stated. die() if samples are outside of them, or if no
 * sample can be one of them.
 */
void stated_extremes(struct histogram *histogram, int64_t min, int64_t max);

/* Write the caveat that cyclictest held /dev/cpu_dma_latency at US. */
void held_at(int64_t us);

/* Set the unit to NS, which the input states; die() if the user has named another one. */
void stated_unit(int64_t ns);

/* Write a line for run.tsv: a fact, or the mean that the tool states for HISTOGRAM. */
void fact(const char *key, const char *value);
void stated_mean(const struct histogram *histogram, int64_t ns);
/* Set the source to NAME, unless the user has named one. */
void default_source(const char *name);

/* Parse a count or a latency: digits only, leading zeros too. */
bool parse_whole(const char *text, int64_t *v);

/* histogram-json.c, histogram-text.c: read all of the input. read_text() changes TEXT. */
void read_json(const char *text);
void read_text(char *text);

#endif
