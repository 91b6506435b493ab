// SPDX-License-Identifier: GPL-2.0
/*
 * histogram [-u ns|us] INPUT HISTOGRAM.TSV FACTS.TSV: what other tools have counted: cyclictest
 * (--json, or the text of -h and --histfile) and rtla timerlat hist.
 *
 * FACTS.TSV gets lines for run.tsv. Exit status: 0; 4 INPUT is none of these; 1.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buckets.h"
#include "decimal.h"
#include "json.h"
#include "message.h"
#include "number.h"
#include "outfile.h"

#define STATUS_FOREIGN 4
#define MAX_COLUMNS 4096

static const char *input;
static struct histograms all;
static FILE *facts;

/* What a foreign file is known by, without reading ten million rows of it. */
#define HEAD_SIZE (1 << 16)
#define MAX_SIZE (256 << 20)

static bool is_histogram(const char *head)
{
	return head[strspn(head, " \t\r\n")] == '{' || strstr(head, "RTLA timerlat histogram") ||
	       strstr(head, "Index   IRQ-") || strstr(head, "# Histogram") ||
	       strstr(head, "# Min Latencies:");
}

/* All of the input; NULL if it is no histogram. */
static char *read_histogram(void)
{
	size_t room = HEAD_SIZE + 1, len = 0;
	char *text = xrealloc(NULL, room, 1);
	FILE *f = fopen(input, "re");

	if (!f)
		die("%s: %s", input, strerror(errno));
	for (;;) {
		size_t got = fread(text + len, 1, room - len - 1, f);

		if (ferror(f))
			die("%s: cannot be read: %s", input, strerror(errno));
		text[len + got] = '\0';
		/* A text has no NUL byte. */
		if (strlen(text + len) != got || (!len && !is_histogram(text)))
			break;
		len += got;
		if (feof(f)) {
			fclose(f);
			return text;
		}
		if (room > MAX_SIZE)
			die("%s: more than %d bytes: no histogram has so many", input, MAX_SIZE);
		room *= 2;
		text = xrealloc(text, room, 1);
	}
	fclose(f);
	free(text);
	return NULL;
}

static void fact(const char *key, const char *value)
{
	fprintf(facts, "%s\t%s\n", key, value);
}

/* A count or a latency: digits only, leading zeros too. */
static bool parse_whole(const char *text, int64_t *v)
{
	return *text != '-' && parse_s64(text, text + strlen(text), v);
}

/* cyclictest --json */

static int64_t json_whole(const struct json *json, const char *what)
{
	int64_t v;

	if (!json || json->kind != JSON_NUMBER || !parse_whole(json->text, &v))
		die("%s:%lu: %s is missing, or not a whole number", input, json ? json->line : 1,
		    what);
	return v;
}

static void json_text(const struct json *root, const char *name, const char *key)
{
	const struct json *json = json_member(root, name);

	if (json && json->kind == JSON_STRING && !strpbrk(json->text, "\t\n"))
		fact(key, json->text);
}

/* Its mean has two decimals. */
static void json_mean(const struct json *thread, int64_t cpu)
{
	const struct json *avg = json_member(thread, "avg");
	bool rounded = false;
	int64_t ns;

	if (avg && avg->kind == JSON_NUMBER &&
	    parse_decimal(avg->text, all.unit == 1 ? 0 : 3, &ns, &rounded))
		fprintf(facts, "stated_mean.thread_latency.cpu%" PRId64 "\t%" PRId64 "\n", cpu, ns);
}

