// SPDX-License-Identifier: GPL-2.0
/*
 * pool-counts INPUT RUN.TSV DOCTOR.TSV COUNTS.TSV
 *
 * Pool the recordings of INPUT, a file of counts (Documentation/formats.md), as if all their
 * samples were from one recording. Write the three tables that stats and other commands read. Print
 * the number of recordings, and the number of samples.
 *
 * Exit status: 0; 3 if something was left out; 4 if INPUT is not a file of counts; 1 if the
 * recordings must not be pooled, or on another failure.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "distribution.h"
#include "groups.h"
#include "intern.h"
#include "message.h"
#include "outfile.h"
#include "pool-counts.h"

#define STATUS_LEFT_OUT 3
#define STATUS_FOREIGN 4

struct part {
	int64_t count;
	int64_t sum;
	int64_t *values;
	uint64_t *counts;
	size_t nr, different, room;
	struct interval *intervals;
};

struct interval {
	int64_t low, high;
	int64_t count;
};

struct order {
	double least[2];	/* the smallest p of clusters, drift */
	uint64_t n[2];
	char *text[2];
};

enum { SOURCE, STATE, REACHED, CPU, TAINT, METRIC, KIND, NR_CELLS };

static uint64_t left_out;
static struct groups parts = { .nr_keys = NR_CELLS }, orders = { .nr_keys = 4 };
static struct groups columns = { .nr_keys = 1 };
static const char *no_high = "";	/* column high in a row without an interval */

/* For each identity: the number of its recording, from 1. For each recording: its checksum. */
static struct marks numbers;
static uint32_t *crcs;
static size_t nr_recordings;

static void add_columns(const struct tsv_cell *cell)
{
	for (const char *at = cell->start; at; ) {
		struct tsv_cell name = cell_next(&at, cell->end);

		groups_get(&columns, &name);
	}
}

/* Return the sorted distribution of a part's values. It takes over the part's lists. */
static struct distribution sorted(struct part *part)
{
	struct distribution d = distribution_of(part->values, part->counts, part->nr);

	part->values = NULL;
	part->counts = NULL;
	return d;
}

static void sum_pairs(struct part *part)
{
	struct distribution d = sorted(part);

	part->values = d.value;
	part->counts = d.upto;
	part->nr = part->different = d.nr;
	for (size_t i = d.nr; i-- > 1; )
		part->counts[i] -= part->counts[i - 1];
	part->room = d.nr;
}

/* Add a value. The lists have room for at most twice the number of different values. */
static void add_pair(struct part *part, int64_t value, int64_t count)
{
	if (part->nr == part->room) {
		if (part->nr > part->different)
			sum_pairs(part);
		part->room = part->nr < 512 ? 1024 : 2 * part->nr;
		part->values = xrealloc(part->values, part->room, sizeof(*part->values));
		part->counts = xrealloc(part->counts, part->room, sizeof(*part->counts));
	}
	part->values[part->nr] = value;
	part->counts[part->nr++] = count;
}

static void add_order(const struct counts_line *line)
{
	struct order *order = group_data(&orders, line->cells, sizeof(*order));

	for (size_t i = 0; i < 2; i++) {
		const struct tsv_cell *cell = &line->cells[4 + i];
		double p = strtod(cell->start, NULL);

		if (cell_is(cell, "-") || (order->n[i]++ && p >= order->least[i]))
			continue;
		order->least[i] = p;
		free(order->text[i]);
		order->text[i] = cell_copy(cell);
	}
}

static void add_interval(struct part *part, const struct interval *interval)
{
	part->intervals = xgrow(part->intervals, part->nr, &part->room, sizeof(*part->intervals));
	part->intervals[part->nr++] = *interval;
	no_high = "\t-";
}

static int compare_intervals(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return (x->high > y->high) - (x->high < y->high);
}

static void add_line(struct counts_line *line)
{
	struct tsv_cell key[NR_CELLS];
	struct interval interval;
	int64_t value, count;
	struct part *part;

	for (size_t i = 0; i < TAINT; i++)
		key[i] = line->cells[i];
	key[TAINT] = line->kind == COUNTS_SUM ? cell_from("-") : line->cells[TAINT];
	key[METRIC] = line->kind == COUNTS_SAMPLES ? cell_from("-") : line->cells[line->kind == COUNTS_SUM ? 4 : 5];
	key[KIND] = cell_from(line->kind == COUNTS_SAMPLES ? "samples" : line->kind == COUNTS_SUM ? "sum" :
			    line->kind == COUNTS_VALUES ? "value" : "interval");
	part = group_data(&parts, key, sizeof(*part));
	if (line->kind == COUNTS_VALUES) {
		while (counts_row(line, &value, &count))
			add_pair(part, value, count);
	} else if (line->kind == COUNTS_INTERVALS) {
		while (counts_interval(line, &interval.low, &interval.high, &interval.count))
			add_interval(part, &interval);
	} else {
		if (cell_s64(&line->cells[5], &count))
			add(&part->count, count);
		if (line->kind == COUNTS_SUM && cell_s64(&line->cells[6], &value))
			add(&part->sum, value);
	}
}

static void add_block(const struct counts_block *block, const char *doctor)
{
	struct counts_line line = { 0 };
	FILE *f = NULL;

	run_add(block);
	while (counts_line(block, &line)) {
		if (line.kind == COUNTS_DOCTOR && nr_recordings == 1) {
			if (!f)
				f = outfile_stream(doctor);
			fprintf(f, "%.*s\n", (int)(line.cells[0].end - line.cells[0].start), line.cells[0].start);
		} else if (line.kind == COUNTS_INCOMPLETE) {
			run_incomplete(&line.cells[0]);
		} else if (line.kind == COUNTS_COLUMNS) {
			add_columns(&line.cells[0]);
		} else if (line.kind == COUNTS_ORDER) {
			add_order(&line);
		} else if (line.kind >= COUNTS_SAMPLES) {
			add_line(&line);
		}
	}
	if (f)
		outfile_close_stream(f, doctor);
}

