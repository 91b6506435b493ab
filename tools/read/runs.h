/* SPDX-License-Identifier: GPL-2.0 */
/* What the run.tsv of a recording says of its traces: of each run, and for the correction of launch times. */
#ifndef WAKELAT_RUNS_H
#define WAKELAT_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUNS_STATES 32

/* A run. It has the numbers FIRST, FIRST + 1, ... in its trace, one for each step of a sweep. */
struct run {
	uint64_t number;		/* in run.tsv */
	const char *trace;		/* the name of its file; NULL: trace.dat */
	uint64_t first, steps;
	bool is_sweep, warmup, clock;
	int64_t dma_ns;			/* -1: not known */
	int64_t dma_error_ns;
};

struct runs {
	struct run *list;
	size_t nr, room, last;
	int64_t intr_offset_ns, clock_khz, max_uncertainty_ns;	/* -1: not known */
	const char *source;		/* NULL: not known */
	char *states[RUNS_STATES];	/* names; NULL: not known */
	bool target;			/* the card does not fetch from memory */
	/*
	 * The recording was resumed, so it has several traces, or its runs have other numbers or taints than in the traces.
	 */
	bool differ;
};

/* Read run.tsv FILE; die() if a value is invalid. If FILE is NULL, nothing is known. */
void runs_read(struct runs *runs, const char *file);

/* Return the run that has NUMBER in the file TRACE; NULL if run.tsv has no such run. */
const struct run *runs_find(struct runs *runs, const char *trace, uint64_t number);

#endif