static void read_thread(const struct json *thread)
{
	const struct json *counts = json_member(thread, "histogram"), *cpu_json;
	int64_t number, cycles, sum = 0, next = 0, cpu;
	struct histogram *histogram;

	if (!parse_whole(thread->key, &number))
		die("%s:%lu: '%s' is not the number of a thread", input, thread->line, thread->key);
	cpu_json = json_member(thread, "cpu");
	cpu = cpu_json ? json_whole(cpu_json, "\"cpu\"") : number;
	/* Threads that share a CPU, or may wander, are told apart by their own numbers. */
	for (size_t i = 0; i < all.nr; i++)
		if (all.list[i].cpu == cpu)
			cpu = number;
	cycles = json_whole(json_member(thread, "cycles"), "\"cycles\"");
	if (!cycles)
		return;
	histogram = histograms_add(&all, "thread_latency", cpu);
	json_mean(thread, cpu);
	if (counts && counts->kind != JSON_OBJECT)
		die("%s:%lu: \"histogram\" is not {latency: count}", input, counts->line);
	for (const struct json *c = counts ? counts->members : NULL; c; c = c->next) {
		int64_t low, count = json_whole(c, "a count");

		if (!parse_whole(c->key, &low) || low < next || low == INT64_MAX)
			die("%s:%lu: '%s' is not a latency, or not in order", input, c->line,
			    c->key);
		next = low + 1;
		if (__builtin_add_overflow(sum, count, &sum) || sum > cycles)
			die("%s:%lu: more samples than \"cycles\"", input, c->line);
		histogram_add(&all, histogram, low, next, count);
	}
	if (!next)
		histogram_add_range(&all, histogram,
				    json_whole(json_member(thread, "min"), "\"min\""),
				    json_whole(json_member(thread, "max"), "\"max\""), cycles);
	else
		/* Where it ended is not in the file: overflows are above all that were counted. */
		histogram_add_over(&all, histogram, next,
				   json_whole(json_member(thread, "max"), "\"max\""), cycles - sum);
}

static bool has_word(const char *text, const char *word)
{
	return strstr(text, word);
}

static void read_json(const char *text)
{
	struct json *root = json_parse(input, text);
	const struct json *threads = json_member(root, "thread"), *cmdline;
	const struct json *resolution = json_member(root, "resolution_in_ns");
	const struct json *sysinfo = json_member(root, "sysinfo");

	if (!threads || threads->kind != JSON_OBJECT || !resolution)
		die("%s: JSON, but not of cyclictest (no \"thread\" or no \"resolution_in_ns\")",
		    input);
	all.unit = json_whole(resolution, "\"resolution_in_ns\"") ? 1 : 1000;
	fact("source", "cyclictest");
	/* Sic, with the colon. */
	cmdline = json_member(root, "cmdline:");
	if (!cmdline)
		cmdline = json_member(root, "cmdline");
	if (cmdline && cmdline->kind == JSON_STRING && !strpbrk(cmdline->text, "\t\n")) {
		fact("imported_command", cmdline->text);
		if (!has_word(cmdline->text, "--laptop") && !has_word(cmdline->text, "--latency") &&
		    !has_word(cmdline->text, "--default-system"))
			fact("caveat",
			     "cyclictest held /dev/cpu_dma_latency at 0 (neither --laptop nor "
			     "--default-system was given): the CPUs were kept out of their "
			     "idle states");
	}
	json_text(root, "rt_test_version:", "rt_tests");
	if (sysinfo) {
		json_text(sysinfo, "release", "kernel");
		json_text(sysinfo, "nodename", "hostname");
	}
	for (const struct json *thread = threads->members; thread; thread = thread->next)
		read_thread(thread);
	json_free(root);
}

/* Text: lines of words. */

static char **lines;
static size_t nr_lines;
static char *words[MAX_COLUMNS];
static size_t nr_words;

static void split_lines(char *text)
{
	size_t room = 0;

	for (char *next; *text; text = next) {
		size_t len = strcspn(text, "\n");

		next = text + len + (text[len] == '\n');
		if (len && text[len - 1] == '\r')
			text[len - 1] = '\0';
		text[len] = '\0';
		if (nr_lines == room) {
			room = room ? 2 * room : 1024;
			lines = xrealloc(lines, room, sizeof(*lines));
		}
		lines[nr_lines++] = text;
	}
}

