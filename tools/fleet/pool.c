// SPDX-License-Identifier: GPL-2.0
/*
 * pool INPUT RUN.TSV DOCTOR.TSV COUNTS.TSV
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

#include "counts.h"
#include "distribution.h"
#include "groups.h"
#include "intern.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "tsv.h"

#define STATUS_LEFT_OUT 3
#define STATUS_FOREIGN 4

/* Recordings are only pooled if these values, and the state table, are the same. */
static const char *const keys[] = {
	"emulated", "cpu_model", "cpu_stepping", "microcode", "bios", "kernel", "driver", "governor", "source", "source_clock",
	"source_settings", "nic_method", "intr_offset_ns", "ldist_mode", "ldist_min_ns", "ldist_max_ns", "prepare", "states", "systematic_error",
	"latency_limit_us", "waker_placement",
};
#define NR_KEYS (sizeof(keys) / sizeof(*keys))

/* Values run.R.cpuC.NAME that are numbers of events, and so can be added for several recordings. */
static const char *const added[] = {
	"armed", "samples", "tainted", "not_idle", "late", "order", "limited", "lost", "idle_periods", "unknown_timer", "other_clock",
	"other_wakeups", "surplus",
};
#define NR_ADDED (sizeof(added) / sizeof(*added))

struct fact {
	char *key, *value;
	size_t last;	/* the last recording that has this key */
	bool differs;
};

static struct fact *facts;
static size_t nr_facts;
static char **columns;
static size_t nr_columns;

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

static struct groups parts = { .nr_keys = NR_CELLS }, orders = { .nr_keys = 4 };
static const char *input;
static struct { char id[COUNTS_ID + 1]; uint32_t crc; } *seen;
static size_t nr_seen;
static uint64_t left_out, incomplete;
static const char *no_high = "";	/* column high in a row without an interval */
static char *first_incomplete;

static char *copy_of(const struct tsv_cell *cell)
{
	return xprintf("%.*s", (int)(cell->end - cell->start), cell->start);
}

static struct tsv_cell cell_of(const char *text)
{
	return (struct tsv_cell) { text, text + strlen(text) };
}

static void add(int64_t *sum, int64_t v)
{
	if (__builtin_add_overflow(*sum, v, sum))
		die("%s: sums beyond 64 bits", input);
}

/* run.tsv */

static bool is_added(const char *key)
{
	const char *cpu, *name;

	if (!strncmp(key, "lost_", 5) || !strcmp(key, "cut_periods"))
		return true;
	cpu = !strncmp(key, "run.", 4) ? strstr(key, ".cpu") : NULL;
	name = cpu ? strchr(cpu + 1, '.') : NULL;
	for (size_t i = 0; name && i < NR_ADDED; i++)
		if (!strcmp(name + 1, added[i]))
			return true;
	return false;
}

static bool is_greatest(const char *key)
{
	const char *last = strrchr(key, '.');

	return !strncmp(key, "run.", 4) && last && !strcmp(last, ".looks");
}

static void combine(struct fact *fact, const struct tsv_cell *cell)
{
	const char *end = fact->value + strlen(fact->value);
	int64_t a, b;
	bool numbers = parse_s64(fact->value, end, &a) && parse_s64(cell->start, cell->end, &b);

	if (numbers && is_added(fact->key)) {
		add(&a, b);
		free(fact->value);
		fact->value = xprintf("%" PRId64, a);
	} else if (cell_is(cell, fact->value)) {
		return;
	} else if ((numbers && is_greatest(fact->key)) || !strcmp(fact->key, "date")) {
		struct tsv_cell old = cell_of(fact->value);
		bool greater = numbers ? b > a : counts_compare(cell, &old, 1, false) > 0;

		if (!greater)
			return;
		free(fact->value);
		fact->value = copy_of(cell);
	} else {
		fact->differs = true;
	}
}

/* For each key, by its interned number: the number of its first fact, from 1; 0 if there is none */
static size_t *fact_by_key;
static size_t nr_keys_seen;

/* Return a pointer to the number of KEY's fact in fact_by_key. */
static size_t *fact_number(const struct tsv_cell *key)
{
	size_t number = intern(key->start, key->end - key->start);

	if (number >= nr_keys_seen) {
		size_t room = 2 * number + 64;

		fact_by_key = xrealloc(fact_by_key, room, sizeof(*fact_by_key));
		memset(fact_by_key + nr_keys_seen, 0, (room - nr_keys_seen) * sizeof(*fact_by_key));
		nr_keys_seen = room;
	}
	return &fact_by_key[number];
}

static struct fact *fact_of(const struct tsv_cell *key)
{
	size_t number = *fact_number(key);

