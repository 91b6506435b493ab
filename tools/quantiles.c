// SPDX-License-Identifier: GPL-2.0
/*
 * quantiles -g COLUMN,... -m METRIC,... [-p PERCENT,...] [-t COLUMN[:NAME,...]] TABLE.TSV
 *
 * Exact statistics of the integers in METRIC columns, for each combination of values
 * in the -g columns, as a table on stdout: the -g columns, n, then for each metric
 * min, the percentiles, max, mean, std. A row whose -t column is not "-" is left out
 * of all this and counted in the columns tainted, NAME... and other_taint. "-" where
 * there is no value, or too few for a percentile.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "number.h"
#include "tsv.h"

struct percentile {
	const char *text;	/* as given: "99.9" */
	uint64_t part, whole;	/* 999 of 1000 */
	uint64_t needed;	/* samples that support it */
};

struct values {
	int64_t *list;
	size_t nr, room;
};

struct group {
	char **key;
	uint64_t n;
	uint64_t tainted;
	uint64_t *taints;	/* by name; the last is for all other names */
	struct values *metrics;
};

struct columns {
	char **names;
	size_t *at;
	size_t nr;
};

static struct columns by, metrics;
static struct percentile *percentiles;
static size_t nr_percentiles;
static char *taint_column;
static size_t taint_at;
static char **taint_names;
static size_t nr_taint_names;

static struct group *groups;
static size_t nr_groups;
/* Open addressing: 0 is free, else the group's index + 1. */
static uint32_t *slots;
static size_t nr_slots;

/*
 * The greatest of n values exceeds the p-quantile with probability 1 - p^n. Fewer
 * than make that 95 % say nothing about the quantile.
 */
static uint64_t samples_needed(long double p)
{
	return ceill(logl(0.05L) / logl(p));
}

static void parse_percentile(struct percentile *p, const char *text)
{
	const char *point = strchr(text, '.');
	size_t decimals = point ? strlen(point + 1) : 0;
	char *end;

	p->text = text;
	p->part = strtoull(text, &end, 10);
	if (point && end == point) {
		for (point++; *point >= '0' && *point <= '9'; point++)
			p->part = p->part * 10 + (*point - '0');
		end = (char *)point;
	}
	p->whole = 100;
	for (size_t i = 0; i < decimals && i < 9; i++)
		p->whole *= 10;
	/* Nine decimals keep part * n in 128 bits; nobody has the samples for more. */
	if (*end || *text < '0' || *text > '9' || decimals > 9 || !p->part || p->part >= p->whole)
		die("-p: '%s' is not a percentage between 0 and 100", text);
	p->needed = samples_needed((long double)p->part / p->whole);
}

static void parse_percentiles(const char *text)
{
	char **list;

	nr_percentiles = split_list(text, &list);
	percentiles = xrealloc(NULL, nr_percentiles, sizeof(*percentiles));
	for (size_t i = 0; i < nr_percentiles; i++)
		parse_percentile(&percentiles[i], list[i]);
	free(list);
}

static void parse_taint(char *text)
{
	char *colon = strchr(text, ':');

	taint_column = text;
	if (!colon)
		return;
	*colon = '\0';
	nr_taint_names = split_list(colon + 1, &taint_names);
}

static void find_columns(const struct tsv *tsv, struct columns *columns)
{
	columns->at = xrealloc(NULL, columns->nr, sizeof(*columns->at));
	for (size_t i = 0; i < columns->nr; i++)
		columns->at[i] = tsv_column(tsv, columns->names[i]);
}

/* Groups. */

static uint64_t hash_text(uint64_t hash, const char *start, size_t len)
{
	/* FNV-1a; the separator keeps "1","23" from being "12","3". */
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)start[i]) * 1099511628211ULL;
	return (hash ^ '\t') * 1099511628211ULL;
}

#define HASH_START 14695981039346656037ULL

static uint64_t hash_row(const struct tsv *tsv)
{
	uint64_t hash = HASH_START;

	for (size_t i = 0; i < by.nr; i++) {
		const struct tsv_cell *cell = &tsv->cells[by.at[i]];

		hash = hash_text(hash, cell->start, cell->end - cell->start);
	}
	return hash;
}

static uint64_t hash_group(const struct group *group)
{
	uint64_t hash = HASH_START;

	for (size_t i = 0; i < by.nr; i++)
		hash = hash_text(hash, group->key[i], strlen(group->key[i]));
	return hash;
}

static bool group_is(const struct group *group, const struct tsv *tsv)
{
	for (size_t i = 0; i < by.nr; i++)
		if (!cell_is(&tsv->cells[by.at[i]], group->key[i]))
			return false;
	return true;
}

