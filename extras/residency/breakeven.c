// SPDX-License-Identifier: GPL-2.0
/*
 * breakeven [-e] [-w PERCENT] [-l NS,NS] LOW_NS HIGH_NS POINTS: find the interval between wake-ups from which a deeper state takes
 * less energy, or say which intervals to measure next. LOW and HIGH are the shortest and longest interval.
 *
 * Each line of POINTS is a measurement: a (the shallow state) or b, the round (0: the first look), the interval in ns, and the
 * columns of wakeups.c. In state s at r idle periods per second the machine takes P_s + E_s r. These four and a drift common to
 * both states are fitted by least squares, weighted by the time measured. The drift is linear and quadratic in time; a gain that
 * drifts is linear in time and proportional to what a first fit without it says. The two lines cross at
 * T = (E_b - E_a) / (P_a - P_b). Its interval is Fieller's, with Student's quantile.
 *
 * Prints lines "key TAB value": result is `next` (then intervals), `done` or `refused` (then why), and what is known so far. -e:
 * time is over. -w: the half width to reach. -l: exit latencies of the states, for the residency counters and the residency.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

#define PARAMETERS 7
#define WITHOUT_GAIN 6
#define PER_ROUND 6
#define LOOKS 10

struct point {
	int state, round;
	double interval, seconds, watts, rate, other, late, own, awake, reached;
	double residual, fitted;
};

static struct point *points;
static size_t nr_points, room;
static double low, high, wanted = 0.1, latency[2];
static bool over;

/* Return the regularised incomplete beta function by its continued fraction (Lentz). */
static double beta_of(double x, double a, double b)
{
	double c = 1, d, h;

	if (x <= 0 || x >= 1)
		return x > 0;
	if (x > (a + 1) / (a + b + 2))
		return 1 - beta_of(1 - x, b, a);
	d = 1 / (1 - (a + b) * x / (a + 1));
	h = d;
	for (int m = 1; m < 300; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 / (1 + even * d);
		c = 1 + even / c;
		h *= c * d;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		h *= c * d;
		if (fabs(c * d - 1) < 1e-14)
			break;
	}
	return h * exp(a * log(x) + b * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b)) / a;
}

/* Return Student's t that is exceeded to both sides with probability P. */
static double student(double p, double df)
{
	double from = 0, to = 1e6;

	for (int i = 0; i < 100; i++) {
		double t = (from + to) / 2;

		if (beta_of(df / (df + t * t), df / 2, 0.5) > p)
			from = t;
		else
			to = t;
	}
	return to;
}

static void take_points(const char *name)
{
	FILE *f = fopen(name, "re");
	char line[1024];

	if (!f)
		die("cannot open %s: %s", name, strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		struct point p = { 0 };
		double joules;
		char state, reached[32];

		if (sscanf(line, "%c %d %lf %lf %lf %lf %lf %lf %lf %lf %31s", &state, &p.round, &p.interval, &p.seconds, &joules,
			   &p.rate, &p.other, &p.late, &p.own, &p.awake, reached) != 11 || !(p.seconds > 0) || !(p.rate > 0))
			die("%s: not a measurement: %s", name, line);
		p.state = state == 'b';
		p.watts = joules / p.seconds;
		p.reached = *reached == '-' ? -1 : atof(reached);
		points = xgrow(points, nr_points, &room, sizeof(*points));
		points[nr_points++] = p;
	}
	fclose(f);
}

/*
 * The first look: return the interval from which on the deep state takes less, the split that the signs of most differences agree
 * with. If it never does, return HIGH.
 */
static double first_look(void)
{
	double interval[LOOKS], difference[LOOKS];
	int n = 0, best = -1, split = 0;

	for (size_t i = 0; i < nr_points; i++) {
		int k;

		if (points[i].round)
			continue;
		for (k = 0; k < n && interval[k] != points[i].interval; k++)
			;
		if (k == LOOKS)
			die("more than %d intervals in the first look", LOOKS);
		if (k == n) {
			interval[n] = points[i].interval;
			difference[n++] = 0;
		}
		difference[k] += points[i].state ? -points[i].watts : points[i].watts;
	}
	for (int i = 1; i < n; i++)
		for (int k = i; k && interval[k - 1] > interval[k]; k--) {
			double t = interval[k], d = difference[k];

			interval[k] = interval[k - 1];
			difference[k] = difference[k - 1];
			interval[k - 1] = t;
			difference[k - 1] = d;
		}
	for (int k = 0; k <= n; k++) {
		int agree = 0;

		for (int i = 0; i < n; i++)
			agree += i < k ? difference[i] <= 0 : difference[i] > 0;
		if (agree > best) {
			best = agree;
			split = k;
		}
	}
	return !split ? low : split == n ? high : sqrt(interval[split - 1] * interval[split]);
}

