// SPDX-License-Identifier: GPL-2.0
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "number.h"
#include "tsv.h"

#define CHUNK (1 << 18)
/* What tabs_in() may read behind the last line. */
#define BEHIND 8

static void fill(struct tsv *tsv)
{
	ssize_t got;

	memmove(tsv->buf, tsv->buf + tsv->at, tsv->filled - tsv->at);
	tsv->filled -= tsv->at;
	tsv->at = 0;
	if (tsv->filled == tsv->size) {
		tsv->size += CHUNK;
		tsv->buf = xrealloc(tsv->buf, tsv->size + BEHIND, 1);
	}
	do {
		got = read(tsv->fd, tsv->buf + tsv->filled, tsv->size - tsv->filled);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		die("cannot read %s: %s", tsv->name, strerror(errno));
	tsv->eof = !got;
	tsv->filled += got;
}

/* Return the next line. LEN is its length without the line end. NULL at the end of the file. */
static char *next_line(struct tsv *tsv, size_t *len)
{
	size_t searched = 0;
	char *start, *newline;

	for (;;) {
		start = tsv->buf + tsv->at;
		newline = memchr(start + searched, '\n', tsv->filled - tsv->at - searched);
		if (newline)
			break;
		if (tsv->eof && tsv->at == tsv->filled)
			return NULL;
		searched = tsv->filled - tsv->at;
		if (searched > TSV_MAX_LINE)
			die("%s:%" PRIu64 ": a line of more than %d bytes", tsv->name, tsv->line + 1,
			    TSV_MAX_LINE);
		if (tsv->eof)
			die("%s:%" PRIu64 ": the last line is cut off", tsv->name, tsv->line + 1);
		fill(tsv);
	}
	*len = newline - start;
	tsv->at += *len + 1;
	tsv->line++;
	if (*len && newline[-1] == '\r')
		die("%s:%" PRIu64 ": the line ends in a carriage return (DOS line ends?)",
		    tsv->name, tsv->line);
	return start;
}

struct tsv_cell cell_next(const char **at, const char *end)
{
	const char *tab = memchr(*at, '\t', end - *at);
	struct tsv_cell cell = { *at, tab ? tab : end };

	*at = tab ? tab + 1 : NULL;
	return cell;
}

static void read_header(struct tsv *tsv)
{
	size_t len;
	const char *line = next_line(tsv, &len);

	if (!line)
		die("%s: empty file", tsv->name);
	for (const char *end = line + len; line; ) {
		struct tsv_cell cell = cell_next(&line, end);

		if (tsv->nr_columns == TSV_MAX_COLUMNS)
			die("%s:1: more than %d columns", tsv->name, TSV_MAX_COLUMNS);
		tsv->header = xrealloc(tsv->header, tsv->nr_columns + 1, sizeof(*tsv->header));
		tsv->header[tsv->nr_columns++] = cell_copy(&cell);
	}
	tsv->cells = xrealloc(NULL, tsv->nr_columns, sizeof(*tsv->cells));
}

void tsv_open(struct tsv *tsv, const char *name)
{
	*tsv = (struct tsv) { .name = name, .fd = STDIN_FILENO };
	if (strcmp(name, "-"))
		tsv->fd = open(name, O_RDONLY | O_CLOEXEC);
	if (tsv->fd < 0)
		die("%s: %s", name, strerror(errno));
	tsv->size = CHUNK;
	tsv->buf = xrealloc(NULL, tsv->size + BEHIND, 1);
	read_header(tsv);
}

void tsv_open_rows(struct tsv *tsv, const char *name, char **header, size_t nr_columns, const struct tsv_rows *rows, void *of)
{
	*tsv = (struct tsv) {
		.name = name, .fd = STDIN_FILENO, .header = header, .nr_columns = nr_columns, .rows = rows, .rows_of = of,
		.cells = calloc(nr_columns, sizeof(*tsv->cells)), .looked_up = calloc(nr_columns, sizeof(bool)),
	};
	if (!tsv->cells || !tsv->looked_up)
		die("out of memory");
}

/*
 * Return a number whose bytes have the top bit set where the eight bytes at P are a TAB. The first byte
 * is the lowest.
 */
static uint64_t tabs_in(const char *p)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7f;
	uint64_t bytes;

	memcpy(&bytes, p, sizeof(bytes));
	bytes = le64toh(bytes) ^ 0x0909090909090909;
	return ~(((bytes & low) + low) | bytes | low);
}

