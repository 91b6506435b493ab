// SPDX-License-Identifier: GPL-2.0
/*
 * dump [-c FACTS] [-n ROWS] TRACE.DAT OUTPUT.TSV: write the samples of a recording, one row each, with their parts.
 *
 *	-c FACTS	a file with lines of KEY TAB VALUE, from scripts/lib/analysis/correct-facts.awk. Samples with a
 *			part wakelat_clock are corrected by these facts (correct.h)
 *	-n ROWS		a file to write: a table with the number of samples of each run and CPU
 *
 * Exit status: 0 if all samples are there; 3 if the output is written, but the recording
 * lost samples (a line on stderr says how many); 1 if nothing is written.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "correct.h"
#include "derive.h"
#include "event.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "parts.h"
#include "recording.h"
#include "sample.h"
#include "tally.h"
#include "trace.h"

struct end_event {
	int id;			/* -1: an old kernel does not have the event */
	struct event_field run, cpu, samples;
};

enum cell {
	CELL_NUMBER, CELL_PART, CELL_COUNT, CELL_CPU, CELL_SOURCE, CELL_IRQS_ON, CELL_TAINT, CELL_UNKNOWN, CELL_EVENT,
	CELL_DMA, CELL_WAKE_GROSS, CELL_INTR_GROSS,
};

struct column {
	enum cell cell;
	const char *name;
	const struct sample_field *field;
	size_t part;
	uint64_t unknown;	/* of a CELL_COUNT: the bit in `unknown` for "not counted" */
};

struct table {
	struct sample_event sample;
	struct parts parts;
	struct correct correct;
	bool corrects;
	struct derive derive;
	bool derives;
	struct column *columns;
	size_t nr;
	size_t row_size;	/* the largest size of a row, in bytes */
};

struct job {
	const char *facts;
	const char *rows;
	const char *input;
	const char *output;
};

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

static struct column *add_column(struct table *table, enum cell cell, const char *name)
{
	struct column *added;

	table->columns = xrealloc(table->columns, table->nr + 1, sizeof(*table->columns));
	added = &table->columns[table->nr++];
	*added = (struct column) { .cell = cell, .name = name };
	return added;
}

static void add_sample_columns(struct table *table)
{
	static const enum cell cells[NR_SAMPLE_KNOWN] = {
		[SAMPLE_CPU] = CELL_CPU, [SAMPLE_SOURCE] = CELL_SOURCE, [SAMPLE_IRQS_ON] = CELL_IRQS_ON,
		[SAMPLE_TAINT] = CELL_TAINT, [SAMPLE_UNKNOWN] = CELL_UNKNOWN,
		[SAMPLE_EVENT] = CELL_EVENT,
	};
	const struct sample_event *sample = &table->sample;

	for (size_t i = 0; i < sample->nr_fields; i++) {
		enum cell cell = i < NR_SAMPLE_KNOWN ? cells[i] : CELL_NUMBER;

		if ((cell == CELL_UNKNOWN || cell == CELL_EVENT) && !event_has(&sample->fields[i].field))
			continue;
		if (cell == CELL_IRQS_ON && !sample->absent_if_irqs_on)
			cell = CELL_NUMBER;
		add_column(table, cell, sample->fields[i].name)->field = &sample->fields[i];
	}
}

static bool has_column(const struct table *table, const char *name)
{
	for (size_t i = 0; i < table->nr; i++)
		if (!strcmp(table->columns[i].name, name))
			return true;
	return !strcmp(name, "unknown");
}

/* Add a column for a value of PART. die() if the table has a column NAME already. */
static struct column *add_part_column(struct table *table, const struct part *part, enum cell cell, const char *name)
{
	struct column *added;

	if (has_column(table, name))
		die("event %s: the table has a column '%s' already", part->name, name);
	added = add_column(table, cell, name);
	added->part = part - table->parts.list;
	return added;
}

/*
 * Return the bit in `unknown` that says that NAME could not be counted; 0 if there is none. The
 * kernel records a count with such a bit only if the count is not 0.
 */
