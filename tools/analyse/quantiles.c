// SPDX-License-Identifier: GPL-2.0
/*
 * quantiles -g COLUMN,... -m METRIC,... [-p PERCENT,...] [-t COLUMN[:NAME,...]]
 *           [-r COLUMN:STATE=COUNTER,...] [-i INTERVALS.TSV] [-c PPM] [-C COLUMN:STATE=PPM,...]
 *           [-H DIRECTORY] [-u] [-x COLUMN:STATE=LIMIT,...] [-l LIMIT] [-k NAME,...] [-e COLUMN:STATE=COUNT,...] [-U]
 *           [-T TAINTS.TSV] TABLE.TSV
 *
 * Print exact statistics of the integers in METRIC columns as a table on stdout, one row for
 * each combination of values in the -g columns. Its columns are the -g columns, n, then for
 * each metric min, the percentiles, max, mean, std. A row whose -t column is not "-" is left
 * out of the statistics and counted in the columns tainted, NAME... and other_taint. A cell is
 * "-" if there is no value, or if there are too few values for a percentile. With -u, such a
 * percentile is printed and ends in "*".
 *
 * -r splits the groups once more, by a column "reached": whether COUNTER advanced in a row
 * whose COLUMN is STATE.
 *
 * -i writes confidence intervals, one row for each group, metric and percentile. low and high
 * are the order statistics that enclose the percentile with a probability of 95 %. low_joint
 * and high_joint are for comparing two independent tables: both intervals hold with a
 * probability of 95 %. With -c, a bound is wrong with a probability of at most PPM millionths.
 * The default is 25000 (2.5 %). -C sets PPM for groups whose -g COLUMN is STATE.
 *
 * -x adds two columns for groups whose -g COLUMN is STATE ("-" in other groups). METRIC_above
 * is the number of values above LIMIT. METRIC_above_most is the upper confidence bound on their
 * share. -l adds METRIC_over and METRIC_over_most, the same for one LIMIT in all groups.
 * -H writes DIRECTORY/KEY-KEY-METRIC.hgrm for each group and metric that has values.
 *
 * If samples depend on each other (dependence.h), the intervals and the shares of -x and -l are
 * wider: those of effective_n independent samples. Columns clusters_p, drift_p and unknown have
 * the results of the tests.
 *
 * -k: a row is not left out if all its taints are among NAME,...
 * -e: groups whose -g COLUMN is STATE have COUNT further values, which are known only to be
 * longer than all others. A bound among these values is "inf".
 * -U: column uncertainty is how far a value may be off, in the same direction for all values.
 * Lower bounds are computed from the values minus their uncertainty, upper bounds from the values
 * plus their uncertainty. Column uncertainty of -i has the largest uncertainty.
 * -T writes how many rows have each combination of taints: the -g columns, taint, n.
 *
 * TABLE.TSV may be a counts.tsv. Its rows say how often each value occurred, and how many samples
 * there were. If samples are only known as intervals, the statistics are intervals, too:
 * "LOW..HIGH", with "-" as HIGH if there is no end. std is "-" then. Lower bounds are computed from
 * the lower ends, upper bounds from the upper ends.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "binomial.h"
#include "counts-table.h"
#include "dependence.h"
#include "distribution.h"
#include "groups.h"
#include "hgrm.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "percentile.h"
#include "reached.h"
#include "tsv.h"

struct values {
	int64_t *list;
	int64_t *uncertain;	/* -U: the uncertainty of each value */
	uint64_t *counts;	/* counts.tsv: how often each value occurred */
	int64_t *high;		/* counts.tsv with intervals: the upper end; for an exact value, the value itself */
	size_t nr, room;
	/*
	 * If counts.tsv has only rows `sum` of a metric: the sum of all values, and the number of
	 * values.
	 */
	int64_t sum;
	uint64_t nr_sum;
	/*
	 * The p-values in counts.tsv, which were computed while the order of the samples was known.
	 */
	char *clusters_p, *drift_p;
};

/* The sorted values of a metric, and what the tests and bounds need. */
struct sorted {
	struct distribution all;
	/* Lower and upper bound of each value, from its uncertainty and its interval. */
	struct distribution least, most;
	struct distribution ends;		/* upper ends of the intervals; no values if all are exact */
	int64_t *recorded;			/* the values in recorded order; NULL if the order is not known */
	int64_t uncertainty;			/* the largest */
	uint64_t longer;			/* -e: number of further values, longer than all others */
};

