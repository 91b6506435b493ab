// SPDX-License-Identifier: GPL-2.0
/* Read the text of cyclictest -h and --histfile, and of rtla timerlat hist: lines of words. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "histogram.h"
#include "message.h"

#define MAX_COLUMNS 4096
#define NONE ((size_t)-1)

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
			die("%s:%zu: more than %d columns", all.input, line + 1, MAX_COLUMNS);
		words[nr_words++] = word;
	}
}

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Convert NR of the current words to numbers, beginning with word FIRST. "-" becomes -1. The caller frees the result. */
static int64_t *numbers(size_t line, size_t first, size_t nr)
{
	int64_t *v = xrealloc(NULL, nr + 1, sizeof(*v));

	if (nr_words < first + nr)
		die("%s:%zu: %zu columns where %zu are expected: cut off?", all.input, line + 1,
		    nr_words,
		    first + nr);
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(words[first + i], "-"))
			v[i] = -1;
		else if (!parse_whole(words[first + i], &v[i]))
			die("%s:%zu: '%s' is not a whole number", all.input, line + 1,
			    words[first + i]);
	return v;
}

/* cyclictest -h */

/* Return the index of the line that begins with START, or NONE. */
static size_t find_line(const char *start)
{
	for (size_t i = 0; i < nr_lines; i++)
		if (starts(lines[i], start))
			return i;
	return NONE;
}

static size_t need_line(const char *start)
{
	size_t line = find_line(start);

	if (line == NONE)
		die("%s: no line '%s': truncated, or not the output of cyclictest -h", all.input, start);
	return line;
}

/* Find the line that begins with TITLE, and return the NR numbers after its colon. The caller frees them. */
static int64_t *summary(const char *title, size_t nr)
{
	size_t line = need_line(title), first = 0;

	split_words(line);
	while (first < nr_words && !strchr(words[first], ':'))
		first++;
	return numbers(line, first + 1, nr);
}

static size_t summary_columns(const char *title)
{
	size_t line = need_line(title);
	char *copy = xstrdup(lines[line]);
	size_t first = 0;

	split_words(line);
	/* split_words() has cut the line into words. Restore it, because it is read again. */
	lines[line] = copy;
	while (first < nr_words && !strchr(words[first], ':'))
		first++;
	return nr_words - first - (first < nr_words);
}

/* Return MEAN, which the tool states in its unit, in ns. */
static int64_t mean_ns(int64_t mean)
{
	int64_t ns;

	if (__builtin_mul_overflow(mean, all.unit, &ns))
		die("%s: the average %" PRId64 " is too large", all.input, mean);
	return ns;
}

static void read_bucket_line(size_t line, size_t threads, int64_t *next)
{
	bool with_sum;
	int64_t *v, sum = 0;

	split_words(line);
	/* With -H there is one more column, the sum. */
	if (nr_words != threads + 1 && nr_words != threads + 2)
		die("%s:%zu: %zu columns for %zu threads", all.input, line + 1, nr_words, threads);
	with_sum = nr_words == threads + 2;
	v = numbers(line, 0, nr_words);
	if (v[0] < *next || v[0] == INT64_MAX)
		die("%s:%zu: latency %s is not in order", all.input, line + 1, words[0]);
	*next = v[0] + 1;
	for (size_t i = 0; i < threads; i++) {
		if (v[i + 1] < 0)
			die("%s:%zu: a count is missing", all.input, line + 1);
		add_bin(&all.list[i], v[0], *next, v[i + 1]);
		sum = (uint64_t)sum + v[i + 1];
	}
	if (with_sum && v[threads + 1] != sum)
		die("%s:%zu: the last column is not the sum of %zu threads", all.input, line + 1,
		    threads);
	free(v);
}

/* Note whether the idle states were limited. cyclictest says so on stderr, so most files do not state it. */
static void dma_latency(void)
{
	static const char set[] = "# /dev/cpu_dma_latency set to ";
	size_t line = find_line(set);
	int64_t us;

	if (line != NONE) {
		const char *value = lines[line] + sizeof(set) - 1;
		char *digits = xprintf("%.*s", (int)strspn(value, "0123456789"), value);

		if (!parse_whole(digits, &us))
			die("%s:%zu: no value after '%s'", all.input, line + 1, set);
		held_at(us);
		free(digits);
	} else if (find_line("WARN: not setting cpu_dma_latency") == NONE) {
		fact("caveat",
		     "the file does not say whether cyclictest held /dev/cpu_dma_latency at 0, as it does without --laptop or "
		     "--default-system: then the CPUs were kept out of their idle states");
	}
}