/* Return true if a recording with this identity was read before. Otherwise note the identity. */
static bool is_repeated(const struct counts_block *block)
{
	uint32_t *number = mark_of(&numbers, intern_text(block->id));

	if (*number && crcs[*number - 1] != block->crc)
		die("%s: recording %s occurs twice with different content: wakelat merge leaves out both",
		    input, block->id);
	if (*number)
		return true;
	crcs = xrealloc(crcs, nr_recordings + 1, sizeof(*crcs));
	crcs[nr_recordings++] = block->crc;
	*number = nr_recordings;
	return false;
}

static void read_input(const char *doctor)
{
	struct counts_block block;
	struct counts_file file;
	enum counts_status status;

	if (!counts_open(&file, input)) {
		if (!strncmp(file.why, "no file of counts", 17) || !strcmp(file.why, "empty"))
			exit(STATUS_FOREIGN);
		die("%s: %s", input, file.why);
	}
	while ((status = counts_next(&file, &block)) != COUNTS_END) {
		char *why = status == COUNTS_BLOCK ? counts_check(&block, false) : xstrdup(file.why);

		if (why) {
			message("%s: left out: %s", input, why);
			free(why);
			left_out++;
		} else if (!is_repeated(&block)) {
			add_block(&block, doctor);
		}
	}
	counts_close(&file);
	if (!nr_recordings)
		die("%s: no recording in it", input);
	if (nr_recordings > 1)
		unlink(doctor);
}

static void write_order(FILE *f, const struct group *group)
{
	static const char *const words[] = { "clusters_p", "drift_p" };
	const struct order *order = group->data;

	for (size_t i = 0; i < 2; i++) {
		fprintf(f, "%s\t%s\t%s\t-\t-\t%s\t%s\t", group->key[0], group->key[1], group->key[2], group->key[3], words[i]);
		/*
		 * The smallest of several p is small by chance, so multiply it by their number
		 * (Bonferroni).
		 */
		if (order->n[i] > 1)
			fprintf(f, "%.2g", order->least[i] * order->n[i] < 1 ? order->least[i] * order->n[i] : 1);
		else
			fputs(order->n[i] ? order->text[i] : "-", f);
		fprintf(f, "\t%" PRIu64 "%s\n", order->n[i], no_high);
	}
}

static void write_row(FILE *f, const struct group *group)
{
	for (size_t i = 0; i < NR_CELLS; i++)
		fprintf(f, "%s\t", group->key[i]);
}

/* Write each interval once. */
static void write_intervals(FILE *f, const struct group *group, struct part *part)
{
	qsort(part->intervals, part->nr, sizeof(*part->intervals), compare_intervals);
	for (size_t i = 0; i < part->nr; i++) {
		struct interval interval = part->intervals[i];

		for (; i + 1 < part->nr && !compare_intervals(&interval, &part->intervals[i + 1]); i++)
			add(&interval.count, part->intervals[i + 1].count);
		write_row(f, group);
		fprintf(f, "%" PRId64 "\t%" PRId64 "\t", interval.low, interval.count);
		if (interval.high == COUNTS_OPEN)
			fputs("inf\n", f);
		else
			fprintf(f, "%" PRId64 "\n", interval.high);
	}
}

static uint64_t write_part(FILE *f, const struct group *group)
{
	struct part *part = group->data;
	struct distribution d;

	if (!strcmp(group->key[KIND], "samples")) {
		write_row(f, group);
		fprintf(f, "-\t%" PRId64 "%s\n", part->count, no_high);
		return part->count;
	}
	if (!strcmp(group->key[KIND], "sum")) {
		write_row(f, group);
		fprintf(f, "%" PRId64 "\t%" PRId64 "%s\n", part->sum, part->count, no_high);
		return 0;
	}
	if (part->intervals) {
		write_intervals(f, group, part);
		return 0;
	}
	d = sorted(part);
	for (size_t i = 0; i < d.nr; i++) {
		write_row(f, group);
		fprintf(f, "%" PRId64 "\t%" PRIu64 "%s\n", d.value[i], distribution_count(&d, i), no_high);
	}
	distribution_free(&d);
	return 0;
}

static uint64_t write_counts(const char *name)
{
	FILE *f = outfile_stream(name);
	uint64_t samples = 0;

	groups_sort_as_counts(&parts);
	groups_sort_as_counts(&orders);
	fprintf(f, COUNTS_TSV_HEADER "%s\n", *no_high ? "\thigh" : "");
	for (size_t i = 0; i < columns.nr; i++)
		fprintf(f, "-\t-\t-\t-\t-\t%s\tcolumn\t-\t-%s\n", columns.list[i].key[0], no_high);
	for (size_t i = 0; i < orders.nr; i++)
		write_order(f, &orders.list[i]);
	for (size_t i = 0; i < parts.nr; i++)
		samples += write_part(f, &parts.list[i]);
	outfile_close_stream(f, name);
	return samples;
}

int main(int argc, char **argv)
{
	uint64_t samples;

	message_init("pool-counts");
	if (argc != 5)
		die("usage: pool-counts INPUT RUN.TSV DOCTOR.TSV COUNTS.TSV");
	input = argv[1];
	read_input(argv[3]);
	run_write(argv[2]);
	samples = write_counts(argv[4]);
	printf("%zu %" PRIu64 "\n", nr_recordings, samples);
	outfile_end_stdout();
	return left_out ? STATUS_LEFT_OUT : 0;
}
