// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>

#include "binomial.h"
#include "dependence.h"
#include "message.h"

/* Fewer blocks are too few to estimate a variance. */
#define FEWEST_BLOCKS 10
/* Exceedances that a block must have on average for the chi square approximation, and the largest number of blocks. */
#define IN_BLOCK 5
#define MOST_BLOCKS 50
/* Minimum number of exceedances, and of samples below the threshold, for the test of drift. */
#define FEWEST_FOR_DRIFT 30
/* Minimum number of clusters for a reliable inflation. */
#define FEWEST_CLUSTERS 10
/*
 * The normal quantile of the bound by which longer blocks refute the ratio of shorter ones: it is exceeded with a probability
 * of 0.001.
 */
#define REFUTES 3.09
/* From how many lengths of blocks the growth of the inflation is estimated; each is twice the one before. */
#define GROWTH_LEVELS 5

struct exceedances {
	size_t *at;	/* ascending */
	size_t nr, n;
	double share;
};

/*
 * Find the samples above THRESHOLD, or those not above it if these are rarer. Both have the same
 * variance and the same dependence.
 */
static struct exceedances find(const int64_t *recorded, size_t n, int64_t threshold)
{
	struct exceedances e = { .n = n };
	bool above;

	for (size_t i = 0; i < n; i++)
		e.nr += recorded[i] > threshold;
	above = e.nr <= n - e.nr;
	if (!above)
		e.nr = n - e.nr;
	e.share = n ? (double)e.nr / n : 0;
	e.at = xrealloc(NULL, e.nr + 1, sizeof(*e.at));
	/* Without a branch, which would be mispredicted half of the time. */
	for (size_t i = 0, k = 0; k < e.nr; i++) {
		e.at[k] = i;
		k += (recorded[i] > threshold) == above;
	}
	return e;
}

static long double choose(uint64_t n, uint64_t k)
{
	return lgammal(n + 1.0L) - lgammal(k + 1.0L) - lgammal(n - k + 1.0L);
}

/* Return P(at most R runs of exceedances). The number of runs has a hypergeometric distribution. */
static double few_runs(const struct exceedances *e, uint64_t r)
{
	uint64_t k = e->nr, rest = e->n - e->nr;
	long double mean = (long double)k * (rest + 1) / e->n;
	long double term, sum;

	if (r >= mean)
		return 1;
	term = expl(choose(rest + 1, r) + choose(k - 1, k - r) - choose(e->n, k));
	sum = term;
	/* Add terms from R down while they matter: each is smaller than the one before. */
	for (; r > 1 && term > sum * 1e-12L; r--) {
		term *= (long double)r / (rest + 2 - r) * (r - 1) / (k - r + 1);
		sum += term;
	}
	return sum;
}

static double runs_p(const struct exceedances *e)
{
	uint64_t runs = 1;

	for (size_t i = 1; i < e->nr; i++)
		runs += e->at[i] > e->at[i - 1] + 1;
	return few_runs(e, runs);
}

static double gaps_p(const struct exceedances *e)
{
	uint64_t width = 0.1 / e->share, close = 0;
	long double none = powl(1 - e->share, width);
	struct binomial b = { .n = e->nr - 1, .p = 1 - none, .q = none };

	if (width < 2)
		return 1;
	for (size_t i = 1; i < e->nr; i++)
		close += e->at[i] - e->at[i - 1] <= width;
	return binomial_at_least(&b, close);
}

/* Return the sum of the squared differences between NR counts and their mean. */
static double squares_of(const uint32_t *counts, size_t nr, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += (counts[i] - mean) * (counts[i] - mean);
	return sum;
}

static void count_in_blocks(const struct exceedances *e, uint32_t *counts, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		counts[i] = 0;
	for (size_t i = 0; i < e->nr; i++)
		counts[(unsigned __int128)e->at[i] * nr / e->n]++;
}

/* Return P(chi square of FREEDOM degrees >= X), by Wilson and Hilferty's cube root. */
static double chi_square_p(double x, double freedom)
{
	double spread = 2 / (9 * freedom);

	return erfc((cbrt(x / freedom) - (1 - spread)) / sqrt(2 * spread)) / 2;
}

static double blocks_p(const struct exceedances *e)
{
	size_t nr = e->nr / IN_BLOCK < MOST_BLOCKS ? e->nr / IN_BLOCK : MOST_BLOCKS;
	uint32_t counts[MOST_BLOCKS];
	double mean;

	if (nr < 2)
		return 1;
	count_in_blocks(e, counts, nr);
	mean = (double)e->nr / nr;
	return chi_square_p(squares_of(counts, nr, mean) / (mean * (1 - e->share)), nr - 1);
}

/*
 * Raise a ratio of variances by (t / z)^2 at 95 % (first order): Student's t against the normal
 * distribution.
 */
static double for_blocks(double ratio, size_t nr)
{
	return ratio * (1 + 1.85 / (nr - 1));
}

/* The inflation for blocks of one length, and how many blocks contribute to it. */
struct level {
	double ratio, weight;
	size_t nr;
};

