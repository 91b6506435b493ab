// SPDX-License-Identifier: GPL-2.0
/* Compute probabilities and quantiles of Student's distribution. */
#include <math.h>

#include "fleet.h"

/* Return the continued fraction of the incomplete beta function, computed by its convergents from the front. */
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

/* Return P(T > z). z must not be negative. */
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
