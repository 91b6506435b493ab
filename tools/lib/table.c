// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "table.h"
#include "tsv.h"

void table_column(struct table *table, const char *fmt, ...)
{
	va_list ap;

	table->columns = xrealloc(table->columns, table->nr_columns + 1, sizeof(*table->columns));
	va_start(ap, fmt);
	if (vasprintf(&table->columns[table->nr_columns++], fmt, ap) < 0)
		die("out of memory");
	va_end(ap);
}

void table_columns(struct table *table, const char *names)
{
	while (*names) {
		size_t len = strcspn(names, " ");

		table_column(table, "%.*s", (int)len, names);
		names += len + (names[len] == ' ');
	}
}

/* Append formatted text and its NUL to the table's text. */
static void add_text(struct table *table, const char *fmt, va_list ap)
{
	va_list again;
	int len;

	va_copy(again, ap);
	len = vsnprintf(table->text ? table->text + table->used : NULL,
			table->text_room - table->used, fmt, ap);
	if (len < 0)
		die("out of memory");
	if (table->used + len >= table->text_room) {
		table->text_room = 2 * (table->text_room + len) + 64;
		table->text = xrealloc(table->text, table->text_room, 1);
		vsnprintf(table->text + table->used, table->text_room - table->used, fmt, again);
	}
	va_end(again);
	table->used += len + 1;
}

void table_put(struct table *table, const char *fmt, ...)
{
	va_list ap;

	table->cells = xgrow(table->cells, table->nr_cells, &table->room, sizeof(*table->cells));
	table->cells[table->nr_cells++] = table->used;
	va_start(ap, fmt);
	add_text(table, fmt, ap);
	va_end(ap);
}

void table_set(struct table *table, const char *name, const char *fmt, ...)
{
	va_list ap;

	if (!table->complete)
		table_column(table, "%s", name);
	table->cells = xgrow(table->cells, table->nr_cells, &table->room, sizeof(*table->cells));
	table->cells[table->nr_cells++] = table->used;
	va_start(ap, fmt);
	add_text(table, fmt, ap);
	va_end(ap);
}

void table_end_row(struct table *table)
{
	table->complete = true;
}

void table_append(struct table *table, const char *fmt, ...)
{
	va_list ap;

	table->used--;
	va_start(ap, fmt);
	add_text(table, fmt, ap);
	va_end(ap);
}

void table_absent(struct table *table, size_t nr)
{
	while (nr--)
		table_put(table, "-");
}

size_t table_rows(const struct table *table)
{
	return table->nr_columns ? table->nr_cells / table->nr_columns : 0;
}

size_t table_find(const struct table *table, const char *column)
{
	for (size_t i = 0; i < table->nr_columns; i++)
		if (!strcmp(table->columns[i], column))
			return i;
	return TABLE_NONE;
}

const char *table_cell(const struct table *table, size_t row, size_t column)
{
	return table->text + table->cells[row * table->nr_columns + column];
}

const char *table_get(const struct table *table, size_t row, const char *column)
{
	size_t at = table_find(table, column);

	return at == TABLE_NONE ? NULL : table_cell(table, row, at);
}

void table_read(struct table *table, const char *name)
{
	struct tsv tsv;

	*table = (struct table) { 0 };
	tsv_open(&tsv, name);
	for (size_t i = 0; i < tsv.nr_columns; i++)
		table_column(table, "%s", tsv.header[i]);
	while (tsv_next_row(&tsv))
		for (size_t i = 0; i < tsv.nr_columns; i++)
			table_put(table, "%.*s", (int)(tsv.cells[i].end - tsv.cells[i].start),
				  tsv.cells[i].start);
	tsv_close(&tsv);
}

void table_tsv(const struct table *table, FILE *out)
{
	for (size_t i = 0; i < table->nr_columns; i++)
		fprintf(out, "%s%c", table->columns[i], i + 1 < table->nr_columns ? '\t' : '\n');
	for (size_t i = 0; i < table->nr_cells; i++) {
		fputs(table->text + table->cells[i], out);
		putc((i + 1) % table->nr_columns ? '\t' : '\n', out);
	}
}

void table_free(struct table *table)
{
	for (size_t i = 0; i < table->nr_columns; i++)
		free(table->columns[i]);
	free(table->columns);
	free(table->cells);
	free(table->text);
	*table = (struct table) { 0 };
}