/* The rows of a group. */
struct summary {
	uint64_t n;
	uint64_t tainted;
	uint64_t *taints;	/* samples with each taint name; the last is for all other names */
	int64_t uncertainty;	/* counts.tsv: the largest; counts do not say which sample has it */
	struct values *metrics;
};

struct columns {
	char **names;
	size_t *at;
	size_t nr;
};

static struct columns by, metrics;
static struct reached reached;
/* The key of the current row: the cells of the -g columns, then whether its state was reached. */
static struct tsv_cell *key;
static struct percentile *percentiles;
static size_t nr_percentiles;
static FILE *intervals;
static bool wants_intervals;
static bool unsupported;
/* Numbers for groups, chosen by the value of one -g column. */
struct by_state {
	char *column;
	char **states;
	int64_t *numbers;
	size_t nr, at;
};

static struct by_state above;		/* -x */
static struct by_state tails;		/* -C, in ppm */
static struct by_state endless;		/* -e */
static char **kept_taints;		/* -k */
static size_t nr_kept_taints;
static const char *taints_name;		/* -T */
static bool use_uncertainty;		/* -U */
static size_t uncertainty_at;
static int64_t tail = 25000;		/* -c */
static int64_t limit_of_all;		/* -l */
static bool count_over;
static const char *hgrm_directory;	/* -H */
static char *taint_column;
static size_t taint_at;
static char **taint_names;
static size_t nr_taint_names;

/* Columns of a counts.tsv. */
static struct {
	bool is;
	size_t reached, metric, kind, value, high, count;
	bool intervals;
} counts;

static struct groups groups, taint_groups;

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
		const char *word;

		if (counts.is) {
			key[by.nr] = tsv->cells[counts.reached];
			return;
		}
		word = reached_word(&reached, tsv);
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

static void make_room(struct values *values)
{
	if (values->nr < values->room)
		return;
	values->room = values->room ? values->room * 2 : 1024;
	values->list = xrealloc(values->list, values->room, sizeof(*values->list));
	if (counts.is) {
		values->counts = xrealloc(values->counts, values->room, sizeof(*values->counts));
		if (counts.intervals)
			values->high = xrealloc(values->high, values->room, sizeof(*values->high));
	}
	else if (use_uncertainty)
		values->uncertain = xrealloc(values->uncertain, values->room, sizeof(*values->uncertain));
}

static void add_value(struct values *values, int64_t v, int64_t uncertainty)
{
	make_room(values);
	if (use_uncertainty)
		values->uncertain[values->nr] = uncertainty;
	values->list[values->nr++] = v;
}

static size_t taint_index(const struct tsv_cell *word)
{
	size_t i = 0;

	while (i < nr_taint_names && !cell_is(word, taint_names[i]))
		i++;
	return i;
}

/* Count N rows of the current key that have exactly the taints of CELL. */
static void count_combination(const struct tsv_cell *cell, uint64_t n)
{
	uint64_t *count;

	if (!taints_name)
		return;
	key[by.nr] = *cell;
	count = group_data(&taint_groups, key, sizeof(*count));
	*count += n;
}

/* Add N samples to the count of each taint of CELL. */
static void count_taints(struct summary *summary, const struct tsv_cell *cell, uint64_t n)
{
	struct tsv_cell word = { .start = cell->start };
	uint64_t *other = &summary->taints[nr_taint_names];
	uint64_t other_before = *other;

	summary->tainted += n;
	for (;; word.start = word.end + 1) {
		word.end = memchr(word.start, ',', cell->end - word.start);
		if (!word.end)
			word.end = cell->end;
		summary->taints[taint_index(&word)] += n;
		if (word.end == cell->end)
			break;
	}
	/* Count a sample once, even if several of its taints have no column. */
	if (*other > other_before)
		*other = other_before + n;
}

