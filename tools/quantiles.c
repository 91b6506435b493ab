// SPDX-License-Identifier: GPL-2.0
/*
 * quantiles -g COLUMN,... -m METRIC,... [-p PERCENT,...] [-t COLUMN[:NAME,...]]
 *           [-r COLUMN:STATE=COUNTER,...] [-i INTERVALS.TSV] [-c PPM] [-C COLUMN:STATE=PPM,...]
 *           [-H DIRECTORY] [-u] [-x COLUMN:STATE=LIMIT,...] [-l LIMIT] [-s] TABLE.TSV
 *
 * Exact statistics of the integers in METRIC columns, for each combination of values
 * in the -g columns, as a table on stdout: the -g columns, n, then for each metric
 * min, the percentiles, max, mean, std. A row whose -t column is not "-" is left out
 * of all this and counted in the columns tainted, NAME... and other_taint. "-" where
 * there is no value, or too few for a percentile; with -u, such a percentile is
 * there and ends in "*".
 *
 * -r splits the groups once more, in a column "reached": did COUNTER count in a row
 * whose COLUMN is STATE? -i writes how sure each percentile is: a row for each group,
 * metric and percentile, with the order statistics it lies between with 95 %
 * probability (low, high), and those for two percentiles at once: a pair of intervals
 * low_joint, high_joint of two independent tables is right with 95 %. -c: each bound is
 * wrong with a probability of PPM millionths at most, in place of 25000 (2.5 %); -C: in
 * groups whose -g COLUMN is STATE.
 *
 * -x adds a column METRIC_above: how many values are above LIMIT in a group whose -g
 * COLUMN is STATE; "-" in others; and METRIC_above_most, the share of such values that they
 * do not exceed, a bound as those above. -l adds the same, METRIC_over and METRIC_over_most,
 * for a LIMIT that is that of all groups.
 * -H writes DIRECTORY/KEY-KEY-METRIC.hgrm for each group and metric that has values.
 *
 * -s adds METRIC_clusters_p and METRIC_drift_p, see series.h: do the values depend on
 * those before them, and on when they were measured?
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "binomial.h"
#include "groups.h"
#include "hgrm.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "percentile.h"
#include "reached.h"
#include "series.h"
#include "tsv.h"

struct values {
	int64_t *list;
	size_t nr, room;
};

/* Of the rows of a group. */
struct summary {
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
static struct reached reached;
/* Of the current row: the cells of the -g columns, then whether its state was reached. */
static struct tsv_cell *key;
static struct percentile *percentiles;
static size_t nr_percentiles;
static FILE *intervals;
static bool unsupported;
/* Numbers for groups by the value of one of the -g columns. */
struct by_state {
	char *column;
	char **states;
	int64_t *numbers;
	size_t nr, at;
};

static struct by_state above;		/* -x */
static struct by_state tails;		/* -C, of a million */
static int64_t tail = 25000;		/* -c */
static int64_t limit_of_all;		/* -l */
static bool count_over;
static const char *hgrm_directory;	/* -H */
static bool test_series;		/* -s */
static char *taint_column;
static size_t taint_at;
static char **taint_names;
static size_t nr_taint_names;

static struct groups groups;

static void parse_taint(char *text)
{
	char *colon = strchr(text, ':');

	taint_column = text;
	if (!colon)
		return;
	*colon = '\0';
	nr_taint_names = split_list(colon + 1, &taint_names);
}

static void parse_by_state(struct by_state *list, char option, const char *text)
{
	const char *colon = strchr(text, ':');

	if (!colon)
		die("-%c: '%s' is not COLUMN:STATE=NUMBER,...", option, text);
	list->column = xprintf("%.*s", (int)(colon - text), text);
	list->nr = split_list(colon + 1, &list->states);
	list->numbers = xrealloc(NULL, list->nr, sizeof(*list->numbers));
	for (size_t i = 0; i < list->nr; i++) {
		char *equals = strchr(list->states[i], '=');

		if (!equals || !parse_s64(equals + 1, equals + strlen(equals), &list->numbers[i]))
			die("-%c: '%s' is not STATE=NUMBER", option, list->states[i]);
		*equals = '\0';
	}
}

static int64_t parse_number(char option, const char *text)
{
	int64_t v;

	if (!parse_s64(text, text + strlen(text), &v))
		die("-%c: '%s' is not an integer", option, text);
	return v;
}

static void check_tail(int64_t ppm)
{
	if (ppm < 1 || ppm >= 500000)
		die("a probability of %" PRId64 " millionths is not below one half", ppm);
}

static void find_by_state(struct by_state *list, char option)
{
	while (list->column && strcmp(by.names[list->at], list->column))
		if (++list->at == by.nr)
			die("-%c: %s is not one of the -g columns", option, list->column);
}

static const int64_t *number_of(const struct by_state *list, const struct group *group)
{
	for (size_t i = 0; i < list->nr; i++)
		if (!strcmp(group->key[list->at], list->states[i]))
			return &list->numbers[i];
	return NULL;
}

static void find_columns(const struct tsv *tsv, struct columns *columns)
{
	columns->at = xrealloc(NULL, columns->nr, sizeof(*columns->at));
	for (size_t i = 0; i < columns->nr; i++)
		columns->at[i] = tsv_column(tsv, columns->names[i]);
}

static void take_key(const struct tsv *tsv)
{
	for (size_t i = 0; i < by.nr; i++)
		key[i] = tsv->cells[by.at[i]];
	if (groups.nr_keys > by.nr) {
		const char *word = reached_word(&reached, tsv);

		key[by.nr] = (struct tsv_cell) { .start = word, .end = word + strlen(word) };
	}
}

static struct summary *new_summary(void)
{
	struct summary *summary = xrealloc(NULL, 1, sizeof(*summary));

