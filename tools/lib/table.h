/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables in memory: named columns, and rows of cells. A cell is text, so its digits are never
 * changed.
 */
#ifndef WAKELAT_TABLE_H
#define WAKELAT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct table {
	char **columns;
	size_t nr_columns;
	/* Where each cell begins in TEXT; the cells of a row follow each other. */
	size_t *cells;
	size_t nr_cells, room;
	char *text;
	size_t used, text_room;
	bool complete;		/* table_set(): the first row is complete, and so are the columns */
};

/* Add a column. All columns come before the first cell. */
void table_column(struct table *table, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Add the columns of a list, separated by blanks. */
void table_columns(struct table *table, const char *names);

/* Add a cell to the last row, or begin the next row if that row is complete. */
void table_put(struct table *table, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Add a cell to the last row. In the first row, also add its column NAME. */
void table_set(struct table *table, const char *name, const char *fmt,
	       ...) __attribute__((format(printf, 3, 4)));
/* Add NR cells "-", for absent values. */
void table_absent(struct table *table, size_t nr);
/* Append text to the last cell. */
void table_append(struct table *table, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* End a row that table_set() has made. */
void table_end_row(struct table *table);

size_t table_rows(const struct table *table);

/* Return the place of a column; TABLE_NONE if it is not there. */
#define TABLE_NONE ((size_t)-1)
size_t table_find(const struct table *table, const char *column);

/* Return a cell. It is valid until the table gets another cell. */
const char *table_cell(const struct table *table, size_t row, size_t column);
/* Return a cell by the name of its column; NULL if the table has no such column. */
const char *table_get(const struct table *table, size_t row, const char *column);

/* Read a file; die() if it is not a table. */
void table_read(struct table *table, const char *name);

/* Show a table as lines of cells that are separated by TABs. */
void table_tsv(const struct table *table, FILE *out);

void table_free(struct table *table);

#endif
