// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "number.h"
#include "textevent.h"

/* Read a time in s with at most nine decimals, and the colon behind it: "328584.023045660:". */
static bool take_time(const char **p, struct text_event *event)
{
	uint64_t s, fraction;
	const char *begin;
	int digits;

	if (!take_digits(p, &s) || **p != '.' || s > UINT64_MAX / 2000000000)
		return false;
	begin = ++*p;
	if (!take_digits(p, &fraction) || **p != ':')
		return false;
	digits = *p - begin;
	if (digits > 9)
		return false;
	event->coarse = digits < 9;
	for (; digits < 9; digits++)
		fraction *= 10;
	++*p;
	event->ns = s * 1000000000 + fraction;
	return true;
}

static const char *skip_spaces(const char *p)
{
	while (*p == ' ')
		p++;
	return p;
}

/*
 * Skip the column of flags (irqs off, need resched, interrupt, preemption depth, ...) that trace-cmd report has since 3.2,
 * as the kernel's trace file: "d..1.". A task's name can look like a short one.
 */
static const char *skip_flags(const char *p)
{
	size_t len = strspn(p, ".dDbBnNpPlLgGhHzZsSX0123456789acef");

	return len >= 4 && len <= 8 && p[len] == ' ' ? skip_spaces(p + len) : p;
}

/* Parse "CPU:1 [LOST 168 EVENTS]" (the kernel), "CPU:1 [168 EVENTS DROPPED]" and "CPU:1 [EVENTS DROPPED]" (trace-cmd). */
static bool parse_dropped(const char *line, struct text_event *event)
{
	const char *p = skip_spaces(line);
	uint64_t cpu;
	bool lost;

	if (strncmp(p, "CPU:", 4))
		return false;
	p += 4;
	if (!take_digits(&p, &cpu) || cpu >= MAX_CPUS || strncmp(p, " [", 2))
		return false;
	p += 2;
	lost = !strncmp(p, "LOST ", 5);
	if (lost)
		p += 5;
	event->lost = 0;
	if (take_digits(&p, &event->lost))
		p = skip_spaces(p);
	if (strncmp(p, lost ? "EVENTS]" : "EVENTS DROPPED]", lost ? 7 : 15))
		return false;
	event->cpu = cpu;
	event->timed = false;
	return true;
}

/* Parse perf's "PERF_RECORD_LOST lost 812" (--show-lost-events). */
static bool parse_lost(const char *text, struct text_event *event)
{
	if (strncmp(text, "PERF_RECORD_LOST", 16))
		return false;
	text = strstr(text, " lost ");
	if (text)
		text += 6;
	return text && take_digits(&text, &event->lost);
}

/*
 * The CPU is in the first brackets that a time follows. Earlier brackets can be part of the task's
 * name.
 */
bool text_event_parse(const char *line, struct text_event *event)
{
	uint64_t cpu, ignored;
	const char *p, *colon;

	*event = (struct text_event) { .timed = true };
	if (parse_dropped(line, event))
		return true;
	for (p = strchr(line, '['); p; p = strchr(p + 1, '[')) {
		const char *q = p + 1;

		if (!take_digits(&q, &cpu) || *q != ']' || cpu >= MAX_CPUS)
			continue;
		q = skip_flags(skip_spaces(q + 1));
		if (!take_time(&q, event))
			continue;
		event->cpu = cpu;
		q = skip_spaces(q);
		if (parse_lost(q, event))
			return true;
		/* Skip perf's own count of the event. */
		if (take_digits(&q, &ignored))
			q = skip_spaces(q);
		colon = strstr(q, ": ");
		if (!colon)
			colon = *q && q[strlen(q) - 1] == ':' ? q + strlen(q) - 1 : NULL;
		if (!colon)
			return false;
		event->name = q;
		event->vector = !strncmp(q, "irq_vectors:", 12);
		for (const char *c = q; c < colon; c++)
			if (*c == ':')
				event->name = c + 1;
		event->name_len = colon - event->name;
		event->fields = colon + 1;
		return true;
	}
	return false;
}