/* True if -k names all taints of CELL. */
static bool is_kept(const struct tsv_cell *cell)
{
	struct tsv_cell word = { .start = cell->start };

	for (;; word.start = word.end + 1) {
		size_t i = 0;

		word.end = memchr(word.start, ',', cell->end - word.start);
		if (!word.end)
			word.end = cell->end;
		while (i < nr_kept_taints && !cell_is(&word, kept_taints[i]))
			i++;
		if (i == nr_kept_taints)
			return false;
		if (word.end == cell->end)
			return true;
	}
}

static bool is_left_out(const struct tsv *tsv)
{
	return taint_column && !tsv_absent(tsv, taint_at) && !is_kept(&tsv->cells[taint_at]);
}

static void add_row(const struct tsv *tsv)
{
	struct summary *summary = summary_of(tsv);
	int64_t v, uncertainty = 0;

	if (taint_column && !tsv_absent(tsv, taint_at))
		count_combination(&tsv->cells[taint_at], 1);
	if (is_left_out(tsv)) {
		count_taints(summary, &tsv->cells[taint_at], 1);
		return;
	}
	summary->n++;
	if (use_uncertainty && (!tsv_s64(tsv, uncertainty_at, &uncertainty) || uncertainty < 0))
		uncertainty = 0;
	for (size_t i = 0; i < metrics.nr; i++)
		if (tsv_s64(tsv, metrics.at[i], &v))
			add_value(&summary->metrics[i], v, uncertainty);
}

static int64_t number_in(const struct tsv *tsv, size_t column)
{
	int64_t v;

	if (!tsv_s64(tsv, column, &v))
		die("%s:%" PRIu64 ": no %s", tsv->name, tsv->line, tsv->header[column]);
	return v;
}

static uint64_t count_in(const struct tsv *tsv)
{
	int64_t n = number_in(tsv, counts.count);

	if (n < 1)
		die("%s:%" PRIu64 ": count: %" PRId64 " is not above 0", tsv->name, tsv->line, n);
	return n;
}

/* Return the values of the row's metric; NULL if -m does not name it. */
static struct values *metric_of(struct summary *summary, const struct tsv *tsv)
{
	for (size_t i = 0; i < metrics.nr; i++)
		if (cell_is(&tsv->cells[counts.metric], metrics.names[i]))
			return &summary->metrics[i];
	return NULL;
}

static char *cell_text(const struct tsv_cell *cell)
{
	return xprintf("%.*s", (int)(cell->end - cell->start), cell->start);
}

/*
 * Store the p-value of a row. counts.tsv has one row for all samples of a state (reached is "all"),
 * and one row for each value of reached. The first is used without -r, the others with -r.
 */
static void take_order(const struct tsv *tsv, bool clusters)
{
	struct values *values;

	if (!wants_intervals || cell_is(&tsv->cells[counts.reached], "all") != !reached.nr)
		return;
	values = metric_of(summary_of(tsv), tsv);
	if (values)
		*(clusters ? &values->clusters_p : &values->drift_p) = cell_text(&tsv->cells[counts.value]);
}

/* Return the upper end of the interval that begins at LOW; LOW if the row has an exact value. */
static int64_t end_in(const struct tsv *tsv, int64_t low)
{
	int64_t high;

	if (cell_is(&tsv->cells[counts.high], "inf"))
		return INT64_MAX;
	if (!tsv_s64(tsv, counts.high, &high))
		return low;
	if (high <= low)
		die("%s:%" PRIu64 ": high: %" PRId64 " is not above the value", tsv->name, tsv->line, high);
	return high;
}

