// SPDX-License-Identifier: GPL-2.0
/*
 * Measure how far machines of a kind are apart. Real machines are not normally distributed: some are always a little off, the
 * tails are heavy, and maxima have a longer side above the centre. So:
 *
 * 1. The centre is the median of the machines.
 * 2. The scale is chosen so that the median of |y - centre| / sqrt(scale^2 + error^2) is that of a normal distribution, 0.6745.
 *    Even if nearly half of the machines are odd, this scale holds. It does not include the error of the samples. Each side of
 *    the centre has its own scale, or the scale of both sides together if that is larger. A machine that is measured again can
 *    differ by 1 % and by 10 ns, so the scale is not smaller than that.
 * 3. The tails are those of Student's distribution. It has at most 15 degrees of freedom (10 for maxima), because nothing shows
 *    that tails are normal as far out as thousands of tests must look. It has fewer if there are few machines, or if a fit to the
 *    machines (without those that are FAR off) finds fewer to be more likely.
 * 4. If the 10th and the 90th percentile of the machines show a skew, distances on the long side are distributed like the
 *    exponential of a normal value.
 *
 * tests/bench/fleet and tests/bench/fleet-false show how often the result is wrong.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "message.h"

#define NORMAL_MEDIAN 0.6745
/* One of ten normal values exceeds this z. */
#define NORMAL_TENTH 1.2816
#define LEAST_SCALE 0.01
#define LEAST_NS 10
/* Maxima have an extreme value distribution: the long side is at least exponential. */
#define MOST_FREEDOM_OF_MAX 10
#define FEW_FREEDOM 5
/* The minimum number of machines from which tails are estimated. */
#define MANY 100
/* A median absolute deviation of n machines is as precise as a standard deviation of EFFICIENCY * n. */
#define EFFICIENCY 0.37
/* Machines that are more scales off than this do not count when a tail is estimated. */
#define FAR 8
/* A log likelihood is lower by this at one standard error from the best value. */
#define LOSS 0.5
#define SIDES_LOSS 1.0

int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Return the value of rank K, from 0. This reorders VALUES. */
static double select_rank(double *values, size_t nr, size_t k)
{
	size_t low = 0, high = nr - 1;

	while (low < high) {
		double pivot = values[low + (high - low) / 2];
		size_t i = low, j = high;

		while (i <= j) {
			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i <= j) {
				double swap = values[i];

				values[i++] = values[j];
				values[j] = swap;
				if (!j)
					break;
				j--;
			}
		}
		if (k <= j && j < high)
			high = j;
		else if (k >= i)
			low = i;
		else
			break;
	}
	return values[k];
}

double median_of(double *values, size_t nr)
{
	double high = select_rank(values, nr, nr / 2);

	return nr % 2 ? high : (high + select_rank(values, nr, nr / 2 - 1)) / 2;
}

enum side { BELOW, ABOVE, BOTH };

/* Return R in units of SCALE. On the long side of a skewed spread the unit grows with the distance. */
static double scales_off(double skew, double r, double scale)
{
	double z = r / scale;

	return skew * z > 0 ? log1p(skew * z) / skew : z;
}

/* Store in Z how many scales each machine on SIDE is off. Return the number of these machines. */
static size_t standardised(const struct observation *all, size_t nr, double centre, double scale,
			   double skew, enum side side, double *z)
{
	size_t n = 0;

	for (size_t i = 0; i < nr; i++) {
		double r = all[i].y - centre;

		if ((side == BELOW && r > 0) || (side == ABOVE && r < 0))
			continue;
		z[n++] = fabs(scales_off(skew, r, sqrt(scale * scale + all[i].error * all[i].error)));
	}
	return n;
}