	*summary = (struct summary) {
		.taints = calloc(nr_taint_names + 1, sizeof(*summary->taints)),
		.metrics = calloc(metrics.nr, sizeof(*summary->metrics)),
	};
	if (!summary->taints || !summary->metrics)
		die("out of memory");
	return summary;
}

static struct summary *summary_of(const struct tsv *tsv)
{
	struct group *group;

	take_key(tsv);
	group = groups_get(&groups, key);
	if (!group->data)
		group->data = new_summary();
	return group->data;
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

static void count_taints(struct summary *summary, const struct tsv_cell *cell)
{
	struct tsv_cell word = { .start = cell->start };
	uint64_t *other = &summary->taints[nr_taint_names];
	uint64_t other_before = *other;

	summary->tainted++;
	for (;; word.start = word.end + 1) {
		word.end = memchr(word.start, ',', cell->end - word.start);
		if (!word.end)
			word.end = cell->end;
		summary->taints[taint_index(&word)]++;
		if (word.end == cell->end)
			break;
	}
	/* Samples are counted, not names. */
	if (*other > other_before)
		*other = other_before + 1;
}

static void add_row(const struct tsv *tsv)
{
	struct summary *summary = summary_of(tsv);
	int64_t v;

	if (taint_column && !tsv_absent(tsv, taint_at)) {
		count_taints(summary, &tsv->cells[taint_at]);
		return;
	}
	summary->n++;
	for (size_t i = 0; i < metrics.nr; i++)
		if (tsv_s64(tsv, metrics.at[i], &v))
			add_value(&summary->metrics[i], v);
}

/* Output. */

/* dividend / divisor, to the nearest tenth (halves away from 0), without a trailing ".0". */
static void print_ratio(FILE *out, __int128 dividend, uint64_t divisor)
{
	bool negative = dividend < 0;
	unsigned __int128 size = negative ? -(unsigned __int128)dividend : (unsigned __int128)dividend;
	unsigned __int128 tenths = (size * 20 + divisor) / ((unsigned __int128)divisor * 2);
	uint64_t whole = tenths / 10;
	unsigned int tenth = tenths % 10;

	fprintf(out, "\t%s%" PRIu64, negative && tenths ? "-" : "", whole);
	if (tenth)
		fprintf(out, ".%u", tenth);
}

/* Type 7: the value at rank (n - 1) p, counted from 0; linear between two ranks. */
static void print_percentile(FILE *out, const struct values *v, const struct percentile *p)
{
	unsigned __int128 rank;
	uint64_t below, rest;
	__int128 step;

	if (!v->nr || (v->nr < p->needed && !unsupported)) {
		fprintf(out, "\t-");
		return;
	}
	rank = (unsigned __int128)(v->nr - 1) * p->part;
	below = rank / p->whole;
	rest = rank % p->whole;
	step = rest ? (__int128)v->list[below + 1] - v->list[below] : 0;
	print_ratio(out, (__int128)v->list[below] * p->whole + step * rest, p->whole);
	if (v->nr < p->needed)
		putc('*', out);
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
		print_percentile(stdout, v, &percentiles[i]);
	printf("\t%" PRId64, v->list[v->nr - 1]);
	print_ratio(stdout, sum, v->nr);
	if (v->nr > 1)
		printf("\t%.1Lf", deviation(v, sum));
	else
		printf("\t-");
}

/* With which probability each bound may be wrong. */
static long double tail_of(const struct group *group)
{
	const int64_t *own = number_of(&tails, group);

	return (own ? *own : tail) * 1e-6L;
}

/* How many, and the greatest share of all wake-ups that they can be of. The values are sorted. */
static void print_above(const struct group *group, const int64_t *limit, const struct values *v)
{
	size_t low = 0, high = v->nr;

	if (!limit || !v->nr) {
		printf("\t-\t-");
		return;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (v->list[middle] > *limit)
			high = middle;
		else
			low = middle + 1;
	}
	printf("\t%zu\t%.9Lf", v->nr - low, binomial_upper(v->nr, v->nr - low, tail_of(group)));
}

static void print_series(double p)
{
	if (p < 0)
		printf("\t-");
	else
		printf("\t%.2g", p);
}

static void print_rank(const struct values *v, uint64_t rank)
{
	if (rank)
		fprintf(intervals, "\t%" PRId64, v->list[rank - 1]);
	else
		fprintf(intervals, "\t-");
}

static void print_intervals(const struct group *group, const char *metric, const struct values *v)
{
	const long double one_tail = tail_of(group);
	/* Both of two independent intervals hold with the square of the probability of one. */
	const long double joint_tail = (1 - sqrtl(1 - 2 * one_tail)) / 2;

	for (size_t i = 0; i < nr_percentiles; i++) {
		const struct percentile *p = &percentiles[i];
		struct ranks one = percentile_ranks(p, v->nr, one_tail);
		struct ranks joint = percentile_ranks(p, v->nr, joint_tail);

		for (size_t k = 0; k < groups.nr_keys; k++)
			fprintf(intervals, "%s\t", group->key[k]);
		fprintf(intervals, "%s\t%s\t%zu\t%" PRIu64, metric, p->text, v->nr, p->needed);
		print_percentile(intervals, v, p);
		print_rank(v, one.low);
		print_rank(v, one.high);
		print_rank(v, joint.low);
		print_rank(v, joint.high);
		fprintf(intervals, "\n");
	}
}

static void print_key_header(FILE *out)
{
	for (size_t i = 0; i < by.nr; i++)
		fprintf(out, "%s\t", by.names[i]);
	if (groups.nr_keys > by.nr)
		fprintf(out, "reached\t");
}

static void open_intervals(const char *name)
{
	intervals = outfile_stream(name);
	print_key_header(intervals);
	fprintf(intervals, "metric\tpercentile\tn\tneeded\tvalue\tlow\thigh\tlow_joint\thigh_joint\n");
}

static void close_intervals(const char *name)
{
	bool failed = ferror(intervals);

	if (fclose(intervals) || failed)
		die("%s: cannot be written: %s", name, strerror(errno));
}

static void print_header(void)
{
	print_key_header(stdout);
	printf("n");
	for (size_t i = 0; i < metrics.nr; i++) {
		const char *name = metrics.names[i];

		printf("\t%s_min", name);
		for (size_t k = 0; k < nr_percentiles; k++)
			printf("\t%s_p%s", name, percentiles[k].text);
		printf("\t%s_max\t%s_mean\t%s_std", name, name, name);
		if (above.column)
			printf("\t%s_above\t%s_above_most", name, name);
		if (count_over)
			printf("\t%s_over\t%s_over_most", name, name);
		if (test_series)
			printf("\t%s_clusters_p\t%s_drift_p", name, name);
	}
	if (taint_column)
		printf("\ttainted");
	for (size_t i = 0; i < nr_taint_names; i++)
		printf("\t%s", taint_names[i]);
	if (nr_taint_names)
		printf("\tother_taint");
	printf("\n");
}

/* What is to be said about their order, before it is gone. */
static struct series sort_values(struct values *v)
{
	struct series series = { .clusters_p = -1, .drift_p = -1 };
	int64_t *scratch = xrealloc(NULL, v->nr, sizeof(*scratch));
	int64_t *recorded = NULL;