/* Add a row of counts.tsv. */
static void add_counts(const struct tsv *tsv)
{
	const struct tsv_cell *kind = &tsv->cells[counts.kind];
	struct summary *summary;
	struct values *values;

	if (cell_is(kind, "column"))
		return;
	if (cell_is(kind, "clusters_p") || cell_is(kind, "drift_p")) {
		take_order(tsv, cell_is(kind, "clusters_p"));
		return;
	}
	summary = summary_of(tsv);
	if (cell_is(kind, "samples")) {
		if (taint_column && !tsv_absent(tsv, taint_at))
			count_combination(&tsv->cells[taint_at], count_in(tsv));
		if (is_left_out(tsv))
			count_taints(summary, &tsv->cells[taint_at], count_in(tsv));
		else
			summary->n += count_in(tsv);
		return;
	}
	if (use_uncertainty && cell_is(&tsv->cells[counts.metric], "uncertainty") && !is_left_out(tsv) &&
	    number_in(tsv, counts.value) > summary->uncertainty)
		summary->uncertainty = number_in(tsv, counts.value);
	values = is_left_out(tsv) ? NULL : metric_of(summary, tsv);
	if (!values)
		return;
	if (cell_is(kind, "sum")) {
		if (__builtin_add_overflow(values->sum, number_in(tsv, counts.value), &values->sum))
			die("%s:%" PRIu64 ": sums beyond 64 bits", tsv->name, tsv->line);
		values->nr_sum += count_in(tsv);
		return;
	}
	make_room(values);
	values->counts[values->nr] = count_in(tsv);
	values->list[values->nr] = number_in(tsv, counts.value);
	if (counts.intervals)
		values->high[values->nr] = end_in(tsv, values->list[values->nr]);
	values->nr++;
}

/* Output. */

/* Print dividend / divisor to the nearest tenth (halves away from 0), without a trailing ".0". */
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

/*
 * Compute a percentile by type 7: the value at rank (n - 1) p, counted from 0, interpolated
 * linearly between two ranks. DIVIDEND is the value times p->whole. Return false if the
 * percentile is the open end of an interval.
 */
static bool percentile_of(const struct distribution *v, const struct percentile *p, __int128 *dividend)
{
	unsigned __int128 rank = (unsigned __int128)(v->n - 1) * p->part;
	uint64_t below = rank / p->whole, rest = rank % p->whole;
	int64_t value = distribution_at(v, below);
	int64_t next = rest ? distribution_at(v, below + 1) : value;

	*dividend = (__int128)value * p->whole + ((__int128)next - value) * rest;
	return next != INT64_MAX;
}

/*
 * Print "FROM..TO": LOW / DIVISOR rounded down, and HIGH / DIVISOR rounded up or "-" without an
 * end.
 */
static void print_between(FILE *out, __int128 low, bool has_end, __int128 high, uint64_t divisor)
{
	__int128 from = low / divisor - (low % divisor < 0);
	__int128 to = high / divisor + (high % divisor > 0);

	fprintf(out, "\t%" PRId64 "..", (int64_t)from);
	if (has_end)
		fprintf(out, "%" PRId64, (int64_t)to);
	else
		putc('-', out);
}

static void print_percentile(FILE *out, const struct sorted *v, const struct percentile *p)
{
	__int128 low, high;
	bool has_end;

	if (!v->all.n || (v->all.n < p->needed && !unsupported)) {
		fprintf(out, "\t-");
		return;
	}
	percentile_of(&v->all, p, &low);
	if (v->ends.n) {
		has_end = percentile_of(&v->ends, p, &high);
		print_between(out, low, has_end, high, p->whole);
	} else {
		print_ratio(out, low, p->whole);
	}
	if (v->all.n < p->needed)
		putc('*', out);
}

/* Return the standard deviation. Differences from an integer near the mean avoid cancellation. */
static long double deviation(const struct distribution *v, __int128 sum)
{
	int64_t centre = sum / (__int128)v->n;
	long double squares = 0, rest = 0;

	for (size_t i = 0; i < v->nr; i++) {
		long double d = (long double)((__int128)v->value[i] - centre);
		uint64_t count = distribution_count(v, i);

		squares += d * d * count;
		rest += d * count;
	}
	return sqrtl((squares - rest * rest / v->n) / (v->n - 1));
}

static void print_absent(size_t nr)
{
	while (nr--)
		printf("\t-");
}

static __int128 sum_of(const struct distribution *v)
{
	__int128 sum = 0;

	for (size_t i = 0; i < v->nr; i++)
		sum += (__int128)v->value[i] * distribution_count(v, i);
	return sum;
}

/* Print statistics of values that are only known as intervals. */
static void print_ranges(const struct sorted *v)
{
	const struct distribution *low = &v->all, *high = &v->ends;
	int64_t last = high->value[high->nr - 1];

	print_between(stdout, low->value[0], high->value[0] != INT64_MAX, high->value[0], 1);
	for (size_t i = 0; i < nr_percentiles; i++)
		print_percentile(stdout, v, &percentiles[i]);
	print_between(stdout, low->value[low->nr - 1], last != INT64_MAX, last, 1);
	print_between(stdout, sum_of(low), last != INT64_MAX, sum_of(high), low->n);
	print_absent(1);
}

