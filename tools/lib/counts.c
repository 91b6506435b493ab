// SPDX-License-Identifier: GPL-2.0
/* Read the blocks of a file, and the lines of a block. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cksum.h"
#include "counts.h"
#include "holes.h"
#include "message.h"
#include "number.h"

#define CHUNK (1 << 20)
#define BEGIN "\nrecording\t"
#define END "\nend\t"

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

/* --- blocks */

/* Read more of the file. If this fails, set file->why and file->eof. */
static void fill(struct counts_file *file)
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
		got = 0;
	}
	file->eof = !got;
	file->filled += got;
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
		fill(file);
	}
}

/* Set file->why unless it is set, and close the file. Return false. */
static bool __attribute__((format(printf, 2, 3)))
refuse(struct counts_file *file, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!file->why[0])
		vsnprintf(file->why, sizeof(file->why), fmt, ap);
	va_end(ap);
	counts_close(file);
	return false;
}

bool counts_open(struct counts_file *file, const char *name)
{
	size_t len = strlen(COUNTS_FIRST_LINE);
	size_t word = strcspn(COUNTS_FIRST_LINE, "\t") + 1, end = word;
	struct stat st;

	/* O_NONBLOCK: opening a pipe without a writer would block. */
	*file = (struct counts_file) { .name = name, .fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
	if (file->fd < 0)
		return refuse(file, "%s", strerror(errno));
	if (!fstat(file->fd, &st) && is_hollow(&st))
		return refuse(file, "%lld bytes, nearly all of them holes", (long long)st.st_size);
	while (!file->eof && file->filled < len)
		fill(file);
	if (file->filled >= len && !memcmp(file->buf, COUNTS_FIRST_LINE, len)) {
		file->at = len - 1;
		return true;
	}
	if (!file->filled)
		return refuse(file, "empty");
	if (file->filled <= word || memcmp(file->buf, COUNTS_FIRST_LINE, word))
		return refuse(file, "no file of counts: wakelat stats --counts makes one");
	while (end < file->filled && end < word + 20 && !strchr("\n\t", file->buf[end]))
		end++;
	return refuse(file, "counts of version '%.*s', but this wakelat can read only version 1",
		      (int)(end - word), file->buf + word);
}

void counts_close(struct counts_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->buf);
}

/* Move to the next line that begins a block. Return COUNTS_DAMAGED. Keep an earlier file->why. */
static enum counts_status damaged(struct counts_file *file, const char *why)
{
	size_t from = 1;

	if (!file->why[0])
		snprintf(file->why, sizeof(file->why), "%s at byte %" PRIu64, why, file->offset + file->at + 1);
	for (;;) {
		char *next = find(file, from, BEGIN, COUNTS_MAX_BLOCK);

		/* The last bytes read may be the beginning of such a line. */
		file->at = next ? (size_t)(next - file->buf) :
			   file->filled - (file->eof ? 0 : strlen(BEGIN) - 1);
		if (next || file->eof)
			return COUNTS_DAMAGED;
		from = 0;
	}
}

/* Between calls, file->at is at the line end before a block, or at the end of the file. */
enum counts_status counts_next(struct counts_file *file, struct counts_block *block)
{
	const size_t head = strlen(BEGIN);
	char *end, *start, *newline, *tab;
	int64_t crc, bytes;

	file->why[0] = '\0';
	while (!file->eof && file->filled - file->at < head + COUNTS_ID + 1)
		fill(file);
	if (file->why[0])
		return COUNTS_DAMAGED;
	if (file->at == file->filled || (file->filled - file->at == 1 && file->buf[file->at] == '\n'))
		return COUNTS_END;
	if (file->filled - file->at < head + COUNTS_ID + 1 ||
	    memcmp(file->buf + file->at, BEGIN, head))
		return damaged(file, "no recording where one should begin,");
	start = file->buf + file->at + head;
	if (start[COUNTS_ID] != '\n' || strspn(start, "0123456789abcdef") != COUNTS_ID)
		return damaged(file, "a recording without an identity");
	end = find(file, head, END, COUNTS_MAX_BLOCK);
	if (!end)
		return damaged(file, file->eof ? "a recording without its end: cut off," :
						 "a recording of more than 256 MiB");
	newline = find(file, end + 1 - (file->buf + file->at), "\n", COUNTS_MAX_BLOCK + CHUNK);
	if (!newline)
		return damaged(file, "a recording without its end: cut off,");
	/* Reading may have moved the buffer. */
	start = file->buf + file->at + 1;
	end = memmem(start, newline - start, END, strlen(END)) + 1;
	tab = memchr(end + 4, '\t', newline - end - 4);
	*block = (struct counts_block) {
		.text = start,
		.len = end - start,
		.lines = start + head + COUNTS_ID,
		.offset = file->offset + file->at + 1,
	};
	memcpy(block->id, start + head - 1, COUNTS_ID);
	block->crc = cksum_end(cksum_add(0, block->text, block->len), block->len);
	if (!tab || !parse_s64(end + 4, tab, &crc) || !parse_s64(tab + 1, newline, &bytes) || crc != block->crc ||
	    bytes != (int64_t)block->len) {
		snprintf(file->why, sizeof(file->why), "recording %s at byte %" PRIu64 " is damaged: its checksum or length does not match",
			 block->id, block->offset + 1);
		return damaged(file, "");
	}
	file->at = newline - file->buf;
	return COUNTS_BLOCK;
}

/* --- lines */

bool counts_at_row(const struct counts_line *line)
{
	return *line->next == '-' || (*line->next >= '0' && *line->next <= '9');
}

/*
 * Parse a number exactly as wakelat writes it: an optional minus sign, then digits without a leading
 * zero. The byte LAST must follow. Move *TEXT behind LAST.
 */
static bool read_number(const char **text, char last, int64_t *value)
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

bool counts_row(struct counts_line *line, int64_t *value, int64_t *count)
{
	return counts_at_row(line) && read_number(&line->next, '\t', value) &&
	       read_number(&line->next, '\n', count);
}

/* Read the upper end of an interval: "inf", or a number above LOW. */
static bool read_end(const char **text, int64_t low, int64_t *high)
{
	*high = COUNTS_OPEN;
	if (strncmp(*text, "inf\t", 4))
		return read_number(text, '\t', high) && *high > low && *high < COUNTS_OPEN;
	*text += 4;
	return true;
}

bool counts_interval(struct counts_line *line, int64_t *low, int64_t *high, int64_t *count)
{
	return counts_at_row(line) && read_number(&line->next, '\t', low) &&
	       read_end(&line->next, *low, high) && read_number(&line->next, '\n', count);
}

static bool split(struct counts_line *line, const char *start, const char *end)
{
	size_t wanted = kinds[line->kind].nr_cells;

	line->nr_cells = 0;
	if (!wanted) {
		line->cells[line->nr_cells++] = (struct tsv_cell) { start, end };
		return true;
	}
	while (start && line->nr_cells < wanted)
		line->cells[line->nr_cells++] = cell_next(&start, end);
	return !start && line->nr_cells == wanted;
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
	line->next = end + 1;
	return true;
}

bool counts_line(const struct counts_block *block, struct counts_line *line)
{
	const char *end = block->text + block->len;

	if (!line->next)
		line->next = block->lines;
	/* Skip the rows that the caller has not read. */
	while (line->kind >= COUNTS_VALUES && counts_at_row(line))
		line->next = (const char *)memchr(line->next, '\n', end - line->next) + 1;
	return line->next != end && read_line(block, line);
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

	if (cell_s64(a, &x) && cell_s64(b, &y) && x != y)
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

