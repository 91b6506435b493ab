// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trace-cmd/trace-cmd.h>

#include "drop.h"
#include "message.h"
#include "trace.h"
#include "unpack.h"

/* missed_events is a count, or -1 if the kernel had no room to store the count. */
static void count_lost(struct trace *trace, const struct tep_record *record)
{
	if (!record->missed_events)
		return;
	if (!trace->lost && !trace->lost_more)
		trace->lost_cpu = record->cpu;
	if (record->missed_events > 0)
		trace->lost += record->missed_events;
	else
		trace->lost_more = true;
}

static void add_buffer(struct trace *trace, struct tracecmd_input *handle)
{
	int cpus = tep_get_cpus(trace->tep);

	for (int cpu = 0; cpu < cpus; cpu++) {
		struct tep_record *record = tracecmd_read_data(handle, cpu);
		struct trace_stream *stream;

		if (!record)
			continue;
		trace->streams = xrealloc(trace->streams, trace->nr_streams + 1,
					  sizeof(*trace->streams));
		stream = &trace->streams[trace->nr_streams++];
		stream->handle = handle;
		stream->cpu = cpu;
		stream->next = record;
	}
}

static struct tracecmd_input *open_input(struct trace *trace, const char *name)
{
	struct tracecmd_input *handle;
	int fd = LIBRARY_KEEPS_CHUNKS ? unpack(name) : -1;

	tracecmd_set_loglevel(TEP_LOG_NONE);
	tep_set_loglevel(TEP_LOG_NONE);

	/* Load no plugins: they only pretty-print, and a foreign plugin can run any code. */
	handle = fd < 0 ? tracecmd_open(name, TRACECMD_FL_LOAD_NO_PLUGINS) : tracecmd_open_fd(fd, TRACECMD_FL_LOAD_NO_PLUGINS);
	if (!handle)
		die("%s: not a complete trace.dat: truncated, or damaged", name);
	*trace = (struct trace) { .tep = tracecmd_get_tep(handle), .input = handle };
	trace->type = event_find_type(trace->tep);
	return handle;
}

static struct tracecmd_input *open_instance(struct trace *trace, int i, const char *name)
{
	struct tracecmd_input *instance = tracecmd_buffer_instance_handle(trace->input, i);

	if (!instance)
		die("%s: buffer instance %s: truncated, or damaged", name,
		    tracecmd_buffer_instance_name(trace->input, i));
	trace->instances = xrealloc(trace->instances, trace->nr_instances + 1, sizeof(*trace->instances));
	trace->instances[trace->nr_instances++] = instance;
	return instance;
}

void trace_open(struct trace *trace, const char *name)
{
	struct tracecmd_input *handle = open_input(trace, name);

	add_buffer(trace, handle);
	for (int i = 0; i < tracecmd_buffer_instances(handle); i++)
		add_buffer(trace, open_instance(trace, i, name));
}

void trace_open_buffer(struct trace *trace, const char *name, const char *buffer)
{
	struct tracecmd_input *handle = open_input(trace, name);

	if (!buffer)
		add_buffer(trace, handle);
	for (int i = 0; buffer && i < tracecmd_buffer_instances(handle) && !trace->nr_instances; i++)
		if (!strcmp(tracecmd_buffer_instance_name(handle, i), buffer))
			add_buffer(trace, open_instance(trace, i, name));
}

void trace_close(struct trace *trace)
{
	tracecmd_free_record(trace->current);
	for (size_t i = 0; i < trace->nr_streams; i++)
		tracecmd_free_record(trace->streams[i].next);
	free(trace->streams);
	for (size_t i = 0; i < trace->nr_instances; i++)
		tracecmd_close(trace->instances[i]);
	free(trace->instances);
	tracecmd_close(trace->input);
	*trace = (struct trace) { 0 };
}

static bool earlier(const struct tep_record *a, const struct tep_record *b)
{
	return a->ts != b->ts ? a->ts < b->ts : a->cpu < b->cpu;
}

/*
 * Find the memory that ADDRESS is in. Pages may be dropped if they are of a file, and cannot be written: data that the library has
 * unpacked are in its heap.
 */
static void find_mapping(struct trace_stream *stream, uintptr_t address)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	uintptr_t start, end;
	unsigned long inode;
	char line[512], mode[5];

	stream->mapped = 0;
	stream->mapped_end = UINTPTR_MAX;
	stream->may_drop = false;
	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %lu", &start, &end, mode, &inode) == 4 &&
		    address >= start && address < end) {
			stream->mapped = start;
			stream->mapped_end = end;
			stream->may_drop = inode && !strcmp(mode, "r--p");
		}
	stream->dropped = stream->mapped;
	if (maps)
		fclose(maps);
}

/*
 * Drop the pages before the stream's next record. The library maps all data of a CPU, and reads them from the beginning to the end.
 * Each time, drop all pages from the mapping's beginning: the kernel maps pages around one that is read, also those that were dropped
 * before. Find the mapping each time, because the library may have unmapped its beginning.
 */
static void drop_read(struct trace_stream *stream)
{
	uintptr_t at = (uintptr_t)stream->next->data;

	if (at < stream->mapped || at >= stream->mapped_end || (stream->may_drop && at - stream->dropped >= DROP_BYTES))
		find_mapping(stream, at);
	if (stream->may_drop)
		stream->dropped = drop_pages(stream->dropped, at);
}

struct tep_record *trace_next(struct trace *trace)
{
	struct trace_stream *first;

	tracecmd_free_record(trace->current);
	trace->current = NULL;
	if (!trace->nr_streams)
		return NULL;

	first = &trace->streams[0];
	for (size_t i = 1; i < trace->nr_streams; i++)
		if (earlier(trace->streams[i].next, first->next))
			first = &trace->streams[i];

	trace->current = first->next;
	trace->buffer = first->handle;
	count_lost(trace, trace->current);
	first->next = tracecmd_read_data(first->handle, first->cpu);
	/* The order of streams does not matter, so the last stream may fill the gap. */
	if (first->next)
		drop_read(first);
	else
		*first = trace->streams[--trace->nr_streams];
	return trace->current;
}

/* The library's own function finds the field anew for each record. */
int trace_event_id(const struct trace *trace, struct tep_record *record)
{
	const struct event_field *type = &trace->type;

	if (!event_has(type) || type->offset + type->size > record->size)
		return tep_data_type(trace->tep, record);
	return event_load((const char *)record->data + type->offset, type->size, type->swapped);
}

char *trace_losses(const struct trace *trace)
{
	if (!trace->lost && !trace->lost_more)
		return NULL;
	return xprintf("%" PRIu64 "%s events were lost while recording (first on CPU %d)",
		       trace->lost, trace->lost_more ? " or more" : "", trace->lost_cpu);
}
