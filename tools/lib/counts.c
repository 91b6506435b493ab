// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counts.h"
#include "holes.h"
#include "message.h"
#include "number.h"

#define CHUNK (1 << 20)

static const struct {
	const char *word;
	size_t nr_cells;	/* after the word; 0: any number, kept as one cell */
} kinds[NR_COUNTS_KINDS] = {
	[COUNTS_RUN] = { "run", 2 },
	[COUNTS_DOCTOR] = { "doctor", 0 },
	[COUNTS_INCOMPLETE] = { "incomplete", 1 },
	[COUNTS_COLUMNS] = { "columns", 0 },
	[COUNTS_SAMPLES] = { "samples", 6 },
	[COUNTS_SUM] = { "sum", 7 },
	[COUNTS_ORDER] = { "order", 6 },
	[COUNTS_VALUES] = { "values", 7 },
	[COUNTS_INTERVALS] = { "intervals", 7 },
};

/* POSIX cksum: CRC-32, the upper bit first, eight bytes at a time. */

static uint32_t crc_table[8][256];

static void make_crc_table(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i << 24;

		for (int bit = 0; bit < 8; bit++)
			crc = crc & 0x80000000 ? crc << 1 ^ 0x04c11db7 : crc << 1;
		crc_table[0][i] = crc;
	}
	for (int k = 1; k < 8; k++)
		for (int i = 0; i < 256; i++)
			crc_table[k][i] = crc_table[k - 1][i] << 8 ^ crc_table[0][crc_table[k - 1][i] >> 24];
}

static uint32_t big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

uint32_t counts_crc(uint32_t crc, const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *)text;

	if (!crc_table[0][1])
		make_crc_table();
	for (; len >= 8; len -= 8, p += 8) {
		uint32_t a = crc ^ big_endian(p), b = big_endian(p + 4);

		crc = crc_table[7][a >> 24] ^ crc_table[6][a >> 16 & 255] ^ crc_table[5][a >> 8 & 255] ^
		      crc_table[4][a & 255] ^ crc_table[3][b >> 24] ^ crc_table[2][b >> 16 & 255] ^
		      crc_table[1][b >> 8 & 255] ^ crc_table[0][b & 255];
	}
	for (; len; len--)
		crc = crc << 8 ^ crc_table[0][crc >> 24 ^ *p++];
	return crc;
}

uint32_t counts_crc_end(uint32_t crc, uint64_t len)
{
	for (; len; len >>= 8) {
		char byte = len & 255;

		crc = counts_crc(crc, &byte, 1);
	}
	return ~crc;
}

/* Reading. */

static bool fill(struct counts_file *file)
{
	ssize_t got;

	if (file->at) {
		memmove(file->buf, file->buf + file->at, file->filled - file->at);
		file->filled -= file->at;
		file->offset += file->at;
		file->at = 0;
	}
	if (file->filled == file->size) {
		file->size = file->size ? 2 * file->size : CHUNK;
		file->buf = xrealloc(file->buf, file->size, 1);
	}
	do {
		got = read(file->fd, file->buf + file->filled, file->size - file->filled);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		snprintf(file->why, sizeof(file->why), "cannot be read: %s", strerror(errno));
		file->eof = true;
		return false;
	}
	file->eof = !got;
	file->filled += got;
	return true;
}

/*
 * Find TEXT, FROM bytes or more after file->at. Reads more of the file as needed, up to about LIMIT
 * bytes after file->at. Return NULL if TEXT is not there.
 */
static char *find(struct counts_file *file, size_t from, const char *text, size_t limit)
{
	size_t len = strlen(text);

	for (;;) {
		char *start = file->buf + file->at;
		size_t have = file->filled - file->at;
		char *found = have >= from + len ? memmem(start + from, have - from, text, len) : NULL;

		if (found || file->eof || have > limit)
			return found;
		if (have >= from + len)
			from = have - len + 1;
		if (!fill(file))
			return NULL;
	}
}