	if (test_series && v->nr) {
		recorded = xrealloc(NULL, v->nr, sizeof(*recorded));
		memcpy(recorded, v->list, v->nr * sizeof(*recorded));
	}
	sort_s64(v->list, scratch, v->nr);
	free(scratch);
	if (recorded)
		series = series_test(recorded, v->list, v->nr);
	free(recorded);
	return series;
}

static void write_hgrm(const struct group *group, const char *metric, const struct values *v)
{
	char *name = xprintf("%s/", hgrm_directory);

	for (size_t i = 0; i < groups.nr_keys; i++) {
		char *longer = xprintf("%s%s-", name, group->key[i]);

		free(name);
		name = longer;
	}
	hgrm_write(xprintf("%s%s.hgrm", name, metric), v->list, v->nr);
	free(name);
}

static void print_group(const struct group *group)
{
	const struct summary *summary = group->data;

	for (size_t i = 0; i < groups.nr_keys; i++)
		printf("%s\t", group->key[i]);
	printf("%" PRIu64, summary->n);
	for (size_t i = 0; i < metrics.nr; i++) {
		struct values *v = &summary->metrics[i];
		struct series series = sort_values(v);

		print_values(v);
		if (above.column)
			print_above(group, number_of(&above, group), v);
		if (count_over)
			print_above(group, &limit_of_all, v);
		if (test_series) {
			print_series(series.clusters_p);
			print_series(series.drift_p);
		}
		if (intervals)
			print_intervals(group, metrics.names[i], v);
		if (hgrm_directory && v->nr)
			write_hgrm(group, metrics.names[i], v);
		free(v->list);
	}
	if (taint_column)
		printf("\t%" PRIu64, summary->tainted);
	for (size_t i = 0; nr_taint_names && i <= nr_taint_names; i++)
		printf("\t%" PRIu64, summary->taints[i]);
	printf("\n");
}

static void usage(void)
{
	die("usage: quantiles -g COLUMN,... -m METRIC,... [-p PERCENT,...] [-t COLUMN[:NAME,...]] "
	    "[-r COLUMN:STATE=COUNTER,...] [-i INTERVALS.TSV] [-c PPM] [-C COLUMN:STATE=PPM,...] [-H DIRECTORY] [-u] "
	    "[-x COLUMN:STATE=LIMIT,...] [-l LIMIT] [-s] TABLE.TSV");
}

/* The header of a table must not have a name twice. */
static void refuse_twice(void)
{
	for (size_t i = 0; i < metrics.nr; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(metrics.names[i], metrics.names[k]))
				die("-m: %s is there twice", metrics.names[i]);
	for (size_t i = 0; i < nr_percentiles; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(percentiles[i].text, percentiles[k].text))
				die("-p: %s is there twice", percentiles[i].text);
}

static void read_table(const char *name)
{
	struct tsv tsv;

	tsv_open(&tsv, name);
	find_columns(&tsv, &by);
	find_columns(&tsv, &metrics);
	if (taint_column)
		taint_at = tsv_column(&tsv, taint_column);
	if (reached.nr)
		reached_find_columns(&reached, &tsv);
	find_by_state(&above, 'x');
	find_by_state(&tails, 'C');
	groups.nr_keys = by.nr + !!reached.nr;
	key = xrealloc(NULL, groups.nr_keys, sizeof(*key));
	while (tsv_next_row(&tsv))
		add_row(&tsv);
	if (!groups.nr)
		die("%s: no rows", tsv.name);
	tsv_close(&tsv);
}

int main(int argc, char **argv)
{
	const char *intervals_name = NULL;
	int opt;

	message_init("quantiles");
	while ((opt = getopt(argc, argv, "c:C:g:H:i:l:m:p:r:st:ux:")) != -1) {
		if (opt == 'c') {
			tail = parse_number('c', optarg);
			check_tail(tail);
		} else if (opt == 'C') {
			parse_by_state(&tails, 'C', optarg);
			for (size_t i = 0; i < tails.nr; i++)
				check_tail(tails.numbers[i]);
		} else if (opt == 'g')
			by.nr = split_list(optarg, &by.names);
		else if (opt == 'H')
			hgrm_directory = optarg;
		else if (opt == 'i')
			intervals_name = optarg;
		else if (opt == 'l') {
			limit_of_all = parse_number('l', optarg);
			count_over = true;
		} else if (opt == 'm')
			metrics.nr = split_list(optarg, &metrics.names);
		else if (opt == 'p')
			nr_percentiles = parse_percentiles(optarg, &percentiles);
		else if (opt == 'r')
			reached_parse(&reached, optarg);
		else if (opt == 's')
			test_series = true;
		else if (opt == 't')
			parse_taint(optarg);
		else if (opt == 'u')
			unsupported = true;
		else if (opt == 'x')
			parse_by_state(&above, 'x', optarg);
		else
			usage();
	}
	if (optind + 1 != argc || !by.nr || !metrics.nr)
		usage();
	refuse_twice();

	read_table(argv[optind]);
	groups_sort(&groups);
	if (intervals_name)
		open_intervals(intervals_name);
	print_header();
	for (size_t i = 0; i < groups.nr; i++)
		print_group(&groups.list[i]);
	if (intervals_name)
		close_intervals(intervals_name);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %s", strerror(errno));
	return 0;
}
