/* SPDX-License-Identifier: GPL-2.0 */
/* All events of a trace.dat, of every CPU and every buffer instance, in order of time. */
#ifndef WAKELAT_TRACE_H
#define WAKELAT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <traceevent/event-parse.h>

struct tracecmd_input;

struct trace_stream {
	struct tracecmd_input *handle;
	int cpu;
	struct tep_record *next;
};

struct trace {
	struct tep_handle *tep;
	struct trace_stream *streams;	/* only those with an event left */
	size_t nr_streams;
	struct tep_record *current;	/* what trace_next() returned last */
	struct tracecmd_input *input, *instance;	/* of trace_open_buffer() */
	struct tracecmd_input *buffer;	/* and which buffer instance it is from */
	uint64_t lost;			/* events, as far as the recording can say */
	bool lost_more;			/* and an unknown number besides */
	int lost_cpu;			/* the first CPU that lost some */
};

/* die() if NAME cannot be read as a trace.dat. */
void trace_open(struct trace *trace, const char *name);

/* The same of one buffer: an instance, or NULL, the top one. Nothing to read if it has no such. */
void trace_open_buffer(struct trace *trace, const char *name, const char *buffer);

/* What trace_open_buffer() has opened. */
void trace_close(struct trace *trace);

/* The next record, valid until the next call; NULL at the end. Equal times: lower CPU first. */
struct tep_record *trace_next(struct trace *trace);

/* NULL when nothing was lost so far, else how much, as the middle of a sentence; to be freed. */
char *trace_losses(const struct trace *trace);

#endif
