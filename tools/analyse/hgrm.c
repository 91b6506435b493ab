// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "hgrm.h"
#include "message.h"
#include "outfile.h"

/* HdrHistogram's default: five lines each time the distance to 100 % halves. */
#define TICKS 5

static void print_us(FILE *out, int64_t ns)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	char text[32];

	snprintf(text, sizeof(text), "%s%" PRIu64 ".%03" PRIu64, ns < 0 ? "-" : "", size / 1000, size % 1000);
	fprintf(out, "%12s", text);
}

static void print_lines(FILE *out, const struct distribution *sorted)
{
	double share = 0, halves = 2;
	uint64_t count = 0, nr = sorted->n;

	while (count < nr) {
		uint64_t rank = ceil(share * nr);
		int64_t value;

		if (rank > nr)
			rank = nr;
		value = distribution_at(sorted, rank ? rank - 1 : 0);
		count = nr - distribution_above(sorted, value);
		print_us(out, value);
		fprintf(out, " %1.12f %10" PRIu64 " %14.2f\n", share, count, 1 / (1 - share));
		while (1 / (1 - share) >= halves)
			halves *= 2;
		share += 1 / (TICKS * halves);
	}
	print_us(out, sorted->value[sorted->nr - 1]);
	fprintf(out, " %1.12f %10" PRIu64 "\n", 1.0, nr);
}

void hgrm_write(const char *name, const struct distribution *sorted)
{
	FILE *out = outfile_stream(name);
	long double sum = 0, squares = 0, mean;

	for (size_t i = 0; i < sorted->nr; i++)
		sum += (long double)sorted->value[i] * distribution_count(sorted, i);
	mean = sum / sorted->n;
	for (size_t i = 0; i < sorted->nr; i++)
		squares += (sorted->value[i] - mean) * (sorted->value[i] - mean) * distribution_count(sorted, i);
	fprintf(out, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)");
	print_lines(out, sorted);
	fprintf(out, "#[Mean    = %12.3Lf, StdDeviation   = %12.3Lf]\n", mean / 1000, sqrtl(squares / sorted->n) / 1000);
	fprintf(out, "#[Max     = ");
	print_us(out, sorted->value[sorted->nr - 1]);
	fprintf(out, ", Total count    = %12" PRIu64 "]\n", sorted->n);
	/* There are no buckets, because values are exact. */
	fprintf(out, "#[Buckets = %12d, SubBuckets     = %12d]\n", 0, 0);
	outfile_close_stream(out, name);
}