/* Is the point near enough to the interval CENTRE for a straight line? */
static bool is_near(const struct point *p, double centre)
{
	return p->round && p->interval > centre / 2.2 && p->interval < centre * 4;
}

static void row_of(const struct point *p, double time, double x[PARAMETERS])
{
	double row[PARAMETERS] = { !p->state, p->state, !p->state * p->rate, p->state * p->rate, time, time * time - 1 / 3.,
		time * p->fitted };

	memcpy(x, row, sizeof(row));
}

struct fit {
	int n, df;
	double p[PARAMETERS], v[PARAMETERS][PARAMETERS];	/* parameters, and (X'WX)^-1 */
	double variance, misfit, misfit_at;
};

/* Invert the first N rows and columns of the matrix A into INVERSE, or fail. */
static bool invert(int n, double a[PARAMETERS][PARAMETERS], double inverse[PARAMETERS][PARAMETERS])
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++)
			inverse[i][k] = i == k;
	for (int i = 0; i < n; i++) {
		double pivot = a[i][i];

		if (!(pivot > 1e-12))
			return false;
		for (int k = 0; k < n; k++) {
			a[i][k] /= pivot;
			inverse[i][k] /= pivot;
		}
		for (int j = 0; j < n; j++) {
			double factor = a[j][i];

			for (int k = 0; j != i && k < n; k++) {
				a[j][k] -= factor * a[i][k];
				inverse[j][k] -= factor * inverse[i][k];
			}
		}
	}
	return true;
}

/*
 * Compare what the points of one interval have in common (the model's error) with how they differ among themselves, by an F test
 * at 0.1 %. If it fails, the larger error counts, and misfit is the worst difference of the two states, in W.
 */
static void test_residuals(struct fit *fit, double centre)
{
	double between = 0, within = 0, f, df_between = -4, df_within = fit->n - 3;
	double worst = 0, worst_at = 0;

	for (size_t i = 0; i < nr_points; i++) {
		double sum[2] = { 0 }, weight[2] = { 0 };
		bool first = true;

		if (!is_near(&points[i], centre))
			continue;
		for (size_t k = 0; k < nr_points; k++) {
			if (!is_near(&points[k], centre) || points[k].interval != points[i].interval)
				continue;
			first = first && (k >= i || points[k].state != points[i].state);
			sum[points[k].state] += points[k].seconds * points[k].residual;
			weight[points[k].state] += points[k].seconds;
		}
		within += points[i].seconds * pow(points[i].residual - sum[points[i].state] / weight[points[i].state], 2);
		if (!first)
			continue;
		between += pow(sum[points[i].state], 2) / weight[points[i].state];
		df_between++;
		df_within--;
		if (weight[0] && weight[1] && fabs(sum[0] / weight[0] - sum[1] / weight[1]) > worst) {
			worst = fabs(sum[0] / weight[0] - sum[1] / weight[1]);
			worst_at = points[i].interval;
		}
	}
	if (df_between < 1 || df_within < 1 || within <= 0)
		return;
	f = between / df_between / (within / df_within);
	if (beta_of(df_within / (df_within + df_between * f), df_within / 2, df_between / 2) > 0.001)
		return;
	fit->misfit = worst;
	fit->misfit_at = worst_at;
	if (between / df_between > fit->variance) {
		fit->variance = between / df_between;
		fit->df = df_between;
	}
}

/* Fit the points near the interval CENTRE by the first NR of the parameters. */
static bool fit_with(struct fit *fit, double centre, int nr)
{
	double a[PARAMETERS][PARAMETERS] = { 0 }, b[PARAMETERS] = { 0 }, x[PARAMETERS], squares = 0;
	double scale = centre / 1e9;

	*fit = (struct fit) { 0 };
	for (size_t i = 0; i < nr_points; i++) {
		if (!is_near(&points[i], centre))
			continue;
		row_of(&points[i], 2. * i / nr_points - 1, x);
		x[2] *= scale;
		x[3] *= scale;
		for (int k = 0; k < nr; k++) {
			for (int j = 0; j < nr; j++)
				a[k][j] += points[i].seconds * x[k] * x[j];
			b[k] += points[i].seconds * x[k] * points[i].watts;
		}
		fit->n++;
	}
	fit->df = fit->n - nr;
	if (fit->df < nr || !invert(nr, a, fit->v))
		return false;
	for (int k = 0; k < nr; k++) {
		for (int j = 0; j < nr; j++) {
			fit->p[k] += fit->v[k][j] * b[j];
			fit->v[k][j] *= (k == 2 || k == 3 ? scale : 1) * (j == 2 || j == 3 ? scale : 1);
		}
		fit->p[k] *= k == 2 || k == 3 ? scale : 1;
	}
	for (size_t i = 0; i < nr_points; i++) {
		if (!is_near(&points[i], centre))
			continue;
		row_of(&points[i], 2. * i / nr_points - 1, x);
		points[i].residual = points[i].watts;
		for (int k = 0; k < nr; k++)
			points[i].residual -= fit->p[k] * x[k];
		squares += points[i].seconds * pow(points[i].residual, 2);
	}
	fit->variance = squares / fit->df;
	return true;
}