static void print_values(const struct sorted *sorted)
{
	const struct distribution *v = &sorted->all;

	if (!v->n) {
		print_absent(nr_percentiles + 4);
		return;
	}
	if (sorted->ends.n) {
		print_ranges(sorted);
		return;
	}
	printf("\t%" PRId64, v->value[0]);
	for (size_t i = 0; i < nr_percentiles; i++)
		print_percentile(stdout, sorted, &percentiles[i]);
	printf("\t%" PRId64, v->value[v->nr - 1]);
	print_ratio(stdout, sum_of(v), v->n);
	if (v->n > 1)
		printf("\t%.1Lf", deviation(v, sum_of(v)));
	else
		printf("\t-");
}

/* Print the mean of a metric of which counts.tsv has only the sum. */
static void print_sum(const struct values *v)
{
	print_absent(nr_percentiles + 2);
	print_ratio(stdout, v->sum, v->nr_sum);
	print_absent(1);
}

/* Return the largest probability with which each bound may be wrong. */
static long double tail_of(const struct group *group)
{
	const int64_t *own = number_of(&tails, group);

	return (own ? *own : tail) * 1e-6L;
}

/* Test the values for dependence at LIMIT. If their order is not known, the result has p = -1. */
static struct dependence limit_dependence(const struct sorted *v, int64_t limit)
{
	struct dependence none = { .p = -1, .drift_p = -1, .inflation = 1 };
	uint64_t longer = distribution_above(&v->all, limit);

	if (!v->recorded)
		return none;
	if (longer > 1)
		none = dependence_above(v->recorded, v->all.n, limit);
	if (longer >= DEPENDENCE_FEWEST || v->all.n < 2)
		return none;
	return dependence_worse(none, dependence_at(v->recorded, &v->all, v->all.n - longer, v->all.n));
}

/* Print how many values are above LIMIT, and the upper confidence bound on their share. */
static void print_above(const struct group *group, const int64_t *limit, const struct sorted *v)
{
	uint64_t n = v->all.n + v->longer, longer, at_most, effective;
	struct dependence d;

	if (!limit || !n) {
		print_absent(2);
		return;
	}
	longer = distribution_above(&v->all, *limit) + v->longer;
	at_most = distribution_above(&v->most, *limit) + v->longer;
	d = limit_dependence(v, *limit);
	effective = dependence_effective(n, &d);
	/* Scale to the effective number of samples, rounded up. */
	at_most = ((unsigned __int128)at_most * effective + n - 1) / n;
	if (v->ends.n && distribution_above(&v->ends, *limit) + v->longer > longer)
		printf("\t%" PRIu64 "..%" PRIu64, longer, distribution_above(&v->ends, *limit) + v->longer);
	else
		printf("\t%" PRIu64, longer);
	printf("\t%.9Lg", binomial_upper(effective, at_most, tail_of(group)));
}

static void print_p(FILE *out, double p)
{
	if (p < 0)
		fprintf(out, "\t-");
	else
		fprintf(out, "\t%.2g", p);
}

/* Print the value of RANK, from 1: "-" for rank 0 or an open end, "inf" for a value of -e. */
static void print_rank(const struct distribution *v, uint64_t rank)
{
	if (!rank)
		fprintf(intervals, "\t-");
	else if (rank > v->n)
		fprintf(intervals, "\tinf");
	else if (counts.intervals && distribution_at(v, rank - 1) == INT64_MAX)
		fprintf(intervals, "\t-");
	else
		fprintf(intervals, "\t%" PRId64, distribution_at(v, rank - 1));
}

/*
 * Convert ranks among EFFECTIVE samples to ranks among N samples at the same share from either end.
 */
static struct ranks spread_ranks(struct ranks ranks, uint64_t effective, uint64_t n)
{
	if (ranks.low)
		ranks.low = (unsigned __int128)(ranks.low - 1) * n / effective + 1;
	if (ranks.high)
		ranks.high = n - (uint64_t)((unsigned __int128)(effective - ranks.high) * n / effective);
	return ranks;
}