static void grow_slots(void)
{
	nr_slots = nr_slots ? nr_slots * 2 : 64;
	slots = xrealloc(slots, nr_slots, sizeof(*slots));
	memset(slots, 0, nr_slots * sizeof(*slots));
	for (size_t i = 0; i < nr_groups; i++) {
		size_t slot = hash_group(&groups[i]) % nr_slots;

		while (slots[slot])
			slot = (slot + 1) % nr_slots;
		slots[slot] = i + 1;
	}
}

static struct group *add_group(const struct tsv *tsv)
{
	struct group *group;

	groups = xrealloc(groups, nr_groups + 1, sizeof(*groups));
	group = &groups[nr_groups++];
	*group = (struct group) { .key = xrealloc(NULL, by.nr, sizeof(*group->key)) };
	for (size_t i = 0; i < by.nr; i++) {
		const struct tsv_cell *cell = &tsv->cells[by.at[i]];

		group->key[i] = xprintf("%.*s", (int)(cell->end - cell->start), cell->start);
	}
	group->taints = calloc(nr_taint_names + 1, sizeof(*group->taints));
	group->metrics = calloc(metrics.nr, sizeof(*group->metrics));
	if (!group->taints || !group->metrics)
		die("out of memory");
	return group;
}

static struct group *group_of(const struct tsv *tsv)
{
	size_t slot;

	if (nr_groups * 2 >= nr_slots)
		grow_slots();
	slot = hash_row(tsv) % nr_slots;
	while (slots[slot]) {
		struct group *group = &groups[slots[slot] - 1];

		if (group_is(group, tsv))
			return group;
		slot = (slot + 1) % nr_slots;
	}
	slots[slot] = nr_groups + 1;
	return add_group(tsv);
}

static void add_value(struct values *values, int64_t v)
{
	if (values->nr == values->room) {
		values->room = values->room ? values->room * 2 : 1024;
		values->list = xrealloc(values->list, values->room, sizeof(*values->list));
	}
	values->list[values->nr++] = v;
}

static size_t taint_index(const struct tsv_cell *word)
{
	size_t i = 0;

	while (i < nr_taint_names && !cell_is(word, taint_names[i]))
		i++;
	return i;
}

static void count_taints(struct group *group, const struct tsv_cell *cell)
{
	struct tsv_cell word = { .start = cell->start };
	uint64_t *other = &group->taints[nr_taint_names];
	uint64_t other_before = *other;

	group->tainted++;
	for (;; word.start = word.end + 1) {
		word.end = memchr(word.start, ',', cell->end - word.start);
		if (!word.end)
			word.end = cell->end;
		group->taints[taint_index(&word)]++;
		if (word.end == cell->end)
			break;
	}
	/* Samples are counted, not names. */
	if (*other > other_before)
		*other = other_before + 1;
}

static void add_row(const struct tsv *tsv)
{
	struct group *group = group_of(tsv);
	int64_t v;

	if (taint_column && !tsv_absent(tsv, taint_at)) {
		count_taints(group, &tsv->cells[taint_at]);
		return;
	}
	group->n++;
	for (size_t i = 0; i < metrics.nr; i++)
		if (tsv_s64(tsv, metrics.at[i], &v))
			add_value(&group->metrics[i], v);
}

/* Numbers as numbers, anything else as text. */
static int compare_cells(const char *a, const char *b)
{
	int64_t x, y;

	if (parse_s64(a, a + strlen(a), &x) && parse_s64(b, b + strlen(b), &y))
		return (x > y) - (x < y);
	return strcmp(a, b);
}

static int compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	int order = 0;

	for (size_t i = 0; i < by.nr && !order; i++)
		order = compare_cells(x->key[i], y->key[i]);
	return order;
}

/* Output. */

/* dividend / divisor, to the nearest tenth (halves away from 0), without a trailing ".0". */
static void print_ratio(__int128 dividend, uint64_t divisor)
{
	bool negative = dividend < 0;
	unsigned __int128 size = negative ? -(unsigned __int128)dividend : (unsigned __int128)dividend;
	unsigned __int128 tenths = (size * 20 + divisor) / ((unsigned __int128)divisor * 2);
	uint64_t whole = tenths / 10;
	unsigned int tenth = tenths % 10;

	printf("\t%s%" PRIu64, negative && tenths ? "-" : "", whole);
	if (tenth)
		printf(".%u", tenth);
}

