// SPDX-License-Identifier: GPL-2.0
/*
 * How far machines of a kind are apart. Real ones are not spread like a bell: some are always a little off, tails are heavy, and
 * of a maximum the long side is longer. So
 *
 * 1. The centre is the median of the machines.
 * 2. The scale is what makes the median of |y - centre| / sqrt(scale^2 + error^2) that of a normal distribution, 0.6745: half of
 *    the machines may be as odd as they like. Errors of the samples are not the machines'. Above and below the centre each side
 *    has the larger one of its own scale and that of both. A machine measured again is not the same to 1 %, nor to 10 ns: the
 *    scale is not less.
 * 3. The tails are Student's. Fifteen degrees of freedom at most, ten for maxima, for nothing shows that tails are normal as far out
 *    as a test of thousands must look; fewer if the likelihood of the machines that are less than FAR off says so, and if machines are few.
 * 4. A skewed spread has a long side that grows as the exponential of a normal value does, if the tenth machines of both sides say so.
 *
 * tests/bench/fleet and fleet-false show how often that is wrong.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "message.h"

#define NORMAL_MEDIAN 0.6745
/* The z that one of ten normal values exceeds. */
#define NORMAL_TENTH 1.2816
#define LEAST_SCALE 0.01
#define LEAST_NS 10
/* Maxima are of the extreme value kind: their long side is exponential at least. */
#define MOST_FREEDOM_OF_MAX 10
#define FEW_FREEDOM 5
/* From so many machines on they tell about tails. */
#define MANY 100
/* The median absolute deviation is as good as a standard deviation of so many fewer machines. */
#define EFFICIENCY 0.37
/* Further off is no part of the tail that is being looked at. */
#define FAR 8
/* Of log likelihood: one standard error. */
#define LOSS 0.5
#define SIDES_LOSS 1.0

int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The value of rank K, from 0; VALUES get another order. */
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

static size_t standardised(const struct observation *all, size_t nr, double centre, double scale, enum side side, double *z)
{
	size_t n = 0;

	for (size_t i = 0; i < nr; i++) {
		double r = all[i].y - centre;

		if ((side == BELOW && r > 0) || (side == ABOVE && r < 0))
			continue;
		z[n++] = fabs(r) / sqrt(scale * scale + all[i].error * all[i].error);
	}
	return n;
}