static void split_words(size_t line)
{
	char *next;

	nr_words = 0;
	for (char *word = strtok_r(lines[line], " \t", &next); word;
	     word = strtok_r(NULL, " \t", &next)) {
		if (nr_words == MAX_COLUMNS)
			die("%s:%zu: more than %d columns", input, line + 1, MAX_COLUMNS);
		words[nr_words++] = word;
	}
}

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Columns FIRST.. of the current words as numbers, "-" as -1. */
static int64_t *numbers(size_t line, size_t first, size_t nr)
{
	int64_t *v = xrealloc(NULL, nr + 1, sizeof(*v));

	if (nr_words < first + nr)
		die("%s:%zu: %zu columns where %zu are expected: cut off?", input, line + 1,
		    nr_words,
		    first + nr);
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(words[first + i], "-"))
			v[i] = -1;
		else if (!parse_whole(words[first + i], &v[i]))
			die("%s:%zu: '%s' is not a whole number", input, line + 1,
			    words[first + i]);
	return v;
}

/* cyclictest -h */

static size_t find_line(const char *start)
{
	for (size_t i = 0; i < nr_lines; i++)
		if (starts(lines[i], start))
			return i;
	die("%s: no line '%s': cut off, or not of cyclictest -h", input, start);
}

/* After the words of the title, which ends in a colon. */
static int64_t *summary(const char *title, size_t nr)
{
	size_t line = find_line(title), first = 0;

	split_words(line);
	while (first < nr_words && !strchr(words[first], ':'))
		first++;
	return numbers(line, first + 1, nr);
}

static size_t summary_columns(const char *title)
{
	size_t line = find_line(title);
	char *copy = xstrdup(lines[line]);
	size_t first = 0;

	split_words(line);
	/* The words are the line: it is needed again. */
	lines[line] = copy;
	while (first < nr_words && !strchr(words[first], ':'))
		first++;
	return nr_words - first - (first < nr_words);
}

/* An average that the tool says, in ns. */
static int64_t mean_ns(int64_t mean)
{
	int64_t ns;

	if (__builtin_mul_overflow(mean, (int64_t)all.unit, &ns))
		die("%s: an average of %" PRId64 ": too long", input, mean);
	return ns;
}

static void read_bucket_line(size_t line, size_t threads, int64_t *next)
{
	bool with_sum;
	int64_t *v, sum = 0;

	split_words(line);
	/* With -H one more, their sum. */
	if (nr_words != threads + 1 && nr_words != threads + 2)
		die("%s:%zu: %zu columns for %zu threads", input, line + 1, nr_words, threads);
	with_sum = nr_words == threads + 2;
	v = numbers(line, 0, nr_words);
	if (v[0] < *next || v[0] == INT64_MAX)
		die("%s:%zu: latency %s is not in order", input, line + 1, words[0]);
	*next = v[0] + 1;
	for (size_t i = 0; i < threads; i++) {
		if (v[i + 1] < 0)
			die("%s:%zu: a count is missing", input, line + 1);
		histogram_add(&all, &all.list[i], v[0], *next, v[i + 1]);
		sum = (uint64_t)sum + v[i + 1];
	}
	if (with_sum && v[threads + 1] != sum)
		die("%s:%zu: the last column is not the sum of %zu threads", input, line + 1,
		    threads);
	free(v);
}

