// SPDX-License-Identifier: GPL-2.0
/*
 * check-tables - check that the tables of a recording are safe input for awk, gnuplot and report pages.
 *
 * Another user may have made the recording. No other program repeats these checks.
 *
 * A table must be a regular file of limited size, with lines of limited length. A pipe is refused, not
 * waited for. Every line must end with a line break, else the file was cut off. In tables that our commands
 * have made, and in the values of run.tsv, there must be a number wherever the schema
 * (scripts/lib/common/schema.tsv) asks for one. All other cells are text. A program that writes them
 * elsewhere must quote them. In samples.tsv and counts.tsv only the header is checked, because only our own
 * programs read the rest.
 *
 * check-tables -l TEXT: only check the length of the lines of TEXT, a file that is not a table.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "line.h"
#include "message.h"
#include "schema.h"
#include "tsv.h"

/* Maximum size of a table that is read as a whole. The largest real one, run.tsv of 128 CPUs and 10 runs, has 1 MB. */
#define MAX_TABLE (32 << 20)
/* A command runs some twenty awks on a table, and each of them needs time for each line. */
#define MAX_LINES (1 << 20)
/*
 * Programs that read run.tsv try all indexes of states up to the largest, so it must be small. Linux has at most 10 states
 * (CPUIDLE_STATE_MAX).
 */
#define MAX_STATES 256

enum kind { FOREIGN, SAMPLES, FACTS, MADE };

struct table {
	const char *name;
	enum kind kind;
	char *text;
	size_t size;
	size_t line;
	/* kind MADE: the cells of the header, and which of these columns hold numbers */
	struct tsv_cell columns[TSV_MAX_COLUMNS];
	bool numbers[TSV_MAX_COLUMNS];
	struct schema schema;
	size_t nr_columns;
};

static bool starts(const struct tsv_cell *cell, const char *with)
{
	size_t len = strlen(with);

	return (size_t)(cell->end - cell->start) >= len && !memcmp(cell->start, with, len);
}

/* The same as cell_is(), which would link all of tsv.c. */
static bool is(const struct tsv_cell *cell, const char *text)
{
	return starts(cell, text) && (size_t)(cell->end - cell->start) == strlen(text);
}

static bool is_one_of(const struct tsv_cell *cell, const char *const *list)
{
	for (; *list; list++)
		if (is(cell, *list))
			return true;
	return false;
}

static const char *digits(const char *at, const char *end)
{
	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return at;
}

/* True for -12.5, 1e-05, 990.010* (a percentile that the samples do not support), - (absent) */
static bool is_number(const struct tsv_cell *cell)
{
	const char *at = cell->start, *end = cell->end, *from;

	if (end - at > 40 || is(cell, "-"))
		return is(cell, "-");
	if (at < end && *at == '-')
		at++;
	from = at;
	at = digits(at, end);
	if (at == from)
		return false;
	if (at < end && *at == '.') {
		from = at + 1;
		at = digits(from, end);
		if (at == from)
			return false;
	}
	if (at < end && *at == 'e') {
		at++;
		if (at < end && (*at == '-' || *at == '+'))
			at++;
		from = at;
		at = digits(at, end);
		if (at == from || at - from > 3)
			return false;
	}
	if (at < end && *at == '*')
		at++;
	return at == end;
}

/* True for a number, or an interval: 54000..55000, 60000..- (without an upper end) */
static bool is_value(const struct tsv_cell *cell)
{
	const char *dots = memmem(cell->start, cell->end - cell->start, "..", 2);
	struct tsv_cell low = { cell->start, dots }, high = { dots ? dots + 2 : NULL, cell->end };

	return dots ? !is(&low, "-") && is_number(&low) && is_number(&high) : is_number(cell);
}

static enum kind kind_of(const char *path, const struct schema *schema)
{
	static const char *const samples[] = { "samples.tsv", "counts.tsv", NULL };
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	struct tsv_cell cell = { name, name + strlen(name) };

	if (is_one_of(&cell, samples))
		return SAMPLES;
	if (is(&cell, "run.tsv"))
		return FACTS;
	if (starts(&cell, "stats") || is(&cell, "sweep.tsv") || (schema->nr && schema->list[0]->extra))
		return MADE;
	return FOREIGN;
}

/*
 * True if this column or key must hold a number: the schema says so, or it is a column of a table of kind MADE that the
 * schema does not have.
 */
static bool is_number_of(const struct table *table, const struct tsv_cell *cell)
{
	const struct schema_column *column = schema_column(&table->schema, cell->start, cell->end);

	return column ? !column->text : table->kind == MADE;
}

static void no_number(const struct table *table, const struct tsv_cell *of, const struct tsv_cell *cell)
{
	int len = cell->end - cell->start;

	die("%s:%zu: %.*s: '%.*s' is not a number", table->name, table->line, (int)(of->end - of->start), of->start,
	    len > 60 ? 60 : len, cell->start);
}

