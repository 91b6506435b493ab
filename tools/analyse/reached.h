/* SPDX-License-Identifier: GPL-2.0 */
/* Did the CPU reach the idle state that it was asked for? Its residency counter says. */
#ifndef WAKELAT_REACHED_H
#define WAKELAT_REACHED_H

#include "tsv.h"

struct reached {
	char *state_column;
	char **states;		/* by value of that column... */
	char **counters;	/* ...the column of its counter */
	size_t nr;
	size_t state_at, *counters_at;
};

/* From "COLUMN:STATE=COUNTER,..." */
void reached_parse(struct reached *reached, const char *text);
void reached_find_columns(struct reached *reached, const struct tsv *tsv);

/* Of the current row: "yes", "no", "-" where no counter tells. */
const char *reached_word(const struct reached *reached, const struct tsv *tsv);

#endif
