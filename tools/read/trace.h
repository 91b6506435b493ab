/* SPDX-License-Identifier: GPL-2.0 */
/* Read all events of a trace.dat, of every CPU and every buffer instance, in order of time. */
#ifndef WAKELAT_TRACE_H
#define WAKELAT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

struct tracecmd_input;

struct trace_stream {
	struct tracecmd_input *handle;
	int cpu;
	struct tep_record *next;
	/* The memory that holds NEXT's data. If MAY_DROP, its pages before DROPPED were dropped. */
	uintptr_t mapped, mapped_end, dropped;
	bool may_drop;
};

struct trace {
	struct tep_handle *tep;
	struct event_field type;	/* of an event's id; size 0: not known */
	struct trace_stream *streams;	/* only those with an event left */
	size_t nr_streams;
	struct tep_record *current;	/* the record that trace_next() returned last */
	struct tracecmd_input *input, **instances;
	size_t nr_instances;
	struct tracecmd_input *buffer;	/* the buffer instance of CURRENT */
	uint64_t lost;			/* known number of lost events */
	bool lost_more;			/* an unknown number was lost, too */
	int lost_cpu;			/* the first CPU that lost events */
};

/* Open all buffer instances of trace.dat NAME; die() if it cannot be read as a trace.dat. */
void trace_open(struct trace *trace, const char *name);

/*
 * Open one buffer instance; NULL: the top-level buffer. If there is no such instance, there are no
 * events.
 */
void trace_open_buffer(struct trace *trace, const char *name, const char *buffer);

void trace_close(struct trace *trace);

/*
 * Return the next record, valid until the next call; NULL at the end. If records have the same time,
 * the record of the lowest CPU comes first.
 */
struct tep_record *trace_next(struct trace *trace);

/* Return the id of a record's event. */
int trace_event_id(const struct trace *trace, struct tep_record *record);

/* Return NULL if nothing was lost so far, else how much, as a phrase. The caller frees it. */
char *trace_losses(const struct trace *trace);

#endif