static double solve_scale(const struct observation *all, size_t nr, double centre, double least, enum side side, double *z)
{
	double low = least, high = least;
	size_t n;

	do {
		n = standardised(all, nr, centre, high, side, z);
		if (!n || median_of(z, n) <= NORMAL_MEDIAN)
			break;
		low = high;
		high *= 2;
	} while (high < 1e6);
	if (high == least)
		return least;
	for (int i = 0; i < 20; i++) {
		double middle = sqrt(low * high);

		n = standardised(all, nr, centre, middle, side, z);
		if (median_of(z, n) > NORMAL_MEDIAN)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* --- the tails */

/* Student's distributions that are held against the machines. */
static const double freedoms[NR_FREEDOMS] = { 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8, 10, 15 };

/*
 * Add the log likelihoods of Student's distributions, given one machine that is Z off. The median of all Z is NORMAL_MEDIAN,
 * and what is FAR off or more is not looked at.
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

/* Return how many scales a machine is off that is R off; on the long side of a skewed spread they grow with the distance. */
static double scales_off(const struct spread *s, double r, double scale)
{
	double z = r / scale;

	return s->skew * z > 0 ? log1p(s->skew * z) / s->skew : z;
}

/*
 * The skewness g of a spread (exp(g z) - 1) / g, z being normal: from how far the tenth machines of both sides are off (Tukey's g-and-h
 * distributions, Hoaglin 1985). One standard error nearer to 0, for most spreads have none. SORTED: distances from the centre.
 */
static double skew_of(const double *sorted, size_t nr)
{
	double below = -sorted[nr / 10], above = sorted[nr - 1 - nr / 10], error = 1.45 / sqrt(nr), g;

	if (nr < MANY || below <= 0 || above <= 0)
		return 0;
	g = log(above / below) / NORMAL_TENTH;
	return fabs(g) <= error ? 0 : g > 0 ? g - error : g + error;
}

/* Z: room for NR. Machines that are all at the centre say nothing about a tail. */
static void measure_tail(struct spread *s, const struct observation *all, size_t nr, enum side side, double *z)
{
	size_t n = 0;
	double median;

	for (size_t i = 0; i < nr; i++) {
		double r = all[i].y - s->centre;

		if ((side == BELOW && r > 0) || (side == ABOVE && r < 0))
			continue;
		z[n++] = fabs(scales_off(s, r, sqrt(s->scale[side] * s->scale[side] + all[i].error * all[i].error)));
	}
	median = n ? median_of(z, n) : 0;
	s->has_tail[side] = median > 0;
	for (size_t i = 0; median > 0 && i < n; i++)
		if (z[i] * NORMAL_MEDIAN / median < FAR)
			add_likelihoods(s->likelihood[side], z[i] * NORMAL_MEDIAN / median);
}

/* Degrees of freedom of machines whose tails are as light as any. */
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

/* Return the lowest (DIRECTION -1) or highest (1) degrees of freedom that are one standard error worse than the best. */
static int edge(const double *likelihood, int direction)
{
	int best = best_of(likelihood), at = best;

	while (at + direction >= 0 && at + direction < NR_FREEDOMS && likelihood[at + direction] >= likelihood[best] - LOSS)
		at += direction;
	return at;
}

/* Both sides together where they do not differ by more than chance. */
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
 * A maximum has MOST_FREEDOM_OF_MAX: its tails are those of the samples. What one state's machines say about their
 * tails is uncertain: that of all states together, at the lower end of its interval; or what the state itself has, at
 * the upper end, if that is less. Statistics are not mixed: a few machines with a second mode have a p99.9 with heavy
 * tails, and a median without.
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
		/* The half of few machines says little. */
		double own = nr < 2 * LEAST_PEERS ? both : solve_scale(all, nr, s->centre, least, side, z);

		s->scale[side] = fmax(own, both);
	}
	for (size_t i = 0; i < nr; i++)
		z[i] = all[i].y - s->centre;
	qsort(z, nr, sizeof(*z), compare_doubles);
	/* A maximum's long side has a scale of its own, and its tail fewer degrees of freedom. */
	s->skew = s->statistic == MAX ? 0 : skew_of(z, nr);
	for (enum side side = BELOW; side <= ABOVE; side++)
		measure_tail(s, all, nr, side, z);
	free(z);
}

static double own_scale(const struct spread *s, enum side side, double error)
{
	return sqrt(s->scale[side] * s->scale[side] * (1 + M_PI_2 / s->nr) + error * error);
}

/* How many times its own standard deviation a machine is off; the median of its peers has an error, too. */
double spread_z(const struct spread *s, double y, double error)
{
	double r = y - s->centre;

	return r / own_scale(s, r > 0, error);
}

/*
 * Return the probability that a machine is as far off on the side of Y, or further: by heavy tails, or by a skewed spread, whichever is
 * more. How both would go on together so far out, nothing tells.
 */
double spread_p(const struct spread *s, double y, double error)
{
	double r = y - s->centre, scale = own_scale(s, r > 0, error);

	return fmax(student_tail(fabs(r / scale), s->freedom[r > 0]), student_tail(fabs(scales_off(s, r, scale)), most_freedom(s)));
}

/* Return how far above the centre a machine with that ERROR must be to have the probability P. */
double spread_found(const struct spread *s, double p, double error)
{
	double z = student_quantile(p, most_freedom(s)), scale = own_scale(s, ABOVE, error);

	if (s->skew > 0)
		z = expm1(s->skew * z) / s->skew;
	return scale * fmax(z, student_quantile(p, s->freedom[ABOVE]));
}

/* --- Student's distribution */

/* The incomplete beta function's continued fraction, by its convergents from the front. */
static double beta_fraction(double x, double a, double b)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (int m = 1; m < 500; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		f *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		step = d * c;
		f *= step;
		if (fabs(step - 1) < 1e-13)
			break;
	}
	return f;
}

static double incomplete_beta(double x, double a, double b)
{
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));

	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

/* P(T > z), z not below 0 */
double student_tail(double z, double freedom)
{
	if (z <= 0)
		return 0.5;
	return incomplete_beta(freedom / (freedom + z * z), freedom / 2, 0.5) / 2;
}

double student_quantile(double tail, double freedom)
{
	double low = 0, high = 1;

	while (student_tail(high, freedom) > tail && high < 1e12)
		high *= 2;
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (student_tail(middle, freedom) > tail)
			low = middle;
		else
			high = middle;
	}
	return high;
}
