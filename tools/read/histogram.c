// SPDX-License-Identifier: GPL-2.0
/*
 * histogram [-u ns|us] [-s SOURCE] INPUT COUNTS.TSV FACTS.TSV: convert histograms of cyclictest
 * (--json, or the text of -h and --histfile) and of rtla timerlat hist to intervals in counts.tsv.
 *
 * Each column of INPUT has one kind of latency (interrupt, thread, user) of a CPU or thread. The
 * kind becomes a state. FACTS.TSV gets lines for run.tsv.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counts.h"
#include "foreign.h"
#include "histogram.h"
#include "message.h"
#include "number.h"
#include "outfile.h"

const char *const timed_names[NR_TIMED] = { "interrupt", "thread", "user" };
struct histograms all = { .bin_width = 1 };
static FILE *facts;

struct histogram *add_histogram(enum timed timed, int64_t cpu)
{
	for (size_t i = 0; i < all.nr; i++)
		if (all.list[i].cpu == cpu && all.list[i].timed == timed)
			die("%s: two histograms of %s latency of CPU %" PRId64, all.input,
			    timed_names[timed], cpu);
	all.list = xrealloc(all.list, all.nr + 1, sizeof(*all.list));
	all.list[all.nr] = (struct histogram) { .timed = timed, .cpu = cpu };
	return &all.list[all.nr++];
}

static int64_t in_ns(int64_t units)
{
	int64_t ns;

	if (units == COUNTS_OPEN)
		return COUNTS_OPEN;
	if (__builtin_mul_overflow(units, all.unit, &ns))
		die("%s: a latency of %" PRId64 " units of %" PRId64 " ns is too great", all.input,
		    units, all.unit);
	return ns;
}

void add_bin(struct histogram *histogram, int64_t low, int64_t high, uint64_t count)
{
	if (!count)
		return;
	if (__builtin_add_overflow(histogram->total, count, &histogram->total) ||
	    histogram->total > INT64_MAX)
		die("%s: more samples than 64 bits can count", all.input);
	/* Grow by doubling: a histogram can have a million bins. */
	if (!(histogram->nr & (histogram->nr - 1)))
		histogram->bins = xrealloc(histogram->bins, histogram->nr ? 2 * histogram->nr : 1,
					   sizeof(*histogram->bins));
	histogram->bins[histogram->nr++] = (struct bin) { in_ns(low), in_ns(high), count };
}

void add_over(struct histogram *histogram, int64_t from, int64_t max, uint64_t over)
{
	int64_t end = max < 0 || max == INT64_MAX ? COUNTS_OPEN : max + 1;

	if (!over)
		return;
	if (end != COUNTS_OPEN && max >= from) {
		add_bin(histogram, from, end, over - 1);
		add_bin(histogram, max, end, 1);
	} else {
		add_bin(histogram, from, COUNTS_OPEN, over);
	}
}

void add_range(struct histogram *histogram, int64_t min, int64_t max, uint64_t count)
{
	if (!count)
		return;
	if (min < 0 || max < min || max == INT64_MAX)
		die("%s: minimum %" PRId64 " and maximum %" PRId64 " contradict each other",
		    all.input, min, max);
	add_bin(histogram, min, min + 1, 1);
	if (count > 1)
		add_bin(histogram, max, max + 1, 1);
	if (count > 2)
		add_bin(histogram, min, max + 1, count - 2);
}

void stated_extremes(struct histogram *histogram, int64_t min, int64_t max)
{
	int64_t low = min < 0 ? 0 : in_ns(min), high = max < 0 || max == INT64_MAX ? COUNTS_OPEN : in_ns(max + 1);
	bool has_min = min < 0, has_max = max < 0;

	for (size_t i = 0; i < histogram->nr; i++) {
		struct bin *bin = &histogram->bins[i];

		if (bin->high <= low || bin->low >= high)
			die("%s: %s latency of CPU %" PRId64 ": %" PRIu64 " samples at %" PRId64 " ns are outside of the stated "
			    "minimum and maximum: changed?", all.input, timed_names[histogram->timed], histogram->cpu,
			    bin->count, bin->low);
		has_min |= bin->low <= low;
		has_max |= bin->high >= high;
		if (bin->low < low)
			bin->low = low;
		if (bin->high > high)
			bin->high = high;
	}
	if (histogram->nr && !(has_min && has_max))
		die("%s: %s latency of CPU %" PRId64 ": no sample is the stated %s: cut off?", all.input,
		    timed_names[histogram->timed], histogram->cpu, has_min ? "maximum" : "minimum");
}

void held_at(int64_t us)
{
	char *text = us ? xprintf("cyclictest held /dev/cpu_dma_latency at %" PRId64 " us: the CPUs were kept out of their idle "
				  "states with a longer exit latency", us) :
			  xstrdup("cyclictest held /dev/cpu_dma_latency at 0: the CPUs were kept out of their idle states");

	fact("caveat", text);
	free(text);
}

void stated_unit(int64_t ns)
{
	if (all.unit && all.unit != ns)
		die("%s: its unit is %s: leave out --unit", all.input, ns == 1 ? "ns" : "us");
	all.unit = ns;
}

#define FIRST_SIZE (1 << 16)
#define MAX_SIZE (256 << 20)