/*
 * Test the samples for dependence at a percentile. Also test at the limits of -x and -l, but not at
 * a limit that far more samples exceed than the percentile: more than ten times as many, and more
 * than 10 * DEPENDENCE_FEWEST.
 */
static struct dependence percentile_dependence(const struct group *group, const struct percentile *p, const struct sorted *v)
{
	const int64_t *limits[] = { number_of(&above, group), count_over ? &limit_of_all : NULL };
	uint64_t decide = (unsigned __int128)v->all.n * (p->whole - p->part) / p->whole;
	struct dependence d = { .p = -1, .drift_p = -1, .inflation = 1 };

	if (!v->recorded)
		return d;
	d = dependence_at(v->recorded, &v->all, p->part, p->whole);
	for (size_t i = 0; i < 2; i++) {
		uint64_t longer = limits[i] ? distribution_above(&v->all, *limits[i]) : 0;

		if (longer > 1 && longer <= 10 * (decide < DEPENDENCE_FEWEST ? DEPENDENCE_FEWEST : decide))
			d = dependence_worse(d, dependence_above(v->recorded, v->all.n, *limits[i]));
	}
	return d;
}

static void print_intervals(const struct group *group, const char *metric, const struct values *values, const struct sorted *v)
{
	const long double one_tail = tail_of(group);
	/* The probability that two independent intervals both hold is the square of that of one. */
	const long double joint_tail = (1 - sqrtl(1 - 2 * one_tail)) / 2;
	const uint64_t n = v->all.n + v->longer;

	for (size_t i = 0; i < nr_percentiles; i++) {
		const struct percentile *p = &percentiles[i];
		struct dependence d = percentile_dependence(group, p, v);
		uint64_t effective = dependence_effective(n, &d);
		struct ranks one = spread_ranks(percentile_ranks(p, effective, one_tail), effective, n);
		struct ranks joint = spread_ranks(percentile_ranks(p, effective, joint_tail), effective, n);

		for (size_t k = 0; k < groups.nr_keys; k++)
			fprintf(intervals, "%s\t", group->key[k]);
		fprintf(intervals, "%s\t%s\t%" PRIu64 "\t%" PRIu64, metric, p->text, n, p->needed);
		print_percentile(intervals, v, p);
		print_rank(&v->least, one.low);
		print_rank(&v->most, one.high);
		print_rank(&v->least, joint.low);
		print_rank(&v->most, joint.high);
		fprintf(intervals, "\t%" PRIu64, effective);
		if (v->recorded) {
			print_p(intervals, d.p);
			print_p(intervals, d.drift_p);
		} else {
			fprintf(intervals, "\t%s\t%s", values->clusters_p ? values->clusters_p : "-", values->drift_p ? values->drift_p : "-");
		}
		fprintf(intervals, "\t%s", v->recorded ? d.unknown ? "yes" : "no" : "-");
		if (use_uncertainty)
			fprintf(intervals, "\t%" PRId64, v->uncertainty);
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
	fprintf(intervals, "metric\tpercentile\tn\tneeded\tvalue\tlow\thigh\tlow_joint\thigh_joint\t"
		"effective_n\tclusters_p\tdrift_p\tunknown%s\n", use_uncertainty ? "\tuncertainty" : "");
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
	}
	if (taint_column)
		printf("\ttainted");
	for (size_t i = 0; i < nr_taint_names; i++)
		printf("\t%s", taint_names[i]);
	if (nr_taint_names)
		printf("\tother_taint");
	printf("\n");
}

/*
 * Return the values FROM plus SIGN times their uncertainty (of counts: LARGEST). An open end stays
 * open.
 */
static struct distribution shifted(const struct values *v, const int64_t *from, int sign, int64_t largest)
{
	int64_t *list = xrealloc(NULL, v->nr, sizeof(*list));
	uint64_t *how_often = NULL;

	for (size_t i = 0; i < v->nr; i++)
		if (__builtin_add_overflow(from[i], sign * (counts.is ? largest : v->uncertain[i]), &list[i]))
			list[i] = sign < 0 ? INT64_MIN : INT64_MAX;
	if (counts.is) {
		how_often = xrealloc(NULL, v->nr, sizeof(*how_often));
		memcpy(how_often, v->counts, v->nr * sizeof(*how_often));
	}
	return distribution_of(list, how_often, v->nr);
}

