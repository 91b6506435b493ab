// SPDX-License-Identifier: GPL-2.0
/* Read the output of cyclictest --json, with or without a histogram. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "decimal.h"
#include "histogram.h"
#include "message.h"
#include "number.h"

/* Results of cyclictest are flat. The limit keeps other files from using up the stack. */
#define MAX_DEPTH 32

static bool is_whole(struct json_object *number, int64_t *v)
{
	/* Parse the text, because json-c would change a number of more than 64 bits. */
	return json_object_is_type(number, json_type_int) &&
	       parse_whole(json_object_get_string(number), v);
}

static int64_t whole_member(struct json_object *object, const char *of, const char *name)
{
	int64_t v;

	if (!is_whole(json_object_object_get(object, name), &v))
		die("%s: %s: \"%s\" is missing, or not a whole number", all.input, of, name);
	return v;
}

static const char *text_member(struct json_object *object, const char *name)
{
	struct json_object *text = json_object_object_get(object, name);
	const char *p;

	if (!json_object_is_type(text, json_type_string))
		return NULL;
	p = json_object_get_string(text);
	for (const char *c = p; *c; c++)
		if (iscntrl((unsigned char)*c))
			return NULL;
	return p;
}

static void text_fact(struct json_object *object, const char *name, const char *key)
{
	const char *text = text_member(object, name);

	if (text)
		fact(key, text);
}

/* Write the thread's mean, which has two decimals, to the facts. */
static void mean_fact(struct json_object *thread, const struct histogram *histogram)
{
	struct json_object *avg = json_object_object_get(thread, "avg");
	bool rounded = false;
	int64_t ns;

	if ((json_object_is_type(avg, json_type_double) ||
	     json_object_is_type(avg, json_type_int)) &&
	    parse_decimal(json_object_get_string(avg), all.unit == 1 ? 0 : 3, &ns, &rounded))
		stated_mean(histogram, ns);
}

/*
 * Add the bins of COUNTS, which is {latency: count}. Return the end of the last bin, 0 if there is none. Set *SUM to the
 * number of samples, which is at most CYCLES. OF is the thread, for messages.
 */
static int64_t read_bins(struct json_object *counts, struct histogram *histogram, const char *of, int64_t cycles, int64_t *sum)
{
	int64_t next = 0;

	if (!json_object_is_type(counts, json_type_object))
		die("%s: %s: \"histogram\" is not {latency: count}", all.input, of);
	json_object_object_foreach(counts, key, value) {
		int64_t low, count;

		if (!is_whole(value, &count))
			die("%s: %s, latency %s: a count is missing, or not a whole number",
			    all.input, of, key);
		if (!parse_whole(key, &low) || low < next || low == INT64_MAX)
			die("%s: %s: '%s' is not a latency, or not in order", all.input, of, key);
		next = low + 1;
		if (__builtin_add_overflow(*sum, count, sum) || *sum > cycles)
			die("%s: %s: more samples than \"cycles\"", all.input, of);
		add_bin(histogram, low, next, count);
	}
	return next;
}

static void read_thread(const char *name, struct json_object *thread)
{
	struct json_object *counts = json_object_object_get(thread, "histogram");
	char *of = xprintf("thread %s", name);
	int64_t number, cycles, sum = 0, next = 0, cpu;
	struct histogram *histogram;

	if (!parse_whole(name, &number))
		die("%s: '%s' is not the number of a thread", all.input, name);
	cpu = json_object_object_get(thread, "cpu") ? whole_member(thread, of, "cpu") : number;
	/* If an earlier thread has the same CPU (threads share a CPU, or may migrate), store the thread's number instead of the CPU's. */
	for (size_t i = 0; i < all.nr; i++)
		if (all.list[i].cpu == cpu)
			cpu = number;
	cycles = whole_member(thread, of, "cycles");
	if (!cycles)
		return;
	histogram = add_histogram(THREAD, cpu);
	mean_fact(thread, histogram);
	/* cyclictest 2.4 writes an empty histogram without -h. Other versions may write none. */
	if (counts)
		next = read_bins(counts, histogram, of, cycles, &sum);
	if (!next)
		add_range(histogram, whole_member(thread, of, "min"),
			  whole_member(thread, of, "max"), cycles);
	else
		/*
		 * The file does not state the histogram's end. Overflows are above all counted
		 * latencies.
		 */
		add_over(histogram, next, whole_member(thread, of, "max"), cycles - sum);
	stated_extremes(histogram, whole_member(thread, of, "min"), whole_member(thread, of, "max"));
	free(of);
}

