// SPDX-License-Identifier: GPL-2.0
/* Print the statistics of a job. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hgrm.h"
#include "message.h"
#include "outfile.h"
#include "quantiles.h"

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

void print_percentile(FILE *out, const struct job *job, const struct sorted *v,
		      const struct percentile *p)
{
	__int128 low, high;
	bool has_end;

	if (!v->all.n || (v->all.n < p->needed && !job->unsupported)) {
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

void print_absent(FILE *out, size_t nr)
{
	while (nr--)
		fprintf(out, "\t-");
}

static __int128 sum_of(const struct distribution *v)
{
	__int128 sum = 0;

	for (size_t i = 0; i < v->nr; i++)
		sum += (__int128)v->value[i] * distribution_count(v, i);
	return sum;
}

/* Print statistics of values that are only known as intervals. */
static void print_ranges(const struct job *job, const struct sorted *v)
{
	const struct distribution *low = &v->all, *high = &v->ends;
	int64_t last = high->value[high->nr - 1];

	print_between(job->out, low->value[0], high->value[0] != INT64_MAX, high->value[0], 1);
	for (size_t i = 0; i < job->nr_percentiles; i++)
		print_percentile(job->out, job, v, &job->percentiles[i]);
	print_between(job->out, low->value[low->nr - 1], last != INT64_MAX, last, 1);
	print_between(job->out, sum_of(low), last != INT64_MAX, sum_of(high), low->n);
	print_absent(job->out, 1);
}

static void print_values(const struct job *job, const struct sorted *sorted)
{
	const struct distribution *v = &sorted->all;

	if (!v->n) {
		print_absent(job->out, job->nr_percentiles + 4);
		return;
	}
	if (sorted->ends.n) {
		print_ranges(job, sorted);
		return;
	}
	fprintf(job->out, "\t%" PRId64, v->value[0]);
	for (size_t i = 0; i < job->nr_percentiles; i++)
		print_percentile(job->out, job, sorted, &job->percentiles[i]);
	fprintf(job->out, "\t%" PRId64, v->value[v->nr - 1]);
	print_ratio(job->out, sum_of(v), v->n);
	if (v->n > 1)
		fprintf(job->out, "\t%.1Lf", deviation(v, sum_of(v)));
	else
		fprintf(job->out, "\t-");
}

/* Print the mean of a metric of which only the sum is known. */
static void print_sum(const struct job *job, const struct values *v)
{
	print_absent(job->out, job->nr_percentiles + 2);
	print_ratio(job->out, v->sum, v->nr_sum);
	print_absent(job->out, 1);
}

void print_key_header(FILE *out, const struct job *job)
{
	for (size_t i = 0; i < job->by.nr; i++)
		fprintf(out, "%s\t", job->by.names[i]);
	if (job->part_column)
		fprintf(out, "%s\t", job->part_column);
	if (job->reached.nr)
		fprintf(out, "reached\t");
}

static void print_header(const struct job *job)
{
	print_key_header(job->out, job);
	fprintf(job->out, "n");
	for (size_t i = 0; i < job->metrics.nr; i++) {
		const char *name = job->metrics.names[i];

		fprintf(job->out, "\t%s_min", name);
		for (size_t k = 0; k < job->nr_percentiles; k++)
			fprintf(job->out, "\t%s_p%s", name, job->percentiles[k].text);
		fprintf(job->out, "\t%s_max\t%s_mean\t%s_std", name, name, name);
		if (job->above.column)
			fprintf(job->out, "\t%s_above\t%s_above_most", name, name);
		if (job->count_over)
			fprintf(job->out, "\t%s_over\t%s_over_most", name, name);
	}
	if (job->taint_column)
		fprintf(job->out, "\ttainted");
	for (size_t i = 0; i < job->nr_taint_names; i++)
		fprintf(job->out, "\t%s", job->taint_names[i]);
	if (job->nr_taint_names)
		fprintf(job->out, "\tother_taint");
	fprintf(job->out, "\n");
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

static void write_taints(struct job *job)
{
	FILE *f = outfile_stream(job->taints_name);

	for (size_t i = 0; i < job->by.nr; i++)
		fprintf(f, "%s\t", job->by.names[i]);
	if (job->part_column)
		fprintf(f, "%s\t", job->part_column);
	fprintf(f, "taint\tn\tvalues\n");
	groups_sort(&job->taint_groups);
	for (size_t i = 0; i < job->taint_groups.nr; i++) {
		uint64_t *count, most = 0;

		for (size_t k = 0; k < job->taint_groups.nr_keys; k++)
			fprintf(f, "%s\t", job->taint_groups.list[i].key[k]);
		count = job->taint_groups.list[i].data;
		for (size_t k = 1; k <= job->metrics.nr; k++)
			most = count[k] > most ? count[k] : most;
		fprintf(f, "%" PRIu64 "\t%" PRIu64 "\n", count[0], most);
	}
	outfile_close_stream(f, job->taints_name);
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

static void print_group(const struct job *job, const struct group *group)
{
	const struct summary *summary = group->data;

	for (size_t i = 0; i < job->groups.nr_keys; i++)
		fprintf(job->out, "%s\t", group->key[i]);
	fprintf(job->out, "%" PRIu64, summary->n);
	for (size_t i = 0; i < job->metrics.nr; i++) {
		struct values *v = &summary->metrics[i];
		struct sorted sorted = sort_values(job, group, v);

		if (v->nr_sum)
			print_sum(job, v);
		else
			print_values(job, &sorted);
		if (job->above.column)
			print_above(job, group, by_state_number(&job->above, group), &sorted);
		if (job->count_over)
			print_above(job, group, &job->limit_of_all, &sorted);
		if (job->intervals)
			print_intervals(job, group, job->metrics.names[i], v, &sorted);
		if (job->hgrm_directory && sorted.ends.n)
			die("%s: latencies are only known as intervals, and a .hgrm has values",
			    job->metrics.names[i]);
		if (job->hgrm_directory && sorted.all.n)
			write_hgrm(job, group, job->metrics.names[i], &sorted.all);
		free_sorted(&sorted);
	}
	if (job->taint_column)
		fprintf(job->out, "\t%" PRIu64, summary->tainted);
	for (size_t i = 0; job->nr_taint_names && i <= job->nr_taint_names; i++)
		fprintf(job->out, "\t%" PRIu64, summary->taints[i]);
	fprintf(job->out, "\n");
}

void print_job(struct job *job)
{
	job->out = job->name ? outfile_stream(job->name) : stdout;
	if (job->intervals_name) {
		job->intervals = outfile_stream(job->intervals_name);
		print_intervals_header(job);
	}
	print_header(job);
	groups_sort(&job->groups);
	if (job->part_column)
		count_parts(job);
	for (size_t i = 0; i < job->groups.nr; i++)
		if (!is_part(job, &job->groups.list[i]) || ((struct summary *)job->groups.list[i].data)->parts > 1)
			print_group(job, &job->groups.list[i]);
	if (job->intervals)
		outfile_close_stream(job->intervals, job->intervals_name);
	if (job->taints_name)
		write_taints(job);
	if (job->name)
		outfile_close_stream(job->out, job->name);
	else
		outfile_end_stdout();
}