/* Read the histograms, and compare them with the lines that follow them. */
static void read_cyclictest(void)
{
	size_t threads = summary_columns("# Min Latencies:");
	int64_t *min, *max, *over, *avg, *total = NULL, next = 0;

	if (!threads)
		die("%s: no threads", all.input);
	default_source("cyclictest");
	if (!all.unit)
		all.unit = 1000;
	for (size_t i = 0; i < threads; i++)
		add_histogram(THREAD, i);
	dma_latency();
	for (size_t i = 0; i < nr_lines; i++)
		if (isdigit((unsigned char)lines[i][0]))
			read_bucket_line(i, threads, &next);
	/* rt-tests 2.10 has no such line, and leaves out buckets without samples. */
	if (find_line("# Total:") != NONE)
		total = summary("# Total:", threads);
	min = summary("# Min Latencies:", threads);
	max = summary("# Max Latencies:", threads);
	avg = summary("# Avg Latencies:", threads);
	over = summary("# Histogram Overflows:", threads);
	for (size_t i = 0; i < threads; i++) {
		struct histogram *histogram = &all.list[i];

		if (over[i] < 0 || (total && (total[i] < 0 || histogram->total != (uint64_t)total[i])))
			die("%s: thread %zu has %" PRIu64 " samples in its buckets, %" PRId64
			    " in its total: cut off?", all.input, i, histogram->total, total ? total[i] : -1);
		if (histogram->total)
			add_over(histogram, next, max[i], over[i]);
		else
			add_range(histogram, min[i], max[i], over[i]);
		stated_extremes(histogram, min[i], max[i]);
		if (histogram->total)
			stated_mean(histogram, mean_ns(avg[i]));
	}
	free(total);
	free(min);
	free(max);
	free(avg);
	free(over);
}

/* cyclictest without -h */

/* Return the number after KEY in the current words, which follows it directly or as the next word. */
static int64_t after(size_t line, const char *key)
{
	size_t len = strlen(key);
	int64_t v;

	for (size_t i = 0; i < nr_words; i++) {
		const char *text = words[i] + len;

		if (strncmp(words[i], key, len))
			continue;
		if (!*text && i + 1 < nr_words)
			text = words[i + 1];
		if (parse_whole(text, &v))
			return v;
	}
	die("%s:%zu: no number after %s", all.input, line + 1, key);
}

/* Read the summary of each thread. While cyclictest runs, it prints them again and again: the last one counts. */
static void read_summaries(void)
{
	static size_t last[MAX_COLUMNS];
	size_t nr = 0;

	for (size_t i = 0; i < nr_lines; i++) {
		int64_t thread;
		char *copy;

		if (!starts(lines[i], "T:"))
			continue;
		copy = xstrdup(lines[i]);
		split_words(i);
		thread = after(i, "T:");
		lines[i] = copy;
		if (thread >= MAX_COLUMNS)
			die("%s:%zu: more than %d threads", all.input, i + 1, MAX_COLUMNS);
		for (; nr <= (size_t)thread; nr++)
			last[nr] = NONE;
		last[thread] = i;
	}
	default_source("cyclictest");
	if (!all.unit)
		all.unit = 1000;
	dma_latency();
	for (size_t i = 0; i < nr; i++) {
		struct histogram *histogram;

		if (last[i] == NONE)
			die("%s: no line of thread %zu: cut off?", all.input, i);
		split_words(last[i]);
		histogram = add_histogram(THREAD, i);
		add_range(histogram, after(last[i], "Min:"), after(last[i], "Max:"), after(last[i], "C:"));
		if (histogram->total)
			stated_mean(histogram, mean_ns(after(last[i], "Avg:")));
	}
	message("%s: no histogram, only minimum and maximum: cyclictest -h or --json with -h prints one", all.input);
}

/* rtla timerlat hist */

static enum timed timed_by(const char *word)
{
	return starts(word, "IRQ-") ? INTERRUPT : starts(word, "Thr-") ? THREAD :
	       starts(word, "Usr-") ? USER : NR_TIMED;
}