	return number ? &facts[number - 1] : NULL;
}

static const char *value_of(const char *key)
{
	for (size_t i = 0; i < nr_facts; i++)
		if (!strcmp(facts[i].key, key))
			return facts[i].value;
	return NULL;
}

/*
 * Return true if FACT is source_settings with the value of nic_method. Recordings that are older than source_settings
 * have this value only as nic_method, so the two do not differ.
 */
static bool is_old_setting(const struct fact *fact)
{
	const char *method;
	bool same;
	char *line;

	/* Check this first, because value_of() searches all facts. */
	if (strcmp(fact->key, "source_settings"))
		return false;
	method = value_of("nic_method");
	if (!method)
		return false;
	line = xprintf("method=%s", method);
	same = !strcmp(fact->value, line);
	free(line);
	return same;
}

static void add_fact(const struct counts_line *line, bool first)
{
	size_t *number = fact_number(&line->cells[0]);

	if (!(nr_facts & (nr_facts - 1)))
		facts = xrealloc(facts, nr_facts ? 2 * nr_facts : 1, sizeof(*facts));
	if (!*number)
		*number = nr_facts + 1;
	facts[nr_facts++] = (struct fact) {
		.key = copy_of(&line->cells[0]), .value = copy_of(&line->cells[1]), .last = nr_seen, .differs = !first,
	};
	/*
	 * If only this recording has a count, the others did not measure this CPU. Then the sum is
	 * this count.
	 */
	if (is_added(facts[nr_facts - 1].key) || is_old_setting(&facts[nr_facts - 1]))
		facts[nr_facts - 1].differs = false;
}

static void add_run(const struct counts_block *block, bool first)
{
	struct counts_line line = { 0 };

	while (counts_line(block, &line) && line.kind == COUNTS_RUN) {
		struct fact *fact = first ? NULL : fact_of(&line.cells[0]);

		if (!fact) {
			add_fact(&line, first);
			continue;
		}
		combine(fact, &line.cells[1]);
		fact->last = nr_seen;
	}
	for (size_t i = 0; i < nr_facts; i++)
		if (facts[i].last != nr_seen && !is_added(facts[i].key) && !is_old_setting(&facts[i]))
			facts[i].differs = true;
}

static bool is_key(const char *name)
{
	for (size_t i = 0; i < NR_KEYS; i++)
		if (!strcmp(name, keys[i]))
			return true;
	return !strncmp(name, "state.", 6);
}

