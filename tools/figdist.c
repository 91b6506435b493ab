// SPDX-License-Identifier: GPL-2.0
/*
 *	histogram-P.dat		latency count middle		an outline; the middle of each bin
 *	ccdf-P.dat		latency share			of samples as long or longer
 *	band-P.dat		share low high			95 % confidence interval of that quantile
 *	ccdf-band-P.dat		latency share			the same as a polygon
 *
 * Of the untainted samples above 0. The bounds are order statistics with ranks from the
 * binomial distribution, each percentile by itself, as in stats-ci.tsv.
 */
#include <inttypes.h>
#include <math.h>

#include "figures.h"
#include "message.h"
#include "percentile.h"

#define HISTOGRAM_BINS 110
/* The tail of a CCDF is drawn sample by sample. */
#define EXACT_TAIL 100
/* The last share that the samples support: 1 - p^n >= 95 % for p = 1 - 3/n. Always a point. */
#define SUPPORTED 3
#define BAND_STEPS_PER_DECADE 12
#define BAND_FIRST (BAND_STEPS_PER_DECADE / 4)
#define BAND_MOST (9 * BAND_STEPS_PER_DECADE)
#define BAND_WHOLE 1000000000

/* Whole nanoseconds, or a bin would hold none and the outline look like a comb. */
static size_t make_edges(int64_t *edges, int64_t least, int64_t greatest)
{
	double factor = pow((double)greatest / least, 1.0 / HISTOGRAM_BINS);
	size_t nr = 1;

	edges[0] = least;
	/* One narrow state alone would be drawn as a block otherwise. */
	if (factor < 1.0005)
		factor = 1.0005;
	for (int i = 1; ; i++) {
		double edge = floor(least * pow(factor, i));

		if (edge >= 9e18)
			break;
		if ((int64_t)edge > edges[nr - 1])
			edges[nr++] = edge;
		if (edges[nr - 1] > greatest)
			break;
		/* A factor so near 1 that rounding stops it below the maximum. */
		if (nr == HISTOGRAM_BINS + 2)
			break;
	}
	/* Nothing but values near 2^63. */
	if (nr == 1)
		edges[nr++] = greatest;
	if (edges[nr - 1] <= greatest)
		edges[nr - 1] = greatest < INT64_MAX ? greatest + 1 : greatest;
	return nr;
}

/* Half a sample stands for none: the axis is logarithmic. */
static void outline_base(FILE *f, int64_t edge)
{
	print_us(f, edge);
	fprintf(f, "\t0.5\t-\n");
}

static void outline_top(FILE *f, int64_t low, int64_t high, size_t count)
{
	print_us(f, low);
	fprintf(f, "\t%zu\t%.4f\n", count, sqrt((double)low * high) / 1000);
	print_us(f, high);
	fprintf(f, "\t%zu\t-\n", count);
}

static void write_histogram(FILE *f, const struct series *series, const int64_t *edges, size_t nr)
{
	size_t i = series->not_positive;
	bool open = false;

	for (size_t bin = 0; bin + 1 < nr; bin++) {
		size_t start = i;

		/* The greatest value that there is has no edge above it. */
		while (i < series->nr && (series->latency[i] < edges[bin + 1] || bin + 2 == nr))
			i++;
		if (i == start) {
			if (open) {
				outline_base(f, edges[bin]);
				fputc('\n', f);
			}
			open = false;
			continue;
		}
		if (!open)
			outline_base(f, edges[bin]);
		outline_top(f, edges[bin], edges[bin + 1], i - start);
		open = true;
	}
	if (open)
		outline_base(f, edges[nr - 1]);
	finish(f);
}

static void write_ccdf(FILE *f, const struct series *series)
{
	double kept_x = 0, kept_y = 0;
	double range_x = 1, range_y = log((double)series->nr + 1);

	if (series->nr > series->not_positive)
		range_x = log((double)series->latency[series->nr - 1] /
			      series->latency[series->not_positive]) + 1e-9;
	for (size_t i = series->not_positive; i < series->nr; i++) {
		double x, y;

		if (i > series->not_positive && series->latency[i] == series->latency[i - 1] &&
		    series->nr - i != SUPPORTED)
			continue;
		x = log(series->latency[i]);
		y = log(series->nr - i);
		if (i > series->not_positive && series->nr - i > EXACT_TAIL &&
		    x - kept_x < range_x / 500 && kept_y - y < range_y / 500)
			continue;
		kept_x = x;
		kept_y = y;
		print_us(f, series->latency[i]);
		fprintf(f, "\t%.9g\n", (double)(series->nr - i) / series->nr);
	}
	/* The step at the maximum ends there, at one sample, not at 0. */
	if (series->nr > series->not_positive) {
		print_us(f, series->latency[series->nr - 1]);
		fprintf(f, "\t%.9g\n", 1.0 / series->nr);
	}
	finish(f);
}

struct bounds {
	double share;
	int64_t low, high;
};

/* From the half on, as far as both bounds exist. */
static size_t find_bounds(struct bounds *bounds, const struct series *series)
{
	size_t nr = 0;

	for (int step = BAND_FIRST; nr < BAND_MOST; step++) {
		double share = pow(10, -(double)step / BAND_STEPS_PER_DECADE);
		struct percentile p = { .whole = BAND_WHOLE };
		struct ranks ranks;

		p.part = p.whole - llround(share * p.whole);
		ranks = percentile_ranks(&p, series->nr, 0.025L);
		if (p.part == p.whole || !ranks.high)
			break;
		if (!ranks.low || series->latency[ranks.low - 1] <= 0)
			continue;
		bounds[nr++] = (struct bounds) {
			share, series->latency[ranks.low - 1], series->latency[ranks.high - 1],
		};
	}
	return nr;
}

static void write_band(size_t position, const struct series *series)
{
	FILE *band = create_for("band", position), *polygon = create_for("ccdf-band", position);
	struct bounds bounds[BAND_MOST];
	size_t nr = find_bounds(bounds, series);

	for (size_t i = 0; i < nr; i++) {
		fprintf(band, "%.9g\t", bounds[i].share);
		print_us(band, bounds[i].low);
		fputc('\t', band);
		print_us(band, bounds[i].high);
		fputc('\n', band);
		print_us(polygon, bounds[i].low);
		fprintf(polygon, "\t%.9g\n", bounds[i].share);
	}
	for (size_t i = nr; i-- > 0; ) {
		print_us(polygon, bounds[i].high);
		fprintf(polygon, "\t%.9g\n", bounds[i].share);
	}
	finish(band);
	finish(polygon);
}

void write_distributions(const struct figures *figures)
{
	int64_t edges[HISTOGRAM_BINS + 3], least = INT64_MAX, greatest = 0;
	size_t nr;

	for (size_t p = 0; p < figures->nr_series; p++) {
		const struct series *series = &figures->series[p];

		if (series->nr == series->not_positive)
			continue;
		if (series->latency[series->not_positive] < least)
			least = series->latency[series->not_positive];
		if (series->latency[series->nr - 1] > greatest)
			greatest = series->latency[series->nr - 1];
	}
	if (!greatest)
		die("no untainted sample with a latency above 0: nothing to draw");
	nr = make_edges(edges, least, greatest);
	for (size_t p = 0; p < figures->nr_series; p++) {
		write_histogram(create_for("histogram", p), &figures->series[p], edges, nr);
		write_ccdf(create_for("ccdf", p), &figures->series[p]);
		write_band(p, &figures->series[p]);
	}
}
