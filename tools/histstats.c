// SPDX-License-Identifier: GPL-2.0
/*
 * histstats -p PERCENTILES [-d DIRECTORY] [-i INTERVALS] HISTOGRAM.TSV: what a histogram says about the samples
 * that it was made of: of each statistic the least and the greatest value it can have had.
 *
 * Prints a row for each metric and CPU, and one for all CPUs where there are several. With -d
 * row P of them also becomes files for gnuplot, in us:
 *	buckets-P.dat	low high count		as steps
 *	wide-P.dat	low high count		of which no more is known: beyond the last bucket
 *	least-P.dat, greatest-P.dat	latency share
 *						of samples as long or longer, at least, at most
 * INTERVALS becomes a row for each of those and percentile: what the statistic lies between, and
 * where the true one is with 95 %, and with the root of that, as in stats-ci.tsv; the bounds are those
 * of the buckets of its order statistics.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buckets.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "percentile.h"
#include "tsv.h"

#define ALL_CPUS (-1)

/* The ends of the buckets, each by itself in order, with the samples up to there. */
struct ends {
	struct { int64_t value; uint64_t up_to; } *list;
	size_t nr;
};

static struct histogram *histograms;
static size_t nr_histograms;

static struct histogram *histogram_of(const struct tsv_cell *metric, int64_t cpu)
{
	for (size_t i = 0; i < nr_histograms; i++)
		if (histograms[i].cpu == cpu && cell_is(metric, histograms[i].metric))
			return &histograms[i];
	histograms = xrealloc(histograms, nr_histograms + 1, sizeof(*histograms));
	histograms[nr_histograms] = (struct histogram) {
		.metric = xprintf("%.*s", (int)(metric->end - metric->start), metric->start),
		.cpu = cpu,
	};
	return &histograms[nr_histograms++];
}

static void add(const struct tsv *tsv, struct histogram *histogram, const struct bucket *bucket)
{
	if (__builtin_add_overflow(histogram->total, bucket->count, &histogram->total))
		die("%s:%" PRIu64 ": more than 2^64 samples", tsv->name, tsv->line);
	if (!(histogram->nr & (histogram->nr - 1)))
		histogram->buckets = xrealloc(histogram->buckets,
					      histogram->nr ? 2 * histogram->nr : 1,
					      sizeof(*histogram->buckets));
	histogram->buckets[histogram->nr++] = *bucket;
}

static void read_histograms(const char *name)
{
	size_t cpu_at, metric, low, high, count;
	struct tsv tsv;

	tsv_open(&tsv, name);
	cpu_at = tsv_column(&tsv, "cpu");
	metric = tsv_column(&tsv, "metric");
	low = tsv_column(&tsv, "low");
	high = tsv_column(&tsv, "high");
	count = tsv_column(&tsv, "count");
	while (tsv_next_row(&tsv)) {
		struct bucket bucket;
		int64_t n, cpu;

		if (!tsv_s64(&tsv, cpu_at, &cpu) || cpu < 0 || !tsv_s64(&tsv, low, &bucket.low) ||
		    !tsv_s64(&tsv, count, &n) || n < 1)
			die("%s:%" PRIu64 ": not a bucket: cpu, low and a count above 0", tsv.name,
			    tsv.line);
		if (!tsv_s64(&tsv, high, &bucket.high))
			bucket.high = BUCKET_OPEN;
		if (bucket.high <= bucket.low)
			die("%s:%" PRIu64 ": a bucket that ends before it begins", tsv.name,
			    tsv.line);
		bucket.count = n;
		add(&tsv, histogram_of(&tsv.cells[metric], cpu), &bucket);
		add(&tsv, histogram_of(&tsv.cells[metric], ALL_CPUS), &bucket);
	}
	tsv_close(&tsv);
	if (!nr_histograms)
		die("%s: no rows", name);
}

static int compare_low(const void *a, const void *b)
{
	const struct bucket *x = a, *y = b;

	if (x->low == y->low)
		return (x->high > y->high) - (x->high < y->high);
	return x->low > y->low ? 1 : -1;
}

static int compare_high(const void *a, const void *b)
{
	const struct bucket *x = a, *y = b;

	return (x->high > y->high) - (x->high < y->high);
}

static struct ends ends_of(struct histogram *histogram, bool high)
{
	struct ends ends = { .nr = histogram->nr };
	uint64_t up_to = 0;

	qsort(histogram->buckets, histogram->nr, sizeof(*histogram->buckets),
	      high ? compare_high : compare_low);
	ends.list = xrealloc(NULL, ends.nr, sizeof(*ends.list));
	for (size_t i = 0; i < ends.nr; i++) {
		const struct bucket *bucket = &histogram->buckets[i];

		up_to += bucket->count;
		ends.list[i].value = high ? bucket->high : bucket->low;
		ends.list[i].up_to = up_to;
	}
	return ends;
}