/* Fit the points near the interval CENTRE. */
static bool fit_points(struct fit *fit, double centre)
{
	double mean = 0;

	if (!fit_with(fit, centre, WITHOUT_GAIN))
		return false;
	for (size_t i = 0; i < nr_points; i++)
		if (is_near(&points[i], centre))
			mean += points[i].watts / fit->n;
	for (size_t i = 0; i < nr_points; i++)
		points[i].fitted = points[i].watts - points[i].residual - mean;
	if (!fit_with(fit, centre, PARAMETERS))
		return false;
	test_residuals(fit, centre);
	return true;
}

/* Set *FROM and *TO to Fieller's interval of the crossing, or fail if it has no end. */
static bool fieller(const struct fit *fit, double *from, double *to)
{
	double t2 = pow(student(0.05, fit->df), 2) * fit->variance;
	double f = fit->p[0] - fit->p[1], g = fit->p[3] - fit->p[2];
	double vff = t2 * (fit->v[0][0] + fit->v[1][1] - 2 * fit->v[0][1]), vgg = t2 * (fit->v[2][2] + fit->v[3][3] - 2 * fit->v[2][3]);
	double vfg = t2 * (fit->v[0][3] - fit->v[0][2] - fit->v[1][3] + fit->v[1][2]);
	double a = f * f - vff, b = f * g - vfg, c = g * g - vgg;

	if (f <= 0 || a <= 0 || b * b < a * c)
		return false;
	*from = (b - sqrt(b * b - a * c)) / a * 1e9;
	*to = (b + sqrt(b * b - a * c)) / a * 1e9;
	return true;
}

/* Means of the points near CENTRE */
struct shares {
	double missed, background, awake, late;
	bool counted;
};

static struct shares shares_of(double centre)
{
	struct shares s = { .counted = true };
	double missed[2] = { 0 }, n[2] = { 0 };

	for (size_t i = 0; i < nr_points; i++) {
		struct point *p = &points[i];
		double asleep = 1e9 / p->rate - p->awake, most = fmax(0, 1 - latency[p->state] / asleep);

		if (!is_near(p, centre))
			continue;
		n[p->state]++;
		if (p->reached < 0)
			s.counted = false;
		missed[p->state] += p->other + (p->reached < 0 || p->reached > most ? 0 : 1 - p->reached / most);
		s.background += (1 - fmin(1, p->own)) * p->rate;
		s.awake += p->awake;
		s.late += p->late;
	}
	s.background /= n[0] + n[1];
	s.awake /= n[0] + n[1];
	s.late /= n[0] + n[1];
	s.missed = fmin(1, fmax(missed[0] / n[0], missed[1] / n[1]));
	return s;
}

/* Print the intervals of the next round: evenly spaced rates, on both sides of the crossing. */
static void next(double centre)
{
	printf("result\tnext\nintervals\t");
	for (int i = 0; i < PER_ROUND; i++) {
		double t = centre / (0.4 + 1.2 * i / (PER_ROUND - 1));

		/* Two equal intervals would say nothing of the slope. */
		t = t > high ? high / (1 + 0.4 * i) : t < low ? low * (1 + 0.4 * (PER_ROUND - 1 - i)) : t;
		printf("%s%.0f", i ? "," : "", t);
	}
	printf("\n");
}

static void facts(const struct fit *fit, const struct shares *s)
{
	double low_ns, high_ns;

	if (fieller(fit, &low_ns, &high_ns))
		printf("width\t%.1f\n", 100 * (high_ns - low_ns) / (high_ns + low_ns));
	printf("points\t%d\npower_a_w\t%.6f\npower_b_w\t%.6f\nvisit_a_uj\t%.4f\nvisit_b_uj\t%.4f\n", fit->n, fit->p[0], fit->p[1], fit->p[2] * 1e6,
	       fit->p[3] * 1e6);
	printf("error_w\t%.6f\nmissed\t%.4f\ncounted\t%s\nbackground_per_s\t%.2f\nawake_ns\t%.0f\nlate\t%.4f\n", sqrt(fit->variance), s->missed,
	       s->counted ? "yes" : "no", s->background, s->awake, s->late);
}

