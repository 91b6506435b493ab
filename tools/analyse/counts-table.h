/* SPDX-License-Identifier: GPL-2.0 */
/* Does a counts.tsv (Documentation/formats.md) agree with itself? All of these die() with file and line. */
#ifndef WAKELAT_COUNTS_TABLE_H
#define WAKELAT_COUNTS_TABLE_H

#include <stdbool.h>

#include "groups.h"
#include "tsv.h"

struct counts_table {
	/* source, state, reached, cpu, taint and metric, then kind, count and high. */
	size_t at[9];
	bool has_high;
	struct groups samples, values;
};

void counts_table_begin(struct counts_table *table, const struct tsv *tsv);

/* Look at the current row: is it of a kind that there is, and does high belong to it? */
void counts_table_row(struct counts_table *table, const struct tsv *tsv);

/* After the last row: are no more values there than samples? */
void counts_table_end(const struct counts_table *table, const struct tsv *tsv);

#endif
