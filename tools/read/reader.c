// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "message.h"
#include "reader.h"
#include "recording.h"

static void find_end_event(struct end_event *end, struct tep_handle *tep)
{
	struct tep_event *event = tep_find_event_by_name(tep, "wakelat", "wakelat_end");

	*end = (struct end_event) { .id = -1 };
	if (!event)
		return;
	end->run = event_find_field(event, "run");
	end->cpu = event_find_field(event, "cpu");
	end->samples = event_find_field(event, "samples");
	if (event_has(&end->run) && event_has(&end->cpu) && event_has(&end->samples))
		end->id = event->id;
}

/* Copy the names of the first input's columns, which belong to the library. die() if another input has other columns. */
static void check_columns(struct reader *reader)
{
	const struct sample_table *table = &reader->table;
	bool first = !reader->names, differ = !first && reader->nr_names != table->nr;

	if (first) {
		reader->names = xrealloc(NULL, table->nr, sizeof(*reader->names));
		for (; reader->nr_names < table->nr; reader->nr_names++)
			reader->names[reader->nr_names] = xstrdup(table->columns[reader->nr_names].name);
	}
	for (size_t i = 0; i < table->nr && !differ; i++)
		differ = strcmp(reader->names[i], table->columns[i].name);
	if (differ)
		die("%s: its samples have other columns than those of %s: make a directory of each", reader->inputs[reader->at],
		    reader->inputs[0]);
}

/* Open the input at reader->at. */
static void open_input(struct reader *reader)
{
	const char *input = reader->inputs[reader->at], *slash = strrchr(input, '/');

	recording_reads(reader->at);
	reader->trace_name = slash ? slash + 1 : input;
	trace_open(&reader->trace, input);
	sample_table_make(&reader->table, reader->trace.tep, input, &reader->runs, reader->trace_name, reader->runs.differ);
	find_end_event(&reader->end, reader->trace.tep);
	check_columns(reader);
	reader->open = true;
	reader->any = false;
}

void reader_open(struct reader *reader, const char *run_tsv, bool whole, const char *const *inputs, size_t nr)
{
	*reader = (struct reader) { .inputs = inputs, .nr = nr };
	runs_read(&reader->runs, run_tsv);
	reader->runs.differ &= whole;
	/* recording_reads() needs the index among all inputs. */
	if (!reader->runs.differ)
		reader->at = nr - 1;
	open_input(reader);
}

/* Set reader->lost to a phrase that names all losses. */
static void find_losses(struct reader *reader)
{
	char *lost = trace_losses(&reader->trace), *missing = NULL;

	/* Without wakelat_end, the number of emitted samples is not known, so compare nothing. */
	if (reader->end.id >= 0)
		missing = tally_complaint(&reader->tally);
	reader->lost = lost && missing ? xprintf("%s; %s", lost, missing) : lost ? lost : missing;
}

static void close_input(struct reader *reader)
{
	if (!reader->any)
		die("%s: no wakelat sample in this recording", reader->inputs[reader->at]);
	/* A run of several inputs may be interrupted and recorded again. Only run.tsv tells what must be there. */
	if (!reader->runs.differ)
		find_losses(reader);
	trace_close(&reader->trace);
	reader->open = false;
	reader->at++;
}

/* Return the numbers of events of a sweep's run on a CPU. */
static struct sweep *sweep_of(struct reader *reader, uint64_t run, uint64_t cpu)
{
	for (size_t i = 0; i < reader->nr_sweeps; i++)
		if (reader->sweeps[i].run == run && reader->sweeps[i].cpu == cpu)
			return &reader->sweeps[i];
	reader->sweeps = xrealloc(reader->sweeps, reader->nr_sweeps + 1, sizeof(*reader->sweeps));
	reader->sweeps[reader->nr_sweeps] = (struct sweep) { .run = run, .cpu = cpu };
	return &reader->sweeps[reader->nr_sweeps++];
}

/* Give the current row the numbers and the taints of run.tsv. Return false if run.tsv does not have its run. */
static bool renumber(struct reader *reader, uint64_t number)
{
	static const char *const taints[] = { NULL, "warmup", "clock", "warmup,clock" };
	struct sample_table *table = &reader->table;
	const struct run *run = runs_find(&reader->runs, reader->trace_name, number);
	struct sweep *sweep;

	if (!run)
		return false;
	table->run = run->number;
	table->taint = taints[run->warmup + 2 * run->clock];
	sample_value(&table->sample.fields[SAMPLE_SEQ], table->record, false, &table->seq);
	if (!run->is_sweep)
		return true;
	sweep = sweep_of(reader, run->number, table->record->cpu);
	if (sweep->step != number) {
		sweep->before = sweep->last;
		sweep->step = number;
	}
	table->seq = sweep->last = sweep->before + table->seq;
	return true;
}

/* Take a sample. Return false if it is left out. */
static bool take_sample(struct reader *reader, const struct tep_record *record)
{
	struct sample_table *table = &reader->table;
	const struct event_field *field = &table->sample.fields[SAMPLE_RUN].field;
	uint64_t run = event_has(field) ? event_read(field, record) : 0;

	reader->any = true;
	sample_table_take(table, record);
	if (!reader->runs.differ)
		table->run = run;
	else if (!renumber(reader, run))
		return false;
	tally_sample(&reader->tally, table->run, record->cpu);
	return true;
}

static bool next_of_input(struct reader *reader)
{
	const struct end_event *end = &reader->end;
	struct tep_record *record;

	while ((record = trace_next(&reader->trace))) {
		int id = trace_event_id(&reader->trace, record);

		if (id == reader->table.sample.id) {
			if (take_sample(reader, record))
				return true;
		} else if (id >= 0 && id == end->id) {
			if (!reader->runs.differ)
				tally_end(&reader->tally, event_read(&end->run, record), event_read(&end->cpu, record),
					  event_read(&end->samples, record));
		} else {
			parts_keep(&reader->table.parts, id, record);
		}
	}
	return false;
}

bool reader_next(struct reader *reader)
{
	while (reader->at < reader->nr) {
		if (!reader->open)
			open_input(reader);
		if (next_of_input(reader))
			return true;
		close_input(reader);
	}
	return false;
}