static size_t read_rtla_header(size_t line)
{
	split_words(line);
	for (size_t i = 1; i < nr_words; i++) {
		enum timed timed = timed_by(words[i]);
		int64_t cpu;

		if (timed == NR_TIMED || !parse_whole(words[i] + 4, &cpu))
			die("%s:%zu: '%s' is not IRQ-N, Thr-N or Usr-N", all.input, line + 1,
			    words[i]);
		add_histogram(timed, cpu);
	}
	if (!all.nr)
		die("%s:%zu: no CPUs", all.input, line + 1);
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
	int64_t *over, *count, *min, *max, *avg;
};

static int64_t *rtla_line(size_t line, size_t columns, const char *title, int64_t *before)
{
	/* Take only the first line of each title. Later lines of this title belong to section "ALL:". */
	if (before || strcmp(words[0], title))
		return before;
	return numbers(line, 1, columns);
}

/*
 * The input does not state the size of a bucket. Return the largest size that divides all indexes, which can be too large, but
 * not too small; 0 if the only index is 0, which any size divides.
 */
static int64_t bucket_size(const struct rtla *rtla)
{
	int64_t size = 0;

	for (size_t i = 0; i < rtla->nr; i++)
		size = gcd(rtla->rows[i][0], size);
	return size;
}

static void add_column(const struct rtla *rtla, size_t column, int64_t size)
{
	struct histogram *histogram = &all.list[column];
	int64_t next = 0, over_from = 0, min = rtla->min[column], max = rtla->max[column];

	for (size_t i = 0; i < rtla->nr; i++) {
		const int64_t *row = rtla->rows[i];

		if (row[0] < next || __builtin_add_overflow(row[0], size, &next))
			die("%s: index %" PRId64 " is not in order, or too great", all.input,
			    row[0]);
		if (!size)
			next = COUNTS_OPEN;
		over_from = row[0] + 1;
		if (row[column + 1] < 0)
			die("%s: no count at index %" PRId64, all.input, row[0]);
		if (!size && !rtla->over[column] && min >= 0 && max >= 0)
			add_range(histogram, min, max, row[column + 1]);
		else
			add_bin(histogram, row[0], next, row[column + 1]);
	}
	if (rtla->over[column] < 0 || rtla->count[column] < 0 ||
	    histogram->total + rtla->over[column] != (uint64_t)rtla->count[column])
		die("%s: the buckets of %s latency of CPU %" PRId64 " and 'over' have %" PRIu64
		    " samples, 'count' says %" PRId64 ": cut off?", all.input,
		    timed_names[histogram->timed], histogram->cpu,
		    histogram->total + rtla->over[column], rtla->count[column]);
	/* The last bucket may be smaller than SIZE, so only its first value is certainly in it. */
	add_over(histogram, over_from, max, rtla->over[column]);
	stated_extremes(histogram, min, max);
	if (rtla->avg[column] >= 0)
		stated_mean(histogram, mean_ns(rtla->avg[column]));
}

static void read_rtla(void)
{
	struct rtla rtla = { 0 };
	size_t columns = 0, room = 0, i = 0;

	default_source("timerlat");
	for (; i < nr_lines && !columns; i++) {
		if (starts(lines[i], "# Time unit is "))
			stated_unit(strstr(lines[i], "(ns)") ? 1 : 1000);
		else if (starts(lines[i], "Index"))
			columns = read_rtla_header(i);
	}
	if (!columns || !all.unit)
		die("%s: no line '%s': was it made with --no-header or --no-index?", all.input,
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
		rtla.min = rtla_line(i, columns, "min:", rtla.min);
		rtla.max = rtla_line(i, columns, "max:", rtla.max);
	}
	if (!rtla.over || !rtla.count || !rtla.min || !rtla.max || !rtla.avg)
		die("%s: no lines 'over:', 'count:', 'min:', 'avg:' and 'max:': "
		    "cut off, or made with --no-summary", all.input);
	all.bin_width = bucket_size(&rtla);
	for (size_t column = 0; column < columns; column++)
		add_column(&rtla, column, all.bin_width);
}

void read_text(char *text)
{
	split_lines(text);
	if (find_line("# Histogram") != NONE || find_line("# Min Latencies:") != NONE)
		read_cyclictest();
	else if (find_line("T:") != NONE)
		read_summaries();
	else
		read_rtla();
}