static void read_cyclictest(void)
{
	size_t threads = summary_columns("# Min Latencies:");
	int64_t *min, *max, *over, *avg, *total, next = 0;

	if (!threads)
		die("%s: no threads", input);
	fact("source", "cyclictest");
	if (!all.unit)
		all.unit = 1000;
	for (size_t i = 0; i < threads; i++)
		histograms_add(&all, "thread_latency", i);
	for (size_t i = 0; i < nr_lines; i++) {
		if (starts(lines[i], "# /dev/cpu_dma_latency set to 0us"))
			fact("caveat",
			     "cyclictest held /dev/cpu_dma_latency at 0: the CPUs were kept out of "
			     "their idle states");
		if (isdigit((unsigned char)lines[i][0]))
			read_bucket_line(i, threads, &next);
	}
	total = summary("# Total:", threads);
	min = summary("# Min Latencies:", threads);
	max = summary("# Max Latencies:", threads);
	avg = summary("# Avg Latencies:", threads);
	over = summary("# Histogram Overflows:", threads);
	for (size_t i = 0; i < threads; i++) {
		struct histogram *histogram = &all.list[i];

		if (total[i] < 0 || over[i] < 0 || histogram->total != (uint64_t)total[i])
			die("%s: thread %zu has %" PRIu64 " samples in its buckets, %" PRId64
			    " in its total: cut off?", input, i, histogram->total, total[i]);
		if (total[i])
			histogram_add_over(&all, histogram, next, max[i], over[i]);
		else
			histogram_add_range(&all, histogram, min[i], max[i], over[i]);
		if (histogram->total)
			fprintf(facts, "stated_mean.thread_latency.cpu%zu\t%" PRId64 "\n", i,
				mean_ns(avg[i]));
	}
	free(total);
	free(min);
	free(max);
	free(avg);
	free(over);
}

/* rtla timerlat hist */

static const char *metric_of(const char *word)
{
	return starts(word, "IRQ-") ? "intr_latency" : starts(word, "Thr-") ? "thread_latency" :
	       starts(word, "Usr-") ? "user_latency" : NULL;
}

static size_t read_rtla_header(size_t line)
{
	split_words(line);
	for (size_t i = 1; i < nr_words; i++) {
		const char *metric = metric_of(words[i]);
		int64_t cpu;

		if (!metric || !parse_whole(words[i] + 4, &cpu))
			die("%s:%zu: '%s' is not IRQ-N, Thr-N or Usr-N", input, line + 1, words[i]);
		histograms_add(&all, metric, cpu);
	}
	if (!all.nr)
		die("%s:%zu: no CPUs", input, line + 1);
	return all.nr;
}

