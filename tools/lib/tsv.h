/* SPDX-License-Identifier: GPL-2.0 */
/* Read a table: a header line, then rows with as many cells. One TAB separates two cells. */
#ifndef WAKELAT_TSV_H
#define WAKELAT_TSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No table of wakelat exceeds these limits. They keep other files from using all memory. */
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
	/* The bytes from AT to FILLED are read, but not used yet. */
	char *buf;
	size_t size, at, filled;
	bool eof;
	/*
	 * The rows of a table that is not a text file (tsv_open_rows()). CELLS has only the columns that were looked up by
	 * tsv_column() or tsv_optional_column() before the first row, which set LOOKED_UP.
	 */
	const struct tsv_rows *rows;
	void *rows_of;
	bool *looked_up;
	/* A second reader, which gets each row when it has been read; NULL: none. */
	void (*tap)(const struct tsv *tsv, void *arg);
	void *tap_arg;
};

struct tsv_rows {
	/* Set tsv->cells to the next row. Return false at the end. */
	bool (*next)(struct tsv *tsv);
	/* Read an integer of the row; return false if it is absent, die() if it has more than 64 bits with its sign. */
	bool (*number)(const struct tsv *tsv, size_t column, int64_t *value);
	/* Return a small number that is the same for rows with the same CELLS; 0 if none is known. */
	uint32_t (*kind)(const struct tsv *tsv);
};

/* NAME "-" is standard input. On errors these die() with file and line. */
void tsv_open(struct tsv *tsv, const char *name);
bool tsv_next_row(struct tsv *tsv);
void tsv_close(struct tsv *tsv);

/* Open a table with this HEADER, which tsv_close() frees. ROWS gets its rows from OF. */
void tsv_open_rows(struct tsv *tsv, const char *name, char **header, size_t nr_columns, const struct tsv_rows *rows, void *of);

size_t tsv_column(const struct tsv *tsv, const char *name);
/* TSV_ABSENT if there is no such column. */
#define TSV_ABSENT SIZE_MAX
size_t tsv_optional_column(const struct tsv *tsv, const char *name);
/* The same for a column of which only tsv_s64() reads cells. */
size_t tsv_number_column(const struct tsv *tsv, const char *name);
size_t tsv_optional_number_column(const struct tsv *tsv, const char *name);

/* Return false if the cell is "-" (absent); die() if it is not a number. */
bool tsv_s64(const struct tsv *tsv, size_t column, int64_t *value);

static inline bool tsv_absent(const struct tsv *tsv, size_t column)
{
	const struct tsv_cell *cell = &tsv->cells[column];

	return cell->end - cell->start == 1 && *cell->start == '-';
}

/* True if TSV is a counts.tsv (Documentation/formats.md). */
bool tsv_is_counts(const struct tsv *tsv);

bool cell_is(const struct tsv_cell *cell, const char *text);

/* Return false unless the cell is a decimal integer that fits into *VALUE. */
bool cell_s64(const struct tsv_cell *cell, int64_t *value);

/* Return the cell's text, allocated. */
char *cell_copy(const struct tsv_cell *cell);

/* Return the cell at *AT in a row that ends at END. Move *AT to the next one, or to NULL. */
struct tsv_cell cell_next(const char **at, const char *end);

/* Return a cell with this TEXT, which must exist as long as the cell. */
struct tsv_cell cell_from(const char *text);

/* Split a comma-separated list, e.g. of column names. Return the number of strings in LIST. */
size_t split_list(const char *text, char ***list);

#endif
