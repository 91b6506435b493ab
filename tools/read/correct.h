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
#include "runs.h"
#include "sample.h"

struct correct {
	struct runs *runs;
	const char *trace;		/* the name of the file */

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
 * Find the fields to correct in the file TRACE of the recording with these RUNS. Return false if no sample can have a part
 * wakelat_clock.
 */
bool correct_find(struct correct *correct, const struct sample_event *sample, const struct parts *parts, struct runs *runs,
		  const char *trace);

/*
 * Return RECORD, or a corrected copy that is valid until the next call. The caller must have called
 * parts_join() for RECORD.
 */
const struct tep_record *correct_sample(struct correct *correct, const struct sample_event *sample,
					const struct parts *parts, const struct tep_record *record);

#endif