/* Check the index in KEY, which is state.INDEX.NAME. */
static void check_state(const struct table *table, const struct tsv_cell *key)
{
	const char *index = key->start + 6, *end = digits(index, key->end);
	int len = key->end - key->start;

	if (end < key->end && *end == '.' && (end - index > 3 || (end > index && atoi(index) >= MAX_STATES)))
		die("%s:%zu: %.*s: idle states have indexes below %d", table->name, table->line, len > 60 ? 60 : len, key->start, MAX_STATES);
}

static void check_row(struct table *table, const struct tsv_cell *cells, size_t nr)
{
	if (table->kind == FACTS && table->line > 1 && nr >= 2 && !is_number(&cells[1]) && is_number_of(table, &cells[0]))
		no_number(table, &cells[0], &cells[1]);
	if (table->kind == FACTS && starts(&cells[0], "state."))
		check_state(table, &cells[0]);
	if (table->kind != MADE)
		return;
	if (table->line == 1) {
		memcpy(table->columns, cells, nr * sizeof(*cells));
		for (size_t i = 0; i < nr; i++)
			table->numbers[i] = is_number_of(table, &cells[i]);
		table->nr_columns = nr;
		return;
	}
	if (nr != table->nr_columns)
		die("%s:%zu: %zu columns, but %zu in the header", table->name, table->line, nr, table->nr_columns);
	for (size_t i = 0; i < nr; i++)
		if (table->numbers[i] && !is_value(&cells[i]))
			no_number(table, &table->columns[i], &cells[i]);
}

static void check_lines(struct table *table)
{
	static struct tsv_cell cells[TSV_MAX_COLUMNS];
	char *at = table->text, *end = table->text + table->size;

	for (table->line = 1; at < end; table->line++) {
		char *newline = memchr(at, '\n', end - at);
		char *line_end = newline ? newline : end;
		size_t nr = 0;

		if (table->line == 1 && line_end > at && line_end[-1] == '\r')
			die("%s:1: the line ends in a carriage return (DOS line ends?)", table->name);
		if (table->line > MAX_LINES)
			die("%s: more than %d lines: no table of this kind has so many", table->name, MAX_LINES);
		if (line_end - at > TSV_MAX_LINE)
			die("%s:%zu: a line of more than %d bytes", table->name, table->line, TSV_MAX_LINE);
		for (;;) {
			char *tab = memchr(at, '\t', line_end - at);

			if (nr == TSV_MAX_COLUMNS)
				die("%s:%zu: more than %d columns", table->name, table->line, TSV_MAX_COLUMNS);
			cells[nr++] = (struct tsv_cell) { at, tab ? tab : line_end };
			if (!tab)
				break;
			at = tab + 1;
		}
		if (table->kind == SAMPLES)
			return;
		if (!newline)
			die("%s:%zu: the last line is cut off: copy the file again", table->name,
			    table->line);
		check_row(table, cells, nr);
		at = line_end + 1;
	}
}

static void check_table(struct table *table, const char *name)
{
	struct stat st;
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	/* Callers put ./ in front of a name, so that it is not taken for an option. Messages leave it out. */
	table->name = strncmp(name, "./", 2) ? name : name + 2;
	if (fd < 0 || fstat(fd, &st))
		die("%s: %s", table->name, strerror(errno));
	if (!S_ISREG(st.st_mode))
		die("%s: not a regular file", table->name);
	schema_find(&table->schema, table->name);
	table->kind = kind_of(table->name, &table->schema);
	if (table->kind == SAMPLES)
		st.st_size = st.st_size > TSV_MAX_LINE + 1 ? TSV_MAX_LINE + 1 : st.st_size;
	else if (st.st_size > MAX_TABLE)
		die("%s: %lld bytes: no table of this kind has more than %d", table->name, (long long)st.st_size, MAX_TABLE);
	table->text = xrealloc(table->text, st.st_size + 1, 1);
	for (table->size = 0; table->size < (size_t)st.st_size;) {
		ssize_t got = read(fd, table->text + table->size, st.st_size - table->size);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			die("cannot read %s: %s", table->name, strerror(errno));
		if (!got)
			break;
		table->size += got;
	}
	close(fd);
	check_lines(table);
}

/* Check that no line of a text is too long for awk. The text itself may have any size. */
static void check_text(const char *name)
{
	static char line[TSV_MAX_LINE + 1];
	size_t len, nr = 1;
	struct stat st;
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (f && !fstat(fd, &st) && !S_ISREG(st.st_mode))
		die("%s: not a regular file", name);
	for (; f && (len = line_read(f, line)); nr++)
		if (len == LINE_TOO_LONG)
			die("%s:%zu: a line of more than %d bytes", name, nr, TSV_MAX_LINE);
	if (!f || ferror(f))
		die("cannot read %s: %s", name, strerror(errno));
}

int main(int argc, char **argv)
{
	static struct table table;

	message_init("check-tables");
	if (argc < 2)
		die("usage: check-tables TABLE.TSV... | check-tables -l TEXT");
	if (argc == 3 && !strcmp(argv[1], "-l"))
		return check_text(argv[2]), 0;
	while (*++argv)
		check_table(&table, *argv);
	return 0;
}