/*
 * Return the slope of log(ratio) against log(length) over the coarsest levels. The variance of a
 * logarithm is proportional to 1 / (number of blocks - 1).
 */
static double growth_of(const struct level *level, size_t levels)
{
	double all = 0, x = 0, y = 0, xx = 0, xy = 0;

	for (size_t i = levels > GROWTH_LEVELS ? levels - GROWTH_LEVELS : 0; i < levels; i++) {
		double w = level[i].nr - 1, length = -log(level[i].nr), ratio = log(level[i].ratio);

		all += w;
		x += w * length;
		y += w * ratio;
		xx += w * length * length;
		xy += w * length * ratio;
	}
	return levels < 3 ? 0 : (all * xy - x * y) / (all * xx - x * x);
}

/*
 * Return the upper bound on the inflation from the variance of the counts in blocks longer than those of level FROM (chi square,
 * by Wilson and Hilferty). If shorter blocks have a larger ratio, their counts compensate each other in the longer
 * blocks, as those of a periodic series do.
 */
static double bound_of_longer(const struct level *level, size_t levels, size_t from)
{
	double bound = INFINITY;

	for (size_t i = from + 1; i < levels; i++) {
		double freedom = level[i].nr - 1, spread = 2 / (9 * freedom);

		bound = fmin(bound, level[i].ratio / pow(1 - spread - REFUTES * sqrt(spread), 3));
	}
	return bound;
}

/*
 * Estimate the inflation from blocks of all lengths, from 2 samples to a tenth of the recording. The
 * largest estimate counts, unless longer blocks refute it. If it grows with the length to the end, the samples
 * depend on each other for as long as the recording lasts: extrapolate the growth from a tenth to the whole. Set *FEW if
 * the estimate rests on few blocks: with the shortest blocks that have half of the inflation, fewer than
 * FEWEST_CLUSTERS blocks contribute to the variance. Set *PERIODIC if longer blocks show that the clusters of
 * shorter ones compensate each other completely.
 */
static double inflation_of(const struct exceedances *e, bool *few, bool *periodic)
{
	struct level level[64];
	size_t nr = FEWEST_BLOCKS, levels = 0, at = 0, largest = 0;
	double most = 1, bound;
	uint32_t *counts;

	*few = *periodic = false;
	if (e->n < 2 * FEWEST_BLOCKS)
		return 1;
	while (2 * nr <= e->n / 2)
		nr *= 2;
	counts = xrealloc(NULL, nr, sizeof(*counts));
	count_in_blocks(e, counts, nr);
	for (;; nr /= 2) {
		double mean = (double)e->nr / nr, sum = squares_of(counts, nr, mean), fourth = 0;

		for (size_t i = 0; i < nr; i++)
			fourth += pow(counts[i] - mean, 4);
		level[levels].nr = nr;
		level[levels].ratio = for_blocks(fmax(sum, 0.01) / ((nr - 1) * mean * (1 - e->share)), nr);
		level[levels].weight = fourth > 0 ? sum * sum / fourth : nr;
		most = fmax(most, level[levels++].ratio);
		if (nr == FEWEST_BLOCKS)
			break;
		for (size_t i = 0; i < nr / 2; i++)
			counts[i] = counts[2 * i] + counts[2 * i + 1];
	}
	free(counts);
	while (largest < levels - 1 && level[largest].ratio < most)
		largest++;
	bound = bound_of_longer(level, levels, largest);
	*periodic = bound <= 1;
	if (*periodic)
		return 1;
	most = fmin(most, bound);
	while (at < levels - 1 && level[at].ratio < most / 2)
		at++;
	*few = level[at].weight < FEWEST_CLUSTERS;
	return fmax(1, most * pow(FEWEST_BLOCKS, fmax(0, growth_of(level, levels))));
}

static double drift_of(const struct exceedances *e)
{
	struct binomial b = { .n = e->nr, .p = (long double)(e->n / 2) / e->n };
	uint64_t in_first = 0;

	if (e->nr < FEWEST_FOR_DRIFT)
		return -1;
	b.q = 1 - b.p;
	while (in_first < e->nr && e->at[in_first] < e->n / 2)
		in_first++;
	return fminl(1, 2 * fminl(binomial_at_most(&b, in_first), binomial_at_least(&b, in_first)));
}

static struct dependence test_above(const int64_t *recorded, size_t n, int64_t threshold)
{
	struct dependence d = { .p = -1, .drift_p = -1, .inflation = 1 };
	struct exceedances e = find(recorded, n, threshold);
	bool few = false, periodic = false;

	if (e.nr > 1) {
		d.p = fmin(1, 3 * fmin(fmin(runs_p(&e), gaps_p(&e)), blocks_p(&e)));
		d.drift_p = drift_of(&e);
		if (d.p < DEPENDENCE_WIDENS)
			d.inflation = inflation_of(&e, &few, &periodic);
		/* Clusters that compensate each other do not widen a bound. */
		if (periodic)
			d.p = fmin(1, 3 * blocks_p(&e));
		if (d.p < DEPENDENCE_DOUBT)
			d.unknown = few || e.nr / d.inflation < FEWEST_CLUSTERS;
	}
	free(e.at);
	return d;
}

