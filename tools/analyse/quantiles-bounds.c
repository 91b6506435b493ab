// SPDX-License-Identifier: GPL-2.0
/* Compute confidence intervals, and upper bounds on the share of values above a limit. */
#include <inttypes.h>
#include <math.h>

#include "binomial.h"
#include "dependence.h"
#include "quantiles.h"

/* Return the largest probability with which each bound may be wrong. */
static long double tail_of(const struct job *job, const struct group *group)
{
	const int64_t *own = by_state_number(&job->tails, group);

	return (own ? *own : job->tail) * 1e-6L;
}

/* Return the number of parts whose results are compared with those of the group; 1: none are. */
static uint64_t compared(const struct group *group)
{
	const struct summary *summary = group->data;

	return summary->parts > 1 ? summary->parts : 1;
}

/* Test the values for dependence at LIMIT. If their order is not known, the result has p = -1. */
static struct dependence limit_dependence(const struct sorted *v, int64_t limit)
{
	struct dependence none = { .p = -1, .drift_p = -1, .inflation = 1 };
	uint64_t longer = distribution_above(&v->all, limit);

	if (!v->recorded)
		return none;
	if (v->all.n < 2)
		return none;
	if (longer > 1 && longer < DEPENDENCE_FEWEST)
		none = dependence_above(v->recorded, v->all.n, limit);
	return dependence_worse(none, dependence_at(v->recorded, &v->all, v->all.n - longer, v->all.n));
}

void put_above(struct job *job, const struct group *group, const int64_t *limit,
		 const struct sorted *v)
{
	uint64_t n = v->all.n + v->longer, longer, longer_end, at_most, effective;
	struct dependence d;

	if (!limit || !n) {
		table_absent(&job->table, 2);
		return;
	}
	longer = distribution_above(&v->all, *limit) + v->longer;
	at_most = distribution_above(&v->most, *limit) + v->longer;
	d = limit_dependence(v, *limit);
	effective = dependence_effective(n, &d);
	/* Scale to the effective number of samples, rounded up. */
	at_most = ((unsigned __int128)at_most * effective + n - 1) / n;
	table_put(&job->table, "%" PRIu64, longer);
	longer_end = distribution_above(&v->ends, *limit) + v->longer;
	if (longer_end > longer)
		table_append(&job->table, "..%" PRIu64, longer_end);
	table_put(&job->table, "%.9Lg", binomial_upper(effective, at_most, tail_of(job, group)));
}

/* Add the p-value of one of a number of TESTS (Bonferroni). */
static void put_p(struct table *out, double p, uint64_t tests)
{
	if (p < 0)
		table_absent(out, 1);
	else
		table_put(out, "%.2g", fmin(1, p * tests));
}

/* Add the value of RANK, from 1: "-" for rank 0 or an open end, "inf" for a value of -e. */
static void put_rank(struct job *job, const struct distribution *v, uint64_t rank)
{
	if (!rank)
		table_absent(&job->intervals, 1);
	else if (rank > v->n)
		table_put(&job->intervals, "inf");
	else if (job->counts && job->counts->intervals && distribution_at(v, rank - 1) == INT64_MAX)
		table_absent(&job->intervals, 1);
	else
		table_put(&job->intervals, "%" PRId64, distribution_at(v, rank - 1));
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
static struct dependence percentile_dependence(const struct job *job, const struct group *group,
					       const struct percentile *p, const struct sorted *v)
{
	const int64_t *limits[] = {
		by_state_number(&job->above, group), job->count_over ? &job->limit_of_all : NULL,
	};
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

void put_intervals(struct job *job, const struct group *group, const char *metric,
		     const struct values *values, const struct sorted *v)
{
	const long double one_tail = tail_of(job, group);
	const uint64_t parts = compared(group), tests = is_part(job, group) ? parts : 1;
	const long double low_tail = parts > 1 ? one_tail / (parts + 1) : one_tail;
	/* The probability that two independent intervals both hold is the square of that of one. */
	const long double joint_tail = (1 - sqrtl(1 - 2 * one_tail)) / 2;
	const uint64_t n = v->all.n + v->longer;
	struct table *table = &job->intervals;

	for (size_t i = 0; i < job->nr_percentiles; i++) {
		const struct percentile *p = &job->percentiles[i];
		struct dependence d = percentile_dependence(job, group, p, v);
		uint64_t effective = dependence_effective(n, &d);
		struct ranks one = {
			.low = percentile_ranks(p, effective, low_tail).low,
			.high = percentile_ranks(p, effective, one_tail).high,
		};
		struct ranks joint = percentile_ranks(p, effective, joint_tail);

		for (size_t k = 0; k < job->groups.nr_keys; k++)
			table_put(table, "%s", group->key[k]);
		one = spread_ranks(one, effective, n);
		joint = spread_ranks(joint, effective, n);
		table_put(table, "%s", metric);
		table_put(table, "%s", p->text);
		table_put(table, "%" PRIu64, n);
		table_put(table, "%" PRIu64, p->needed);
		put_percentile(table, job, v, p);
		put_rank(job, &v->least, one.low);
		put_rank(job, &v->most, one.high);
		put_rank(job, &v->least, joint.low);
		put_rank(job, &v->most, joint.high);
		table_put(table, "%" PRIu64, effective);
		if (v->recorded) {
			put_p(table, d.p, tests);
			put_p(table, d.drift_p, tests);
		} else {
			table_put(table, "%s", values->clusters_p ? values->clusters_p : "-");
			table_put(table, "%s", values->drift_p ? values->drift_p : "-");
		}
		table_put(table, "%s", v->recorded ? d.unknown ? "yes" : "no" : "-");
		if (job->use_uncertainty) {
			/* The rank of the percentile, with no more samples above it than the percentile allows. */
			uint64_t rank = n - (unsigned __int128)n * (p->whole - p->part) / p->whole;

			table_put(table, "%" PRId64, v->uncertainty);
			put_rank(job, &v->least, rank);
			put_rank(job, &v->most, rank);
		}
	}
}

void intervals_columns(struct job *job)
{
	key_columns(&job->intervals, job);
	table_columns(&job->intervals, job->reached.nr ? "reached metric" : "metric");
	table_columns(&job->intervals, "percentile n needed value low high low_joint high_joint effective_n clusters_p drift_p unknown");
	if (job->use_uncertainty)
		table_columns(&job->intervals, "uncertainty value_least value_most");
}
