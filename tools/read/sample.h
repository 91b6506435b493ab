/* SPDX-License-Identifier: GPL-2.0 */
/* Event wakelat:wakelat_sample: its fields, and which of their values mean something. */
#ifndef WAKELAT_SAMPLE_H
#define WAKELAT_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

/* In the order of the columns of samples.tsv. */
enum sample_known {
	SAMPLE_RUN, SAMPLE_CPU, SAMPLE_SOURCE, SAMPLE_STATE, SAMPLE_SEQ, SAMPLE_LDIST, SAMPLE_LTIME,
	SAMPLE_TBI, SAMPLE_TAI, SAMPLE_TINTR, SAMPLE_SILENT_TIME, SAMPLE_WAKE_LATENCY,
	SAMPLE_INTR_LATENCY, SAMPLE_IRQS_ON, SAMPLE_TAINT, SAMPLE_TBI_CYC, SAMPLE_TAI_CYC,
	SAMPLE_TINTR_CYC, SAMPLE_UNKNOWN, NR_SAMPLE_KNOWN
};

struct sample_field {
	const char *name;
	/*
	 * The handler ran inside the idle state, so this stamp is of no use. Events of
	 * older kernels have 0 there.
	 */
	bool void_if_irqs_on;
	/* What does not apply: all ones; a signed one, the most negative number. */
	bool may_be_absent;
	uint64_t absent;
	struct event_field field;
};

struct sample_event {
	int id;
	/* The known ones, those that the event lacks among them, then whatever else it has: counters, brackets. */
	struct sample_field *fields;
	size_t nr_fields;
	size_t nr_found;	/* of the known ones */
	int size;		/* no shorter record has them all */
	/* The name of the source, as newer kernels write it; or else it is a number. */
	struct event_text source;
	/* The name of the source where it is not in the sample; NULL: not known. */
	const char *source_name;
	/* Newer kernels have no field irqs_on: then this one is absent. NULL: there is none. */
	const struct sample_field *absent_if_irqs_on;
	struct event_names sources, taints, unknowns;
};

/* Is each known field that EVENT has what this can read, and is there one? */
bool sample_event_is_readable(struct tep_event *event);

/* die() if a known field is not an integer, but for the source, which may be text. */
void sample_event_find(struct sample_event *sample, struct tep_event *event);
void sample_event_free(struct sample_event *sample);

/* False if what RECORD has there means nothing, or the event has no such field. */
static inline bool sample_value(const struct sample_field *field, const struct tep_record *record,
				bool irqs_on, uint64_t *value)
{
	if (!event_has(&field->field) || (irqs_on && field->void_if_irqs_on))
		return false;
	*value = event_read(&field->field, record);
	return !field->may_be_absent || *value != field->absent;
}

static inline bool sample_irqs_on(const struct sample_event *sample, const struct tep_record *record)
{
	const struct event_field *field = &sample->fields[SAMPLE_IRQS_ON].field;

	if (event_has(field))
		return event_read(field, record);
	if (!sample->absent_if_irqs_on)
		return false;
	return event_read(&sample->absent_if_irqs_on->field, record) == sample->absent_if_irqs_on->absent;
}

static inline bool sample_has_source(const struct sample_event *sample)
{
	return sample->source_name || sample->source.size || event_has(&sample->fields[SAMPLE_SOURCE].field);
}

/* No cell with names, of whatever column, is longer than this. */
size_t sample_names_size(const struct sample_event *sample);

/* The field NAME, known or not; NULL: the event has none. */
const struct sample_field *sample_find(const struct sample_event *sample, const char *name);

/* The name of the source, "-": none; of all BITS, joined by commas, or "-". Returns the end; no NUL. */
char *sample_put_source(char *p, const struct sample_event *sample, const struct tep_record *record);
char *sample_put_names(char *p, const struct event_names *names, uint64_t bits);

#endif
