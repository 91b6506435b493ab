// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "sample-table.h"

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

static struct column *add_column(struct sample_table *table, enum cell cell, const char *name)
{
	struct column *added;

	table->columns = xrealloc(table->columns, table->nr + 1, sizeof(*table->columns));
	added = &table->columns[table->nr++];
	*added = (struct column) { .cell = cell, .name = name };
	return added;
}

static void add_sample_columns(struct sample_table *table)
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
		if (table->renumbered && event_has(&sample->fields[i].field) && (i == SAMPLE_RUN || i == SAMPLE_SEQ))
			cell = i == SAMPLE_RUN ? CELL_RUN : CELL_SEQ;
		add_column(table, cell, sample->fields[i].name)->field = &sample->fields[i];
	}
}

static bool has_column(const struct sample_table *table, const char *name)
{
	for (size_t i = 0; i < table->nr; i++)
		if (!strcmp(table->columns[i].name, name))
			return true;
	return !strcmp(name, "unknown");
}

/* Add a column for a value of PART. die() if the table has a column NAME already. */
static struct column *add_part_column(struct sample_table *table, const struct part *part, enum cell cell, const char *name)
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

static void add_columns_of(struct sample_table *table, const struct part *part)
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

void sample_table_make(struct sample_table *table, struct tep_handle *tep, const char *input, struct runs *runs,
		       const char *trace, bool renumbered)
{
	*table = (struct sample_table) { .renumbered = renumbered };
	find_sample_event(&table->sample, tep, input);
	parts_find(&table->parts, tep, &table->sample);
	if (!sample_has_source(&table->sample))
		table->sample.source_name = runs->source;
	table->derives = derive_find(&table->derive, &table->sample, runs->clock_khz, runs->max_uncertainty_ns);
	table->corrects = correct_find(&table->correct, &table->sample, &table->parts, runs, trace);
	add_sample_columns(table);
	for (size_t i = 0; i < table->parts.nr; i++)
		add_columns_of(table, &table->parts.list[i]);
	table->row_size = table->nr * (NUMBER_DIGITS + 1) + sample_names_size(&table->sample) + sizeof(",warmup,clock");
}

void sample_table_take(struct sample_table *table, const struct tep_record *record)
{
	parts_join(&table->parts, &table->sample, record);
	if (table->derives)
		record = derive_sample(&table->derive, &table->sample, record);
	if (table->corrects)
		record = correct_sample(&table->correct, &table->sample, &table->parts, record);
	table->record = record;
	table->irqs_on = sample_irqs_on(&table->sample, record);
}

/* Read a count that has no part. It is 0 unless the sample says that it could not be counted. */
static bool count_of(const struct sample_table *table, const struct column *column, uint64_t *value)
{
	uint64_t unknown = 0;

	sample_value(&table->sample.fields[SAMPLE_UNKNOWN], table->record, false, &unknown);
	*value = 0;
	return !(unknown & column->unknown);
}

bool sample_table_other_number(const struct sample_table *table, const struct column *column, uint64_t *value)
{
	const struct correct *correct = &table->correct;
	const struct tep_record *part;

	switch (column->cell) {
	case CELL_PART:
	case CELL_COUNT:
		part = table->parts.joined[column->part];
		if (part)
			return sample_value(column->field, part, false, value);
		return column->cell == CELL_COUNT && count_of(table, column, value);
	case CELL_CPU:
		*value = table->record->cpu;
		return true;
	case CELL_IRQS_ON:
		*value = table->irqs_on;
		return true;
	case CELL_DMA:
		*value = correct->dma;
		return correct->has_dma;
	case CELL_WAKE_GROSS:
	case CELL_INTR_GROSS:
		*value = correct->gross;
		return correct->has_gross && table->irqs_on == (column->cell == CELL_INTR_GROSS);
	case CELL_RUN:
		*value = table->run;
		return true;
	case CELL_SEQ:
		*value = table->seq;
		return true;
	default:
		return false;
	}
}

static char *put_absent(char *p)
{
	*p++ = '-';
	return p;
}

static char *put_names(char *p, const struct sample_table *table, const struct column *column, const struct event_names *names)
{
	uint64_t bits;

	if (!sample_value(column->field, table->record, false, &bits))
		return put_absent(p);
	return sample_put_names(p, names, bits);
}

/* Write the taints of a sample, and those of its run. */
static char *put_taints(char *start, const struct sample_table *table, const struct column *column)
{
	char *p = put_names(start, table, column, &table->sample.taints);

	if (!table->taint)
		return p;
	if (p - start == 1 && *start == '-')
		p = start;
	else
		*p++ = ',';
	return put_text(p, table->taint);
}

/* Write a cell that is a number. */
static char *put_number(char *p, const struct sample_table *table, const struct column *column)
{
	uint64_t value;

	if (!sample_table_number(table, column, &value))
		return put_absent(p);
	return column_is_signed(column) ? put_s64(p, value) : put_u64(p, value);
}

char *sample_table_put(char *p, const struct sample_table *table, const struct column *column)
{
	if (column->cell == CELL_NUMBER)
		return put_number(p, table, column);
	switch (column->cell) {
	case CELL_SOURCE:
		return sample_put_source(p, &table->sample, table->record);
	case CELL_TAINT:
		return put_taints(p, table, column);
	case CELL_UNKNOWN:
		return put_names(p, table, column, &table->sample.unknowns);
	case CELL_EVENT:
		return sample_put_event(p, &table->sample, table->record);
	default:
		return put_number(p, table, column);
	}
}
