// SPDX-License-Identifier: GPL-2.0
/*
 *	silent-time-P.dat	silent_time latency		points of the series at position P
 *	order-P.dat		index latency
 *	residency-P.dat		silent_time residency
 *	silent-time-tainted.dat order-tainted.dat		the same for tainted samples of all series
 *	ldist.dat		index least greatest		range of the launch distance
 *
 * A million points would make figures of many megabytes. So the figure is divided into
 * cells smaller than a mark, and only the first point of each cell is kept. The others
 * would be drawn at the same place, so no outlier is lost.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "figures.h"

/* Bins of launch distances: many, so that a sweep's steps are visible; few, so that random ones make an even band. */
#define LDIST_BINS_SWEEP 440
#define LDIST_BINS_UNIFORM 40

/* Return how many samples lie outside of the axes. */
static uint64_t write_silent(FILE *f, const struct figures *figures, struct plane *plane,
			     size_t position)
{
	uint64_t outside = 0;
	bool first;

	plane_clear(plane);
	for_each_sample_of(&figures->samples, i, position) {
		const struct sample sample = sample_at(&figures->samples, i), *s = &sample;

		if (!s->is.has_latency || !s->is.has_silent)
			continue;
		if (!plane_take(plane, s->silent_time, s->latency, &first))
			outside += count_of(s);
		if (first)
			print_point(f, s->silent_time, s->latency);
	}
	finish(f);
	return outside;
}

/* Return how many samples lie outside of the axes. */
static uint64_t write_order(FILE *f, const struct figures *figures, struct plane *plane,
			    size_t position)
{
	uint64_t outside = 0;
	bool first;

	plane_clear(plane);
	for_each_sample_of(&figures->samples, i, position) {
		const struct sample sample = sample_at(&figures->samples, i), *s = &sample;

		if (!s->is.has_latency || figures->counts)
			continue;
		if (!plane_take(plane, i, s->latency, &first))
			outside += count_of(s);
		if (!first)
			continue;
		fprintf(f, "%zu\t", i + 1);
		print_us(f, s->latency);
		fputc('\n', f);
	}
	finish(f);
	return outside;
}

static void write_residency(FILE *f, const struct figures *figures, struct plane *plane,
			    size_t position)
{
	bool first;

	plane_clear(plane);
	for_each_sample_of(&figures->samples, i, position) {
		const struct sample sample = sample_at(&figures->samples, i), *s = &sample;

		if (!s->is.has_residency || !s->is.has_silent)
			continue;
		plane_take(plane, s->silent_time, s->residency, &first);
		if (first)
			print_point(f, s->silent_time, s->residency);
	}
	finish(f);
}

/* Write the range of launch distances in each bin. A sweep makes a line, uniform launch distances make a band. */
static void write_ldist(const struct figures *figures, size_t bins)
{
	FILE *f = create("ldist.dat");
	size_t step = figures->samples.nr / bins + 1;

	for (size_t start = 0; start < figures->samples.nr; start += step) {
		size_t end = start + step < figures->samples.nr ? start + step : figures->samples.nr;
		int64_t least = INT64_MAX, greatest = INT64_MIN;

		for (size_t i = start; i < end; i++) {
			const struct sample sample = sample_at(&figures->samples, i), *s = &sample;

			if (!s->is.has_ldist)
				continue;
			if (s->ldist < least)
				least = s->ldist;
			if (s->ldist > greatest)
				greatest = s->ldist;
		}
		if (least > greatest)
			continue;
		for (int k = 0; k < 2; k++) {
			fprintf(f, "%zu\t", k ? end : start + 1);
			print_point(f, least, greatest);
		}
	}
	finish(f);
}

void write_points(struct figures *figures)
{
	size_t x = figures->cells_x, y = figures->cells_y;
	struct axis index = { .low = 0, .high = figures->samples.nr };
	struct plane by_silent = { figures->silent, figures->latency, x, y, NULL };
	struct plane by_index = { index, figures->latency, x, y, NULL };
	struct plane residency = { figures->silent, figures->residency, x, y, NULL };

	for (size_t p = 0; p < figures->nr_series; p++) {
		write_silent(create_for("silent-time", p), figures, &by_silent, p);
		write_order(create_for("order", p), figures, &by_index, p);
		write_residency(create_for("residency", p), figures, &residency, p);
	}
	figures->outside_silent = write_silent(create("silent-time-tainted.dat"), figures, &by_silent, TAINTED);
	figures->outside_order = write_order(create("order-tainted.dat"), figures, &by_index, TAINTED);
	write_ldist(figures, figures->swept ? LDIST_BINS_SWEEP : LDIST_BINS_UNIFORM);
	free(by_silent.taken);
	free(by_index.taken);
	free(residency.taken);
}
