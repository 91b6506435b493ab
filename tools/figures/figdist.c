// SPDX-License-Identifier: GPL-2.0
/*
 *	histogram-P.dat		latency count middle		the outline, and the middle of each bin
 *	ccdf-P.dat		latency share			share of samples that are as long or longer
 *	band-P.dat		share low high			95 % confidence interval of that quantile
 *	ccdf-band-P.dat		latency share			the same as a polygon, up to the maximum
 *
 * If the latencies of a series are only known as intervals, figintervals.c writes the first two files.
 *
 * The files are of the untainted samples that are not below the axis of latency. The bounds are order statistics
 * with ranks from the binomial distribution, for each percentile separately, as in stats-ci.tsv.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "figures.h"
#include "message.h"
#include "percentile.h"

#define HISTOGRAM_BINS 110
/* Room for one edge more than bins, and for an edge at each advertised latency. */
#define HISTOGRAM_EDGES (HISTOGRAM_BINS + 3 + MOST_ADVERTISED)
/* The tail of a CCDF is drawn sample by sample. */
#define EXACT_TAIL 100
/*
 * The smallest share that the samples support is that of the 3 longest: 1 - p^n >= 95 % for p = 1 - 3/n. The CCDF always
 * has a point at this share.
 */
#define SUPPORTED 3
#define BAND_STEPS_PER_DECADE 12
#define BAND_FIRST (BAND_STEPS_PER_DECADE / 4)
#define BAND_MOST (9 * BAND_STEPS_PER_DECADE)
#define BAND_WHOLE 1000000000
/* The band ends at a share of this many samples. The axis ends at a larger share, that of 0.2 samples. */
#define BAND_LEAST 0.15

static size_t make_linear_edges(int64_t *edges, int64_t least, int64_t greatest)
{
	uint64_t range = (uint64_t)greatest - (uint64_t)least;
	uint64_t width = range / HISTOGRAM_BINS + 1;
	size_t nr = 0;

	while (nr <= HISTOGRAM_BINS && nr * width <= range) {
		edges[nr] = (int64_t)((uint64_t)least + nr * width);
		nr++;
	}
	edges[nr++] = greatest < INT64_MAX ? greatest + 1 : greatest;
	return nr;
}

/* Edges are in whole ns. Otherwise some bins would contain no possible value, and the outline would look like a comb. */
static size_t make_log_edges(int64_t *edges, int64_t least, int64_t greatest)
{
	double factor = pow((double)greatest / least, 1.0 / HISTOGRAM_BINS);
	size_t nr = 1;

	edges[0] = least;
	/* Otherwise a single narrow state would be drawn as a block. */
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
		/* All edges are in use: rounding has kept them below the maximum. */
		if (nr == HISTOGRAM_BINS + 2)
			break;
	}
	/* All values are near 2^63. */
	if (nr == 1)
		edges[nr++] = greatest;
	if (edges[nr - 1] <= greatest)
		edges[nr - 1] = greatest < INT64_MAX ? greatest + 1 : greatest;
	return nr;
}

/*
 * Put an edge directly above each advertised latency: move the nearest edge or add one. A bin across an advertised
 * latency would not show which of its samples exceed this latency.
 */
static size_t separate(int64_t *edges, size_t nr, const struct figures *figures)
{
	bool fixed[HISTOGRAM_EDGES] = { false };

	for (size_t k = 0; k < figures->nr_advertised; k++) {
		int64_t longer = figures->advertised[k] + 1;
		size_t above = 1;

		if (longer <= edges[0] || longer >= edges[nr - 1])
			continue;
		while (edges[above] < longer)
			above++;
		if (longer - edges[above - 1] < edges[above] - longer)
			above--;
		if (above && above + 1 < nr && !fixed[above]) {
			edges[above] = longer;
		} else if (edges[above] != longer && nr < HISTOGRAM_EDGES) {
			above += edges[above] < longer;
			memmove(edges + above + 1, edges + above, (nr - above) * sizeof(*edges));
			memmove(fixed + above + 1, fixed + above, nr - above);
			edges[above] = longer;
			nr++;
		}
		fixed[above] = true;
	}
	return nr;
}

/* Write a point of the outline at the base: 0.5 samples, because a logarithmic axis has no 0. */
void outline_base(FILE *f, int64_t edge)
{
	print_us(f, edge);
	fprintf(f, "\t0.5\t-\n");
}

void outline_top(FILE *f, int64_t low, int64_t high, size_t count, bool log)
{
	print_us(f, low);
	fprintf(f, "\t%zu\t%.4f\n", count, (log ? sqrt((double)low * high) : ((double)low + high) / 2) / 1000);
	print_us(f, high);
	fprintf(f, "\t%zu\t-\n", count);
}

static void write_histogram(FILE *f, const struct figures *figures, const struct series *series,
			    const int64_t *edges, size_t nr)
{
	size_t i = series->below;
	bool open = false;

	for (size_t bin = 0; bin + 1 < nr; bin++) {
		size_t start = i;

		/* The last bin also takes INT64_MAX, above which there is no edge. */
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
		outline_top(f, edges[bin], edges[bin + 1], i - start, figures->latency.log);
		open = true;
	}
	if (open)
		outline_base(f, edges[nr - 1]);
	finish(f);
}