bool counts_open(struct counts_file *file, const char *name)
{
	size_t len = strlen(COUNTS_FIRST_LINE);
	size_t word = strcspn(COUNTS_FIRST_LINE, "\t") + 1;
	struct stat st;

	/* O_NONBLOCK: opening a pipe without a writer would block. */
	*file = (struct counts_file) { .name = name, .fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
	if (file->fd < 0) {
		snprintf(file->why, sizeof(file->why), "%s", strerror(errno));
		return false;
	}
	if (!fstat(file->fd, &st) && is_hollow(&st)) {
		snprintf(file->why, sizeof(file->why), "%lld bytes, nearly all of them holes", (long long)st.st_size);
		return false;
	}
	while (!file->eof && file->filled < len)
		if (!fill(file))
			return false;
	if (file->filled >= len && !memcmp(file->buf, COUNTS_FIRST_LINE, len)) {
		file->at = len - 1;
		return true;
	}
	if (!file->filled)
		snprintf(file->why, sizeof(file->why), "empty");
	else if (file->filled > word && !memcmp(file->buf, COUNTS_FIRST_LINE, word))
		snprintf(file->why, sizeof(file->why), "counts of version '%.*s', but this wakelat can read only version 1",
			 (int)strcspn(file->buf + word, "\n\t") > 20 ? 20 : (int)strcspn(file->buf + word, "\n\t"),
			 file->buf + word);
	else
		snprintf(file->why, sizeof(file->why), "no file of counts: wakelat stats --counts makes one");
	return false;
}

void counts_close(struct counts_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->buf);
}

/*
 * Move to the next line that begins a block. Return COUNTS_DAMAGED. An earlier file->why is kept.
 */
static enum counts_status damaged(struct counts_file *file, size_t from, const char *why)
{
	if (!file->why[0])
		snprintf(file->why, sizeof(file->why), "%s at byte %" PRIu64, why, file->offset + file->at + 1);
	for (;;) {
		char *next = find(file, from, "\nrecording\t", COUNTS_MAX_BLOCK);

		if (next) {
			file->at = next - file->buf;
			break;
		}
		/* The last bytes read may be the beginning of such a line. */
		file->at = file->filled - (file->eof ? 0 : strlen("\nrecording\t") - 1);
		from = 0;
		if (file->eof)
			break;
	}
	return COUNTS_DAMAGED;
}

static bool is_id(const char *text, size_t len)
{
	return len == COUNTS_ID && strspn(text, "0123456789abcdef") >= COUNTS_ID;
}

/* Between calls, file->at is at the line end before a block, or at the end of the file. */
enum counts_status counts_next(struct counts_file *file, struct counts_block *block)
{
	static const char begins[] = "\nrecording\t";
	const size_t head = sizeof(begins) - 1;
	char *end, *start, *newline;
	int64_t crc, bytes;
	char *tab;

	file->why[0] = '\0';
	while (!file->eof && file->filled - file->at < head + COUNTS_ID + 1)
		if (!fill(file))
			return COUNTS_DAMAGED;
	if (file->at == file->filled || (file->filled - file->at == 1 && file->buf[file->at] == '\n'))
		return COUNTS_END;
	if (file->filled - file->at < head + COUNTS_ID + 1 || memcmp(file->buf + file->at, begins, head))
		return damaged(file, 1, "no recording where one should begin,");
	start = file->buf + file->at + head;
	if (start[COUNTS_ID] != '\n' || !is_id(start, COUNTS_ID))
		return damaged(file, 1, "a recording without an identity");
	end = find(file, head, "\nend\t", COUNTS_MAX_BLOCK);
	if (!end)
		return damaged(file, 1, file->eof ? "a recording without its end: cut off," : "a recording of more than 256 MiB");
	newline = find(file, end + 1 - (file->buf + file->at), "\n", COUNTS_MAX_BLOCK + CHUNK);
	if (!newline)
		return damaged(file, 1, "a recording without its end: cut off,");
	/* Reading may have moved the buffer. */
	start = file->buf + file->at + 1;
	end = memmem(start, newline - start, "\nend\t", strlen("\nend\t")) + 1;
	tab = memchr(end + 4, '\t', newline - end - 4);
	*block = (struct counts_block) {
		.text = start,
		.len = end - start,
		.offset = file->offset + file->at + 1,
	};
	memcpy(block->id, start + head - 1, COUNTS_ID);
	block->crc = counts_crc_end(counts_crc(0, block->text, block->len), block->len);
	if (!tab || !parse_s64(end + 4, tab, &crc) || !parse_s64(tab + 1, newline, &bytes) || crc != block->crc ||
	    bytes != (int64_t)block->len) {
		snprintf(file->why, sizeof(file->why), "recording %s at byte %" PRIu64 " is damaged: its checksum or length does not match",
			 block->id, block->offset + 1);
		return damaged(file, 1, "");
	}
	file->at = newline - file->buf;
	return COUNTS_BLOCK;
}

/* Lines. */

static bool is_row(const char *p)
{
	return *p == '-' || (*p >= '0' && *p <= '9');
}

