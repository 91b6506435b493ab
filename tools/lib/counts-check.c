// SPDX-License-Identifier: GPL-2.0
/* Check every line of a block of counts, and that it describes its machine. */
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "message.h"

struct check {
	const struct counts_block *block;
	struct counts_line line, before;
	const char *at;	/* what is being checked */
	bool seen[NR_COUNTS_KINDS];
	/* The lines to compare with. Lines are in order, so these cursors only move forward. */
	struct counts_line samples_of_values, samples_of_intervals, samples_of_sums, values;
	int64_t unknown_left;	/* samples of the current line `sum` that no line COUNTS_UNKNOWN has counted yet */
};

static bool positive(const struct tsv_cell *cell, int64_t *v)
{
	return cell_s64(cell, v) && *v > 0;
}

/* True if CELL is a probability as printf writes it, or absent ("-"). */
static bool probability(const struct tsv_cell *cell)
{
	size_t len = cell->end - cell->start;

	if (cell_is(cell, "-"))
		return true;
	return len && len < 16 && strspn(cell->start, "0123456789.e-") >= len &&
	       *cell->start >= '0' && *cell->start <= '9';
}

/* Check that the rows ascend and have COUNT samples in all. Return NULL or what is wrong. */
static const char *check_rows(struct check *check, int64_t count)
{
	struct counts_line *line = &check->line;
	const char *first = line->next;
	bool intervals = line->kind == COUNTS_INTERVALS;
	int64_t before = 0, high_before = 0, sum = 0;

	while (counts_at_row(line)) {
		int64_t value, high = 0, nr;
		bool valid;

		check->at = line->next;
		valid = intervals ? counts_interval(line, &value, &high, &nr) :
				    counts_row(line, &value, &nr);
		if (!valid || nr < 1)
			return intervals ? "not an interval and its count" :
					   "not a value and its count";
		if (check->at != first &&
		    (value < before || (value == before && high <= high_before)))
			return "a value that is not above the one before it";
		if (__builtin_add_overflow(sum, nr, &sum))
			return "more samples than 64 bits can count";
		before = value;
		high_before = high;
	}
	check->at = first - 1;
	return sum == count ? NULL : "the counts do not add up to the number of samples";
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

/* Set check->unknown_left if the current line `sum` is the first of its source, state, reached and CPU. */
static const char *count_samples(struct check *check)
{
	struct counts_line *samples = &check->samples_of_sums;
	const struct tsv_cell *key = check->line.cells;
	int64_t n;

	if (check->before.kind == COUNTS_SUM && !counts_compare(check->before.cells, key, 4, true))
		return NULL;
	check->unknown_left = 0;
	while (samples->kind < COUNTS_SAMPLES ||
	       (samples->kind == COUNTS_SAMPLES && counts_compare(samples->cells, key, 4, true) <= 0)) {
		if (samples->kind == COUNTS_SAMPLES && !counts_compare(samples->cells, key, 4, true) &&
		    positive(&samples->cells[5], &n) && __builtin_add_overflow(check->unknown_left, n, &check->unknown_left))
			return "more samples than 64 bits can count";
		if (!counts_line(check->block, samples))
			break;
	}
	return NULL;
}

/* Check the numbers of a line `sum`. */
static const char *check_sum(struct check *check)
{
	const struct tsv_cell *cell = check->line.cells, *metric = &cell[4];
	const size_t head = strlen(COUNTS_UNKNOWN);
	const char *wrong = count_samples(check);
	int64_t count, sum;

	if (wrong)
		return wrong;
	if (!positive(&cell[5], &count) || !cell_s64(&cell[6], &sum))
		return "not a number of samples and a sum";
	if ((size_t)(metric->end - metric->start) < head || memcmp(metric->start, COUNTS_UNKNOWN, head))
		return NULL;
	if (count != sum || count > check->unknown_left)
		return "more samples with unknown properties than samples";
	check->unknown_left -= count;
	return NULL;
}

/* Check the cells that identify the line. */
static const char *check_key(const struct check *check)
{
	const struct counts_line *line = &check->line;
	static const size_t nr_keys[NR_COUNTS_KINDS] = {
		[COUNTS_SAMPLES] = 5, [COUNTS_SUM] = 5, [COUNTS_ORDER] = 4, [COUNTS_VALUES] = 6,
		[COUNTS_INTERVALS] = 6,
	};
	size_t nr = nr_keys[line->kind];
	int64_t state;

	if (!cell_s64(&line->cells[1], &state))
		return "a state that is not a number";
	for (size_t i = 0; i < nr; i++)
		if (line->cells[i].start == line->cells[i].end)
			return "an empty cell";
	if (check->before.kind == line->kind &&
	    counts_compare(check->before.cells, line->cells, nr, line->kind != COUNTS_ORDER) >= 0)
		return "a duplicate, or not in order";
	return NULL;
}

/* Check the numbers of the line, and its rows. */
static const char *check_numbers(struct check *check)
{
	const struct tsv_cell *cell = check->line.cells;
	int64_t count;

	switch (check->line.kind) {
	case COUNTS_SAMPLES:
		return positive(&cell[5], &count) ? NULL : "not a number of samples";
	case COUNTS_SUM:
		return check_sum(check);
	case COUNTS_ORDER:
		return probability(&cell[4]) && probability(&cell[5]) ? NULL : "not a probability";
	default:
		if (!positive(&cell[6], &count))
			return "not a number of samples";
		if (more_than_samples(check, count))
			return "more values than there are samples";
		return check_rows(check, count);
	}
}

static const char *check_line(struct check *check)
{
	const struct counts_line *line = &check->line, *before = &check->before;
	const char *why;

	if (!counts_line(check->block, &check->line))
		return "not a line of counts";
	if (before->next ? line->kind < before->kind : line->kind != COUNTS_RUN)
		return "not in order";
	if (before->kind == line->kind &&
	    (line->kind == COUNTS_INCOMPLETE || line->kind == COUNTS_COLUMNS))
		return "a duplicate";
	check->seen[line->kind] = true;
	if (line->kind < COUNTS_SAMPLES)
		return NULL;
	why = check_key(check);
	return why ? why : check_numbers(check);
}

/* Return true if BLOCK has a value for KEY of run.tsv. */
static bool is_known(const struct counts_block *block, const char *key)
{
	struct tsv_cell cell = counts_run(block, key);

	return cell.start != cell.end && !cell_is(&cell, "-");
}

/* Return what is unknown, or NULL. Recordings are compared by these keys and the states' names. */
static char *find_unknown(const struct counts_block *block)
{
	static const char *const keys[] = { "emulated", "cpu_model", "kernel", "source" };
	struct counts_line line = { 0 };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!is_known(block, keys[i]))
			return xprintf("its %s is not known", keys[i]);
	while (counts_line(block, &line) && line.kind <= COUNTS_SAMPLES) {
		int len = line.cells[1].end - line.cells[1].start;
		char *key;
		bool known;

		if (line.kind != COUNTS_SAMPLES)
			continue;
		key = xprintf("state.%.*s.name", len, line.cells[1].start);
		known = is_known(block, key);
		free(key);
		if (!known)
			return xprintf("its state %.*s has no name", len, line.cells[1].start);
	}
	return NULL;
}

char *counts_check(const struct counts_block *block, bool described)
{
	struct check check = {
		.block = block, .line = { .next = block->lines },
		.at = memchr(block->text, '\0', block->len),
	};
	const char *wrong = check.at ? "a NUL byte" : NULL;
	unsigned long nr = 1;

	while (!wrong && check.line.next < block->text + block->len) {
		check.at = check.line.next;
		wrong = check_line(&check);
		check.before = check.line;
	}
	if (!wrong && !(check.seen[COUNTS_COLUMNS] && check.seen[COUNTS_SAMPLES]))
		return xprintf("no samples");
	if (!wrong)
		return described ? find_unknown(block) : NULL;
	for (const char *p = block->text; p < check.at; p++)
		nr += *p == '\n';
	return xprintf("line %lu of its recording: %s", nr, wrong);
}
