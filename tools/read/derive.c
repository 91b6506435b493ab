// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "derive.h"
#include "message.h"
#include "taint.h"

/* The added times: each is FROM plus DISTANCE. */
static const struct {
	enum sample_known time, cycles, from, distance;
} added[] = {
	{ SAMPLE_LTIME, NR_SAMPLE_KNOWN, SAMPLE_TBI, SAMPLE_SILENT_TIME },
	{ SAMPLE_TAI, SAMPLE_TAI_CYC, SAMPLE_LTIME, SAMPLE_WAKE_LATENCY },
	{ SAMPLE_TINTR, SAMPLE_TINTR_CYC, SAMPLE_LTIME, SAMPLE_INTR_LATENCY },
};

#define NR_ADDED (sizeof(added) / sizeof(added[0]))

static struct sample_field *add_field(struct sample_event *sample, struct sample_field *field)
{
	field->field = (struct event_field) { .offset = sample->size, .size = 8 };
	field->may_be_absent = true;
	field->absent = UINT64_MAX;
	sample->size += 8;
	return field;
}

static bool has(const struct sample_event *sample, enum sample_known which)
{
	return sample->fields[which].may_be_absent;
}

bool derive_find(struct derive *derive, struct sample_event *sample, int64_t clock_khz, int64_t max_uncertainty_ns)
{
	struct sample_field *last;

	if (event_has(&sample->fields[SAMPLE_LTIME].field) || !has(sample, SAMPLE_TBI) || !has(sample, SAMPLE_SILENT_TIME) ||
	    !has(sample, SAMPLE_WAKE_LATENCY) || !has(sample, SAMPLE_INTR_LATENCY))
		return false;
	*derive = (struct derive) {
		.clock_khz = clock_khz > 0 ? clock_khz : 0,
		.max_uncertainty_ns = max_uncertainty_ns >= 0 ? max_uncertainty_ns : DERIVE_MAX_UNCERTAINTY_NS,
		.uncertain = TAINT_UNCERTAIN,
		.recorded = sample->size,
	};
	sample->fields = xrealloc(sample->fields, sample->nr_fields + 1, sizeof(*sample->fields));
	last = &sample->fields[sample->nr_fields++];
	*last = (struct sample_field) { .name = "ltime_cyc" };
	add_field(sample, last);
	add_field(sample, &sample->fields[SAMPLE_TBI_CYC]);
	for (size_t i = 0; i < NR_ADDED; i++) {
		add_field(sample, &sample->fields[added[i].time]);
		if (added[i].cycles != NR_SAMPLE_KNOWN)
			add_field(sample, &sample->fields[added[i].cycles]);
	}
	/* xrealloc() may have moved the array that this points into. */
	if (sample->absent_if_irqs_on)
		sample->absent_if_irqs_on = sample_find(sample, "entered");
	derive->uncertainty = sample_find(sample, "uncertainty");
	derive->record.data = xrealloc(NULL, sample->size, 1);
	return true;
}

/*
 * The kernel rounds down when it converts cycles to ns. So if the clock has 1 GHz or less, rounding up
 * here gives exactly the cycles of the stamp.
 */
static void put_cycles(struct derive *derive, const struct sample_field *field, bool known, uint64_t ns)
{
	uint64_t cycles = field->absent;

	if (known && derive->clock_khz)
		cycles = ((unsigned __int128)ns * derive->clock_khz + 999999) / 1000000;
	event_store(&field->field, derive->record.data, cycles);
}

static void put_uncertain(struct derive *derive, const struct sample_event *sample)
{
	const struct event_field *taint = &sample->fields[SAMPLE_TAINT].field;
	char *at = (char *)derive->record.data + taint->offset;
	uint64_t uncertainty;
	uint32_t bits;

	if (!derive->uncertainty || taint->size != 4 ||
	    !sample_value(derive->uncertainty, &derive->record, false, &uncertainty) ||
	    uncertainty <= (uint64_t)derive->max_uncertainty_ns)
		return;
	bits = event_load(at, 4, taint->swapped) | derive->uncertain;
	if (taint->swapped)
		bits = __builtin_bswap32(bits);
	memcpy(at, &bits, 4);
}

const struct tep_record *derive_sample(struct derive *derive, const struct sample_event *sample,
				       const struct tep_record *record)
{
	const struct sample_field *fields = sample->fields;
	void *data = derive->record.data;
	uint64_t value = 0;
	bool known;

	if (derive->recorded > record->size)
		event_too_short(record);
	memcpy(data, record->data, derive->recorded);
	derive->record = *record;
	derive->record.data = data;
	derive->record.size = sample->size;
	known = sample_value(&fields[SAMPLE_TBI], &derive->record, false, &value);
	put_cycles(derive, &fields[SAMPLE_TBI_CYC], known, value);
	for (size_t i = 0; i < NR_ADDED; i++) {
		const struct sample_field *time = &fields[added[i].time];
		const struct sample_field *cycles = &fields[sample->nr_fields - 1];
		uint64_t distance;

		known = sample_value(&fields[added[i].from], &derive->record, false, &value) &&
			sample_value(&fields[added[i].distance], &derive->record, false, &distance);
		value += known ? distance : 0;
		event_store(&time->field, data, known ? value : time->absent);
		if (added[i].cycles != NR_SAMPLE_KNOWN)
			cycles = &fields[added[i].cycles];
		put_cycles(derive, cycles, known, value);
	}
	put_uncertain(derive, sample);
	return &derive->record;
}
