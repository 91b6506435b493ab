// SPDX-License-Identifier: GPL-2.0
/*
 *	boxes.dat	position p1 p25 p50 p75 p99		'-' if there are too few samples
 *	boxes-P.dat	latency					samples outside of p1 to p99; all if p1 and p99 are '-'
 *	cpus-P.dat	cpu n min p50 p99 max			of the series at position P
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "message.h"
#include "number.h"

/* Return true if one of N samples lies beyond the percentile with a probability of 95 %: 1 - (p/100)^n >= 95 %. */
static bool supported(double percent, size_t n)
{
	return n >= ceil(log(0.05) / log(fmax(percent, 100 - percent) / 100));
}

/* Return a percentile of type 7, interpolated between order statistics. */
static int64_t percentile(const int64_t *sorted, size_t n, int percent)
{
	size_t at = (n - 1) * percent / 100;
	int64_t rest = (n - 1) * percent % 100;

	if (!rest)
		return sorted[at];
	return sorted[at] + (int64_t)(((__int128)sorted[at + 1] - sorted[at]) * rest / 100);
}

static void print_percentile(FILE *f, const int64_t *sorted, size_t n, int percent)
{
	bool known = n && supported(percent, n);

	fputc('\t', f);
	print_us_or_dash(f, known, known ? percentile(sorted, n, percent) : 0);
}

/* Write one sample of each cell, as in the planes, and always the smallest and the largest. */
static void write_outliers(FILE *f, const struct figures *figures, const struct series *series)
{
	bool whiskers = supported(99, series->nr);
	int last_cell = -1;

	for (size_t i = 0; i < series->nr; i++) {
		int cell = axis_cell(&figures->latency, figures->cells_y, series->latency[i]);

		if (cell < 0 || (cell == last_cell && i + 1 < series->nr))
			continue;
		if (whiskers && series->latency[i] >= percentile(series->latency, series->nr, 1) &&
		    series->latency[i] <= percentile(series->latency, series->nr, 99))
			continue;
		last_cell = cell;
		print_us(f, series->latency[i]);
		fputc('\n', f);
	}
	finish(f);
}

void write_boxes(const struct figures *figures)
{
	static const int percents[] = { 1, 25, 50, 75, 99 };
	FILE *f = create("boxes.dat");

	for (size_t p = 0; p < figures->nr_series; p++) {
		const struct series *series = &figures->series[p];

		if (series->intervals)
			continue;
		fprintf(f, "%zu", p + 1);
		for (size_t i = 0; i < sizeof(percents) / sizeof(*percents); i++)
			print_percentile(f, series->latency, series->nr, percents[i]);
		fputc('\n', f);
		write_outliers(create_for("boxes", p), figures, series);
	}
	finish(f);
}

struct by_cpu {
	uint32_t cpu;
	int64_t latency;
};

static int compare_by_cpu(const void *a, const void *b)
{
	const struct by_cpu *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->latency > y->latency) - (x->latency < y->latency);
}

static void write_cpu(FILE *f, uint32_t cpu, const int64_t *sorted, size_t n)
{
	fprintf(f, "%" PRIu32 "\t%zu\t", cpu, n);
	print_us(f, sorted[0]);
	print_percentile(f, sorted, n, 50);
	print_percentile(f, sorted, n, 99);
	fputc('\t', f);
	print_us(f, sorted[n - 1]);
	fputc('\n', f);
}

static void write_cpus_of(FILE *f, const struct figures *figures, struct by_cpu *all,
			  int64_t *latency, size_t position)
{
	size_t nr = 0;

	for_each_sample_of(&figures->samples, i, position) {
		const struct sample sample = sample_at(&figures->samples, i), *s = &sample;

		if (!s->is.has_latency)
			continue;
		for (uint64_t k = 0; k < count_of(s); k++)
			all[nr++] = (struct by_cpu) { .cpu = s->cpu, .latency = s->latency };
	}
	qsort(all, nr, sizeof(*all), compare_by_cpu);
	for (size_t i = 0; i < nr; i++)
		latency[i] = all[i].latency;
	for (size_t start = 0, end; start < nr; start = end) {
		for (end = start; end < nr && all[end].cpu == all[start].cpu; end++)
			;
		write_cpu(f, all[start].cpu, latency + start, end - start);
	}
	finish(f);
}

/* Write the files of figure cpus, unless there is only one CPU. */
void write_cpus(const struct figures *figures)
{
	struct by_cpu *all;
	int64_t *latency;
	size_t most = 0;

	if (figures->cpu_low == figures->cpu_high)
		return;
	for (size_t p = 0; p < figures->nr_series; p++)
		if (!figures->series[p].intervals)
			most = figures->series[p].nr > most ? figures->series[p].nr : most;
	all = xrealloc(NULL, most + 1, sizeof(*all));
	latency = xrealloc(NULL, most + 1, sizeof(*latency));
	for (size_t p = 0; p < figures->nr_series; p++)
		if (!figures->series[p].intervals)
			write_cpus_of(create_for("cpus", p), figures, all, latency, p);
	free(all);
	free(latency);
}