static double solve_scale(const struct observation *all, size_t nr, double centre, double least, enum side side, double *z)
{
	double low = least, high = least;
	size_t n;

	do {
		n = standardised(all, nr, centre, high, 0, side, z);
		if (!n || median_of(z, n) <= NORMAL_MEDIAN)
			break;
		low = high;
		high *= 2;
	} while (high < 1e6);
	if (high == least)
		return least;
	for (int i = 0; i < 20; i++) {
		double middle = sqrt(low * high);

		n = standardised(all, nr, centre, middle, 0, side, z);
		if (median_of(z, n) > NORMAL_MEDIAN)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* --- the tails */

/* The degrees of freedom of the Student's distributions that are tried. */
static const double freedoms[NR_FREEDOMS] = { 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8, 10, 15 };

/*
 * Add the log likelihoods of Student's distributions, given one machine that is Z off. The median of all Z is NORMAL_MEDIAN.
 * Z must be below FAR.
 */
static void add_likelihoods(double *sum, double z)
{
	static double stretch[NR_FREEDOMS], constant[NR_FREEDOMS];

	for (int i = 0; i < NR_FREEDOMS; i++) {
		double f = freedoms[i], t;

		if (!constant[i]) {
			stretch[i] = student_quantile(0.25, f) / NORMAL_MEDIAN;
			constant[i] = lgamma((f + 1) / 2) - lgamma(f / 2) - log(f * M_PI) / 2 + log(stretch[i]) -
				log(0.5 - student_tail(FAR * stretch[i], f));
		}
		t = z * stretch[i];
		sum[i] += constant[i] - (f + 1) / 2 * log1p(t * t / f);
	}
}

/*
 * Return the skewness g of a spread (exp(g z) - 1) / g, where z is normal. g follows from the distances of the 10th and the
 * 90th percentile (Tukey's g-and-h distributions, Hoaglin 1985). It is moved one standard error towards 0, because most
 * spreads have no skew. SORTED: distances from the centre.
 */
static double skew_of(const double *sorted, size_t nr)
{
	double below = -sorted[nr / 10], above = sorted[nr - 1 - nr / 10], error = 1.45 / sqrt(nr), g;

	if (nr < MANY || below <= 0 || above <= 0)
		return 0;
	g = log(above / below) / NORMAL_TENTH;
	return fabs(g) <= error ? 0 : g > 0 ? g - error : g + error;
}

/*
 * Add up the likelihoods of the tail of one side. Z: room for NR values. If the median distance is 0, nothing is
 * known about the tail.
 */
static void measure_tail(struct spread *s, const struct observation *all, size_t nr, enum side side, double *z)
{
	size_t n = standardised(all, nr, s->centre, s->scale[side], s->skew, side, z);
	double median = n ? median_of(z, n) : 0;

	s->has_tail[side] = median > 0;
	for (size_t i = 0; median > 0 && i < n; i++)
		if (z[i] * NORMAL_MEDIAN / median < FAR)
			add_likelihoods(s->likelihood[side], z[i] * NORMAL_MEDIAN / median);
}

/* Return the degrees of freedom of the lightest tails. */
static double most_freedom(const struct spread *s)
{
	return fmin(EFFICIENCY * (s->nr - 1), s->statistic == MAX ? MOST_FREEDOM_OF_MAX : freedoms[NR_FREEDOMS - 1]);
}

static int best_of(const double *likelihood)
{
	int best = 0;

	for (int i = 1; i < NR_FREEDOMS; i++)
		if (likelihood[i] > likelihood[best])
			best = i;
	return best;
}

/*
 * Return the index of the lowest (DIRECTION -1) or highest (1) degrees of freedom within one standard error of
 * the best.
 */
static int edge(const double *likelihood, int direction)
{
	int best = best_of(likelihood), at = best;

	while (at + direction >= 0 && at + direction < NR_FREEDOMS && likelihood[at + direction] >= likelihood[best] - LOSS)
		at += direction;
	return at;
}

/* Give both sides their joint likelihood unless they differ by more than chance. */
static void join_sides(double (*likelihood)[NR_FREEDOMS])
{
	double joint[NR_FREEDOMS];

	for (int i = 0; i < NR_FREEDOMS; i++)
		joint[i] = likelihood[BELOW][i] + likelihood[ABOVE][i];
	if (likelihood[BELOW][best_of(likelihood[BELOW])] + likelihood[ABOVE][best_of(likelihood[ABOVE])] - joint[best_of(joint)] > SIDES_LOSS)
		return;
	for (int i = 0; i < NR_FREEDOMS; i++)
		likelihood[BELOW][i] = likelihood[ABOVE][i] = joint[i];
}

/*
 * Set the degrees of freedom of a spread. A maximum has MOST_FREEDOM_OF_MAX, because its tails are those of the
 * samples. For the others, an estimate from one state's machines is uncertain. So take the lower end of the
 * interval of all states together, or the upper end of the state's own interval if that is lower. Statistics are
 * not mixed: with a few machines that have a second mode, p99.9 has heavy tails but the median has not.
 */
static void set_freedom(const struct spread *all, size_t nr, struct spread *s)
{
	double pooled[2][NR_FREEDOMS] = { 0 }, own[2][NR_FREEDOMS];

	memcpy(own, s->likelihood, sizeof(own));
	for (size_t k = 0; k < nr; k++) {
		if (all[k].statistic != s->statistic || all[k].nr < MANY || (all[k].polls && !s->polls))
			continue;
		for (int i = 0; i < NR_FREEDOMS; i++) {
			pooled[BELOW][i] += all[k].likelihood[BELOW][i];
			pooled[ABOVE][i] += all[k].likelihood[ABOVE][i];
		}
	}
	join_sides(pooled);
	join_sides(own);
	for (enum side side = BELOW; side <= ABOVE; side++) {
		if (s->nr < MANY)
			s->freedom[side] = FEW_FREEDOM;
		else if (s->statistic == MAX || !s->has_tail[side])
			s->freedom[side] = freedoms[NR_FREEDOMS - 1];
		else
			s->freedom[side] = freedoms[(int)fmin(edge(pooled[side], -1), edge(own[side], 1))];
		s->freedom[side] = fmin(s->freedom[side], most_freedom(s));
	}
}

void spreads_freedom(struct spread *all, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		set_freedom(all, nr, &all[i]);
}

void spread_of(struct spread *s, const struct observation *all, size_t nr)
{
	double *z = xrealloc(NULL, nr, sizeof(*z));
	double least = LEAST_SCALE, both;

	s->nr = nr;
	s->low = INFINITY;
	s->high = -INFINITY;
	for (size_t i = 0; i < nr; i++) {
		z[i] = all[i].y;
		s->low = fmin(s->low, z[i]);
		s->high = fmax(s->high, z[i]);
	}
	s->centre = median_of(z, nr);
	if (!is_share(s->statistic))
		least = hypot(least, LEAST_NS / exp(s->centre));
	both = solve_scale(all, nr, s->centre, least, BOTH, z);
	for (enum side side = BELOW; side <= ABOVE; side++) {
		/* With few machines, one side has too few for a scale of its own. */
		double own = nr < 2 * LEAST_PEERS ? both : solve_scale(all, nr, s->centre, least, side, z);

		s->scale[side] = fmax(own, both);
	}
	for (size_t i = 0; i < nr; i++)
		z[i] = all[i].y - s->centre;
	qsort(z, nr, sizeof(*z), compare_doubles);
	/* A maximum needs no skew: its long side has its own scale, and its tail has fewer degrees of freedom. */
	s->skew = s->statistic == MAX ? 0 : skew_of(z, nr);
	for (enum side side = BELOW; side <= ABOVE; side++)
		measure_tail(s, all, nr, side, z);
	free(z);
}

static double own_scale(const struct spread *s, enum side side, double error)
{
	return sqrt(s->scale[side] * s->scale[side] * (1 + M_PI_2 / s->nr) + error * error);
}

/* Return how many standard deviations a machine is off. This includes the error of its peers' median. */
double spread_z(const struct spread *s, double y, double error)
{
	double r = y - s->centre;

	return r / own_scale(s, r > 0, error);
}

/*
 * Return the probability that a machine is as far off on the side of Y, or further. This is the larger one of two
 * probabilities: with heavy tails, and with a skewed spread. How the two combine far from the centre is not known.
 */
double spread_p(const struct spread *s, double y, double error)
{
	double r = y - s->centre, scale = own_scale(s, r > 0, error);

	return fmax(student_tail(fabs(r / scale), s->freedom[r > 0]), student_tail(fabs(scales_off(s->skew, r, scale)), most_freedom(s)));
}

/* Return how far above the centre a machine with that ERROR must be to have the probability P. */
double spread_found(const struct spread *s, double p, double error)
{
	double z = student_quantile(p, most_freedom(s)), scale = own_scale(s, ABOVE, error);

	if (s->skew > 0)
		z = expm1(s->skew * z) / s->skew;
	return scale * fmax(z, student_quantile(p, s->freedom[ABOVE]));
}
