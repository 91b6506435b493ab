// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "correct.h"
#include "message.h"

/* True for pc3_cyc, pc6_cyc, ... pc10_cyc. In PC2 the package is awake. */
static bool is_residency(const char *name)
{
	int end = 0, state;

	return sscanf(name, "pc%2d_cyc%n", &state, &end) == 1 && end && !name[end] && state >= 3;
}

static const struct sample_field *wide(const struct sample_field *field)
{
	return field && field->may_be_absent ? field : NULL;
}

static const struct sample_field *field_of(const struct part *part, const char *name)
{
	for (size_t i = 0; i < part->nr_fields; i++)
		if (!strcmp(part->fields[i].name, name))
			return &part->fields[i];
	return NULL;
}

bool correct_find(struct correct *correct, const struct sample_event *sample, const struct parts *parts, struct runs *runs,
		  const char *trace)
{
	*correct = (struct correct) { .runs = runs, .trace = trace };
	correct->clock = parts_named(parts, "wakelat_clock");
	if (correct->clock == parts->nr)
		return false;
	correct->ltime_gross = field_of(&parts->list[correct->clock], "ltime_gross");
	correct->tai_gross = field_of(&parts->list[correct->clock], "tai_gross");
	correct->ltime_cyc = wide(sample_find(sample, "ltime_cyc"));
	correct->uncertainty = wide(sample_find(sample, "uncertainty"));
	for (size_t i = 0; i < sample->taints.nr && !correct->uncertain; i++)
		if (!strcmp(sample->taints.list[i].name, "uncertain"))
			correct->uncertain = sample->taints.list[i].value;
	for (size_t p = 0; p < parts->nr; p++)
		for (size_t i = 0; i < parts->list[p].nr_fields; i++) {
			if (!is_residency(parts->list[p].fields[i].name))
				continue;
			correct->residencies = xrealloc(correct->residencies, correct->nr_residencies + 1,
							sizeof(*correct->residencies));
			correct->residencies[correct->nr_residencies].part = p;
			correct->residencies[correct->nr_residencies++].field = &parts->list[p].fields[i];
		}
	return true;
}

/* --- a sample */

enum slept { AWAKE, SLEPT, SLEPT_UNKNOWN };

/*
 * Return whether the package was in a state deeper than PC2. Without counters, the name of the
 * requested state decides.
 */
static enum slept package_slept(const struct correct *correct, const struct sample_event *sample,
				const struct parts *parts, const struct tep_record *record)
{
	const char *name = NULL;
	bool known = false;
	uint64_t value;

	for (size_t i = 0; i < correct->nr_residencies; i++) {
		const struct tep_record *part = parts->joined[correct->residencies[i].part];

		if (!part || !sample_value(correct->residencies[i].field, part, false, &value))
			continue;
		if (value)
			return SLEPT;
		known = true;
	}
	if (known)
		return AWAKE;
	if (sample_value(&sample->fields[SAMPLE_STATE], record, false, &value) && value < RUNS_STATES)
		name = correct->runs->states[value];
	if (!name || !strcmp(name, "-"))
		return SLEPT_UNKNOWN;
	/* In POLL, C1, C1E and C1_ACPI the package does not sleep. In C10 it does. */
	if (!strcmp(name, "POLL") || (!strncmp(name, "C1", 2) && (name[2] < '0' || name[2] > '9')))
		return AWAKE;
	return SLEPT;
}

/* Add MORE to FIELD of the copy, unless the value is absent. */
static void add(struct correct *correct, const struct sample_field *field, uint64_t more)
{
	uint64_t value;

	if (field && field->may_be_absent && sample_value(field, &correct->record, false, &value))
		event_store(&field->field, correct->record.data, value + more);
}

static void remove_value(struct correct *correct, const struct sample_field *field)
{
	uint64_t value;

	if (field && field->may_be_absent && sample_value(field, &correct->record, false, &value))
		event_store(&field->field, correct->record.data, field->absent);
}

/* Copy only the bytes that have fields, because the size in a damaged record may be wrong. */
static void copy(struct correct *correct, const struct sample_event *sample, const struct tep_record *record)
{
	void *data = correct->record.data;

	if (sample->size > record->size)
		event_too_short(record);
	if (!data)
		data = xrealloc(NULL, sample->size, 1);
	memcpy(data, record->data, sample->size);
	correct->record = *record;
	correct->record.data = data;
	correct->record.size = sample->size;
}

