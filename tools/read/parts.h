/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parts of samples: any event of system wakelat that has the fields run and seq, and is not a sample. It is of the sample
 * of the same CPU, run and seq that comes after it. Of each CPU and kind only the last is kept.
 */
#ifndef WAKELAT_PARTS_H
#define WAKELAT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "sample.h"

struct part {
	int id;
	const char *name;
	struct event_field run, seq;
	struct sample_field *fields;	/* the other integers */
	size_t nr_fields;
	int size;			/* no shorter record has them all */
};

struct part_record;

struct parts {
	struct part *list;
	size_t nr;
	struct part_record *last;	/* NR of each CPU */
	int nr_cpus;
	/* Of the sample that parts_join() was last called for; NULL: it has no such part. */
	const struct tep_record **joined;
};

/* None if SAMPLE has no run or no seq. */
void parts_find(struct parts *parts, struct tep_handle *tep, const struct sample_event *sample);

/* The part of this name; parts->nr if there is none. */
size_t parts_named(const struct parts *parts, const char *name);

/* Keep RECORD, which is of event ID, if that is a part. */
void parts_keep(struct parts *parts, int id, const struct tep_record *record);

void parts_join(struct parts *parts, const struct sample_event *sample, const struct tep_record *record);

#endif
