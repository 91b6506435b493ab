// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "trace-tsv.h"

/* The text of a cell, which is kept while the value in the records is the same. */
struct text_cell {
	bool kept;
	uint64_t value;
	char *text;
	size_t size;
};

struct rows {
	struct reader *reader;
	struct text_cell *cells;
	size_t *wanted, nr_wanted;	/* the columns that were looked up */
	bool begun;
};

/* Set *VALUE to what the text of a cell depends on. Return false if this is more than a number. */
static bool value_of(const struct sample_table *table, const struct column *column, uint64_t *value)
{
	const struct event_text *source = &table->sample.source;

	if (column_is_number(column))
		return sample_table_number(table, column, value);
	if (column->cell == CELL_SOURCE && source->size) {
		if (source->size > 8 || source->offset + source->size > table->record->size)
			return false;
		*value = 0;
		memcpy(value, (const char *)table->record->data + source->offset, source->size);
		return true;
	}
	return !table->taint && event_has(&column->field->field) && sample_value(column->field, table->record, false, value);
}

static void put_cell(const struct rows *rows, struct tsv *tsv, size_t i)
{
	const struct sample_table *table = &rows->reader->table;
	const struct column *column = &table->columns[i];
	struct text_cell *cell = &rows->cells[i];
	uint64_t value;
	bool known = value_of(table, column, &value);

	if (cell->kept && known && value == cell->value)
		return;
	/* The names in the next trace may be longer. */
	if (cell->size < table->row_size)
		cell->text = xrealloc(cell->text, cell->size = table->row_size, 1);
	tsv->cells[i] = (struct tsv_cell) { cell->text, sample_table_put(cell->text, table, column) };
	cell->kept = known;
	cell->value = value;
}

/* Find the columns that were looked up before the first row. */
static void find_wanted(struct rows *rows, const struct tsv *tsv)
{
	rows->wanted = xrealloc(NULL, tsv->nr_columns, sizeof(*rows->wanted));
	for (size_t i = 0; i < tsv->nr_columns; i++)
		if (tsv->looked_up[i])
			rows->wanted[rows->nr_wanted++] = i;
	rows->begun = true;
}

static bool next(struct tsv *tsv)
{
	struct rows *rows = tsv->rows_of;
	const char *trace = rows->reader->trace_name;

	if (!rows->begun)
		find_wanted(rows, tsv);
	if (!reader_next(rows->reader))
		return false;
	tsv->line++;
	/* Another trace may have other names for the same values. */
	for (size_t i = 0; i < rows->nr_wanted && rows->reader->trace_name != trace; i++)
		rows->cells[rows->wanted[i]].kept = false;
	for (size_t i = 0; i < rows->nr_wanted; i++)
		put_cell(rows, tsv, rows->wanted[i]);
	return true;
}

static bool number(const struct tsv *tsv, size_t column, int64_t *value)
{
	const struct sample_table *table = &((const struct rows *)tsv->rows_of)->reader->table;
	uint64_t number;

	if (!column_is_number(&table->columns[column]))
		die("%s: %s is not a number", tsv->name, tsv->header[column]);
	if (!sample_table_number(table, &table->columns[column], &number))
		return false;
	if (number > INT64_MAX && !column_is_signed(&table->columns[column]))
		die("%s: sample %" PRIu64 ": %s: '%" PRIu64 "' is not an integer of 64 bits", tsv->name, tsv->line,
		    tsv->header[column], number);
	*value = number;
	return true;
}

void trace_tsv_open(struct tsv *tsv, struct reader *reader, const char *run_tsv, const char *const *inputs, size_t nr)
{
	static const struct tsv_rows functions = { next, number };
	struct rows *rows = xrealloc(NULL, 1, sizeof(*rows));
	char **header;

	reader_open(reader, run_tsv, true, inputs, nr);
	header = xrealloc(NULL, reader->nr_names, sizeof(*header));
	for (size_t i = 0; i < reader->nr_names; i++)
		header[i] = xstrdup(reader->names[i]);
	*rows = (struct rows) { .reader = reader, .cells = calloc(reader->nr_names, sizeof(*rows->cells)) };
	if (!rows->cells)
		die("out of memory");
	tsv_open_rows(tsv, inputs[nr - 1], header, reader->nr_names, &functions, rows);
}