static uint64_t bit_of(const struct sample_event *sample, const char *name)
{
	if (!event_has(&sample->fields[SAMPLE_UNKNOWN].field))
		return 0;
	for (size_t i = 0; i < sample->unknowns.nr; i++)
		if (!strcmp(sample->unknowns.list[i].name, name))
			return sample->unknowns.list[i].value;
	return 0;
}

static void add_columns_of(struct table *table, const struct part *part)
{
	for (size_t i = 0; i < part->nr_fields; i++) {
		uint64_t bit = bit_of(&table->sample, part->fields[i].name);
		struct column *added = add_part_column(table, part, bit ? CELL_COUNT : CELL_PART, part->fields[i].name);

		added->field = &part->fields[i];
		added->unknown = bit;
	}
	if (!table->corrects || (size_t)(part - table->parts.list) != table->correct.clock)
		return;
	add_part_column(table, part, CELL_DMA, "dma");
	add_part_column(table, part, CELL_WAKE_GROSS, "wake_latency_gross");
	add_part_column(table, part, CELL_INTR_GROSS, "intr_latency_gross");
}

static void make_table(struct table *table, struct tep_handle *tep, const struct job *job)
{
	find_sample_event(&table->sample, tep, job->input);
	parts_find(&table->parts, tep, &table->sample);
	correct_read(&table->correct, job->facts);
	if (!sample_has_source(&table->sample))
		table->sample.source_name = table->correct.source;
	table->derives = derive_find(&table->derive, &table->sample, table->correct.clock_khz, table->correct.max_uncertainty_ns);
	table->corrects = correct_find(&table->correct, &table->sample, &table->parts);
	add_sample_columns(table);
	for (size_t i = 0; i < table->parts.nr; i++)
		add_columns_of(table, &table->parts.list[i]);
	table->row_size = table->nr * (NUMBER_DIGITS + 1) + sample_names_size(&table->sample);
}

static char *put_absent(char *p)
{
	*p++ = '-';
	return p;
}

static char *put_number(char *p, const struct sample_field *field, uint64_t value)
{
	return field->field.is_signed ? put_s64(p, value) : put_u64(p, value);
}

static char *put_count(char *p, const struct table *table, const struct column *column, const struct tep_record *record)
{
	uint64_t unknown = 0;

	sample_value(&table->sample.fields[SAMPLE_UNKNOWN], record, false, &unknown);
	if (unknown & column->unknown)
		return put_absent(p);
	*p++ = '0';
	return p;
}

static char *put_part(char *p, const struct table *table, const struct column *column, const struct tep_record *record)
{
	const struct tep_record *part = table->parts.joined[column->part];
	uint64_t value;

	if (!part)
		return column->cell == CELL_COUNT ? put_count(p, table, column, record) : put_absent(p);
	if (!sample_value(column->field, part, false, &value))
		return put_absent(p);
	return put_number(p, column->field, value);
}

static char *put_names(char *p, const struct column *column, const struct event_names *names,
		       const struct tep_record *record)
{
	uint64_t bits;

	if (!sample_value(column->field, record, false, &bits))
		return put_absent(p);
	return sample_put_names(p, names, bits);
}

static char *put_other(char *p, const struct table *table, const struct column *column,
		       const struct tep_record *record, bool irqs_on)
{
	const struct correct *correct = &table->correct;

	switch (column->cell) {
	case CELL_NUMBER:
		break;
	case CELL_PART:
	case CELL_COUNT:
		return put_part(p, table, column, record);
	case CELL_CPU:
		return put_u64(p, record->cpu);
	case CELL_SOURCE:
		return sample_put_source(p, &table->sample, record);
	case CELL_IRQS_ON:
		*p++ = '0' + irqs_on;
		return p;
	case CELL_TAINT:
		return put_names(p, column, &table->sample.taints, record);
	case CELL_UNKNOWN:
		return put_names(p, column, &table->sample.unknowns, record);
	case CELL_EVENT:
		return sample_put_event(p, &table->sample, record);
	case CELL_DMA:
		return correct->has_dma ? put_u64(p, correct->dma) : put_absent(p);
	case CELL_WAKE_GROSS:
		return correct->has_gross && !irqs_on ? put_s64(p, correct->gross) : put_absent(p);
	case CELL_INTR_GROSS:
		return correct->has_gross && irqs_on ? put_s64(p, correct->gross) : put_absent(p);
	}
	return p;
}