/* Type 7: the value at rank (n - 1) p, counted from 0; linear between two ranks. */
static void print_percentile(const struct values *v, const struct percentile *p)
{
	unsigned __int128 rank;
	uint64_t below, rest;
	__int128 step;

	if (v->nr < p->needed) {
		printf("\t-");
		return;
	}
	rank = (unsigned __int128)(v->nr - 1) * p->part;
	below = rank / p->whole;
	rest = rank % p->whole;
	step = rest ? (__int128)v->list[below + 1] - v->list[below] : 0;
	print_ratio((__int128)v->list[below] * p->whole + step * rest, p->whole);
}

/* Two passes, over differences from an integer near the mean, so that nothing cancels. */
static long double deviation(const struct values *v, __int128 sum)
{
	int64_t centre = sum / (__int128)v->nr;
	long double squares = 0, rest = 0;

	for (size_t i = 0; i < v->nr; i++) {
		long double d = (long double)((__int128)v->list[i] - centre);

		squares += d * d;
		rest += d;
	}
	return sqrtl((squares - rest * rest / v->nr) / (v->nr - 1));
}

static void print_values(const struct values *v)
{
	__int128 sum = 0;

	if (!v->nr) {
		for (size_t i = 0; i < nr_percentiles + 4; i++)
			printf("\t-");
		return;
	}
	for (size_t i = 0; i < v->nr; i++)
		sum += v->list[i];
	printf("\t%" PRId64, v->list[0]);
	for (size_t i = 0; i < nr_percentiles; i++)
		print_percentile(v, &percentiles[i]);
	printf("\t%" PRId64, v->list[v->nr - 1]);
	print_ratio(sum, v->nr);
	if (v->nr > 1)
		printf("\t%.1Lf", deviation(v, sum));
	else
		printf("\t-");
}

static void print_header(void)
{
	for (size_t i = 0; i < by.nr; i++)
		printf("%s\t", by.names[i]);
	printf("n");
	for (size_t i = 0; i < metrics.nr; i++) {
		const char *name = metrics.names[i];

		printf("\t%s_min", name);
		for (size_t k = 0; k < nr_percentiles; k++)
			printf("\t%s_p%s", name, percentiles[k].text);
		printf("\t%s_max\t%s_mean\t%s_std", name, name, name);
	}
	if (taint_column)
		printf("\ttainted");
	for (size_t i = 0; i < nr_taint_names; i++)
		printf("\t%s", taint_names[i]);
	if (nr_taint_names)
		printf("\tother_taint");
	printf("\n");
}

static void print_group(struct group *group)
{
	for (size_t i = 0; i < by.nr; i++)
		printf("%s\t", group->key[i]);
	printf("%" PRIu64, group->n);
	for (size_t i = 0; i < metrics.nr; i++) {
		struct values *v = &group->metrics[i];
		int64_t *scratch = xrealloc(NULL, v->nr, sizeof(*scratch));

		sort_s64(v->list, scratch, v->nr);
		free(scratch);
		print_values(v);
		free(v->list);
	}
	if (taint_column)
		printf("\t%" PRIu64, group->tainted);
	for (size_t i = 0; nr_taint_names && i <= nr_taint_names; i++)
		printf("\t%" PRIu64, group->taints[i]);
	printf("\n");
}

static void usage(void)
{
	die("usage: quantiles -g COLUMN,... -m METRIC,... [-p PERCENT,...] [-t COLUMN[:NAME,...]] TABLE.TSV");
}

int main(int argc, char **argv)
{
	struct tsv tsv;
	int opt;

	message_init("quantiles");
	while ((opt = getopt(argc, argv, "g:m:p:t:")) != -1) {
		if (opt == 'g')
			by.nr = split_list(optarg, &by.names);
		else if (opt == 'm')
			metrics.nr = split_list(optarg, &metrics.names);
		else if (opt == 'p')
			parse_percentiles(optarg);
		else if (opt == 't')
			parse_taint(optarg);
		else
			usage();
	}
	if (optind + 1 != argc || !by.nr || !metrics.nr)
		usage();

	tsv_open(&tsv, argv[optind]);
	find_columns(&tsv, &by);
	find_columns(&tsv, &metrics);
	if (taint_column)
		taint_at = tsv_column(&tsv, taint_column);
	while (tsv_next_row(&tsv))
		add_row(&tsv);
	if (!nr_groups)
		die("%s: no rows", tsv.name);

	qsort(groups, nr_groups, sizeof(*groups), compare_groups);
	print_header();
	for (size_t i = 0; i < nr_groups; i++)
		print_group(&groups[i]);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %s", strerror(errno));
	tsv_close(&tsv);
	return 0;
}
