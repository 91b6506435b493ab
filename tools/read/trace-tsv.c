// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "trace-tsv.h"

/* What the text of a cell depends on: a number, or the name of a source. */
struct cell_value {
	uint64_t part[2];
};

/* The text of a cell, which is kept while the value in the records is the same. */
struct text_cell {
	bool kept;
	struct cell_value value;
	char *text;
	size_t size;
};

/* How many kinds of rows are told apart, and a number larger than that for their table, a power of 2. */
#define MOST_KINDS 1024
#define KIND_SLOTS 4096

struct rows {
	struct reader *reader;
	struct text_cell *cells;
	size_t *wanted, nr_wanted;	/* the columns that were looked up */
	bool begun;
	/* Rows with the same values in the wanted columns: KINDS has NR_WANTED values for each. SLOTS: the number of the kind; 0: free */
	struct cell_value *kinds;
	uint32_t nr_kinds, kind, slots[KIND_SLOTS];
};

/* Set *VALUE. Return false if the text of the cell depends on more. */
static bool value_of(const struct sample_table *table, const struct column *column, struct cell_value *value)
{
	const struct event_text *source = &table->sample.source;

	*value = (struct cell_value) { 0 };
	if (column_is_number(column))
		return sample_table_number(table, column, &value->part[0]);
	if (column->cell == CELL_SOURCE && table->sample.source_name)
		return true;
	if (column->cell == CELL_SOURCE && source->size) {
		if ((size_t)source->size > sizeof(*value) || source->offset + source->size > table->record->size)
			return false;
		memcpy(value, (const char *)table->record->data + source->offset, source->size);
		return true;
	}
	return !table->taint && event_has(&column->field->field) &&
		sample_value(column->field, table->record, false, &value->part[0]);
}

/* Set the cell of a column. Return false if its text has changed. */
static bool put_cell(const struct rows *rows, struct tsv *tsv, size_t i)
{
	const struct sample_table *table = &rows->reader->table;
	const struct column *column = &table->columns[i];
	struct text_cell *cell = &rows->cells[i];
	struct cell_value value;
	bool known = value_of(table, column, &value);

	if (cell->kept && known && !memcmp(&value, &cell->value, sizeof(value)))
		return true;
	/* The names in the next trace may be longer. */
	if (cell->size < table->row_size)
		cell->text = xrealloc(cell->text, cell->size = table->row_size, 1);
	tsv->cells[i] = (struct tsv_cell) { cell->text, sample_table_put(cell->text, table, column) };
	cell->kept = known;
	cell->value = value;
	return false;
}

/* Return the number of the current row's kind, adding it if it is new; 0 if there are too many, or a value is not known. */
static uint32_t find_kind(struct rows *rows)
{
	struct cell_value values[rows->nr_wanted];
	uint64_t hash = 0;

	for (size_t i = 0; i < rows->nr_wanted; i++) {
		const struct text_cell *cell = &rows->cells[rows->wanted[i]];

		if (!cell->kept)
			return 0;
		values[i] = cell->value;
		hash = (hash ^ values[i].part[0] ^ values[i].part[1] << 1) * 0x9e3779b97f4a7c15;
	}
	for (size_t slot = hash >> 52; ; slot = (slot + 1) % KIND_SLOTS) {
		uint32_t kind = rows->slots[slot];

		if (kind && !memcmp(rows->kinds + (kind - 1) * rows->nr_wanted, values, sizeof(values)))
			return kind;
		if (kind)
			continue;
		if (rows->nr_kinds == MOST_KINDS)
			return 0;
		memcpy(rows->kinds + rows->nr_kinds * rows->nr_wanted, values, sizeof(values));
		return rows->slots[slot] = ++rows->nr_kinds;
	}
}

static uint32_t kind(const struct tsv *tsv)
{
	return ((const struct rows *)tsv->rows_of)->kind;
}

/* Find the columns that were looked up before the first row. */
static void find_wanted(struct rows *rows, const struct tsv *tsv)
{
	rows->wanted = xrealloc(NULL, tsv->nr_columns, sizeof(*rows->wanted));
	for (size_t i = 0; i < tsv->nr_columns; i++)
		if (tsv->looked_up[i])
			rows->wanted[rows->nr_wanted++] = i;
	rows->kinds = xrealloc(NULL, MOST_KINDS * rows->nr_wanted, sizeof(*rows->kinds));
	rows->begun = true;
}

/* Forget the texts and the kinds: another trace may have other names for the same values. */
static void forget(struct rows *rows)
{
	for (size_t i = 0; i < rows->nr_wanted; i++)
		rows->cells[rows->wanted[i]].kept = false;
	/* No kind is found again, and no new one is added. */
	memset(rows->slots, 0, sizeof(rows->slots));
	rows->nr_kinds = MOST_KINDS;
}

static bool next(struct tsv *tsv)
{
	struct rows *rows = tsv->rows_of;
	const char *trace = rows->reader->trace_name;
	bool same = true;

	if (!rows->begun)
		find_wanted(rows, tsv);
	if (!reader_next(rows->reader))
		return false;
	tsv->line++;
	if (rows->reader->trace_name != trace)
		forget(rows);
	for (size_t i = 0; i < rows->nr_wanted; i++)
		same &= put_cell(rows, tsv, rows->wanted[i]);
	if (!same)
		rows->kind = find_kind(rows);
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
	static const struct tsv_rows functions = { next, number, kind };
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
