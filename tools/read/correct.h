/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The launch time of a source with a clock of its own (its samples have a part wakelat_clock) is recorded as it was armed.
 * The event is later than that by what the device takes for it, as the facts of the recording say.
 */
#ifndef WAKELAT_CORRECT_H
#define WAKELAT_CORRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parts.h"
#include "sample.h"

#define CORRECT_STATES 32

struct correct_run {
	uint64_t run;
	bool has_dma;
	int64_t dma_ns, dma_error_ns;
};

struct correct {
	int64_t intr_offset_ns, clock_khz, max_uncertainty_ns;	/* -1: not known */
	const char *source;		/* NULL: not known */
	char *states[CORRECT_STATES];
	struct correct_run *runs;
	size_t nr_runs, last_run;

	/* Of the recording. */
	size_t clock;			/* the part wakelat_clock */
	const struct sample_field *ltime_gross, *tai_gross;
	const struct sample_field *ltime_cyc, *uncertainty;
	uint64_t uncertain;		/* the bit in taint */
	struct { size_t part; const struct sample_field *field; } *residencies;	/* of package states that sleep */
	size_t nr_residencies;
	bool seen;			/* a sample of run RUN had that part */
	uint64_t run;

	/* Of the last sample. */
	struct tep_record record;
	bool has_dma, has_gross;
	uint64_t dma;
	int64_t gross;
};

/* The facts, a line KEY TAB VALUE each, of FILE; die() if one is not what it should be. NULL: nothing is known. */
void correct_read(struct correct *correct, const char *file);

/* Is there anything to correct in such a recording? */
bool correct_find(struct correct *correct, const struct sample_event *sample, const struct parts *parts);

/* RECORD, a sample that was joined, or a copy that is corrected, until the next call. */
const struct tep_record *correct_sample(struct correct *correct, const struct sample_event *sample,
					const struct parts *parts, const struct tep_record *record);

#endif