static void set_taint(struct correct *correct, const struct sample_event *sample)
{
	const struct event_field *field = &sample->fields[SAMPLE_TAINT].field;
	uint64_t taint;
	uint32_t narrow;

	if (!event_has(field) || field->size < 4)
		return;
	taint = event_read(field, &correct->record) | correct->uncertain;
	if (field->size == 8) {
		event_store(field, correct->record.data, taint);
		return;
	}
	narrow = field->swapped ? __builtin_bswap32(taint) : taint;
	memcpy((char *)correct->record.data + field->offset, &narrow, 4);
}

/* Add DMA_ERROR to the uncertainty, and set the taint if the sum is above the limit. */
static void less_certain(struct correct *correct, const struct sample_event *sample, int64_t dma_error)
{
	uint64_t value;

	add(correct, correct->uncertainty, dma_error);
	if (correct->runs->max_uncertainty_ns >= 0 && correct->uncertainty &&
	    sample_value(correct->uncertainty, &correct->record, false, &value) &&
	    value > (uint64_t)correct->runs->max_uncertainty_ns)
		set_taint(correct, sample);
}

static void shift_times(struct correct *correct, const struct sample_event *sample, int64_t ns)
{
	const struct sample_field *fields = sample->fields;

	add(correct, &fields[SAMPLE_LTIME], ns);
	add(correct, &fields[SAMPLE_SILENT_TIME], ns);
	add(correct, &fields[SAMPLE_WAKE_LATENCY], -(uint64_t)ns);
	add(correct, &fields[SAMPLE_INTR_LATENCY], -(uint64_t)ns);
	if (correct->runs->clock_khz > 0)
		add(correct, correct->ltime_cyc, (__int128)ns * correct->runs->clock_khz / 1000000);
	else
		remove_value(correct, correct->ltime_cyc);
}

/*
 * Remove the times of a sample whose part wakelat_clock was lost. Uncorrected times would look like
 * corrected ones.
 */
static void no_times(struct correct *correct, const struct sample_event *sample)
{
	static const enum sample_known times[] = {
		SAMPLE_LTIME, SAMPLE_SILENT_TIME, SAMPLE_WAKE_LATENCY, SAMPLE_INTR_LATENCY,
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		remove_value(correct, &sample->fields[times[i]]);
	remove_value(correct, correct->ltime_cyc);
}

static bool gross_of(struct correct *correct, const struct tep_record *part)
{
	uint64_t from, to;

	if (!correct->ltime_gross || !correct->tai_gross || !sample_value(correct->ltime_gross, part, false, &from) ||
	    !sample_value(correct->tai_gross, part, false, &to))
		return false;
	correct->gross = to - from;
	return true;
}

const struct tep_record *correct_sample(struct correct *correct, const struct sample_event *sample,
					const struct parts *parts, const struct tep_record *record)
{
	const struct tep_record *part = parts->joined[correct->clock];
	uint64_t run = event_read(&sample->fields[SAMPLE_RUN].field, record);
	const struct run *of = runs_find(correct->runs, correct->trace, run);
	int64_t shift = correct->runs->intr_offset_ns > 0 ? correct->runs->intr_offset_ns : 0;
	enum slept slept;

	correct->has_dma = correct->has_gross = false;
	if (!part) {
		if (!correct->seen || correct->run != run || (!shift && !(of && of->dma_ns > 0)))
			return record;
		copy(correct, sample, record);
		no_times(correct, sample);
		return &correct->record;
	}
	correct->seen = true;
	correct->run = run;
	correct->has_gross = gross_of(correct, part);
	slept = of && of->dma_ns > 0 ? package_slept(correct, sample, parts, record) : AWAKE;
	correct->has_dma = of && of->dma_ns >= 0 && slept != SLEPT_UNKNOWN;
	correct->dma = correct->has_dma && slept == AWAKE ? of->dma_ns : 0;
	if (!shift && !correct->dma)
		return record;
	copy(correct, sample, record);
	shift_times(correct, sample, shift + correct->dma);
	if (correct->dma)
		less_certain(correct, sample, of->dma_error_ns);
	return &correct->record;
}
