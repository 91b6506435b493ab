// SPDX-License-Identifier: GPL-2.0
/*
 * figdata [-s] [-l] [-x COLUMN] [-y COLUMN] [-w MM] [-a NS]... -o DIRECTORY {[-k KHZ] [-r REACHED] SAMPLES.TSV}...
 *
 * Write small files from which gnuplot draws the figures. Each sample is read once.
 *
 *	states.dat	position state metric n tainted min max below set source intervals
 *	ranges.dat	key value
 *
 * and the files that figpoints.c, figdensity.c, figdist.c, figboxes.c and figshares.c name. Times are in us, the index is
 * from 1 in the order of recording. The latency is wake_latency, or intr_latency for a state entered with interrupts on, or
 * another tool's latency. If latencies are only known as intervals (states.dat: intervals is 1), min is the beginning of the
 * first interval and max the end of the last.
 *
 *	-s	launch distances were swept geometrically: make the axis of silent time logarithmic
 *	-l	make the axes of latency and silent time linear
 *	-x, -y	column in place of silent_time, and in place of the latency (counts: not possible). Values in ns become us
 *	-X, -Y	the same for columns whose values are not in ns
 *	-w	width of the figure in mm: 88 or 180
 *	-a	exit latency that a driver advertises: bins end there
 *	-k	frequency of the TSC in kHz, for the residency counters of the next samples
 *	-r	which counter counts in which state, as in quantiles -r
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figures.h"
#include "message.h"
#include "number.h"

#define USAGE "usage: figdata [-s] [-l] [-x COLUMN] [-y COLUMN] [-w MM] [-a NS]... -o DIRECTORY " \
	"{[-k KHZ] [-r REACHED] SAMPLES.TSV}..."

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

static int64_t number(const char *text)
{
	int64_t value;

	if (!parse_s64(text, text + strlen(text), &value) || value <= 0)
		die("'%s' is not a number above 0", text);
	return value;
}

/* Ignore advertised latencies beyond MOST_ADVERTISED: a histogram could not show so many. */
static void advertise(struct figures *figures, int64_t ns)
{
	if (ns < INT64_MAX && figures->nr_advertised < MOST_ADVERTISED)
		figures->advertised[figures->nr_advertised++] = ns;
}

int main(int argc, char **argv)
{
	const struct axis unknown = { .low = NAN, .high = NAN };
	struct figures figures = {
		.silent = unknown, .latency = unknown, .ldist = unknown, .residency = unknown,
	};
	struct source_of_samples *sets = NULL, next = { 0 };
	size_t nr_sets = 0;
	int64_t width = 88;
	int opt;

	message_init("figdata");
	figures.latency.log = true;
	/* With the dash, getopt() returns 1 for each operand, in its place among the options. */
	while ((opt = getopt(argc, argv, "-slx:X:y:Y:w:a:o:k:r:")) != -1) {
		switch (opt) {
		case 's':
			figures.swept = true;
			break;
		case 'l':
			figures.latency.log = false;
			break;
		case 'x':
		case 'X':
			figures.x = (struct chosen) { optarg, opt == 'X' };
			break;
		case 'y':
		case 'Y':
			figures.y = (struct chosen) { optarg, opt == 'Y' };
			break;
		case 'w':
			width = number(optarg);
			break;
		case 'a':
			advertise(&figures, number(optarg));
			break;
		case 'o':
			figures_directory = optarg;
			break;
		case 'k':
			next.tsc_khz = number(optarg);
			break;
		case 'r':
			next.reached = optarg;
			break;
		case 1:
			next.name = optarg;
			sets = xrealloc(sets, nr_sets + 1, sizeof(*sets));
			sets[nr_sets++] = next;
			next = (struct source_of_samples) { 0 };
			break;
		default:
			die(USAGE);
		}
	}
	if (!nr_sets || !figures_directory || optind != argc)
		die(USAGE);
	figures.silent.log = figures.swept && figures.latency.log && !figures.x.name;
	figures.cells_x = width * CELLS_PER_MM;
	figures.cells_y = width > 88 ? CELLS_HIGH_180 : CELLS_HIGH_88;

	for (size_t i = 0; i < nr_sets; i++)
		figures_read(&figures, &sets[i]);
	free(sets);
	figures_complete(&figures);
	write_distributions(&figures);
	write_points(&figures);
	write_boxes(&figures);
	write_cpus(&figures);
	write_shares(&figures);
	write_states(&figures);
	write_ranges(&figures, write_density(&figures));
	return 0;
}
