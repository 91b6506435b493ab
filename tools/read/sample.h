/* SPDX-License-Identifier: GPL-2.0 */
/* Find the fields of event wakelat:wakelat_sample, and read those of their values that are valid. */
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
	SAMPLE_TINTR_CYC, SAMPLE_UNKNOWN, SAMPLE_EVENT, NR_SAMPLE_KNOWN
};

struct sample_field {
	const char *name;
	/*
	 * If the handler ran inside the idle state, the value is not valid. Events of
	 * older kernels have 0 there.
	 */
	bool void_if_irqs_on;
	/* The value that means absent: all ones, or the most negative number of a signed field. */
	bool may_be_absent;
	uint64_t absent;
	struct event_field field;
};

struct sample_event {
	int id;
	/* All known fields, also those that the event lacks, then the other fields of the event. */
	struct sample_field *fields;
	size_t nr_fields;
	size_t nr_found;	/* known fields that the event has */
	int size;		/* of a record up to the end of its last field, in bytes */
	/* The name of the source in the records of newer kernels. Older kernels record a number. */
	struct event_text source;
	/* The name of the source if samples do not have it; NULL: not known. */
	const char *source_name;
	/*
	 * Newer kernels have no field irqs_on. Interrupts were on if the value of this field is absent.
	 * NULL: the event has irqs_on, or no such field.
	 */
	const struct sample_field *absent_if_irqs_on;
	struct event_names sources, taints, unknowns, events;
};

/* True if EVENT has a known field, and this program can read each known field of EVENT. */
bool sample_event_is_readable(struct tep_event *event);

/*
 * Find the fields of EVENT. die() if a known field is not an integer. The source may be text, too.
 */
void sample_event_find(struct sample_event *sample, struct tep_event *event);
void sample_event_free(struct sample_event *sample);

/*
 * Read FIELD of RECORD. Return false if the event has no such field, or if the value is absent or
 * not valid.
 */
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

/* Return the maximum size of a row's cells that hold names (source, taint, unknown, event), in bytes. */
size_t sample_names_size(const struct sample_event *sample);

/* Return the field NAME, known or not; NULL if the event does not have it. */
const struct sample_field *sample_find(const struct sample_event *sample, const char *name);

/*
 * Write the name of the source or of the kind of event, or the names of all BITS joined by commas. Write "-" if there is none.
 * Return the end; write no NUL.
 */
char *sample_put_source(char *p, const struct sample_event *sample, const struct tep_record *record);
char *sample_put_event(char *p, const struct sample_event *sample, const struct tep_record *record);
char *sample_put_names(char *p, const struct event_names *names, uint64_t bits);

#endif
