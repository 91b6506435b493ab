/* SPDX-License-Identifier: GPL-2.0 */
/* The columns of samples.tsv, and their cells for a sample of a trace.dat. */
#ifndef WAKELAT_SAMPLE_TABLE_H
#define WAKELAT_SAMPLE_TABLE_H

#include "correct.h"
#include "derive.h"
#include "number.h"
#include "parts.h"
#include "runs.h"
#include "sample.h"

enum cell {
	CELL_NUMBER, CELL_PART, CELL_COUNT, CELL_CPU, CELL_SOURCE, CELL_IRQS_ON, CELL_TAINT, CELL_UNKNOWN, CELL_EVENT,
	CELL_DMA, CELL_WAKE_GROSS, CELL_INTR_GROSS, CELL_RUN, CELL_SEQ,
};

struct column {
	enum cell cell;
	const char *name;
	const struct sample_field *field;
	size_t part;
	uint64_t unknown;	/* of a CELL_COUNT: the bit in `unknown` for "not counted" */
};

/* RENUMBERED: a row has the run's number in run.tsv, its event number there, and the taints of its run. */
struct sample_table {
	struct sample_event sample;
	struct parts parts;
	struct correct correct;
	bool corrects;
	struct derive derive;
	bool derives;
	bool renumbered;
	struct column *columns;
	size_t nr;
	size_t row_size;	/* the largest size of a row, in bytes */

	/* The current row. */
	const struct tep_record *record;
	bool irqs_on;
	uint64_t run, seq;
	const char *taint;	/* of the run; NULL: none */
};

/* Find the columns of the file TRACE. INPUT is its path. */
void sample_table_make(struct sample_table *table, struct tep_handle *tep, const char *input, struct runs *runs,
		       const char *trace, bool renumbered);

/* Take a sample as the current row. */
void sample_table_take(struct sample_table *table, const struct tep_record *record);

/* Write a cell of the current row at P, and return its end. Write no NUL. */
char *sample_table_put(char *p, const struct sample_table *table, const struct column *column);

/* Return true if cells of COLUMN are numbers, or absent. */
static inline bool column_is_number(const struct column *column)
{
	return column->cell != CELL_SOURCE && column->cell != CELL_TAINT && column->cell != CELL_UNKNOWN &&
		column->cell != CELL_EVENT;
}

/* Return true if the numbers of COLUMN are signed. */
static inline bool column_is_signed(const struct column *column)
{
	return column->cell == CELL_WAKE_GROSS || column->cell == CELL_INTR_GROSS ||
		(column->field && column->field->field.is_signed);
}

/* Read a number of the current row. Return false if it is absent. */
bool sample_table_other_number(const struct sample_table *table, const struct column *column, uint64_t *value);

/* Inline for speed: nearly all cells are numbers of the sample. */
static inline bool sample_table_number(const struct sample_table *table, const struct column *column, uint64_t *value)
{
	if (column->cell == CELL_NUMBER)
		return sample_value(column->field, table->record, table->irqs_on, value);
	return sample_table_other_number(table, column, value);
}

#endif
