// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "number.h"
#include "sample.h"
#include "taint.h"

static const struct sample_field known[NR_SAMPLE_KNOWN] = {
	[SAMPLE_RUN] = { .name = "run" },
	/* Not a field of the event: the ring buffer has the CPU. */
	[SAMPLE_CPU] = { .name = "cpu" },
	[SAMPLE_SOURCE] = { .name = "source" },
	[SAMPLE_STATE] = { .name = "state" },
	[SAMPLE_SEQ] = { .name = "seq" },
	[SAMPLE_LDIST] = { .name = "ldist" },
	[SAMPLE_LTIME] = { .name = "ltime" },
	[SAMPLE_TBI] = { .name = "tbi" },
	[SAMPLE_TAI] = { .name = "tai", .void_if_irqs_on = true },
	[SAMPLE_TINTR] = { .name = "tintr" },
	[SAMPLE_SILENT_TIME] = { .name = "silent_time" },
	[SAMPLE_WAKE_LATENCY] = { .name = "wake_latency", .void_if_irqs_on = true },
	[SAMPLE_INTR_LATENCY] = { .name = "intr_latency" },
	[SAMPLE_IRQS_ON] = { .name = "irqs_on" },
	[SAMPLE_TAINT] = { .name = "taint" },
	[SAMPLE_TBI_CYC] = { .name = "tbi_cyc" },
	[SAMPLE_TAI_CYC] = { .name = "tai_cyc", .void_if_irqs_on = true },
	[SAMPLE_TINTR_CYC] = { .name = "tintr_cyc" },
	/* What the kernel could not check; not recorded by older kernels. */
	[SAMPLE_UNKNOWN] = { .name = "unknown" },
	/* What woke the CPU; not recorded by older kernels. */
	[SAMPLE_EVENT] = { .name = "event" },
};

/* Older kernels record the source as a number. If they have other sources, the event's print format names them. */
static const struct event_name known_sources[] = {
	{ 1, "hrtimer" }, { 2, "tsc_deadline" }, { 3, "i210" },
};

static const struct event_name known_taints[] = {
#define TAINT(bit, constant, name, class) { 1 << (bit), name },
#include "taints.inc"
};

static const struct event_name known_unknowns[] = {
#define UNKNOWN(bit, word, unknown, consequence) { 1 << (bit), word },
#include "unknowns.inc"
};

static const struct event_name known_events[] = {
	{ 1, "timer" }, { 2, "flag" }, { 3, "ipi" }, { 4, "device" },
};

static bool is_known(const char *name)
{
	for (size_t i = 0; i < NR_SAMPLE_KNOWN; i++)
		if (!strcmp(known[i].name, name))
			return true;
	return false;
}

static void needs(struct sample_event *sample, int end)
{
	if (end > sample->size)
		sample->size = end;
}

static void add_field(struct sample_event *sample, const struct sample_field *field,
		      struct tep_event *event)
{
	struct sample_field *added;

	sample->fields = xrealloc(sample->fields, sample->nr_fields + 1, sizeof(*sample->fields));
	added = &sample->fields[sample->nr_fields++];
	*added = *field;
	if (sample->nr_fields - 1 != SAMPLE_SOURCE || !sample->source.size)
		added->field = event_find_field(event, field->name);
	added->may_be_absent = added->field.size == 8;
	added->absent = added->field.is_signed ? (uint64_t)INT64_MIN : UINT64_MAX;
	needs(sample, added->field.offset + added->field.size);
}

bool sample_event_is_readable(struct tep_event *event)
{
	bool found = false;

	for (size_t i = 0; i < NR_SAMPLE_KNOWN; i++) {
		const struct tep_format_field *field = tep_find_field(event, known[i].name);

		if (field && !event_is_integer(field) && (i != SAMPLE_SOURCE || !event_find_text(event, "source").size))
			return false;
		found |= field != NULL;
	}
	return found;
}

/*
 * Return a field that is absent only if the handler ran inside the state: the stamp after the state,
 * or the state that the driver says it entered. NULL if there is none.
 */