/*
 * Read the number at *TEXT, and move *TEXT behind the TAB or line end after the number. It is valid,
 * because counts_check() has checked the rows.
 */
static int64_t read_number(const char **text)
{
	const char *p = *text;
	bool negative = *p == '-';
	uint64_t v = 0;

	for (p += negative; *p >= '0' && *p <= '9'; p++)
		v = v * 10 + (*p - '0');
	*text = p + 1;
	return negative ? (int64_t)(0 - v) : (int64_t)v;
}

bool counts_row(struct counts_line *line, int64_t *value, int64_t *count)
{
	if (line->rows == line->rows_end)
		return false;
	*value = read_number(&line->rows);
	*count = read_number(&line->rows);
	return true;
}

bool counts_interval(struct counts_line *line, int64_t *low, int64_t *high, int64_t *count)
{
	if (line->rows == line->rows_end)
		return false;
	*low = read_number(&line->rows);
	*high = COUNTS_OPEN;
	if (*line->rows == 'i')
		line->rows += strlen("inf\t");
	else
		*high = read_number(&line->rows);
	*count = read_number(&line->rows);
	return true;
}

static bool split(struct counts_line *line, const char *start, const char *end)
{
	size_t wanted = kinds[line->kind].nr_cells;

	line->nr_cells = 0;
	for (;;) {
		const char *tab = wanted ? memchr(start, '\t', end - start) : NULL;

		if (line->nr_cells == (wanted ? wanted : 1))
			return false;
		line->cells[line->nr_cells++] = (struct tsv_cell) { start, tab ? tab : end };
		if (!tab)
			return line->nr_cells == (wanted ? wanted : 1);
		start = tab + 1;
	}
}

/* Read the line at line->next. Return false if it is not a line of counts. */
static bool read_line(const struct counts_block *block, struct counts_line *line)
{
	const char *end = memchr(line->next, '\n', block->text + block->len - line->next), *tab;
	size_t len;

	if (end - line->next > TSV_MAX_LINE)
		return false;
	tab = memchr(line->next, '\t', end - line->next);
	if (!tab)
		return false;
	len = tab - line->next;
	for (line->kind = 0; line->kind < NR_COUNTS_KINDS; line->kind++)
		if (strlen(kinds[line->kind].word) == len && !memcmp(kinds[line->kind].word, line->next, len))
			break;
	if (line->kind == NR_COUNTS_KINDS || !split(line, tab + 1, end))
		return false;
	line->next = line->rows = line->rows_end = end + 1;
	return true;
}

/* Return the first line after the block's identity. */
static const char *first_line(const struct counts_block *block)
{
	return block->text + strlen("recording\t") + COUNTS_ID + 1;
}

static const char *skip_rows(const char *p, const char *end)
{
	while (p < end && is_row(p))
		p = (const char *)memchr(p, '\n', end - p) + 1;
	return p;
}

bool counts_line(const struct counts_block *block, struct counts_line *line)
{
	const char *end = block->text + block->len;

	if (!line->next)
		line->next = first_line(block);
	if (line->next == end || !read_line(block, line))
		return false;
	if (line->kind >= COUNTS_VALUES)
		line->next = line->rows_end = skip_rows(line->next, end);
	return true;
}


struct tsv_cell counts_run(const struct counts_block *block, const char *key)
{
	struct counts_line line = { 0 };

	while (counts_line(block, &line) && line.kind == COUNTS_RUN)
		if (cell_is(&line.cells[0], key))
			return line.cells[1];
	return (struct tsv_cell) { "", "" };
}

static int compare_bytes(const struct tsv_cell *a, const struct tsv_cell *b)
{
	size_t x = a->end - a->start, y = b->end - b->start;
	int order = memcmp(a->start, b->start, x < y ? x : y);

	return order ? order : (x > y) - (x < y);
}

static int compare_numbers(const struct tsv_cell *a, const struct tsv_cell *b)
{
	int64_t x, y;

	if (parse_s64(a->start, a->end, &x) && parse_s64(b->start, b->end, &y) && x != y)
		return x < y ? -1 : 1;
	return compare_bytes(a, b);
}

int counts_compare(const struct tsv_cell *a, const struct tsv_cell *b, size_t nr, bool by_cpu)
{
	int order = 0;

	for (size_t i = 0; i < nr && !order; i++)
		order = i == 1 || (i == 3 && by_cpu) ? compare_numbers(&a[i], &b[i]) : compare_bytes(&a[i], &b[i]);
	return order;
}

/* Checking. */

