/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a table: a header line, then rows of as many cells, all separated by one TAB. */
#ifndef WAKELAT_TSV_H
#define WAKELAT_TSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of any table of ours; what has more is an error, not all of the memory. */
#define TSV_MAX_LINE (1 << 16)
#define TSV_MAX_COLUMNS 2048

struct tsv_cell {
	const char *start;
	const char *end;
};

struct tsv {
	const char *name;
	int fd;
	uint64_t line;
	char **header;
	size_t nr_columns;
	struct tsv_cell *cells;	/* of the current row; valid until the next one */
	/* Of what was read, [at, filled) is not yet used. */
	char *buf;
	size_t size, at, filled;
	bool eof;
};

/* NAME "-" is the standard input. All of these die() with file and line. */
void tsv_open(struct tsv *tsv, const char *name);
bool tsv_next_row(struct tsv *tsv);
void tsv_close(struct tsv *tsv);

size_t tsv_column(const struct tsv *tsv, const char *name);
/* TSV_ABSENT if there is no such column. */
#define TSV_ABSENT SIZE_MAX
size_t tsv_optional_column(const struct tsv *tsv, const char *name);

/* False when the cell is "-", absent. */
bool tsv_s64(const struct tsv *tsv, size_t column, int64_t *value);

static inline bool tsv_absent(const struct tsv *tsv, size_t column)
{
	const struct tsv_cell *cell = &tsv->cells[column];

	return cell->end - cell->start == 1 && *cell->start == '-';
}

/* Is it a counts.tsv (Documentation/formats.md)? */
bool tsv_is_counts(const struct tsv *tsv);

bool cell_is(const struct tsv_cell *cell, const char *text);

/* A comma-separated list as an array of strings, e.g. of column names. */
size_t split_list(const char *text, char ***list);

#endif