static const struct sample_field *find_absent_if_irqs_on(const struct sample_event *sample)
{
	const struct sample_field *field = sample_find(sample, "tai_cyc");

	if (!field)
		field = sample_find(sample, "entered");
	return field && field->may_be_absent ? field : NULL;
}

void sample_event_find(struct sample_event *sample, struct tep_event *event)
{
	*sample = (struct sample_event) { .id = event->id };
	sample->source = event_find_text(event, "source");
	sample->nr_found = sample->source.size != 0;
	needs(sample, sample->source.offset + sample->source.size);
	for (size_t i = 0; i < NR_SAMPLE_KNOWN; i++) {
		add_field(sample, &known[i], event);
		sample->nr_found += event_has(&sample->fields[i].field);
	}
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		struct sample_field other = { .name = f->name };

		if (!is_known(f->name) && event_is_integer(f))
			add_field(sample, &other, event);
	}
	if (!event_has(&sample->fields[SAMPLE_IRQS_ON].field))
		sample->absent_if_irqs_on = find_absent_if_irqs_on(sample);
	sample->sources = event_find_names(event, "source", known_sources,
					   sizeof(known_sources) / sizeof(known_sources[0]));
	sample->taints = event_find_names(event, "taint", known_taints,
					  sizeof(known_taints) / sizeof(known_taints[0]));
	sample->unknowns = event_find_names(event, "unknown", known_unknowns,
					    sizeof(known_unknowns) / sizeof(known_unknowns[0]));
	sample->events = event_find_names(event, "event", known_events,
					  sizeof(known_events) / sizeof(known_events[0]));
}

void sample_event_free(struct sample_event *sample)
{
	/* The texts of the names are few, and are kept until the program ends. */
	free(sample->fields);
	free(sample->sources.list);
	free(sample->taints.list);
	free(sample->unknowns.list);
	free(sample->events.list);
	*sample = (struct sample_event) { 0 };
}

static size_t names_size(const struct event_names *names)
{
	size_t total = sizeof("0x0123456789abcdef");

	for (size_t i = 0; i < names->nr; i++)
		total += strlen(names->list[i].name) + 1;
	return total;
}

size_t sample_names_size(const struct sample_event *sample)
{
	return names_size(&sample->sources) + names_size(&sample->taints) + names_size(&sample->unknowns) + names_size(&sample->events) +
	       sample->source.size + (sample->source_name ? strlen(sample->source_name) : 0);
}

const struct sample_field *sample_find(const struct sample_event *sample, const char *name)
{
	for (size_t i = 0; i < sample->nr_fields; i++)
		if (!strcmp(sample->fields[i].name, name) && event_has(&sample->fields[i].field))
			return &sample->fields[i];
	return NULL;
}

static char *put_hex(char *p, uint64_t v)
{
	return p + sprintf(p, "0x%" PRIx64, v);
}

char *sample_put_source(char *p, const struct sample_event *sample, const struct tep_record *record)
{
	const char *name;
	uint64_t source;

	if (sample->source_name)
		return put_text(p, sample->source_name);
	if (sample->source.size)
		return event_put_text(p, &sample->source, record);
	if (!sample_value(&sample->fields[SAMPLE_SOURCE], record, false, &source))
		return put_text(p, "-");
	name = event_name_of(&sample->sources, source);
	return name ? put_text(p, name) : put_hex(p, source);
}

char *sample_put_event(char *p, const struct sample_event *sample, const struct tep_record *record)
{
	uint64_t kind = event_read(&sample->fields[SAMPLE_EVENT].field, record);
	const char *name = event_name_of(&sample->events, kind);

	return name ? put_text(p, name) : put_hex(p, kind);
}

char *sample_put_names(char *p, const struct event_names *names, uint64_t bits)
{
	if (!bits)
		return put_text(p, "-");
	for (size_t i = 0; i < names->nr && bits; i++) {
		uint64_t named = names->list[i].value;

		if (!named || (bits & named) != named)
			continue;
		p = put_text(p, names->list[i].name);
		bits &= ~named;
		if (bits)
			*p++ = ',';
	}
	return bits ? put_hex(p, bits) : p;
}
