// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "message.h"
#include "tally.h"

static struct tally_row *row_of(struct tally *tally, uint64_t run, uint64_t cpu)
{
	struct tally_row *row;

	/* Begin with the row of the last call: it is nearly always the right one. */
	for (size_t i = 0; i < tally->nr; i++) {
		size_t at = (tally->last + i) % tally->nr;

		row = &tally->rows[at];
		if (row->run == run && row->cpu == cpu) {
			tally->last = at;
			return row;
		}
	}
	tally->rows = xrealloc(tally->rows, tally->nr + 1, sizeof(*tally->rows));
	row = &tally->rows[tally->nr++];
	*row = (struct tally_row) { .run = run, .cpu = cpu };
	return row;
}

void tally_sample(struct tally *tally, uint64_t run, uint64_t cpu)
{
	row_of(tally, run, cpu)->seen++;
	tally->seen++;
}

void tally_end(struct tally *tally, uint64_t run, uint64_t cpu, uint64_t samples)
{
	struct tally_row *row = row_of(tally, run, cpu);

	row->counted += samples;
	row->ended = true;
}

char *tally_complaint(const struct tally *tally)
{
	const struct tally_row *first = NULL;
	uint64_t missing = 0;

	for (size_t i = 0; i < tally->nr; i++) {
		const struct tally_row *row = &tally->rows[i];

		if (!row->ended)
			return xprintf("run %" PRIu64 " on CPU %" PRIu64
				       " has no end event, so the recording stops before the run does",
				       row->run, row->cpu);
		if (row->seen > row->counted)
			return xprintf("run %" PRIu64 " on CPU %" PRIu64 " has %" PRIu64
				       " samples where the kernel counted %" PRIu64,
				       row->run, row->cpu, row->seen, row->counted);
		missing += row->counted - row->seen;
		if (!first && row->counted != row->seen)
			first = row;
	}
	if (!first)
		return NULL;
	return xprintf("%" PRIu64 " samples are missing from the recording (run %" PRIu64
		       " on CPU %" PRIu64 " has %" PRIu64 " of %" PRIu64 ")",
		       missing, first->run, first->cpu, first->seen, first->counted);
}
