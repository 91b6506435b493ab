/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Join samples with their parts. A part is any event of system wakelat that has the fields run and seq and is not a sample
 * (or wakelat_end). It belongs to the sample that follows it with the same CPU, run and seq. Only the last part of each
 * kind is kept for each CPU.
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
	struct sample_field *fields;	/* its integers without run and seq */
	size_t nr_fields;
	int size;			/* of a record up to the end of its last integer, in bytes */
};

struct part_record;

struct parts {
	struct part *list;
	size_t nr;
	struct part_record *last;	/* NR elements for each CPU */
	int nr_cpus;
	/* NR elements, which parts_join() sets: the sample's part of each kind, or NULL. */
	const struct tep_record **joined;
};

/* Find the kinds of parts in the recording. There are none if SAMPLE has no run or no seq. */
void parts_find(struct parts *parts, struct tep_handle *tep, const struct sample_event *sample);

/* Return the index of the part NAME; parts->nr if there is none. */
size_t parts_named(const struct parts *parts, const char *name);

/* Keep a copy of RECORD, an event with this ID, if it is a part. */
void parts_keep(struct parts *parts, int id, const struct tep_record *record);

void parts_join(struct parts *parts, const struct sample_event *sample, const struct tep_record *record);

#endif
