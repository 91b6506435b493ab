/* SPDX-License-Identifier: GPL-2.0 */
/* Whether the CPU reached the requested idle state, by the state's residency counter. */
#ifndef WAKELAT_REACHED_H
#define WAKELAT_REACHED_H

#include "tsv.h"

struct reached {
	char *state_column;
	char **states;		/* values of this column */
	char **counters;	/* for each of STATES, the column of its counter */
	size_t nr;
	size_t state_at, *counters_at;
};

/* Parse "COLUMN:STATE=COUNTER,...". */
void reached_parse(struct reached *reached, const char *text);
void reached_find_columns(struct reached *reached, const struct tsv *tsv);

/* Return "yes" or "no" for the current row, "-" if there is no counter or no value. */
const char *reached_word(const struct reached *reached, const struct tsv *tsv);

#endif
