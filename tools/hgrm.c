// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "hgrm.h"
#include "message.h"
#include "outfile.h"

/* As HdrHistogram does by default: five lines from each percentile to the one half as far from 100 %. */
#define TICKS 5

static void print_us(FILE *out, int64_t ns)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	char text[32];

	snprintf(text, sizeof(text), "%s%" PRIu64 ".%03" PRIu64, ns < 0 ? "-" : "", size / 1000, size % 1000);
	fprintf(out, "%12s", text);
}

/* How many are not above the value at INDEX. */
static size_t count_to(const int64_t *sorted, size_t nr, size_t index)
{
	size_t low = index, high = nr;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (sorted[middle] > sorted[index])
			high = middle;
		else
			low = middle;
	}
	return low + 1;
}

static void print_lines(FILE *out, const int64_t *sorted, size_t nr)
{
	double share = 0, halves = 2;
	size_t count = 0;

	while (count < nr) {
		size_t rank = ceil(share * nr);

		if (rank > nr)
			rank = nr;
		count = count_to(sorted, nr, rank ? rank - 1 : 0);
		print_us(out, sorted[rank ? rank - 1 : 0]);
		fprintf(out, " %1.12f %10zu %14.2f\n", share, count, 1 / (1 - share));
		while (1 / (1 - share) >= halves)
			halves *= 2;
		share += 1 / (TICKS * halves);
	}
	print_us(out, sorted[nr - 1]);
	fprintf(out, " %1.12f %10zu\n", 1.0, nr);
}

void hgrm_write(const char *name, const int64_t *sorted, size_t nr)
{
	FILE *out = outfile_stream(name);
	long double sum = 0, squares = 0, mean;
	bool failed;

	for (size_t i = 0; i < nr; i++)
		sum += sorted[i];
	mean = sum / nr;
	for (size_t i = 0; i < nr; i++)
		squares += (sorted[i] - mean) * (sorted[i] - mean);
	fprintf(out, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)");
	print_lines(out, sorted, nr);
	fprintf(out, "#[Mean    = %12.3Lf, StdDeviation   = %12.3Lf]\n", mean / 1000, sqrtl(squares / nr) / 1000);
	fprintf(out, "#[Max     = ");
	print_us(out, sorted[nr - 1]);
	fprintf(out, ", Total count    = %12zu]\n", nr);
	/* Not in buckets: every value is what it was. */
	fprintf(out, "#[Buckets = %12d, SubBuckets     = %12d]\n", 0, 0);
	failed = ferror(out);
	if (fclose(out) || failed)
		die("%s: cannot be written: %s", name, strerror(errno));
}
