/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Newer kernels record fewer fields of a sample. Here the other fields are computed and added to each record, so that all
 * recordings make tables with the same columns:
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

/* The default limit of every version of wakelat record. */
#define DERIVE_MAX_UNCERTAINTY_NS 5000

struct derive {
	int64_t clock_khz;		/* 0: not known */
	int64_t max_uncertainty_ns;
	uint64_t uncertain;		/* the bit in taint */
	int recorded;			/* size of a record without the added fields, in bytes */
	const struct sample_field *uncertainty;
	struct tep_record record;
};

/*
 * Add the fields to SAMPLE. Return false if SAMPLE has them, or lacks fields to compute them from.
 * CLOCK_KHZ and MAX_UNCERTAINTY_NS are from run.tsv; negative: unknown.
 */
bool derive_find(struct derive *derive, struct sample_event *sample, int64_t clock_khz, int64_t max_uncertainty_ns);

/* Return a copy of RECORD with the added fields, valid until the next call. */
const struct tep_record *derive_sample(struct derive *derive, const struct sample_event *sample,
				       const struct tep_record *record);

#endif