/* Return true if KEY needs no quotes in a shell. The file may come from somebody else. */
static bool is_word(const char *key)
{
	return !key[strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_.")];
}

/* die() if a value that must be the same in all recordings differs. */
static void check_key(const char *id)
{
	for (size_t i = 0; i < nr_facts; i++)
		if (facts[i].differs && is_key(facts[i].key))
			die("%s: cannot pool different recordings: %s has another %s ('%s' elsewhere): "
			    "select recordings with one value by wakelat merge --only %s=...",
			    input, id, facts[i].key, facts[i].value, is_word(facts[i].key) ? facts[i].key : "KEY");
}

/* counts.tsv and doctor.tsv */

static void add_columns(const struct tsv_cell *cell)
{
	const char *start = cell->start;

	for (;;) {
		const char *tab = memchr(start, '\t', cell->end - start);
		struct tsv_cell name = { start, tab ? tab : cell->end };
		size_t i = 0;

		while (i < nr_columns && !cell_is(&name, columns[i]))
			i++;
		if (i == nr_columns) {
			columns = xrealloc(columns, nr_columns + 1, sizeof(*columns));
			columns[nr_columns++] = copy_of(&name);
		}
		if (!tab)
			return;
		start = tab + 1;
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
		char *text;
		double p;

		if (cell_is(cell, "-"))
			continue;
		text = copy_of(cell);
		p = strtod(text, NULL);
		if (!order->n[i]++ || p < order->least[i]) {
			order->least[i] = p;
			free(order->text[i]);
			order->text[i] = text;
		} else {
			free(text);
		}
	}
}

static void add_interval(struct part *part, const struct interval *interval)
{
	if (part->nr == part->room) {
		part->room = part->room ? 2 * part->room : 1024;
		part->intervals = xrealloc(part->intervals, part->room, sizeof(*part->intervals));
	}
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
	int64_t value, count;
	struct part *part;

	for (size_t i = 0; i < TAINT; i++)
		key[i] = line->cells[i];
	key[TAINT] = line->kind == COUNTS_SUM ? cell_of("-") : line->cells[TAINT];
	key[METRIC] = line->kind == COUNTS_SAMPLES ? cell_of("-") : line->cells[line->kind == COUNTS_SUM ? 4 : 5];
	key[KIND] = cell_of(line->kind == COUNTS_SAMPLES ? "samples" : line->kind == COUNTS_SUM ? "sum" :
			    line->kind == COUNTS_VALUES ? "value" : "interval");
	part = group_data(&parts, key, sizeof(*part));
	if (line->kind == COUNTS_VALUES) {
		while (counts_row(line, &value, &count))
			add_pair(part, value, count);
		return;
	}
	if (line->kind == COUNTS_INTERVALS) {
		struct interval interval;

		while (counts_interval(line, &interval.low, &interval.high, &interval.count))
			add_interval(part, &interval);
		return;
	}
	parse_s64(line->cells[5].start, line->cells[5].end, &count);
	add(&part->count, count);
	if (line->kind != COUNTS_SUM)
		return;
	parse_s64(line->cells[6].start, line->cells[6].end, &value);
	add(&part->sum, value);
}

static void add_block(const struct counts_block *block, bool first, const char *doctor)
{
	struct counts_line line = { 0 };
	FILE *f = NULL;

	add_run(block, first);
	check_key(block->id);
	while (counts_line(block, &line)) {
		if (line.kind == COUNTS_DOCTOR && first) {
			if (!f)
				f = outfile_stream(doctor);
			fprintf(f, "%.*s\n", (int)(line.cells[0].end - line.cells[0].start), line.cells[0].start);
		} else if (line.kind == COUNTS_INCOMPLETE) {
			if (!incomplete++)
				first_incomplete = copy_of(&line.cells[0]);
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

static bool is_seen(const struct counts_block *block)
{
	for (size_t i = 0; i < nr_seen; i++) {
		if (strcmp(seen[i].id, block->id))
			continue;
		if (seen[i].crc != block->crc)
			die("%s: recording %s occurs twice with different content: wakelat merge keeps one of them", input, block->id);
		return true;
	}
	seen = xrealloc(seen, nr_seen + 1, sizeof(*seen));
	memcpy(seen[nr_seen].id, block->id, sizeof(block->id));
	seen[nr_seen++].crc = block->crc;
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
		char *why = status == COUNTS_BLOCK ? counts_check(&block) : xstrdup(file.why);

		if (why) {
			message("%s: left out: %s", input, why);
			free(why);
			left_out++;
		} else if (!is_seen(&block)) {
			add_block(&block, nr_seen == 1, doctor);
		}
	}
	counts_close(&file);
	if (!nr_seen)
		die("%s: no recording in it", input);
	if (nr_seen > 1)
		unlink(doctor);
}

static void write_run(const char *name)
{
	FILE *f = outfile_stream(name);

	fputs("key\tvalue\n", f);
	for (size_t i = 0; i < nr_facts; i++)
		if (!facts[i].differs)
			fprintf(f, "%s\t%s\n", facts[i].key, facts[i].value);
	if (nr_seen > 1)
		fprintf(f, "recordings\t%zu\n", nr_seen);
	if (incomplete && nr_seen == 1)
		fprintf(f, "incomplete\t%s\n", first_incomplete);
	else if (incomplete)
		fprintf(f, "incomplete\t%" PRIu64 " of %zu recordings, one of them: %s\n", incomplete, nr_seen, first_incomplete);
	outfile_close_stream(f, name);
}

static int compare_groups(const void *a, const void *b, void *arg)
{
	const struct groups *groups = arg;
	struct tsv_cell left[NR_CELLS], right[NR_CELLS];

	group_cells(a, groups->nr_keys, left);
	group_cells(b, groups->nr_keys, right);
	return counts_compare(left, right, groups->nr_keys, groups->nr_keys == NR_CELLS);
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

	groups_sort_by(&parts, compare_groups);
	groups_sort_by(&orders, compare_groups);
	fprintf(f, COUNTS_TSV_HEADER "%s\n", *no_high ? "\thigh" : "");
	for (size_t i = 0; i < nr_columns; i++)
		fprintf(f, "-\t-\t-\t-\t-\t%s\tcolumn\t-\t-%s\n", columns[i], no_high);
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

	message_init("pool");
	if (argc != 5)
		die("usage: pool INPUT RUN.TSV DOCTOR.TSV COUNTS.TSV");
	input = argv[1];
	read_input(argv[3]);
	write_run(argv[2]);
	samples = write_counts(argv[4]);
	printf("%zu %" PRIu64 "\n", nr_seen, samples);
	outfile_end_stdout();
	return left_out ? STATUS_LEFT_OUT : 0;
}
