// SPDX-License-Identifier: GPL-2.0
/*
 * Write small files from which gnuplot draws the figures. Each sample is read once.
 *
 *	states.dat	position state metric n tainted min max below set source intervals
 *	ranges.dat	key value
 *
 * and the files that figpoints.c, figdensity.c, figdist.c, figboxes.c and figshares.c name. Times are in us, the index is
 * from 1 in the order of recording. The latency is wake_latency, or intr_latency for a state entered with interrupts on, or
 * another tool's latency. If latencies are only known as intervals (states.dat: intervals is 1), min is the beginning of the
 * first interval and max the end of the last.
 */
#include <inttypes.h>
#include <math.h>

#include "figures.h"

/* Cells per mm of the figure's width. The plot is narrower than the figure, so a cell is 0.16 mm wide. */
#define CELLS_PER_MM 5
#define CELLS_HIGH_88 280
#define CELLS_HIGH_180 420

static void write_states(const struct figures *figures)
{
	FILE *f = create("states.dat");

	for (size_t p = 0; p < figures->nr_series; p++) {
		const struct series *series = &figures->series[p];

		fprintf(f, "%zu\t%" PRId64 "\t%s\t%zu\t%" PRIu64 "\t", p + 1, series->state,
			series->chosen ? "chosen" : series->timed_elsewhere ? "latency" : series->uses_wake ? "wake_latency" : "intr_latency", series->nr,
			series->tainted);
		if (series->nr) {
			print_us(f, low_at(series, 0));
			fputc('\t', f);
			print_us(f, greatest_of(series));
		} else {
			fputs("-\t-", f);
		}
		fprintf(f, "\t%" PRIu64 "\t%zu\t%s\t%d\n", series->below, series->set,
			series->source, series->intervals);
	}
	finish(f);
}

static void write_range(FILE *f, const char *name, const struct axis *axis)
{
	if (!axis_known(axis))
		return;
	fprintf(f, "%s_low\t%.3f\n", name, axis->low / 1000);
	fprintf(f, "%s_high\t%.3f\n", name, axis->high / 1000);
}

static void write_ranges(const struct figures *figures, uint64_t cells_high)
{
	FILE *f = create("ranges.dat");

	fprintf(f, "samples\t%" PRIu64 "\n", figures->all_samples);
	fprintf(f, "counts\t%d\n", figures->counts);
	fprintf(f, "intervals\t%d\n", figures->intervals);
	fprintf(f, "sets\t%zu\n", figures->nr_sets);
	fprintf(f, "latency_log\t%d\n", figures->latency.log);
	fprintf(f, "cpu_low\t%" PRIu32 "\ncpu_high\t%" PRIu32 "\n", figures->cpu_low,
		figures->cpu_high);
	fprintf(f, "cells_high\t%" PRIu64 "\n", cells_high);
	fprintf(f, "any_shares\t%d\n", figures->shares != NULL);
	/* gnuplot cannot draw a line without a point, so tell it which series have one. */
	for (size_t p = 0; figures->shares && p < figures->nr_series; p++)
		fprintf(f, "reached_%zu\t%d\n", p + 1, shares_tell(figures, p));
	write_range(f, "silent", &figures->silent);
	write_range(f, "ldist", &figures->ldist);
	write_range(f, "latency", &figures->latency);
	write_range(f, "residency", &figures->residency);
	fprintf(f, "outside_silent\t%" PRIu64 "\noutside_order\t%" PRIu64 "\n", figures->outside_silent,
		figures->outside_order);
	finish(f);
}

void figures_advertise(struct figures *figures, int64_t ns)
{
	/* A histogram could not show more. */
	if (ns < INT64_MAX && figures->nr_advertised < MOST_ADVERTISED)
		figures->advertised[figures->nr_advertised++] = ns;
}

struct figures figures_new(int64_t width)
{
	const struct axis unknown = { .low = NAN, .high = NAN };
	struct figures figures = { .silent = unknown, .latency = unknown, .ldist = unknown, .residency = unknown };

	figures.latency.log = true;
	figures.cells_x = width * CELLS_PER_MM;
	figures.cells_y = width > 88 ? CELLS_HIGH_180 : CELLS_HIGH_88;
	return figures;
}

const char *figures_write(struct figures *figures)
{
	const char *why_not;

	/* The first interval begins at 0, which a logarithmic axis does not have. */
	figures->latency.log &= !figures->intervals;
	figures->silent.log = figures->swept && figures->latency.log && !figures->x.name;
	figures_complete(figures);
	why_not = write_distributions(figures);
	if (why_not)
		return why_not;
	write_points(figures);
	write_boxes(figures);
	write_cpus(figures);
	write_shares(figures);
	write_states(figures);
	write_ranges(figures, write_density(figures));
	return NULL;
}
