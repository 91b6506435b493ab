/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Newer kernels record fewer fields of a sample. Those that follow from the others are added to each record here, so that
 * all recordings make tables with the same columns:
 *
 *	ltime = tbi + silent_time, tai = ltime + wake_latency, tintr = ltime + intr_latency
 *	NAME_cyc = the same in cycles of the clock of the stamps, if its rate is known
 *	taint uncertain, if uncertainty is above the limit of the recording
 */
#ifndef WAKELAT_DERIVE_H
#define WAKELAT_DERIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "sample.h"

/* The limit that wakelat record has had in every version. */
#define DERIVE_MAX_UNCERTAINTY_NS 5000

struct derive {
	int64_t clock_khz;		/* 0: not known */
	int64_t max_uncertainty_ns;
	uint64_t uncertain;		/* the bit in taint */
	int recorded;			/* bytes of a record before what is added */
	const struct sample_field *uncertainty;
	struct tep_record record;
};

/* Add the fields to SAMPLE; false if it has them already. CLOCK_KHZ, MAX_UNCERTAINTY_NS: as run.tsv has them, or negative. */
bool derive_find(struct derive *derive, struct sample_event *sample, int64_t clock_khz, int64_t max_uncertainty_ns);

/* A copy of RECORD with the fields, until the next call. */
const struct tep_record *derive_sample(struct derive *derive, const struct sample_event *sample,
				       const struct tep_record *record);

#endif
