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
 *    as a test of thousands must look; fewer if the 90th percentile of the machines themselves says so, and if machines are few.
 *
 * tests/bench/fleet shows how often that is wrong.
 */
#include <math.h>
#include <stdlib.h>

#include "fleet.h"
#include "message.h"

#define NORMAL_MEDIAN 0.6745
#define LEAST_SCALE 0.01
#define LEAST_NS 10
#define MOST_FREEDOM 15
/* Maxima are of the extreme value kind: their long side is exponential at least. */
#define MOST_FREEDOM_OF_MAX 10
#define FEW_FREEDOM 5
/* From so many machines on their 90th percentile tells about tails. */
#define MANY 100
/* The median absolute deviation is as good as a standard deviation of so many fewer machines. */
#define EFFICIENCY 0.37
/* Further off is no part of the tail that is being looked at. */
#define FAR 8

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

/* The degrees of freedom whose 90th percentile is so many times the median, of absolute values. */
static double freedom_of(double ratio)
{
	static const struct {
		double freedom, ratio;
	} known[] = {
		{ 1, 6.314 }, { 1.5, 4.327 }, { 2, 3.576 }, { 2.5, 3.256 }, { 3, 3.077 }, { 4, 2.878 }, { 5, 2.773 }, { 7, 2.665 }, { 10, 2.590 }, { 15, 2.537 },
	};
	size_t nr = sizeof(known) / sizeof(*known);

	if (ratio >= known[0].ratio)
		return known[0].freedom;
	for (size_t i = 1; i < nr; i++)
		if (ratio >= known[i].ratio)
			return known[i].freedom - (known[i].freedom - known[i - 1].freedom) *
				(ratio - known[i].ratio) / (known[i - 1].ratio - known[i].ratio);
	return MOST_FREEDOM;
}

/* The 90th percentile of the machines, in medians. */
static double tail_of(const struct spread *s, const struct observation *all, size_t nr, double *z)
{
	size_t n = 0;

	if (nr < MANY)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		double r = all[i].y - s->centre, scale = s->scale[r > 0];

		r = fabs(r) / sqrt(scale * scale + all[i].error * all[i].error);
		if (r < FAR)
			z[n++] = r;
	}
	qsort(z, n, sizeof(*z), compare_doubles);
	/* Where the scale is the least one, the machines are closer together than that. */
	return z[n * 9 / 10] / fmax(z[n / 2], NORMAL_MEDIAN);
}

static bool pooled_with(const struct spread *s, const struct spread *other)
{
	return s->tail > 0 && other->tail > 0 && !other->polls && is_share(s->statistic) == is_share(other->statistic) &&
		(s->statistic == MAX) == (other->statistic == MAX);
}

/*
 * One state's 90th percentile has an error of five percent with 500 machines: the states' mean, and one standard error above it;
 * or what the state itself has, if that is certainly more.
 */
void spreads_freedom(struct spread *all, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct spread *s = &all[i];
		double few = EFFICIENCY * (s->nr - 1), most = s->statistic == MAX ? MOST_FREEDOM_OF_MAX : MOST_FREEDOM;
		double error = 1 / sqrt(s->nr), sum = 0;
		size_t n = 0;

		for (size_t k = 0; k < nr; k++)
			if (pooled_with(s, &all[k])) {
				sum += all[k].tail;
				n++;
			}
		s->freedom = FEW_FREEDOM;
		if (s->tail > 0)
			s->freedom = freedom_of(fmax(n ? sum / n * (1 + error) : 0, s->tail * (1 - error)));
		s->freedom = fmin(s->freedom, fmin(few, most));
	}
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
	s->tail = tail_of(s, all, nr, z);
	free(z);
}

/* How many times its own standard deviation a machine is off; the median of its peers has an error, too. */
double spread_z(const struct spread *s, double y, double error)
{
	double r = y - s->centre, scale = s->scale[r > 0];

	return r / sqrt(scale * scale * (1 + M_PI_2 / s->nr) + error * error);
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