/* Write the CCDF. Steps that are too small to be seen are left out, except in the tail. */
static void write_ccdf(FILE *f, const struct figures *figures, const struct series *series)
{
	bool logarithmic = figures->latency.log;
	size_t first = series->below, last = series->nr - 1;
	double kept_x = 0, kept_y = 0, range_x, range_y = log((double)series->nr + 1);

	if (series->nr <= first) {
		finish(f);
		return;
	}
	range_x = logarithmic ? log((double)series->latency[last] / series->latency[first]) :
				(double)series->latency[last] - series->latency[first];
	range_x += 1e-9;
	for (size_t i = first; i <= last; i++) {
		double x, y;

		if (i > first && series->latency[i] == series->latency[i - 1] &&
		    series->nr - i != SUPPORTED)
			continue;
		x = logarithmic ? log(series->latency[i]) : (double)series->latency[i];
		y = log(series->nr - i);
		if (i > first && series->nr - i > EXACT_TAIL &&
		    x - kept_x < range_x / 500 && kept_y - y < range_y / 500)
			continue;
		kept_x = x;
		kept_y = y;
		print_us(f, series->latency[i]);
		fprintf(f, "\t%.9g\n", (double)(series->nr - i) / series->nr);
	}
	/* End the curve at the maximum, at the share of one sample, not at 0. */
	print_us(f, series->latency[last]);
	fprintf(f, "\t%.9g\n", 1.0 / series->nr);
	finish(f);
}

struct bounds {
	double share;
	int64_t low, high;
};

/*
 * Find the bounds of the quantiles from about the median on, as far as there are lower bounds. If there are too few
 * samples for an upper bound, the largest value is used. Return the number of bounds. Store in NR_BOTH how many of the
 * first bounds have an upper bound.
 */
static size_t find_bounds(struct bounds *bounds, const struct series *series, size_t *nr_both)
{
	size_t nr = 0;

	*nr_both = 0;
	for (int step = BAND_FIRST; nr < BAND_MOST; step++) {
		double share = pow(10, -(double)step / BAND_STEPS_PER_DECADE);
		struct percentile p = { .whole = BAND_WHOLE };
		struct ranks ranks;
		int64_t high;

		p.part = p.whole - llround(share * p.whole);
		if (p.part == p.whole || share * series->nr < BAND_LEAST)
			break;
		ranks = percentile_ranks(&p, series->nr, 0.025L);
		if (!ranks.low || ranks.low <= series->below)
			continue;
		high = ranks.high ? high_at(series, ranks.high - 1) : INT64_MAX;
		if (high == INT64_MAX)
			high = greatest_of(series);
		else
			*nr_both = nr + 1;
		bounds[nr++] = (struct bounds) { share, low_at(series, ranks.low - 1), high };
	}
	return nr;
}

static void write_band(size_t position, const struct series *series)
{
	FILE *band = create_for("band", position), *polygon = create_for("ccdf-band", position);
	struct bounds bounds[BAND_MOST];
	size_t nr_both, nr = find_bounds(bounds, series, &nr_both);

	for (size_t i = 0; i < nr_both; i++) {
		fprintf(band, "%.9g\t", bounds[i].share);
		print_us(band, bounds[i].low);
		fputc('\t', band);
		print_us(band, bounds[i].high);
		fputc('\n', band);
	}
	/* Without any upper bound there is no band. */
	for (size_t i = 0; nr_both && i < nr; i++) {
		print_us(polygon, bounds[i].low);
		fprintf(polygon, "\t%.9g\n", bounds[i].share);
	}
	for (size_t i = nr_both ? nr : 0; i-- > 0; ) {
		print_us(polygon, bounds[i].high);
		fprintf(polygon, "\t%.9g\n", bounds[i].share);
	}
	finish(band);
	finish(polygon);
}

const char *write_distributions(const struct figures *figures)
{
	int64_t edges[HISTOGRAM_EDGES], least = INT64_MAX, greatest = INT64_MIN;
	size_t nr;

	for (size_t p = 0; p < figures->nr_series; p++) {
		const struct series *series = &figures->series[p];

		size_t first = series->below;

		if (series->nr == first)
			continue;
		if (low_at(series, first) < least)
			least = low_at(series, first);
		if (greatest_of(series) > greatest)
			greatest = greatest_of(series);
	}
	if (least > greatest && figures->y.name)
		return xprintf("no untainted sample with a value of %s: nothing to draw", figures->y.name);
	if (least > greatest)
		return "no untainted sample with a latency above 0: nothing to draw";
	nr = figures->latency.log ? make_log_edges(edges, least, greatest) :
				    make_linear_edges(edges, least, greatest);
	nr = separate(edges, nr, figures);
	for (size_t p = 0; p < figures->nr_series; p++) {
		if (figures->series[p].intervals) {
			write_intervals(figures, p);
		} else {
			write_histogram(create_for("histogram", p), figures, &figures->series[p], edges, nr);
			write_ccdf(create_for("ccdf", p), figures, &figures->series[p]);
		}
		write_band(p, &figures->series[p]);
	}
	return NULL;
}
