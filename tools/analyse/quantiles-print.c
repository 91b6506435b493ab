// SPDX-License-Identifier: GPL-2.0
/* Make the tables of a job. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hgrm.h"
#include "message.h"
#include "quantiles.h"

/* Add a cell: dividend / divisor to the nearest tenth (halves away from 0), without a trailing ".0". */
static void put_ratio(struct table *out, __int128 dividend, uint64_t divisor)
{
	bool negative = dividend < 0;
	unsigned __int128 size = negative ? -(unsigned __int128)dividend : (unsigned __int128)dividend;
	unsigned __int128 tenths = (size * 20 + divisor) / ((unsigned __int128)divisor * 2);
	uint64_t whole = tenths / 10;
	unsigned int tenth = tenths % 10;

	table_put(out, "%s%" PRIu64, negative && tenths ? "-" : "", whole);
	if (tenth)
		table_append(out, ".%u", tenth);
}

/*
 * Compute a percentile by type 7: the value at rank (n - 1) p, counted from 0, interpolated
 * linearly between two ranks. DIVIDEND is the value times p->whole. Return false if the
 * percentile is the open end of an interval.
 */
static bool percentile_of(const struct distribution *v, const struct percentile *p,
			  __int128 *dividend)
{
	unsigned __int128 rank = (unsigned __int128)(v->n - 1) * p->part;
	uint64_t below = rank / p->whole, rest = rank % p->whole;
	int64_t value = distribution_at(v, below);
	int64_t next = rest ? distribution_at(v, below + 1) : value;

	*dividend = (__int128)value * p->whole + ((__int128)next - value) * rest;
	return next != INT64_MAX;
}

/*
 * Add a cell "FROM..TO": LOW / DIVISOR rounded down, and HIGH / DIVISOR rounded up or "-" without an
 * end.
 */
static void put_between(struct table *out, __int128 low, bool has_end, __int128 high, uint64_t divisor)
{
	__int128 from = low / divisor - (low % divisor < 0);
	__int128 to = high / divisor + (high % divisor > 0);

	table_put(out, "%" PRId64 "..", (int64_t)from);
	if (has_end)
		table_append(out, "%" PRId64, (int64_t)to);
	else
		table_append(out, "-");
}

void put_percentile(struct table *out, const struct job *job, const struct sorted *v,
		      const struct percentile *p)
{
	__int128 low, high;
	bool has_end;

	if (!v->all.n || (v->all.n < p->needed && !job->unsupported)) {
		table_absent(out, 1);
		return;
	}
	percentile_of(&v->all, p, &low);
	if (v->ends.n) {
		has_end = percentile_of(&v->ends, p, &high);
		put_between(out, low, has_end, high, p->whole);
	} else {
		put_ratio(out, low, p->whole);
	}
	if (v->all.n < p->needed)
		table_append(out, "*");
}

/* Return the standard deviation. Differences from an integer near the mean avoid cancellation. */
static long double deviation(const struct distribution *v, __int128 sum)
{
	int64_t centre = sum / (__int128)v->n;
	long double squares = 0, rest = 0;

	for (size_t i = 0; i < v->nr; i++) {
		uint64_t count = distribution_count(v, i);
		int64_t difference;
		/* Most differences fit into 64 bits, which convert faster. */
		long double d = __builtin_sub_overflow(v->value[i], centre, &difference) ?
			(long double)((__int128)v->value[i] - centre) : difference;

		squares += d * d * count;
		rest += d * count;
	}
	return sqrtl((squares - rest * rest / v->n) / (v->n - 1));
}

static __int128 sum_of(const struct distribution *v)
{
	__int128 sum = 0;

	for (size_t i = 0; i < v->nr; i++)
		sum += (__int128)v->value[i] * distribution_count(v, i);
	return sum;
}

/* Add the statistics of values that are only known as intervals. */
static void put_ranges(struct job *job, const struct sorted *v)
{
	const struct distribution *low = &v->all, *high = &v->ends;
	int64_t last = high->value[high->nr - 1];

	put_between(&job->table, low->value[0], high->value[0] != INT64_MAX, high->value[0], 1);
	for (size_t i = 0; i < job->nr_percentiles; i++)
		put_percentile(&job->table, job, v, &job->percentiles[i]);
	put_between(&job->table, low->value[low->nr - 1], last != INT64_MAX, last, 1);
	put_between(&job->table, sum_of(low), last != INT64_MAX, sum_of(high), low->n);
	table_absent(&job->table, 1);
}

static void put_values(struct job *job, const struct sorted *sorted)
{
	const struct distribution *v = &sorted->all;

	if (!v->n) {
		table_absent(&job->table, job->nr_percentiles + 4);
		return;
	}
	if (sorted->ends.n) {
		put_ranges(job, sorted);
		return;
	}
	table_put(&job->table, "%" PRId64, v->value[0]);
	for (size_t i = 0; i < job->nr_percentiles; i++)
		put_percentile(&job->table, job, sorted, &job->percentiles[i]);
	table_put(&job->table, "%" PRId64, v->value[v->nr - 1]);
	put_ratio(&job->table, sum_of(v), v->n);
	if (v->n > 1)
		table_put(&job->table, "%.1Lf", deviation(v, sum_of(v)));
	else
		table_absent(&job->table, 1);
}

/* Add the mean of a metric of which only the sum is known. */
static void put_sum(struct job *job, const struct values *v)
{
	table_absent(&job->table, job->nr_percentiles + 2);
	put_ratio(&job->table, v->sum, v->nr_sum);
	table_absent(&job->table, 1);
}

void key_columns(struct table *table, const struct job *job)
{
	for (size_t i = 0; i < job->by.nr; i++)
		table_column(table, "%s", job->by.names[i]);
	if (job->part_column)
		table_column(table, "%s", job->part_column);
}