/* Find the cells of a line. Cells are short, so eight bytes at a time are faster than a memchr() for each. */
static void split_line(struct tsv *tsv, const char *line, const char *end)
{
	size_t column = 0;

	tsv->cells[0].start = line;
	for (const char *p = line; p < end; p += 8) {
		uint64_t tabs = tabs_in(p);

		if (end - p < 8)
			tabs &= (1ULL << 8 * (end - p)) - 1;
		for (; tabs; tabs &= tabs - 1) {
			const char *tab = p + __builtin_ctzll(tabs) / 8;

			tsv->cells[column].end = tab;
			if (++column == tsv->nr_columns)
				die("%s:%" PRIu64 ": more than the %zu columns of the header",
				    tsv->name, tsv->line, tsv->nr_columns);
			tsv->cells[column].start = tab + 1;
		}
	}
	tsv->cells[column++].end = end;
	if (column != tsv->nr_columns)
		die("%s:%" PRIu64 ": %zu columns, but %zu in the header", tsv->name, tsv->line,
		    column, tsv->nr_columns);
}

static bool next_text_row(struct tsv *tsv)
{
	size_t len;
	const char *line = next_line(tsv, &len);

	if (line)
		split_line(tsv, line, line + len);
	return line;
}

bool tsv_next_row(struct tsv *tsv)
{
	if (!(tsv->rows ? tsv->rows->next(tsv) : next_text_row(tsv)))
		return false;
	if (tsv->tap)
		tsv->tap(tsv, tsv->tap_arg);
	return true;
}

void tsv_close(struct tsv *tsv)
{
	for (size_t i = 0; i < tsv->nr_columns; i++)
		free(tsv->header[i]);
	free(tsv->header);
	free(tsv->cells);
	free(tsv->buf);
	free(tsv->looked_up);
	if (tsv->fd != STDIN_FILENO)
		close(tsv->fd);
}

size_t tsv_optional_number_column(const struct tsv *tsv, const char *name)
{
	size_t found = TSV_ABSENT;

	for (size_t i = 0; i < tsv->nr_columns; i++) {
		if (strcmp(tsv->header[i], name))
			continue;
		if (found != TSV_ABSENT)
			die("%s:1: two columns named %s", tsv->name, name);
		found = i;
	}
	return found;
}

size_t tsv_optional_column(const struct tsv *tsv, const char *name)
{
	size_t found = tsv_optional_number_column(tsv, name);

	if (tsv->looked_up && found != TSV_ABSENT)
		tsv->looked_up[found] = true;
	return found;
}

static size_t must_have(const struct tsv *tsv, const char *name, size_t column)
{
	if (column == TSV_ABSENT)
		die("%s:1: no column %s", tsv->name, name);
	return column;
}

size_t tsv_column(const struct tsv *tsv, const char *name)
{
	return must_have(tsv, name, tsv_optional_column(tsv, name));
}

size_t tsv_number_column(const struct tsv *tsv, const char *name)
{
	return must_have(tsv, name, tsv_optional_number_column(tsv, name));
}

bool tsv_s64(const struct tsv *tsv, size_t column, int64_t *value)
{
	const struct tsv_cell *cell = &tsv->cells[column];

	if (tsv->rows)
		return tsv->rows->number(tsv, column, value);
	if (tsv_absent(tsv, column))
		return false;
	if (!cell_s64(cell, value))
		die("%s:%" PRIu64 ": %s: '%.*s' is not an integer of 64 bits", tsv->name, tsv->line,
		    tsv->header[column], (int)(cell->end - cell->start), cell->start);
	return true;
}

bool tsv_is_counts(const struct tsv *tsv)
{
	return tsv_optional_column(tsv, "kind") != TSV_ABSENT && tsv_optional_column(tsv, "count") != TSV_ABSENT;
}

bool cell_is(const struct tsv_cell *cell, const char *text)
{
	size_t len = cell->end - cell->start;

	return strlen(text) == len && !memcmp(cell->start, text, len);
}

bool cell_s64(const struct tsv_cell *cell, int64_t *value)
{
	return parse_s64(cell->start, cell->end, value);
}

char *cell_copy(const struct tsv_cell *cell)
{
	return xprintf("%.*s", (int)(cell->end - cell->start), cell->start);
}

struct tsv_cell cell_from(const char *text)
{
	return (struct tsv_cell) { text, text + strlen(text) };
}

size_t split_list(const char *text, char ***list)
{
	size_t nr = 0, len;

	for (*list = NULL; ; text += len + 1) {
		len = strcspn(text, ",");
		*list = xrealloc(*list, nr + 1, sizeof(**list));
		(*list)[nr++] = xprintf("%.*s", (int)len, text);
		if (!text[len])
			return nr;
	}
}