struct check {
	const struct counts_block *block;
	struct counts_line line, before;
	bool has_before;
	/* The lines to compare with. Lines are in order, so these cursors only move forward. */
	struct counts_line samples_of_values, samples_of_intervals, values;
};

static char *wrong(const struct check *check, const char *at, const char *what)
{
	unsigned long nr = 1;

	for (const char *p = check->block->text; p < at; p++)
		nr += *p == '\n';
	return xprintf("line %lu of its recording: %s", nr, what);
}

static bool positive(const struct tsv_cell *cell, int64_t *v)
{
	return parse_s64(cell->start, cell->end, v) && *v > 0;
}

/* True if CELL is a probability as printf writes it, or absent ("-"). */
static bool probability(const struct tsv_cell *cell)
{
	size_t len = cell->end - cell->start;

	return len && len < 16 && (cell_is(cell, "-") || strspn(cell->start, "0123456789.e-") >= len) &&
	       (cell_is(cell, "-") || (*cell->start >= '0' && *cell->start <= '9'));
}

/*
 * Parse a number exactly as wakelat writes it: an optional minus sign, then digits without a leading
 * zero. The byte LAST must follow. Move *TEXT behind LAST.
 */
static bool strict_number(const char **text, char last, int64_t *value)
{
	const char *p = *text, *digits;
	bool negative = *p == '-';
	uint64_t v = 0;

	digits = p += negative;
	/* Any 18 digits fit into 64 bits. */
	for (; *p >= '0' && *p <= '9' && p - digits < 18; p++)
		v = v * 10 + (*p - '0');
	if (p == digits || (*digits == '0' && (p - digits > 1 || negative)))
		return false;
	*value = negative ? -(int64_t)v : (int64_t)v;
	while (*p >= '0' && *p <= '9')
		p++;
	if (*p != last || (p - digits > 18 && !parse_s64(*text, p, value)))
		return false;
	*text = p + 1;
	return true;
}

/* Read the upper end of an interval: "inf", or a number above LOW. */
static bool strict_end(const char **text, int64_t low, int64_t *high)
{
	*high = COUNTS_OPEN;
	if (strncmp(*text, "inf\t", 4))
		return strict_number(text, '\t', high) && *high > low && *high < COUNTS_OPEN;
	*text += 4;
	return true;
}

/* Check that the rows ascend and have COUNT samples in all. Return NULL or what is wrong. */
static char *check_rows(struct check *check, int64_t count)
{
	const char *p = check->line.rows, *end = check->block->text + check->block->len;
	bool first = true, intervals = check->line.kind == COUNTS_INTERVALS;
	int64_t before = 0, high_before = 0, sum = 0;

	while (p < end && is_row(p)) {
		const char *row = p;
		int64_t value, high = 0, nr;

		if (!strict_number(&p, '\t', &value) || (intervals && !strict_end(&p, value, &high)) ||
		    !strict_number(&p, '\n', &nr) || nr < 1)
			return wrong(check, row, intervals ? "not an interval and its count" :
							     "not a value and its count");
		if (!first && (value < before || (value == before && high <= high_before)))
			return wrong(check, row, "a value that is not above the one before it");
		high_before = high;
		if (__builtin_add_overflow(sum, nr, &sum))
			return wrong(check, row, "more samples than 64 bits can count");
		before = value;
		first = false;
	}
	if (sum != count)
		return wrong(check, check->line.rows - 1, "the counts do not add up to the number of samples");
	check->line.next = check->line.rows_end = p;
	return NULL;
}

/*
 * Return the number of samples in the line of KIND whose first NR cells equal those of the current
 * line; 0 if there is none. CURSOR must not be behind that line.
 */
static int64_t count_of(const struct check *check, struct counts_line *cursor, enum counts_kind kind, size_t nr)
{
	int64_t count;

	while (cursor->kind < kind ||
	       (cursor->kind == kind && counts_compare(cursor->cells, check->line.cells, nr, true) < 0))
		if (!counts_line(check->block, cursor))
			return 0;
	if (cursor->kind != kind || counts_compare(cursor->cells, check->line.cells, nr, true))
		return 0;
	return positive(&cursor->cells[nr], &count) ? count : 0;
}

/*
 * True if the current line, which has COUNT samples, exceeds the number in its line `samples`. A line
 * `intervals` exceeds it together with the line `values` that has the same key.
 */
