// SPDX-License-Identifier: GPL-2.0
/*
 * dump TRACE.DAT OUTPUT.TSV: the wakelat samples of a recording, one row each.
 *
 * Exit status: 0 all samples are there; 3 the output is written, but the recording
 * lost some, and a line on stderr says how many; 1 nothing is written.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "recording.h"
#include "sample.h"
#include "tally.h"
#include "trace.h"

struct end_event {
	int id;			/* -1: an old kernel, without */
	struct event_field run, cpu, samples;
};

struct job {
	const char *input;
	const char *output;
};

static char *put_text(char *p, const char *text)
{
	size_t len = strlen(text);

	memcpy(p, text, len);
	return p + len;
}

static void find_sample_event(struct sample_event *sample, struct tep_handle *tep,
			      const char *input)
{
	struct tep_event *event = tep_find_event_by_name(tep, "wakelat", "wakelat_sample");

	if (!event)
		die("%s: no wakelat events in this recording (was it made by 'wakelat record'?)",
		    input);
	sample_event_find(sample, event);
	if (!sample->nr_found)
		die("%s: its wakelat_sample event has none of the known fields", input);
}

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

static char *put_cell(char *p, const struct sample_event *sample, size_t column,
		      const struct tep_record *record, bool irqs_on)
{
	const struct sample_field *field = &sample->fields[column];
	uint64_t value;

	if (column == SAMPLE_CPU)
		return put_u64(p, record->cpu);
	if (!sample_value(field, record, irqs_on, &value)) {
		*p++ = '-';
		return p;
	}
	if (column == SAMPLE_SOURCE)
		return sample_put_source(p, sample, value);
	if (column == SAMPLE_TAINT)
		return sample_put_taint(p, sample, value);
	if (field->field.is_signed)
		return put_s64(p, value);
	return put_u64(p, value);
}

static void write_header(struct outfile *out, const struct sample_event *sample)
{
	size_t size = 0;
	char *p;

	for (size_t i = 0; i < sample->nr_fields; i++)
		size += strlen(sample->fields[i].name) + 1;
	p = outfile_reserve(out, size);

	for (size_t i = 0; i < sample->nr_fields; i++) {
		p = put_text(p, sample->fields[i].name);
		*p++ = i + 1 < sample->nr_fields ? '\t' : '\n';
	}
	outfile_commit(out, p);
}

static void write_row(struct outfile *out, const struct sample_event *sample, size_t row_size,
		      const struct tep_record *record)
{
	bool irqs_on = sample_irqs_on(sample, record);
	char *p = outfile_reserve(out, row_size);

	for (size_t i = 0; i < sample->nr_fields; i++) {
		p = put_cell(p, sample, i, record, irqs_on);
		*p++ = i + 1 < sample->nr_fields ? '\t' : '\n';
	}
	outfile_commit(out, p);
}

static void write_samples(struct outfile *out, struct trace *trace, struct tally *tally,
			  const char *input)
{
	struct sample_event sample;
	const struct event_field *run;
	struct end_event end;
	struct tep_record *record;
	size_t row_size;	/* no row is longer */

	find_sample_event(&sample, trace->tep, input);
	find_end_event(&end, trace->tep);
	run = &sample.fields[SAMPLE_RUN].field;
	row_size = sample.nr_fields * (NUMBER_DIGITS + 1) +
		   sample_names_size(&sample.sources) + sample_names_size(&sample.taints);
	write_header(out, &sample);
	while ((record = trace_next(trace))) {
		int id = tep_data_type(trace->tep, record);

		if (id == sample.id) {
			write_row(out, &sample, row_size, record);
			tally_sample(tally, event_has(run) ? event_read(run, record) : 0, record->cpu);
		} else if (id >= 0 && id == end.id) {
			tally_end(tally, event_read(&end.run, record), event_read(&end.cpu, record),
				  event_read(&end.samples, record));
		}
	}
	if (!tally->seen)
		die("%s: not one wakelat sample in this recording", input);
	/* Nothing to compare with: what is there must be taken as it is. */
	if (end.id < 0)
		tally->nr = 0;
}

/* One line for everything that is not there; NULL if nothing is missing. */
static char *losses(const struct trace *trace, const struct tally *tally)
{
	char *missing = tally_complaint(tally);
	char *lost = trace_losses(trace);

	if (lost && missing)
		return xprintf("%s; %s", lost, missing);
	return lost ? lost : missing;
}

static int dump(void *arg)
{
	static struct outfile out;
	const struct job *job = arg;
	struct tally tally = { 0 };
	struct trace trace;
	char *complaint;

	trace_open(&trace, job->input);
	outfile_begin(&out, job->output);
	write_samples(&out, &trace, &tally, job->input);
	outfile_close(&out);

	complaint = losses(&trace, &tally);
	if (!complaint)
		return 0;
	message("%s: %s; the other %" PRIu64 " samples are in %s", job->input, complaint,
		tally.seen, job->output);
	return STATUS_INCOMPLETE;
}

int main(int argc, char **argv)
{
	const char *outputs[2] = { 0 };
	struct job job;

	message_init("wakelat dump");
	if (argc != 3)
		die("usage: dump TRACE.DAT OUTPUT.TSV");
	job.input = argv[1];
	job.output = outputs[0] = argv[2];
	return recording_convert(job.input, outputs, dump, &job);
}