/* The results for the samples RECORDED, by threshold. Most percentiles are also tested at the median and at a twentieth. */
static struct {
	const int64_t *recorded;
	size_t nr;
	int64_t threshold[64];
	struct dependence result[64];
} known;

void dependence_remember(const int64_t *recorded)
{
	known.recorded = recorded;
	known.nr = 0;
}

struct dependence dependence_above(const int64_t *recorded, size_t n, int64_t threshold)
{
	const size_t room = sizeof(known.threshold) / sizeof(*known.threshold);
	size_t i = 0;

	if (!recorded || recorded != known.recorded)
		return test_above(recorded, n, threshold);
	while (i < known.nr && known.threshold[i] != threshold)
		i++;
	if (i < known.nr)
		return known.result[i];
	if (known.nr < room)
		known.nr++;
	else
		i = room - 1;
	known.threshold[i] = threshold;
	return known.result[i] = test_above(recorded, n, threshold);
}

uint64_t dependence_effective(uint64_t n, const struct dependence *d)
{
	return d->inflation > 1 && n ? fmax(1, n / d->inflation) : n;
}

static double of_two(double p, double q)
{
	if (p < 0 || q < 0)
		return fmax(p, q);
	return fmin(1, 2 * fmin(p, q));
}

struct dependence dependence_worse(struct dependence a, struct dependence b)
{
	return (struct dependence) {
		.p = of_two(a.p, b.p),
		.drift_p = of_two(a.drift_p, b.drift_p),
		.inflation = fmax(a.inflation, b.inflation),
		.unknown = a.unknown || b.unknown,
	};
}

/* Test at the threshold that ABOVE samples exceed, or as few more as ties allow. */
static struct dependence at_count(const int64_t *recorded, const struct distribution *sorted, uint64_t above)
{
	int64_t threshold = distribution_at(sorted, sorted->n - 1 - above);

	/* Equal values are either all above the threshold or all not above it. */
	if (distribution_above(sorted, threshold) < above && threshold > INT64_MIN)
		threshold--;
	return dependence_above(recorded, sorted->n, threshold);
}

/* Return the density of the normal distribution at the quantile that a share Q exceeds, by bisection. */
static double normal_density(double q)
{
	double low = -10, high = 10, x = 0;

	for (int i = 0; i < 60; i++) {
		x = (low + high) / 2;
		if (erfc(x / sqrt(2)) / 2 > q)
			low = x;
		else
			high = x;
	}
	return exp(-x * x / 2) / sqrt(2 * M_PI);
}

/*
 * Convert the inflation FOUND at a threshold that a share FROM of the samples exceeds to the threshold
 * that a share TO exceeds. Episodes show best at a high threshold: the samples of an episode exceed
 * both, and move the number of exceedances by 1 - share each. Slow changes show best at the median: for normal
 * values, the covariance is proportional to the square of the density (first order).
 */
static double converted(double found, double from, double to)
{
	double moved = from < to ? (1 - to) / (1 - from) : normal_density(to) / normal_density(from);

	return 1 + (found - 1) * moved * moved * from * (1 - from) / (to * (1 - to));
}

/*
 * Also test at the threshold that ABOVE samples exceed. If the dependence is certain there, and matters more
 * at the threshold that SHARE of the samples exceeds, it counts for this threshold.
 */
static void test_other(struct dependence *d, const int64_t *recorded, const struct distribution *sorted, double share, uint64_t above)
{
	struct dependence other = at_count(recorded, sorted, above);
	double inflation = converted(other.inflation, (double)above / sorted->n, share);

	if (other.p < 0 || other.p >= DEPENDENCE_DOUBT || inflation <= d->inflation)
		return;
	d->p = d->p < 0 ? other.p : fmin(d->p, other.p);
	d->inflation = inflation;
	d->unknown = d->unknown || other.unknown;
}

struct dependence dependence_at(const int64_t *recorded, const struct distribution *sorted, uint64_t part, uint64_t whole)
{
	uint64_t n = sorted->n, above = (unsigned __int128)n * (whole - part) / whole;
	uint64_t fewest = n / 2 < DEPENDENCE_FEWEST ? n / 2 : DEPENDENCE_FEWEST;
	struct dependence d;
	double share;

	if (n < 2)
		return (struct dependence) { .p = -1, .drift_p = -1, .inflation = 1 };
	if (above > n - fewest)
		above = n - fewest;
	d = above >= fewest ? at_count(recorded, sorted, above) :
		dependence_worse(at_count(recorded, sorted, fewest), at_count(recorded, sorted, above > 2 ? above : 2));
	share = (double)(above > 2 ? above : 2) / n;
	if (above > n / 20)
		test_other(&d, recorded, sorted, share, n / 20);
	if (above < n / 4)
		test_other(&d, recorded, sorted, share, n / 2);
	return d;
}