/* Add the columns of the job's table. */
static void summary_columns(struct job *job)
{
	struct table *table = &job->table;

	key_columns(table, job);
	table_columns(table, job->reached.nr ? "reached n" : "n");
	for (size_t i = 0; i < job->metrics.nr; i++) {
		const char *name = job->metrics.names[i];

		table_column(table, "%s_min", name);
		for (size_t k = 0; k < job->nr_percentiles; k++)
			table_column(table, "%s_p%s", name, job->percentiles[k].text);
		table_column(table, "%s_max", name);
		table_column(table, "%s_mean", name);
		table_column(table, "%s_std", name);
		for (size_t k = 0; k < 2; k++) {
			const char *limit = k ? "over" : "above";

			if (!(k ? job->count_over : !!job->above.column))
				continue;
			table_column(table, "%s_%s", name, limit);
			table_column(table, "%s_%s_most", name, limit);
		}
	}
	if (job->taint_column)
		table_column(table, "tainted");
	for (size_t i = 0; i < job->nr_taint_names; i++)
		table_column(table, "%s", job->taint_names[i]);
	if (job->nr_taint_names)
		table_column(table, "other_taint");
}

static void write_hgrm(const struct job *job, const struct group *group, const char *metric,
		       const struct distribution *v)
{
	char *name = xprintf("%s/", job->hgrm_directory);

	for (size_t i = 0; i < job->groups.nr_keys; i++) {
		char *longer = xprintf("%s%s-", name, group->key[i]);

		free(name);
		name = longer;
	}
	hgrm_write(xprintf("%s%s.hgrm", name, metric), v);
	free(name);
}

/* Make the table of -T. */
static void fill_taints(struct job *job)
{
	struct table *table = &job->taints;

	key_columns(table, job);
	table_columns(table, "taint n values");
	groups_sort(&job->taint_groups);
	for (size_t i = 0; i < job->taint_groups.nr; i++) {
		uint64_t *count, most = 0;

		for (size_t k = 0; k < job->taint_groups.nr_keys; k++)
			table_put(table, "%s", job->taint_groups.list[i].key[k]);
		count = job->taint_groups.list[i].data;
		for (size_t k = 1; k <= job->metrics.nr; k++)
			most = count[k] > most ? count[k] : most;
		table_put(table, "%" PRIu64, count[0]);
		table_put(table, "%" PRIu64, most);
	}
}

bool is_part(const struct job *job, const struct group *group)
{
	return job->part_column && strcmp(group->key[job->by.nr], ALL_PARTS);
}

/* Set the number of parts of each group: of the groups with the same key, except for the part. */
static void count_parts(const struct job *job)
{
	struct groups wholes = { .nr_keys = job->groups.nr_keys - 1 };
	struct tsv_cell *key = xrealloc(NULL, job->groups.nr_keys, sizeof(*key));

	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < job->groups.nr; i++) {
			const struct group *group = &job->groups.list[i];
			uint64_t *parts;

			for (size_t k = 0; k < wholes.nr_keys; k++)
				key[k] = cell_from(group->key[k + (k >= job->by.nr)]);
			parts = group_data(&wholes, key, sizeof(*parts));
			if (!pass)
				*parts += is_part(job, group);
			else
				((struct summary *)group->data)->parts = *parts;
		}
	free(key);
}

uint64_t endless_of(const struct job *job, const struct group *group)
{
	const int64_t *number;
	char *name;

	if (!is_part(job, group)) {
		number = by_state_number(&job->endless, group);
		return number ? *number : 0;
	}
	name = xprintf("%s/%s", group->key[job->endless.at], group->key[job->by.nr]);
	number = by_state_named(&job->endless, name);
	free(name);
	return number ? *number : 0;
}

static void fill_group(struct job *job, const struct group *group)
{
	const struct summary *summary = group->data;
	struct table *table = &job->table;

	for (size_t i = 0; i < job->groups.nr_keys; i++)
		table_put(table, "%s", group->key[i]);
	table_put(table, "%" PRIu64, summary->n);
	for (size_t i = 0; i < job->metrics.nr; i++) {
		struct values *v = &summary->metrics[i];
		struct sorted sorted = sort_values(job, group, v);

		if (v->nr_sum)
			put_sum(job, v);
		else
			put_values(job, &sorted);
		if (job->above.column)
			put_above(job, group, by_state_number(&job->above, group), &sorted);
		if (job->count_over)
			put_above(job, group, &job->limit_of_all, &sorted);
		if (job->want_intervals)
			put_intervals(job, group, job->metrics.names[i], v, &sorted);
		if (job->hgrm_directory && sorted.ends.n)
			die("%s: latencies are only known as intervals, and a .hgrm has values",
			    job->metrics.names[i]);
		if (job->hgrm_directory && sorted.all.n)
			write_hgrm(job, group, job->metrics.names[i], &sorted.all);
		free_sorted(&sorted);
	}
	if (job->taint_column)
		table_put(table, "%" PRIu64, summary->tainted);
	for (size_t i = 0; job->nr_taint_names && i <= job->nr_taint_names; i++)
		table_put(table, "%" PRIu64, summary->taints[i]);
}

void fill_tables(struct job *job)
{
	if (job->want_intervals)
		intervals_columns(job);
	summary_columns(job);
	groups_sort(&job->groups);
	if (job->part_column)
		count_parts(job);
	for (size_t i = 0; i < job->groups.nr; i++)
		if (!is_part(job, &job->groups.list[i]) || ((struct summary *)job->groups.list[i].data)->parts > 1)
			fill_group(job, &job->groups.list[i]);
	if (job->want_taints)
		fill_taints(job);
}
