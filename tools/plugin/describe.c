// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "number.h"
#include "taint.h"
#include "describe.h"

/* The times in the order in which they are written. */
static const struct {
	enum sample_known field;
	const char *name;
} times[] = {
	{ SAMPLE_WAKE_LATENCY, "wake_latency" },
	{ SAMPLE_INTR_LATENCY, "intr_latency" },
	{ SAMPLE_SILENT_TIME, "silent_time" },
	{ SAMPLE_LDIST, "ldist" },
};

#define NR_TIMES (sizeof(times) / sizeof(times[0]))

struct line {
	char *at;
	const char *separator;	/* is written before the next item */
};

static void add_text(struct line *line, const char *text)
{
	size_t len = strlen(text);

	memcpy(line->at, text, len);
	line->at += len;
}

static void put_name(struct line *line, const char *name)
{
	add_text(line, line->separator);
	add_text(line, name);
	*line->at++ = ' ';
	line->separator = ", ";
}

static void put_us(struct line *line, int64_t ns)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	unsigned int rest = size % 1000;

	if (ns < 0)
		*line->at++ = '-';
	line->at = put_u64(line->at, size / 1000);
	*line->at++ = '.';
	*line->at++ = '0' + rest / 100;
	*line->at++ = '0' + rest / 10 % 10;
	*line->at++ = '0' + rest % 10;
	add_text(line, " us");
}

static void put_state(struct line *line, const struct states *states, uint64_t state)
{
	const char *name = states_name(states, state);

	if (name) {
		*line->at++ = ' ';
		add_text(line, name);
	} else {
		add_text(line, " state ");
		line->at = put_u64(line->at, state);
	}
}

static void put_times(struct line *line, const struct sample_event *sample,
		      const struct tep_record *record, bool irqs_on)
{
	for (size_t i = 0; i < NR_TIMES; i++) {
		const struct sample_field *field = &sample->fields[times[i].field];
		uint64_t ns;

		if (!event_has(&field->field))
			continue;
		put_name(line, times[i].name);
		if (sample_value(field, record, irqs_on, &ns))
			put_us(line, ns);
		else
			*line->at++ = '-';
	}
}

static void put_origin(struct line *line, const struct sample_event *sample,
		       const struct tep_record *record)
{
	static const enum sample_known numbers[] = { SAMPLE_RUN, SAMPLE_SEQ };
	uint64_t value;

	line->separator = " (";
	if (sample_has_source(sample)) {
		put_name(line, "source");
		line->at = sample_put_source(line->at, sample, record);
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const struct sample_field *field = &sample->fields[numbers[i]];

		if (!sample_value(field, record, false, &value))
			continue;
		put_name(line, field->name);
		line->at = put_u64(line->at, value);
	}
	if (*line->separator == ',')
		*line->at++ = ')';
}

size_t describe_size(const struct sample_event *sample)
{
	static const size_t words = 256;

	return words + (NR_TIMES + 4) * (NUMBER_DIGITS + 1) + sample_names_size(sample);
}

size_t describe(char *text, const struct sample_event *sample, const struct states *states,
		const struct tep_record *record)
{
	bool irqs_on = sample_irqs_on(sample, record);
	struct line line = { .at = text, .separator = ": " };
	uint64_t value;

	add_text(&line, "CPU ");
	line.at = put_u64(line.at, record->cpu);
	if (sample_value(&sample->fields[SAMPLE_STATE], record, false, &value))
		put_state(&line, states, value);
	put_times(&line, sample, record, irqs_on);
	if (irqs_on) {
		add_text(&line, line.separator);
		add_text(&line, "interrupts on");
	}
	put_origin(&line, sample, record);
	if (sample_value(&sample->fields[SAMPLE_TAINT], record, false, &value) && value) {
		add_text(&line, ", TAINTED: ");
		line.at = sample_put_names(line.at, &sample->taints, value);
	}
	*line.at = '\0';
	return line.at - text;
}

void describe_computed(char *text, const struct computed *computed, const struct states *states)
{
	struct line line = { .at = text, .separator = ": " };

	add_text(&line, "sample");
	put_state(&line, states, computed->state);
	put_name(&line, "wake_latency");
	if (computed->has_wake)
		put_us(&line, computed->wake_latency);
	else
		*line.at++ = '-';
	put_name(&line, "intr_latency");
	put_us(&line, computed->intr_latency);
	put_name(&line, "silent_time");
	put_us(&line, computed->silent_time);
	if (computed->taint) {
		add_text(&line, ", TAINTED: ");
		line.at = put_taint(line.at, computed->taint);
	}
	*line.at = '\0';
}
