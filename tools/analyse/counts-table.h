/* SPDX-License-Identifier: GPL-2.0 */
/* Check that a counts.tsv (Documentation/formats.md) is consistent. On an error, all functions die() with file and line. */
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

/* Check the current row: its kind must be known, and its column high must fit the kind. */
void counts_table_row(struct counts_table *table, const struct tsv *tsv);

/* Call this after the last row: there must not be more values than samples. */
void counts_table_end(const struct counts_table *table, const struct tsv *tsv);

#endif