/* Refuse an object that has a key twice: json-c keeps the last of them. TEXT is JSON. */
static void refuse_twice(const char *text)
{
	struct json_object *seen[MAX_DEPTH + 2];
	const char *start = text, *end = text;
	unsigned long line = 1;
	size_t depth = 0;

	for (const char *p = text; *p; p++) {
		line += *p == '\n';
		if (*p == '"') {
			for (start = ++p; *p != '"'; p++)
				p += *p == '\\';
			end = p;
		} else if (*p == '{' || *p == '[') {
			seen[depth++] = json_object_new_object();
		} else if (*p == '}' || *p == ']') {
			json_object_put(seen[--depth]);
		} else if (*p == ':') {
			char *key = xprintf("%.*s", (int)(end - start), start);

			if (json_object_object_get_ex(seen[depth - 1], key, NULL))
				die("%s:%lu: \"%s\" occurs twice", all.input, line, key);
			json_object_object_add(seen[depth - 1], key, NULL);
			free(key);
		}
	}
}

/* Refuse integers of more than 64 bits, which json-c changes, or refuses in words that depend on its version. */
static void refuse_large(const char *text)
{
	unsigned long line = 1;

	for (const char *p = text; *p;) {
		size_t len = strspn(p, "+-.0123456789eE");
		int64_t v;

		if (*p == '"') {
			for (p++; *p && *p != '"'; p++)
				p += *p == '\\' && p[1];
			p += *p == '"';
			continue;
		}
		if ((*p == '-' || isdigit((unsigned char)*p)) && strspn(p + 1, "0123456789") == len - 1 &&
		    !parse_s64(p, p + len, &v))
			die("%s:%lu: %.*s is not a whole number of at most 64 bits", all.input, line, (int)len, p);
		line += *p == '\n';
		p += len ? len : 1;
	}
}

static struct json_object *parse_json(const char *text)
{
	struct json_tokener *tokener = json_tokener_new_ex(MAX_DEPTH);
	struct json_object *root;
	enum json_tokener_error error;
	unsigned long line = 1;

	if (!tokener)
		die("out of memory");
	refuse_large(text);
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	root = json_tokener_parse_ex(tokener, text, strlen(text));
	error = json_tokener_get_error(tokener);
	for (const char *p = text; p < text + json_tokener_get_parse_end(tokener); p++)
		line += *p == '\n';
	if (error == json_tokener_continue)
		die("%s:%lu: the file is cut off", all.input, line);
	if (error != json_tokener_success)
		die("%s:%lu: not JSON: %s", all.input, line, json_tokener_error_desc(error));
	json_tokener_free(tokener);
	refuse_twice(text);
	return root;
}

void read_json(const char *text)
{
	struct json_object *root = parse_json(text);
	struct json_object *threads = json_object_object_get(root, "thread");
	const char *cmdline, *held;
	uint64_t held_us;

	if (!json_object_is_type(threads, json_type_object) ||
	    !json_object_object_get(root, "resolution_in_ns"))
		die("%s: JSON, but not of cyclictest (no \"thread\" or no \"resolution_in_ns\")",
		    all.input);
	stated_unit(whole_member(root, "top level", "resolution_in_ns") ? 1 : 1000);
	default_source("cyclictest");
	/* cyclictest writes the colon as part of the name. */
	cmdline = text_member(root, "cmdline:");
	if (!cmdline)
		cmdline = text_member(root, "cmdline");
	if (cmdline) {
		fact("imported_command", cmdline);
		held = strstr(cmdline, "--latency");
		if (held)
			held += strlen("--latency") + strspn(held + strlen("--latency"), "= ");
		if (held && take_digits(&held, &held_us) && held_us <= INT64_MAX)
			held_at(held_us);
		else if (!strstr(cmdline, "--laptop") && !strstr(cmdline, "--default-system"))
			fact("caveat",
			     "cyclictest held /dev/cpu_dma_latency at 0 (neither --laptop nor "
			     "--default-system was given): the CPUs were kept out of their "
			     "idle states");
	}
	text_fact(root, "rt_test_version:", "rt_tests");
	text_fact(root, "start_time", "imported_start");
	text_fact(json_object_object_get(root, "sysinfo"), "release", "kernel");
	text_fact(json_object_object_get(root, "sysinfo"), "nodename", "hostname");
	json_object_object_foreach(threads, key, thread)
		read_thread(key, thread);
	json_object_put(root);
}