static bool any_interval(const struct values *v)
{
	for (size_t i = 0; v->high && i < v->nr; i++)
		if (v->high[i] != v->list[i])
			return true;
	return false;
}

static struct sorted sort_values(const struct group *group, struct values *v)
{
	const int64_t *longer = number_of(&endless, group);
	struct sorted sorted = {
		.longer = longer ? *longer : 0,
		.uncertainty = v->nr ? ((const struct summary *)group->data)->uncertainty : 0,
	};

	for (size_t i = 0; use_uncertainty && !counts.is && i < v->nr; i++)
		if (v->uncertain[i] > sorted.uncertainty)
			sorted.uncertainty = v->uncertain[i];
	if (any_interval(v))
		sorted.ends = shifted(v, v->high, 1, 0);
	if (sorted.uncertainty) {
		sorted.least = shifted(v, v->list, -1, sorted.uncertainty);
		sorted.most = shifted(v, v->high ? v->high : v->list, 1, sorted.uncertainty);
	}
	if (v->nr && !counts.is && (intervals || above.column || count_over)) {
		sorted.recorded = xrealloc(NULL, v->nr, sizeof(*sorted.recorded));
		memcpy(sorted.recorded, v->list, v->nr * sizeof(*sorted.recorded));
	}
	sorted.all = distribution_of(v->list, v->counts, v->nr);
	if (!sorted.uncertainty) {
		sorted.least = sorted.all;
		sorted.most = sorted.ends.n ? sorted.ends : sorted.all;
	}
	free(v->high);
	return sorted;
}

static void free_sorted(struct sorted *sorted)
{
	if (sorted->uncertainty) {
		distribution_free(&sorted->least);
		distribution_free(&sorted->most);
	}
	distribution_free(&sorted->all);
	distribution_free(&sorted->ends);
	free(sorted->recorded);
}

static void write_hgrm(const struct group *group, const char *metric, const struct distribution *v)
{
	char *name = xprintf("%s/", hgrm_directory);

	for (size_t i = 0; i < groups.nr_keys; i++) {
		char *longer = xprintf("%s%s-", name, group->key[i]);

		free(name);
		name = longer;
	}
	hgrm_write(xprintf("%s%s.hgrm", name, metric), v);
	free(name);
}

static void write_taints(void)
{
	FILE *f = outfile_stream(taints_name);

	for (size_t i = 0; i < by.nr; i++)
		fprintf(f, "%s\t", by.names[i]);
	fprintf(f, "taint\tn\n");
	groups_sort(&taint_groups);
	for (size_t i = 0; i < taint_groups.nr; i++) {
		for (size_t k = 0; k <= by.nr; k++)
			fprintf(f, "%s\t", taint_groups.list[i].key[k]);
		fprintf(f, "%" PRIu64 "\n", *(uint64_t *)taint_groups.list[i].data);
	}
	outfile_close_stream(f, taints_name);
}

static void print_group(const struct group *group)
{
	const struct summary *summary = group->data;

	for (size_t i = 0; i < groups.nr_keys; i++)
		printf("%s\t", group->key[i]);
	printf("%" PRIu64, summary->n);
	for (size_t i = 0; i < metrics.nr; i++) {
		struct values *v = &summary->metrics[i];
		struct sorted sorted = sort_values(group, v);

		if (v->nr_sum)
			print_sum(v);
		else
			print_values(&sorted);
		if (above.column)
			print_above(group, number_of(&above, group), &sorted);
		if (count_over)
			print_above(group, &limit_of_all, &sorted);
		if (intervals)
			print_intervals(group, metrics.names[i], v, &sorted);
		if (hgrm_directory && sorted.ends.n)
			die("%s: latencies are only known as intervals, and a .hgrm has values", metrics.names[i]);
		if (hgrm_directory && sorted.all.n)
			write_hgrm(group, metrics.names[i], &sorted.all);
		free_sorted(&sorted);
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
	    "[-x COLUMN:STATE=LIMIT,...] [-l LIMIT] [-k NAME,...] [-e COLUMN:STATE=COUNT,...] [-U] [-T TAINTS.TSV] "
	    "TABLE.TSV");
}