static bool more_than_samples(struct check *check, int64_t count)
{
	bool intervals = check->line.kind == COUNTS_INTERVALS;
	int64_t values = intervals ? count_of(check, &check->values, COUNTS_VALUES, 6) : 0;
	int64_t samples = count_of(check, intervals ? &check->samples_of_intervals : &check->samples_of_values,
				   COUNTS_SAMPLES, 5);

	return values > samples || count > samples - values;
}

static char *check_key(const struct check *check, const char *at)
{
	const struct counts_line *line = &check->line;
	static const size_t nr_keys[NR_COUNTS_KINDS] = {
		[COUNTS_SAMPLES] = 5, [COUNTS_SUM] = 5, [COUNTS_ORDER] = 4, [COUNTS_VALUES] = 6,
		[COUNTS_INTERVALS] = 6,
	};
	size_t nr = nr_keys[line->kind];
	int64_t state;

	if (!parse_s64(line->cells[1].start, line->cells[1].end, &state))
		return wrong(check, at, "a state that is not a number");
	for (size_t i = 0; i < nr; i++)
		if (line->cells[i].start == line->cells[i].end)
			return wrong(check, at, "an empty cell");
	if (check->has_before && check->before.kind == line->kind &&
	    counts_compare(check->before.cells, line->cells, nr, line->kind != COUNTS_ORDER) >= 0)
		return wrong(check, at, "a duplicate, or not in order");
	return NULL;
}

static char *check_line(struct check *check)
{
	struct counts_line *line = &check->line;
	const char *at = line->next;
	int64_t count, sum;
	char *why;

	if (!read_line(check->block, line))
		return wrong(check, at, "not a line of counts");
	if (check->has_before ? line->kind < check->before.kind : line->kind != COUNTS_RUN)
		return wrong(check, at, "not in order");
	if (check->has_before && check->before.kind == line->kind &&
	    (line->kind == COUNTS_INCOMPLETE || line->kind == COUNTS_COLUMNS))
		return wrong(check, at, "a duplicate");
	if (line->kind < COUNTS_SAMPLES)
		return NULL;
	why = check_key(check, at);
	if (why)
		return why;
	if (line->kind == COUNTS_SAMPLES && !positive(&line->cells[5], &count))
		return wrong(check, at, "not a number of samples");
	if (line->kind == COUNTS_SUM && (!positive(&line->cells[5], &count) ||
					 !parse_s64(line->cells[6].start, line->cells[6].end, &sum)))
		return wrong(check, at, "not a number of samples and a sum");
	if (line->kind == COUNTS_ORDER && (!probability(&line->cells[4]) || !probability(&line->cells[5])))
		return wrong(check, at, "not a probability");
	if (line->kind < COUNTS_VALUES)
		return NULL;
	if (!positive(&line->cells[6], &count))
		return wrong(check, at, "not a number of samples");
	if (more_than_samples(check, count))
		return wrong(check, at, "more values than there are samples");
	return check_rows(check, count);
}

char *counts_check(const struct counts_block *block)
{
	struct check check = { .block = block, .line = { .next = first_line(block) } };
	const char *nul = memchr(block->text, '\0', block->len);
	bool seen[NR_COUNTS_KINDS] = { false };

	if (nul)
		return wrong(&check, nul, "a NUL byte");
	while (check.line.next < block->text + block->len) {
		char *why = check_line(&check);

		if (why)
			return why;
		seen[check.line.kind] = true;
		check.before = check.line;
		check.has_before = true;
	}
	if (!seen[COUNTS_COLUMNS] || !seen[COUNTS_SAMPLES])
		return xprintf("no samples");
	return NULL;
}

/* Recordings are compared by these keys and by the names of states, so these must be known. */
char *counts_unknown(const struct counts_block *block)
{
	static const char *const keys[] = { "emulated", "cpu_model", "kernel", "source" };
	struct counts_line line = { 0 };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct tsv_cell cell = counts_run(block, keys[i]);

		if (cell.start == cell.end || cell_is(&cell, "-"))
			return xprintf("its %s is not known", keys[i]);
	}
	while (counts_line(block, &line) && line.kind <= COUNTS_SAMPLES) {
		struct tsv_cell name;
		char *key;

		if (line.kind != COUNTS_SAMPLES)
			continue;
		key = xprintf("state.%.*s.name", (int)(line.cells[1].end - line.cells[1].start), line.cells[1].start);
		name = counts_run(block, key);
		free(key);
		if (name.start == name.end || cell_is(&name, "-"))
			return xprintf("its state %.*s has no name", (int)(line.cells[1].end - line.cells[1].start),
				       line.cells[1].start);
	}
	return NULL;
}