/* Of the order statistic RANK, from 0. */
static int64_t end_at(const struct ends *ends, uint64_t rank)
{
	size_t low = 0, high = ends->nr - 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ends->list[middle].up_to > rank)
			high = middle;
		else
			low = middle + 1;
	}
	return ends->list[low].value;
}

static void put(FILE *f, int64_t value)
{
	if (value == BUCKET_OPEN)
		fputs("\t-", f);
	else
		fprintf(f, "\t%" PRId64, value);
}

static void put_name(FILE *f, const struct histogram *histogram)
{
	fprintf(f, "%s\t", histogram->metric);
	if (histogram->cpu == ALL_CPUS)
		fputs("all", f);
	else
		fprintf(f, "%" PRId64, histogram->cpu);
}

static void put_bounds(const struct ends *low, const struct ends *high, uint64_t rank)
{
	put(stdout, end_at(low, rank));
	put(stdout, end_at(high, rank));
}

/* Between two samples, as type 7 does; up to the next whole ns for the upper bound. */
static int64_t between(int64_t a, int64_t b, uint64_t part, uint64_t whole, bool up)
{
	__int128 sum;

	if (a == BUCKET_OPEN || (b == BUCKET_OPEN && part))
		return BUCKET_OPEN;
	sum = (__int128)a * (whole - part) + (part ? (__int128)b * part : 0);
	if (sum < 0)
		return -(int64_t)(up ? -sum / whole : (-sum + whole - 1) / whole);
	return (sum + (up ? whole - 1 : 0)) / whole;
}

static void put_percentile(FILE *f, const struct percentile *p, const struct ends *low,
			   const struct ends *high, uint64_t n)
{
	unsigned __int128 position;
	uint64_t rank, rest, next;

	if (n < p->needed) {
		fputs("\t-\t-", f);
		return;
	}
	position = (unsigned __int128)p->part * (n - 1);
	rank = position / p->whole;
	rest = position % p->whole;
	next = rank + 1 < n ? rank + 1 : rank;
	put(f, between(end_at(low, rank), end_at(low, next), rest, p->whole, false));
	put(f, between(end_at(high, rank), end_at(high, next), rest, p->whole, true));
}

static void put_mean(const struct histogram *histogram)
{
	__int128 low = 0, high = 0, n = histogram->total;
	bool open = false;

	for (size_t i = 0; i < histogram->nr; i++) {
		const struct bucket *bucket = &histogram->buckets[i];

		low += (__int128)bucket->low * bucket->count;
		open |= bucket->high == BUCKET_OPEN;
		high += (__int128)bucket->high * bucket->count;
	}
	put(stdout, low / n);
	put(stdout, open ? BUCKET_OPEN : (int64_t)((high + n - 1) / n));
}

static void print_row(struct histogram *histogram, const struct percentile *percentiles, size_t nr)
{
	struct ends low = ends_of(histogram, false), high = ends_of(histogram, true);
	uint64_t n = histogram->total;

	put_name(stdout, histogram);
	printf("\t%" PRIu64, n);
	put_bounds(&low, &high, 0);
	for (size_t i = 0; i < nr; i++)
		put_percentile(stdout, &percentiles[i], &low, &high, n);
	put_bounds(&low, &high, n - 1);
	put_mean(histogram);
	putchar('\n');
	free(low.list);
	free(high.list);
}

static FILE *create(const char *directory, const char *name, size_t row)
{
	char *path = xprintf("%s/%s-%zu.dat", directory, name, row);
	FILE *f = outfile_stream(path);

	free(path);
	return f;
}

static void finish(FILE *f, const char *directory)
{
	bool failed = ferror(f);

	if (fclose(f) || failed)
		die("%s: cannot be written: %s", directory, strerror(errno));
}

static void put_us(FILE *f, int64_t ns)
{
	uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	fprintf(f, "%s%" PRIu64 ".%03u", ns < 0 ? "-" : "", size / 1000,
		(unsigned int)(size % 1000));
}

/* As the share of samples with that value or a greater one; each step at its value. */
static void write_share(const char *directory, const char *name, size_t row,
			const struct ends *ends, uint64_t n)
{
	FILE *f = create(directory, name, row);
	uint64_t before = 0;

	for (size_t i = 0; i < ends->nr && ends->list[i].value != BUCKET_OPEN; i++) {
		if (i && ends->list[i].value == ends->list[i - 1].value) {
			before = ends->list[i].up_to;
			continue;
		}
		put_us(f, ends->list[i].value);
		fprintf(f, "\t%.9g\n", (double)(n - before) / n);
		before = ends->list[i].up_to;
	}
	finish(f, directory);
}

/* The whole range of the type is more than it can hold. */
static int64_t width_of(const struct bucket *bucket)
{
	int64_t width;

	return __builtin_sub_overflow(bucket->high, bucket->low, &width) ? INT64_MAX : width;
}

static int64_t least_width(const struct histogram *histogram)
{
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < histogram->nr; i++) {
		const struct bucket *bucket = &histogram->buckets[i];

		if (bucket->high != BUCKET_OPEN && width_of(bucket) < least)
			least = width_of(bucket);
	}
	return least;
}

