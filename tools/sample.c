// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "sample.h"
#include "taint.h"

static const struct sample_field known[NR_SAMPLE_KNOWN] = {
	[SAMPLE_RUN] = { .name = "run" },
	/* The event has none: the ring buffer knows. */
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
};

/* A kernel that knows others says so in the print format. */
static const struct event_name known_sources[] = {
	{ 1, "hrtimer" }, { 2, "tsc_deadline" }, { 3, "i210" },
};

static const struct event_name known_taints[] = { TAINT_NAMES };

static bool is_known(const char *name)
{
	for (size_t i = 0; i < NR_SAMPLE_KNOWN; i++)
		if (!strcmp(known[i].name, name))
			return true;
	return false;
}

static void add_field(struct sample_event *sample, const struct sample_field *field,
		      struct tep_event *event)
{
	struct sample_field *added;

	sample->fields = xrealloc(sample->fields, sample->nr_fields + 1, sizeof(*sample->fields));
	added = &sample->fields[sample->nr_fields++];
	*added = *field;
	added->field = event_find_field(event, field->name);
	added->may_be_absent = added->field.size == 8;
	added->absent = added->field.is_signed ? (uint64_t)INT64_MIN : UINT64_MAX;
	if (added->field.offset + added->field.size > sample->size)
		sample->size = added->field.offset + added->field.size;
}

bool sample_event_is_readable(struct tep_event *event)
{
	bool found = false;

	for (size_t i = 0; i < NR_SAMPLE_KNOWN; i++) {
		const struct tep_format_field *field = tep_find_field(event, known[i].name);

		if (field && !event_is_integer(field))
			return false;
		found |= field != NULL;
	}
	return found;
}

void sample_event_find(struct sample_event *sample, struct tep_event *event)
{
	*sample = (struct sample_event) { .id = event->id };
	for (size_t i = 0; i < NR_SAMPLE_KNOWN; i++) {
		add_field(sample, &known[i], event);
		sample->nr_found += event_has(&sample->fields[i].field);
	}
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		struct sample_field other = { .name = f->name };

		if (!is_known(f->name) && event_is_integer(f))
			add_field(sample, &other, event);
	}
	sample->sources = event_find_names(event, "source", known_sources,
					   sizeof(known_sources) / sizeof(known_sources[0]));
	sample->taints = event_find_names(event, "taint", known_taints,
					  sizeof(known_taints) / sizeof(known_taints[0]));
}

void sample_event_free(struct sample_event *sample)
{
	/* Names are few, and of the recording's whole life. */
	free(sample->fields);
	free(sample->sources.list);
	free(sample->taints.list);
	*sample = (struct sample_event) { 0 };
}

size_t sample_names_size(const struct event_names *names)
{
	size_t total = sizeof("0x0123456789abcdef");

	for (size_t i = 0; i < names->nr; i++)
		total += strlen(names->list[i].name) + 1;
	return total;
}

static char *put_text(char *p, const char *text)
{
	size_t len = strlen(text);

	memcpy(p, text, len);
	return p + len;
}

static char *put_hex(char *p, uint64_t v)
{
	return p + sprintf(p, "0x%" PRIx64, v);
}

char *sample_put_source(char *p, const struct sample_event *sample, uint64_t source)
{
	const char *name = event_name_of(&sample->sources, source);

	return name ? put_text(p, name) : put_hex(p, source);
}

char *sample_put_taint(char *p, const struct sample_event *sample, uint64_t taint)
{
	if (!taint)
		return put_text(p, "-");
	for (size_t i = 0; i < sample->taints.nr && taint; i++) {
		uint64_t bits = sample->taints.list[i].value;

		if (!bits || (taint & bits) != bits)
			continue;
		p = put_text(p, sample->taints.list[i].name);
		taint &= ~bits;
		if (taint)
			*p++ = ',';
	}
	return taint ? put_hex(p, taint) : p;
}