/* die() if the table's header would have a name twice. */
static void refuse_twice(void)
{
	for (size_t i = 0; i < metrics.nr; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(metrics.names[i], metrics.names[k]))
				die("-m: %s occurs twice", metrics.names[i]);
	for (size_t i = 0; i < nr_percentiles; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(percentiles[i].text, percentiles[k].text))
				die("-p: %s occurs twice", percentiles[i].text);
}

/* True if TSV is a counts.tsv. die() if counts do not have a metric of -m. */
static bool find_counts(const struct tsv *tsv)
{
	static const char *const counted[] = {
		"wake_latency", "intr_latency", "latency", "uncertainty", "aperf_cyc", "mperf_cyc",
	};

	if (!tsv_is_counts(tsv))
		return false;
	counts.is = true;
	counts.reached = tsv_column(tsv, "reached");
	counts.metric = tsv_column(tsv, "metric");
	counts.kind = tsv_column(tsv, "kind");
	counts.value = tsv_column(tsv, "value");
	counts.count = tsv_column(tsv, "count");
	counts.high = tsv_optional_column(tsv, "high");
	counts.intervals = counts.high != TSV_ABSENT;
	for (size_t i = 0; i < metrics.nr; i++) {
		size_t k = 0;

		while (k < sizeof(counted) / sizeof(*counted) && strcmp(metrics.names[i], counted[k]))
			k++;
		if (k == sizeof(counted) / sizeof(*counted))
			die("%s: counts do not have %s, only samples do", tsv->name, metrics.names[i]);
	}
	return true;
}

static void read_table(const char *name)
{
	struct counts_table table;
	struct tsv tsv;

	tsv_open(&tsv, name);
	find_columns(&tsv, &by);
	if (taint_column)
		taint_at = tsv_column(&tsv, taint_column);
	if (find_counts(&tsv)) {
		counts_table_begin(&table, &tsv);
	} else {
		find_columns(&tsv, &metrics);
		if (use_uncertainty)
			uncertainty_at = tsv_column(&tsv, "uncertainty");
		if (reached.nr)
			reached_find_columns(&reached, &tsv);
	}
	find_by_state(&above, 'x');
	find_by_state(&tails, 'C');
	find_by_state(&endless, 'e');
	groups.nr_keys = by.nr + !!reached.nr;
	taint_groups.nr_keys = by.nr + 1;
	key = xrealloc(NULL, by.nr + 1, sizeof(*key));
	while (tsv_next_row(&tsv)) {
		if (counts.is) {
			counts_table_row(&table, &tsv);
			add_counts(&tsv);
		} else {
			add_row(&tsv);
		}
	}
	if (counts.is)
		counts_table_end(&table, &tsv);
	if (!groups.nr)
		die("%s: no rows", tsv.name);
	tsv_close(&tsv);
}

int main(int argc, char **argv)
{
	const char *intervals_name = NULL;
	int opt;

	message_init("quantiles");
	while ((opt = getopt(argc, argv, "c:C:e:g:H:i:k:l:m:p:r:t:T:uUx:")) != -1) {
		if (opt == 'c') {
			tail = parse_number('c', optarg);
			check_tail(tail);
		} else if (opt == 'C') {
			parse_by_state(&tails, 'C', optarg);
			for (size_t i = 0; i < tails.nr; i++)
				check_tail(tails.numbers[i]);
		} else if (opt == 'e')
			parse_by_state(&endless, 'e', optarg);
		else if (opt == 'k')
			nr_kept_taints = split_list(optarg, &kept_taints);
		else if (opt == 'T')
			taints_name = optarg;
		else if (opt == 'U')
			use_uncertainty = true;
		else if (opt == 'g')
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

	wants_intervals = intervals_name;
	read_table(argv[optind]);
	groups_sort(&groups);
	if (intervals_name)
		open_intervals(intervals_name);
	print_header();
	for (size_t i = 0; i < groups.nr; i++)
		print_group(&groups.list[i]);
	if (intervals_name)
		outfile_close_stream(intervals, intervals_name);
	if (taints_name)
		write_taints();
	outfile_end_stdout();
	return 0;
}