static void write_buckets(const char *directory, size_t row, const struct histogram *histogram)
{
	FILE *buckets = create(directory, "buckets", row), *wide = create(directory, "wide", row);
	int64_t width = least_width(histogram);

	for (size_t i = 0; i < histogram->nr; i++) {
		const struct bucket *bucket = &histogram->buckets[i];
		bool open = bucket->high == BUCKET_OPEN;
		uint64_t count = bucket->count;
		FILE *f = !open && width_of(bucket) == width ? buckets : wide;

		put_us(f, bucket->low);
		fputc('\t', f);
		put_us(f, open ? bucket->low : bucket->high);
		/* They are in order: those of several CPUs follow each other. */
		while (i + 1 < histogram->nr && bucket->low == bucket[1].low &&
		       bucket->high == bucket[1].high)
			count += histogram->buckets[++i].count, bucket++;
		fprintf(f, "\t%" PRIu64 "\n", count);
	}
	finish(buckets, directory);
	finish(wide, directory);
}

static void write_files(const char *directory, size_t row, struct histogram *histogram)
{
	struct ends high = ends_of(histogram, true), low = ends_of(histogram, false);

	write_share(directory, "least", row, &low, histogram->total);
	write_share(directory, "greatest", row, &high, histogram->total);
	write_buckets(directory, row, histogram);
	free(low.list);
	free(high.list);
}

static bool is_alone(const struct histogram *histogram)
{
	size_t nr = 0;

	for (size_t i = 0; i < nr_histograms; i++)
		nr += !strcmp(histograms[i].metric, histogram->metric);
	return nr == 2;
}

/* The bucket of an order statistic, from where to where the true percentile is. */
static void put_interval(FILE *f, const struct ends *low, const struct ends *high,
			 const struct percentile *p, uint64_t n, long double tail)
{
	struct ranks ranks = percentile_ranks(p, n, tail);
	int64_t from = ranks.low ? end_at(low, ranks.low - 1) : BUCKET_OPEN;
	int64_t to = ranks.high ? end_at(high, ranks.high - 1) : BUCKET_OPEN;

	put(f, from);
	put(f, to);
}

static void write_intervals(FILE *f, struct histogram *histogram,
			    const struct percentile *percentiles, size_t nr)
{
	struct ends high = ends_of(histogram, true), low = ends_of(histogram, false);
	uint64_t n = histogram->total;

	for (size_t i = 0; i < nr; i++) {
		put_name(f, histogram);
		fprintf(f, "\tp%s\t%" PRIu64, percentiles[i].text, n);
		put_percentile(f, &percentiles[i], &low, &high, n);
		put_interval(f, &low, &high, &percentiles[i], n, 0.025L);
		put_interval(f, &low, &high, &percentiles[i], n, (1 - sqrtl(0.95L)) / 2);
		fputc('\n', f);
	}
	free(low.list);
	free(high.list);
}

int main(int argc, char **argv)
{
	struct percentile *percentiles = NULL;
	const char *directory = NULL, *intervals_name = NULL;
	FILE *intervals = NULL;
	size_t nr = 0, row = 0;
	int opt;

	message_init("wakelat stats");
	while ((opt = getopt(argc, argv, "d:i:p:")) != -1) {
		if (opt == 'd')
			directory = optarg;
		else if (opt == 'i')
			intervals_name = optarg;
		else if (opt == 'p')
			nr = parse_percentiles(optarg, &percentiles);
		else
			optind = argc;
	}
	if (optind + 1 != argc || !nr)
		die("usage: histstats -p PERCENTILES [-d DIRECTORY] [-i INTERVALS] HISTOGRAM.TSV");
	read_histograms(argv[optind]);
	if (intervals_name) {
		intervals = fopen(intervals_name, "we");
		if (!intervals)
			die("%s: cannot be written: %s", intervals_name, strerror(errno));
		fputs("metric\tcpu\tstatistic\tn\tvalue_low\tvalue_high\tlow\thigh\tlow_joint\thigh_joint\n",
		      intervals);
	}
	fputs("metric\tcpu\tn\tmin_low\tmin_high", stdout);
	for (size_t i = 0; i < nr; i++)
		printf("\tp%s_low\tp%s_high", percentiles[i].text, percentiles[i].text);
	puts("\tmax_low\tmax_high\tmean_low\tmean_high");
	for (size_t i = 0; i < nr_histograms; i++) {
		if (histograms[i].cpu == ALL_CPUS && is_alone(&histograms[i]))
			continue;
		print_row(&histograms[i], percentiles, nr);
		if (intervals)
			write_intervals(intervals, &histograms[i], percentiles, nr);
		if (directory)
			write_files(directory, ++row, &histograms[i]);
	}
	if (intervals)
		finish(intervals, intervals_name);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %s", strerror(errno));
	return 0;
}
