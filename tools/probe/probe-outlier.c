// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "probe-outlier.h"
#include "taint.h"

#define MAX_EVENTS (PROBE_EVENTS + 1)
#define MAX_LINE 512

/* Names of timer functions. There are few, so each is looked up once. */
static struct function {
	__u64 address;
	char name[64];
} functions[64];
static unsigned int nr_functions;

/*
 * Set the name of the function from its address. If the kernel hides its symbols, the name is "unknown function". The
 * address is not printed then, because it is secret, too.
 */
static void find_name(struct function *function)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	char line[MAX_LINE];

	snprintf(function->name, sizeof(function->name), "unknown function");
	while (symbols && fgets(line, sizeof(line), symbols)) {
		char *end, type;

		if (strtoull(line, &end, 16) != function->address)
			continue;
		if (sscanf(end, " %c %63s", &type, function->name) == 2 && strchr("tT", type))
			break;
	}
	if (symbols)
		fclose(symbols);
}

static const char *function_name(__u64 address)
{
	for (unsigned int i = 0; i < nr_functions; i++)
		if (functions[i].address == address)
			return functions[i].name;
	if (nr_functions == sizeof(functions) / sizeof(functions[0]))
		nr_functions = 0;
	functions[nr_functions].address = address;
	find_name(&functions[nr_functions]);
	return functions[nr_functions++].name;
}

static int by_time(const void *a, const void *b)
{
	const struct probe_event *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

/* Store the events of OUTLIER in LIST, oldest first, also the event of the CPU that sent the wake-up. Return their number. */
static int in_order(const struct probe_outlier *outlier, struct probe_event *list)
{
	int nr = 0;

	for (int i = 0; i < PROBE_EVENTS; i++)
		if (outlier->history.events[i].kind)
			list[nr++] = outlier->history.events[i];
	if (outlier->history.sent.kind)
		list[nr++] = outlier->history.sent;
	qsort(list, nr, sizeof(*list), by_time);
	return nr;
}

/* Return a task's name without control characters: a task can choose any name. */
static const char *task_name(const struct probe_event *event)
{
	static char name[PROBE_COMM];

	memcpy(name, event->comm, sizeof(name));
	name[sizeof(name) - 1] = '\0';
	for (char *p = name; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			*p = '?';
	return name;
}

/* Store in WHAT what the event is about. Return the kind of event. */
static const char *describe(const struct probe_event *event, char *what, size_t size)
{
	snprintf(what, size, "-");
	switch (event->kind) {
	case PROBE_IDLE:
		snprintf(what, size, "state %u", event->number);
		return "idle";
	case PROBE_EXIT:
		return "exit";
	case PROBE_VECTOR:
		snprintf(what, size, "vector 0x%x", event->number);
		return event->number == 2 ? "nmi" : "interrupt";
	case PROBE_DEVICE:
		snprintf(what, size, "device %u", event->number);
		return "interrupt";
	case PROBE_EXPIRED:
		snprintf(what, size, "%s", function_name(event->value));
		return "timer";
	case PROBE_SENT:
		snprintf(what, size, "by CPU %u, %s", event->number, task_name(event));
		return event->how == PROBE_SENT_IPI ? "sent" : "flag";
	case PROBE_SWITCH:
		snprintf(what, size, "%s, %u", event->number ? task_name(event) : "nothing",
			 event->number);
		return "runs";
	default:
		return "-";
	}
}

void outlier_header(struct outfile *out)
{
	static const char header[] = "outlier\tcpu\tstate\tseq\tlatency\ttaint\tltime\ttime\tevent\twhat\n";

	outfile_commit(out, put_text(outfile_reserve(out, sizeof(header)), header));
}

void outlier_write(struct outfile *out, const struct probe_outlier *outlier, __u64 nr)
{
	const struct probe_record *r = &outlier->record;
	struct probe_event list[MAX_EVENTS];
	int events = in_order(outlier, list);
	char taint[128];

	*put_taint(taint, r->taint) = '\0';
	for (int i = 0; i < events; i++) {
		char *p = outfile_reserve(out, MAX_LINE);
		char what[128];
		const char *kind = describe(&list[i], what, sizeof(what));
		int len;

		len = snprintf(p, MAX_LINE, "%" PRIu64 "\t%u\t%u\t%" PRIu64 "\t%" PRId64 "\t%s\t%" PRIu64 "\t%" PRId64 "\t%s\t%s\n",
			       (uint64_t)nr, r->cpu, r->state, (uint64_t)r->seq, (int64_t)probe_latency(r),
			       taint, (uint64_t)r->ltime, (int64_t)(list[i].time - r->ltime), kind, what);
		outfile_commit(out, p + len);
	}
}

/* Return true for events that outlier_words() describes: those of the idle period, and the first task after it. */
static bool is_told(const struct probe_event *event, const struct probe_record *r)
{
	if (event->time < r->enter || event->kind == PROBE_IDLE || event->kind == PROBE_EXIT)
		return false;
	return event->kind != PROBE_SWITCH || event->number;
}

void outlier_words(const struct probe_outlier *outlier, char *buf, size_t size)
{
	struct probe_event list[MAX_EVENTS];
	int events = in_order(outlier, list);
	size_t used = 0;

	*buf = '\0';
	for (int i = 0; i < events && used < size; i++) {
		const char *kind;
		char what[128];

		if (!is_told(&list[i], &outlier->record))
			continue;
		kind = describe(&list[i], what, sizeof(what));
		used += snprintf(buf + used, size - used, ", %s %s", kind, what);
		if (list[i].kind == PROBE_SWITCH)
			break;
	}
}
