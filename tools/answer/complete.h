/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WAKELAT_COMPLETE_H
#define WAKELAT_COMPLETE_H

#include "answer.h"
#include "source.h"

/*
 * Say which samples are missing, and set Q->incomplete if any are. ROWS has the numbers of samples of each run and CPU. USED says what
 * is done with the others: judged.
 */
void check_complete(struct question *q, const struct facts *facts, const struct source *source, const struct table *rows, const char *used);

#define MOST_KNOWN 1025

/* The numbers of rows of each run and CPU. */
struct row_counts {
	size_t at[2];
	struct groups groups;
	uint64_t *known[MOST_KNOWN];	/* by tsv_rows.kind() */
};

/* Begin before the first row is read, count each row, and make the table for check_complete(). */
void rows_begin(struct row_counts *rows, const struct tsv *tsv);
void rows_count(struct row_counts *rows, const struct tsv *tsv);
void rows_table(const struct row_counts *rows, struct table *out);

#endif
