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
#include "taint.h"
#include "tally.h"
#include "trace.h"

enum kind { NUMBER, CPU, SOURCE, TAINT };

struct column {
	const char *name;
	enum kind kind;
	/*
	 * The handler ran inside the idle state, so this stamp is of no use. Events of
	 * older kernels have 0 there; a table must not.
	 */
	bool void_if_irqs_on;
	/* What does not apply: all ones; a signed one, the most negative number. */
	bool may_be_absent;
	uint64_t absent;
	struct event_field field;
};

static const struct column known_columns[] = {
	{ .name = "run" },
	{ .name = "cpu", .kind = CPU },
	{ .name = "source", .kind = SOURCE },
	{ .name = "state" },
	{ .name = "seq" },
	{ .name = "ldist" },
	{ .name = "ltime" },
	{ .name = "tbi" },
	{ .name = "tai", .void_if_irqs_on = true },
	{ .name = "tintr" },
	{ .name = "silent_time" },
	{ .name = "wake_latency", .void_if_irqs_on = true },
	{ .name = "intr_latency" },
	{ .name = "irqs_on" },
	{ .name = "taint", .kind = TAINT },
	{ .name = "tbi_cyc" },
	{ .name = "tai_cyc", .void_if_irqs_on = true },
	{ .name = "tintr_cyc" },
};

#define NR_KNOWN (sizeof(known_columns) / sizeof(known_columns[0]))

/* The known ones in this order, then whatever else the event has: counters, brackets. */
static struct column *columns;
static size_t nr_columns;

/* A kernel that knows others says so in the print format. */
static const struct event_name known_sources[] = {
	{ 1, "hrtimer" }, { 2, "tsc_deadline" }, { 3, "i210" },
};

static const struct event_name known_taints[] = { TAINT_NAMES };

struct sample_event {
	int id;
	struct event_field run, irqs_on;
	struct event_names sources, taints;
	size_t row_size;	/* no row is longer */
};

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

static char *put_hex(char *p, uint64_t v)
{
	return p + sprintf(p, "0x%" PRIx64, v);
}

static char *put_source(char *p, const struct event_names *names, uint64_t source)
{
	const char *name = event_name_of(names, source);

	return name ? put_text(p, name) : put_hex(p, source);
}

static char *put_taints(char *p, const struct event_names *names, uint64_t taint)
{
	if (!taint)
		return put_text(p, "-");
	for (size_t i = 0; i < names->nr && taint; i++) {
		uint64_t bits = names->list[i].value;

		if (!bits || (taint & bits) != bits)
			continue;
		p = put_text(p, names->list[i].name);
		taint &= ~bits;
		if (taint)
			*p++ = ',';
	}
	return taint ? put_hex(p, taint) : p;
}

static size_t longest(const struct event_names *names)
{
	size_t total = sizeof("0x0123456789abcdef");

	for (size_t i = 0; i < names->nr; i++)
		total += strlen(names->list[i].name) + 1;
	return total;
}

static bool is_known(const char *name)
{
	for (size_t i = 0; i < NR_KNOWN; i++)
		if (!strcmp(known_columns[i].name, name))
			return true;
	return false;
}

static void add_column(const struct column *column, struct tep_event *event)
{
	struct column *added;

	columns = xrealloc(columns, nr_columns + 1, sizeof(*columns));
	added = &columns[nr_columns++];
	*added = *column;
	added->field = event_find_field(event, column->name);
	added->may_be_absent = added->field.size == 8;
	added->absent = added->field.is_signed ? (uint64_t)INT64_MIN : UINT64_MAX;
}

/* Returns how many of the known fields the event has. */
static size_t find_columns(struct tep_event *event)
{
	size_t found = 0;

	for (size_t i = 0; i < NR_KNOWN; i++) {
		add_column(&known_columns[i], event);
		found += event_has(&columns[i].field);
	}
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		struct column other = { .name = f->name };

		if (is_known(f->name) || !event_is_integer(f))
			continue;
		add_column(&other, event);
	}
	return found;
}

static void find_sample_event(struct sample_event *sample, struct tep_handle *tep,
			      const char *input)
{
	struct tep_event *event = tep_find_event_by_name(tep, "wakelat", "wakelat_sample");

	if (!event)
		die("%s: no wakelat events in this recording (was it made by 'wakelat record'?)",
		    input);
	if (!find_columns(event))
		die("%s: its wakelat_sample event has none of the known fields", input);
	sample->id = event->id;
	sample->run = event_find_field(event, "run");
	sample->irqs_on = event_find_field(event, "irqs_on");
	sample->sources = event_find_names(event, "source", known_sources,
					   sizeof(known_sources) / sizeof(known_sources[0]));
	sample->taints = event_find_names(event, "taint", known_taints,
					  sizeof(known_taints) / sizeof(known_taints[0]));
	sample->row_size = nr_columns * (NUMBER_DIGITS + 1) +
			   longest(&sample->sources) + longest(&sample->taints);
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

static uint64_t read_or_zero(const struct event_field *field, const struct tep_record *record)
{
	return event_has(field) ? event_read(field, record) : 0;
}

static char *put_cell(char *p, const struct column *column, const struct sample_event *sample,
		      const struct tep_record *record, bool irqs_on)
{
	uint64_t value;

	/* The event has no CPU field: the ring buffer knows. */
	if (column->kind == CPU)
		return put_u64(p, record->cpu);
	if (!event_has(&column->field) || (irqs_on && column->void_if_irqs_on)) {
		*p++ = '-';
		return p;
	}
	value = event_read(&column->field, record);
	if (column->may_be_absent && value == column->absent) {
		*p++ = '-';
		return p;
	}
	if (column->kind == SOURCE)
		return put_source(p, &sample->sources, value);
	if (column->kind == TAINT)
		return put_taints(p, &sample->taints, value);
	if (column->field.is_signed)
		return put_s64(p, value);
	return put_u64(p, value);
}

static void write_header(struct outfile *out)
{
	size_t size = 0;
	char *p;

	for (size_t i = 0; i < nr_columns; i++)
		size += strlen(columns[i].name) + 1;
	p = outfile_reserve(out, size);

	for (size_t i = 0; i < nr_columns; i++) {
		p = put_text(p, columns[i].name);
		*p++ = i + 1 < nr_columns ? '\t' : '\n';
	}
	outfile_commit(out, p);
}

static void write_row(struct outfile *out, const struct sample_event *sample,
		      const struct tep_record *record)
{
	bool irqs_on = read_or_zero(&sample->irqs_on, record);
	char *p = outfile_reserve(out, sample->row_size);

	for (size_t i = 0; i < nr_columns; i++) {
		p = put_cell(p, &columns[i], sample, record, irqs_on);
		*p++ = i + 1 < nr_columns ? '\t' : '\n';
	}
	outfile_commit(out, p);
}

static void write_samples(struct outfile *out, struct trace *trace, struct tally *tally,
			  const char *input)
{
	struct sample_event sample;
	struct end_event end;
	struct tep_record *record;

	find_sample_event(&sample, trace->tep, input);
	find_end_event(&end, trace->tep);
	write_header(out);
	while ((record = trace_next(trace))) {
		int id = tep_data_type(trace->tep, record);

		if (id == sample.id) {
			write_row(out, &sample, record);
			tally_sample(tally, read_or_zero(&sample.run, record), record->cpu);
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
