// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "line.h"
#include "message.h"
#include "number.h"
#include "runs.h"

#define MAX_NS 1000000000

/* Return the number VALUE of KEY; -1 if it is absent. */
static int64_t number_of(const char *key, const char *value, int64_t max)
{
	int64_t number;

	if (!strcmp(value, "-"))
		return -1;
	if (!parse_s64(value, value + strlen(value), &number) || number < 0 || number > max)
		die("run.tsv: %s '%s' is not a number from 0 to %" PRId64, key, value, max);
	return number;
}

/* Return a copy of TEXT for a cell of a table. Characters other than visible ASCII become "?". */
static char *plain_text(const char *text)
{
	char *copy = xstrdup(text);

	for (char *c = copy; *c; c++)
		if (*c <= ' ' || *c >= 0x7f)
			*c = '?';
	return copy;
}

/* Return the run with this number in run.tsv, adding it if it is new. */
static struct run *run_numbered(struct runs *runs, uint64_t number)
{
	/* Nearly always this is the run of the last call. */
	for (size_t i = runs->nr; i-- > 0; )
		if (runs->list[i].number == number)
			return &runs->list[i];
	runs->list = xgrow(runs->list, runs->nr, &runs->room, sizeof(*runs->list));
	runs->list[runs->nr] = (struct run) {
		.number = number, .first = number, .steps = 1, .dma_ns = -1,
	};
	return &runs->list[runs->nr++];
}

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && !strcmp(text + len - end_len, end);
}

/* Store what run.NUMBER.KEY says. NAME is the whole key. */
static void take_run(struct runs *runs, uint64_t number, const char *key, const char *name, const char *value)
{
	struct run *run = run_numbered(runs, number);
	int64_t n;

	if (!strcmp(key, "trace")) {
		run->trace = xstrdup(value);
	} else if (!strcmp(key, "trace_run")) {
		n = number_of(name, value, INT64_MAX);
		run->first = n < 0 ? number : (uint64_t)n;
	} else if (!strcmp(key, "steps")) {
		n = number_of(name, value, INT64_MAX);
		run->is_sweep = n >= 0;
		run->steps = n < 0 ? 1 : n;
	} else if (!strcmp(key, "warmup")) {
		run->warmup = !strcmp(value, "yes");
	} else if (!strcmp(key, "reason")) {
		run->clock = !strcmp(value, "clock");
	} else if (ends_in(key, "nic.dma_ns") || ends_in(key, "source.dma_ns")) {
		run->dma_ns = number_of(name, value, MAX_NS);
	} else if (ends_in(key, "nic.dma_error_ns") || ends_in(key, "source.dma_error_ns")) {
		n = number_of(name, value, MAX_NS);
		run->dma_error_ns = n < 0 ? 0 : n;
	}
	runs->differ |= run->clock || !strcmp(key, "trace") || !strcmp(key, "warmup") || !strcmp(key, "steps");
}

/* Return true if the list SETTINGS, such as method=target,window=1, has this item. */
static bool has_setting(const char *settings, const char *item)
{
	size_t len = strlen(item);

	for (const char *at = settings; (at = strstr(at, item)); at++)
		if ((at == settings || at[-1] == ',') && (!at[len] || at[len] == ','))
			return true;
	return false;
}

static void take_fact(struct runs *runs, const char *key, const char *value)
{
	unsigned int state;
	uint64_t run;
	int end = 0;

	if (sscanf(key, "run.%" SCNu64 ".%n", &run, &end) == 1 && end) {
		take_run(runs, run, key + end, key, value);
	} else if (!strcmp(value, "-")) {
		return;
	} else if (!strcmp(key, "intr_offset_ns")) {
		runs->intr_offset_ns = number_of(key, value, MAX_NS);
	} else if (!strcmp(key, "source")) {
		runs->source = plain_text(value);
	} else if (!strcmp(key, "clock_khz") || (!strcmp(key, "tsc_khz") && runs->clock_khz < 0)) {
		runs->clock_khz = number_of(key, value, MAX_NS);
	} else if (!strcmp(key, "max_uncertainty_ns")) {
		runs->max_uncertainty_ns = number_of(key, value, INT64_MAX);
	} else if (!strcmp(key, "nic_method")) {
		runs->target |= !strcmp(value, "target");
	} else if (!strcmp(key, "source_settings")) {
		runs->target |= has_setting(value, "method=target");
	} else if (sscanf(key, "state.%u.name%n", &state, &end) == 1 && end && !key[end]) {
		if (state < RUNS_STATES && !runs->states[state])
			runs->states[state] = xstrdup(value);
	}
}

void runs_read(struct runs *runs, const char *file)
{
	static char line[TSV_MAX_LINE + 1];
	size_t len;
	FILE *from;

	*runs = (struct runs) { .intr_offset_ns = -1, .clock_khz = -1, .max_uncertainty_ns = -1 };
	if (!file)
		return;
	from = fopen(file, "re");
	if (!from)
		die("%s: %s", file, strerror(errno));
	while ((len = line_read(from, line))) {
		char *value = line + strcspn(line, "\t\n");

		if (len == LINE_TOO_LONG)
			die("%s: a line of more than %d bytes", file, TSV_MAX_LINE);
		if (line[len - 1] != '\n')
			die("%s: the last line is cut off: copy the recording again", file);
		if (*value != '\t')
			continue;
		*value++ = '\0';
		value[strcspn(value, "\t\n")] = '\0';
		take_fact(runs, line, value);
	}
	if (ferror(from))
		die("cannot read %s: %s", file, strerror(errno));
	fclose(from);
	/* With the method "target", the card does not fetch from memory. */
	for (size_t i = 0; runs->target && i < runs->nr; i++)
		runs->list[i].dma_ns = 0;
}

static bool has_number(const struct run *run, const char *trace, uint64_t number)
{
	return number >= run->first && number - run->first < run->steps &&
		!strcmp(run->trace ? run->trace : "trace.dat", trace);
}

const struct run *runs_find(struct runs *runs, const char *trace, uint64_t number)
{
	/* Begin with the run of the last call, which is nearly always the right one. */
	for (size_t i = 0; i < runs->nr; i++) {
		size_t at = (runs->last + i) % runs->nr;

		if (has_number(&runs->list[at], trace, number)) {
			runs->last = at;
			return &runs->list[at];
		}
	}
	return NULL;
}