/* Inline for speed: nearly all cells are numbers of the sample. */
static inline char *put_cell(char *p, const struct table *table, const struct column *column,
			     const struct tep_record *record, bool irqs_on)
{
	uint64_t value;

	if (column->cell != CELL_NUMBER)
		return put_other(p, table, column, record, irqs_on);
	if (!sample_value(column->field, record, irqs_on, &value))
		return put_absent(p);
	return put_number(p, column->field, value);
}

static void write_header(struct outfile *out, const struct table *table)
{
	size_t size = 0;
	char *p;

	for (size_t i = 0; i < table->nr; i++)
		size += strlen(table->columns[i].name) + 1;
	p = outfile_reserve(out, size);

	for (size_t i = 0; i < table->nr; i++) {
		p = put_text(p, table->columns[i].name);
		*p++ = i + 1 < table->nr ? '\t' : '\n';
	}
	outfile_commit(out, p);
}

static void write_row(struct outfile *out, struct table *table, const struct tep_record *record)
{
	char *p = outfile_reserve(out, table->row_size);
	bool irqs_on;

	parts_join(&table->parts, &table->sample, record);
	if (table->derives)
		record = derive_sample(&table->derive, &table->sample, record);
	if (table->corrects)
		record = correct_sample(&table->correct, &table->sample, &table->parts, record);
	irqs_on = sample_irqs_on(&table->sample, record);
	for (const struct column *column = table->columns, *end = column + table->nr; column < end; column++) {
		p = put_cell(p, table, column, record, irqs_on);
		*p++ = column + 1 < end ? '\t' : '\n';
	}
	outfile_commit(out, p);
}

static void write_rows(const char *name, const struct tally *tally)
{
	FILE *out = outfile_stream(name);

	fputs("run\tcpu\tn\n", out);
	for (size_t i = 0; i < tally->nr; i++)
		if (tally->rows[i].seen)
			fprintf(out, "%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", tally->rows[i].run, tally->rows[i].cpu, tally->rows[i].seen);
	outfile_close_stream(out, name);
}

static void write_samples(struct outfile *out, struct trace *trace, struct tally *tally,
			  const struct job *job)
{
	static struct table table;
	const struct event_field *run;
	struct end_event end;
	struct tep_record *record;

	make_table(&table, trace->tep, job);
	find_end_event(&end, trace->tep);
	run = &table.sample.fields[SAMPLE_RUN].field;
	write_header(out, &table);
	while ((record = trace_next(trace))) {
		int id = tep_data_type(trace->tep, record);

		if (id == table.sample.id) {
			write_row(out, &table, record);
			tally_sample(tally, event_has(run) ? event_read(run, record) : 0, record->cpu);
		} else if (id >= 0 && id == end.id) {
			tally_end(tally, event_read(&end.run, record), event_read(&end.cpu, record),
				  event_read(&end.samples, record));
		} else {
			parts_keep(&table.parts, id, record);
		}
	}
	if (!tally->seen)
		die("%s: no wakelat sample in this recording", job->input);
	if (job->rows)
		write_rows(job->rows, tally);
	/* Without wakelat_end, the number of emitted samples is not known, so compare nothing. */
	if (end.id < 0)
		tally->nr = 0;
}

/* Return a phrase that names all losses; NULL if there are none. */
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
	write_samples(&out, &trace, &tally, job);
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
	struct job job = { 0 };
	int opt;

	message_init("wakelat dump");
	while ((opt = getopt(argc, argv, "+c:n:")) != -1) {
		if (opt != 'c' && opt != 'n')
			exit(1);
		*(opt == 'c' ? &job.facts : &job.rows) = optarg;
	}
	if (optind + 2 != argc)
		die("usage: dump [-c FACTS] [-n ROWS] TRACE.DAT OUTPUT.TSV");
	job.input = argv[optind];
	job.output = outputs[0] = argv[optind + 1];
	return recording_convert(job.input, outputs, dump, &job);
}