static int64_t gcd(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

struct rtla {
	int64_t **rows;		/* index, then a count of each column */
	size_t nr;
	int64_t *over, *count, *max, *avg;
};

static int64_t *rtla_line(size_t line, size_t columns, const char *title, int64_t *before)
{
	/* After the first of each come those of "ALL:". */
	if (before || strcmp(words[0], title))
		return before;
	return numbers(line, 1, columns);
}

/* The size of a bucket is not said: the greatest that fits is never too small. */
static int64_t bucket_size(const struct rtla *rtla)
{
	int64_t size = 0;

	for (size_t i = 0; i < rtla->nr; i++)
		size = gcd(rtla->rows[i][0], size);
	return size ? size : 1;
}

static void add_column(const struct rtla *rtla, size_t column, int64_t size)
{
	struct histogram *histogram = &all.list[column];
	int64_t next = 0;

	for (size_t i = 0; i < rtla->nr; i++) {
		const int64_t *row = rtla->rows[i];

		if (row[0] < next || __builtin_add_overflow(row[0], size, &next))
			die("%s: index %" PRId64 " is not in order, or too great", input, row[0]);
		if (row[column + 1] < 0)
			die("%s: no count at index %" PRId64, input, row[0]);
		histogram_add(&all, histogram, row[0], next, row[column + 1]);
	}
	if (rtla->over[column] < 0 || rtla->count[column] < 0 ||
	    histogram->total + rtla->over[column] != (uint64_t)rtla->count[column])
		die("%s: the buckets of %s of CPU %" PRId64 " and 'over' have %" PRIu64
		    " samples, 'count' says %" PRId64 ": cut off?", input, histogram->metric,
		    histogram->cpu,
		    histogram->total + rtla->over[column], rtla->count[column]);
	histogram_add_over(&all, histogram, next, rtla->max[column], rtla->over[column]);
	if (rtla->avg[column] >= 0)
		fprintf(facts, "stated_mean.%s.cpu%" PRId64 "\t%" PRId64 "\n", histogram->metric,
			histogram->cpu, mean_ns(rtla->avg[column]));
}

static void read_rtla(void)
{
	struct rtla rtla = { 0 };
	size_t columns = 0, room = 0, i = 0;

	fact("source", "timerlat");
	for (; i < nr_lines && !columns; i++) {
		if (starts(lines[i], "# Time unit is "))
			all.unit = strstr(lines[i], "(ns)") ? 1 : 1000;
		else if (starts(lines[i], "Index"))
			columns = read_rtla_header(i);
	}
	if (!columns || !all.unit)
		die("%s: no line '%s': was it made with --no-header or --no-index?", input,
		    columns ? "# Time unit is" : "Index IRQ-...");
	for (; i < nr_lines; i++) {
		split_words(i);
		if (!nr_words)
			continue;
		if (isdigit((unsigned char)words[0][0])) {
			if (rtla.count)
				break;
			if (rtla.nr == room) {
				room = room ? 2 * room : 256;
				rtla.rows = xrealloc(rtla.rows, room, sizeof(*rtla.rows));
			}
			rtla.rows[rtla.nr++] = numbers(i, 0, columns + 1);
			continue;
		}
		rtla.over = rtla_line(i, columns, "over:", rtla.over);
		rtla.count = rtla_line(i, columns, "count:", rtla.count);
		rtla.avg = rtla_line(i, columns, "avg:", rtla.avg);
		rtla.max = rtla_line(i, columns, "max:", rtla.max);
	}
	if (!rtla.over || !rtla.count || !rtla.max || !rtla.avg)
		die("%s: no lines 'over:', 'count:', 'avg:' and 'max:': "
		    "cut off, or made with --no-summary", input);
	for (size_t column = 0; column < columns; column++)
		add_column(&rtla, column, bucket_size(&rtla));
}

static void write_histograms(const char *name)
{
	FILE *out = outfile_stream(name);
	uint64_t samples = 0;
	bool failed;

	fputs("state\tcpu\tmetric\tlow\thigh\tcount\n", out);
	for (size_t i = 0; i < all.nr; i++) {
		const struct histogram *histogram = &all.list[i];

		samples |= histogram->total;
		for (size_t b = 0; b < histogram->nr; b++) {
			const struct bucket *bucket = &histogram->buckets[b];

			fprintf(out, "0\t%" PRId64 "\t%s\t%" PRId64 "\t", histogram->cpu,
				histogram->metric, bucket->low);
			if (bucket->high == BUCKET_OPEN)
				fputc('-', out);
			else
				fprintf(out, "%" PRId64, bucket->high);
			fprintf(out, "\t%" PRIu64 "\n", bucket->count);
		}
	}
	failed = ferror(out);
	if (fclose(out) || failed)
		die("%s: cannot be written: %s", name, strerror(errno));
	if (!samples)
		die("%s: not one sample in it", input);
}

static bool read_input(void)
{
	char *text = read_histogram(), *start;

	if (!text)
		return false;
	start = text + strspn(text, " \t\r\n");
	if (*start == '{') {
		read_json(text);
		return true;
	}
	split_lines(text);
	for (size_t i = 0; i < nr_lines; i++) {
		if (!starts(lines[i], "# Histogram") && !starts(lines[i], "# Min Latencies:"))
			continue;
		read_cyclictest();
		return true;
	}
	read_rtla();
	return true;
}

int main(int argc, char **argv)
{
	bool failed;
	int opt;

	message_init("import");
	while ((opt = getopt(argc, argv, "u:")) != -1) {
		if (opt == 'u' && !strcmp(optarg, "ns"))
			all.unit = 1;
		else if (opt == 'u' && !strcmp(optarg, "us"))
			all.unit = 1000;
		else
			die("-u: cyclictest counts in us or (-N) in ns");
	}
	if (optind + 3 != argc)
		die("usage: histogram [-u ns|us] INPUT HISTOGRAM.TSV FACTS.TSV");
	input = argv[optind];
	facts = outfile_stream(argv[optind + 2]);
	if (!read_input())
		return STATUS_FOREIGN;
	failed = ferror(facts);
	if (fclose(facts) || failed)
		die("%s: cannot be written: %s", argv[optind + 2], strerror(errno));
	write_histograms(argv[optind + 1]);
	return 0;
}