static void refuse(const char *why)
{
	printf("result\trefused\nwhy\t%s\n", why);
	exit(0);
}

/* Print how the two states differ at the interval AT. */
static void no_crossing(const struct fit *fit, double at, bool deep_takes_less)
{
	double r = 1e9 / at, d = fit->p[1] - fit->p[0] + (fit->p[3] - fit->p[2]) * r, x[4] = { -1, 1, -r, r }, v = 0;

	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 4; k++)
			v += x[i] * x[k] * fit->v[i][k];
	refuse(xprintf("the curves do not cross between %.0f us and %.0f us: at %.0f us the deeper state takes %.4f W more (95 %%: %.4f to %.4f)%s",
		       low / 1e3, high / 1e3, at / 1e3, d, d - student(0.05, fit->df) * sqrt(v * fit->variance),
		       d + student(0.05, fit->df) * sqrt(v * fit->variance),
		       deep_takes_less ? ", so it pays already there" : ""));
}

int main(int argc, char **argv)
{
	struct fit fit;
	struct shares s;
	double centre, from = 0, to = 0, at, wide, saved, misfit;
	int option, rounds = 0;
	bool ends;

	message_init("breakeven");
	while ((option = getopt(argc, argv, "ew:l:")) != -1) {
		if (option == 'e')
			over = true;
		else if (option == 'w')
			wanted = atof(optarg) / 100;
		else if (option != 'l' || sscanf(optarg, "%lf,%lf", &latency[0], &latency[1]) != 2)
			return 1;
	}
	if (optind + 3 != argc)
		die("wrong arguments");
	low = atof(argv[optind]);
	high = atof(argv[optind + 1]);
	take_points(argv[optind + 2]);
	if (!nr_points) {
		printf("result\tnext\nintervals\t");
		for (int i = 0; i < LOOKS; i++)
			printf("%s%.0f", i ? "," : "", low * pow(high / low, i / (LOOKS - 1.)));
		printf("\n");
		return 0;
	}
	for (size_t i = 0; i < nr_points; i++)
		rounds = points[i].round > rounds ? points[i].round : rounds;
	centre = first_look();
	/* Later rounds are placed by the fit of those before them. */
	for (int i = 0; i < 5 && fit_points(&fit, centre); i++) {
		at = (fit.p[3] - fit.p[2]) / (fit.p[0] - fit.p[1]) * 1e9;
		/* Do not follow noise. */
		if (!fieller(&fit, &from, &to) || to > 3 * from || (at > centre / 1.3 && at < centre * 1.3))
			break;
		centre = fmin(high, fmax(low, at));
	}
	if (!fit_points(&fit, centre)) {
		if (over)
			refuse("too few points: give it more time (--time)");
		next(centre);
		return 0;
	}
	s = shares_of(centre);
	saved = fit.p[0] - fit.p[1];
	at = (fit.p[3] - fit.p[2]) / saved * 1e9;
	ends = fieller(&fit, &from, &to);
	facts(&fit, &s);
	/* The share that missed its state shifts the crossing by at most that; so does work in the background by its awake time. */
	wide = s.missed / (1 - fmin(s.missed, 0.99)) + s.background * s.awake / 1e9;
	from *= 1 - fmin(1, wide);
	to *= 1 + wide;
	misfit = saved > 0 ? fit.misfit / saved : 0;
	if (rounds < 3 || (!over && !(ends && (to - from) / 2 <= wanted * at))) {
		if (over)
			refuse("too few rounds: give it more time (--time)");
		next(centre);
		return 0;
	}
	if (s.missed > 0.5)
		refuse(xprintf("the states were not reached: %.0f %% of the time asleep was in another one (residency counters)", 100 * s.missed));
	if (ends && misfit > wanted)
		refuse(xprintf("the model does not fit: at %.0f us the difference of the states is off by %.4f W, %.0f %% of what the deeper one saves",
			       fit.misfit_at / 1e3, fit.misfit, 100 * misfit));
	if (!ends || at > high)
		no_crossing(&fit, high, false);
	if (at < low)
		no_crossing(&fit, low, true);
	printf("result\tdone\ninterval_ns\t%.0f\ninterval_low_ns\t%.0f\ninterval_high_ns\t%.0f\n", at, from, to);
	printf("residency_ns\t%.0f\nresidency_low_ns\t%.0f\nresidency_high_ns\t%.0f\n", at - s.awake - latency[0], from - s.awake - latency[0],
	       to - s.awake - latency[0]);
	return 0;
}