/* Return all of the input. */
static char *read_histogram(void)
{
	size_t room = FIRST_SIZE + 1, len = 0;
	char *text = xrealloc(NULL, room, 1);
	FILE *f = fopen(all.input, "re");

	if (!f)
		die("%s: %s", all.input, strerror(errno));
	for (;;) {
		size_t got = fread(text + len, 1, room - len - 1, f);

		if (ferror(f))
			die("cannot read %s: %s", all.input, strerror(errno));
		text[len + got] = '\0';
		if (strlen(text + len) != got)
			die("%s: has NUL bytes: not a text file", all.input);
		len += got;
		if (feof(f)) {
			fclose(f);
			return text;
		}
		if (room > MAX_SIZE)
			die("%s: larger than %d bytes, so it is not a histogram", all.input,
			    MAX_SIZE);
		room *= 2;
		text = xrealloc(text, room, 1);
	}
}

void fact(const char *key, const char *value)
{
	fprintf(facts, "%s\t%s\n", key, value);
}

void default_source(const char *name)
{
	if (!all.source)
		all.source = name;
}

bool parse_whole(const char *text, int64_t *v)
{
	return *text != '-' && parse_s64(text, text + strlen(text), v);
}

void stated_mean(const struct histogram *histogram, int64_t ns)
{
	fprintf(facts, "stated_mean.%s.cpu%" PRId64 "\t%" PRId64 "\n",
		timed_names[histogram->timed], histogram->cpu, ns);
}

/* Writing */

static int compare_bins(const void *a, const void *b)
{
	const struct bin *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return (x->high > y->high) - (x->high < y->high);
}

static int compare_histograms(const void *a, const void *b)
{
	const struct histogram *x = a, *y = b;

	if (x->timed != y->timed)
		return x->timed < y->timed ? -1 : 1;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static void write_row(FILE *out, const struct bin *bin)
{
	if (bin->high == COUNTS_OPEN)
		fprintf(out, "%" PRId64 "\t%" PRIu64 "\tinf\n", bin->low, bin->count);
	else
		fprintf(out, "%" PRId64 "\t%" PRIu64 "\t%" PRId64 "\n", bin->low, bin->count,
			bin->high);
}

static void write_histogram(FILE *out, struct histogram *histogram, int state)
{
	char *key = xprintf("%s\t%d\t-\t%" PRId64 "\t-", all.source, state, histogram->cpu);

	qsort(histogram->bins, histogram->nr, sizeof(*histogram->bins), compare_bins);
	fprintf(out, "%s\t-\tsamples\t-\t%" PRIu64 "\t-\n", key, histogram->total);
	for (size_t i = 0; i < histogram->nr; i++) {
		struct bin bin = histogram->bins[i];

		for (; i + 1 < histogram->nr && !compare_bins(&bin, &histogram->bins[i + 1]); i++)
			bin.count += histogram->bins[i + 1].count;
		fprintf(out, "%s\tlatency\tinterval\t", key);
		write_row(out, &bin);
	}
	free(key);
}

static void write_facts(void)
{
	fact("source", all.source);
	if (all.bin_width)
		fprintf(facts, "resolution_ns\t%" PRId64 "\n", in_ns(all.bin_width));
	fprintf(facts, "cpus\t");
	/* The list is in order of kind, then of CPU. Write each CPU of the first kind once. */
	for (size_t i = 0; i < all.nr; i++)
		if (all.list[i].timed == all.list[0].timed)
			fprintf(facts, "%s%" PRId64, i ? "," : "", all.list[i].cpu);
	fprintf(facts, "\n");
}

static void write_counts(const char *name)
{
	FILE *out = outfile_stream(name);
	uint64_t samples = 0;
	int state = -1;

	if (all.nr)
		qsort(all.list, all.nr, sizeof(*all.list), compare_histograms);
	fputs(COUNTS_TSV_HEADER "\thigh\n-\t-\t-\t-\t-\tlatency\tcolumn\t-\t-\t-\n", out);
	for (size_t i = 0; i < all.nr; i++) {
		if (!i || all.list[i].timed != all.list[i - 1].timed)
			fprintf(facts, "state.%d.name\t%s\n", ++state,
				timed_names[all.list[i].timed]);
		samples |= all.list[i].total;
		if (all.list[i].total)
			write_histogram(out, &all.list[i], state);
	}
	outfile_close_stream(out, name);
	if (!samples)
		die("%s: the histogram has no samples", all.input);
	write_facts();
}

static void read_input(void)
{
	char *text = read_histogram();

	text += byte_order_mark(text);
	if (text[strspn(text, " \t\r\n")] == '{')
		read_json(text);
	else
		read_text(text);
}

int main(int argc, char **argv)
{
	int opt;

	message_init("import");
	while ((opt = getopt(argc, argv, "s:u:")) != -1) {
		if (opt == 'u' && !strcmp(optarg, "ns"))
			all.unit = 1;
		else if (opt == 'u' && !strcmp(optarg, "us"))
			all.unit = 1000;
		else if (opt == 's')
			all.source = optarg;
		else
			die("-u: the unit of cyclictest -h must be us or, if it ran with -N, ns");
	}
	if (optind + 3 != argc)
		die("usage: histogram [-u ns|us] [-s SOURCE] INPUT COUNTS.TSV FACTS.TSV");
	all.input = argv[optind];
	facts = outfile_stream(argv[optind + 2]);
	read_input();
	write_counts(argv[optind + 1]);
	outfile_close_stream(facts, argv[optind + 2]);
	return 0;
}
