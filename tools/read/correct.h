/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Correct the launch times of a source that has its own clock, such as a network card. Its samples have a part
 * wakelat_clock (parts.h). The recorded launch time is the time for which the event was armed. The device causes the
 * event later. The facts of the recording (run.tsv) say how much later.
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

	/* For the whole recording. */
	size_t clock;			/* index of the part wakelat_clock */
	const struct sample_field *ltime_gross, *tai_gross;
	const struct sample_field *ltime_cyc, *uncertainty;
	uint64_t uncertain;		/* the bit in taint */
	struct { size_t part; const struct sample_field *field; } *residencies;	/* of states in which the package sleeps */
	size_t nr_residencies;
	bool seen;			/* a sample of run RUN had the part wakelat_clock */
	uint64_t run;

	/* For the last sample. */
	struct tep_record record;
	bool has_dma, has_gross;
	uint64_t dma;
	int64_t gross;
};

/*
 * Read the facts from FILE, lines of KEY TAB VALUE; die() if a value is invalid. If FILE is NULL,
 * nothing is known.
 */
void correct_read(struct correct *correct, const char *file);

/* Find the fields to correct. Return false if no sample can have a part wakelat_clock. */
bool correct_find(struct correct *correct, const struct sample_event *sample, const struct parts *parts);

/*
 * Return RECORD, or a corrected copy that is valid until the next call. The caller must have called
 * parts_join() for RECORD.
 */
const struct tep_record *correct_sample(struct correct *correct, const struct sample_event *sample,
					const struct parts *parts, const struct tep_record *record);

#endif
