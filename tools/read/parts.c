// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "message.h"
#include "parts.h"

struct part_record {
	bool is_there;
	uint64_t run, seq;
	struct tep_record record;
};

static void add_field(struct part *part, struct tep_event *event, const char *name)
{
	struct sample_field *added;

	part->fields = xrealloc(part->fields, part->nr_fields + 1, sizeof(*part->fields));
	added = &part->fields[part->nr_fields++];
	*added = (struct sample_field) { .name = name, .field = event_find_field(event, name) };
	added->may_be_absent = added->field.size == 8;
	added->absent = added->field.is_signed ? (uint64_t)INT64_MIN : UINT64_MAX;
}

static bool has_number(struct tep_event *event, const char *name)
{
	const struct tep_format_field *field = tep_find_field(event, name);

	return field && event_is_integer(field);
}

static void add_part(struct parts *parts, struct tep_event *event)
{
	struct part *part;

	parts->list = xrealloc(parts->list, parts->nr + 1, sizeof(*parts->list));
	part = &parts->list[parts->nr++];
	*part = (struct part) {
		.id = event->id, .name = event->name,
		.run = event_find_field(event, "run"), .seq = event_find_field(event, "seq"),
	};
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		if (!event_is_integer(f))
			continue;
		if (f->offset + f->size > part->size)
			part->size = f->offset + f->size;
		if (strcmp(f->name, "run") && strcmp(f->name, "seq"))
			add_field(part, event, f->name);
	}
}

void parts_find(struct parts *parts, struct tep_handle *tep, const struct sample_event *sample)
{
	struct tep_event **events = tep_list_events(tep, TEP_EVENT_SORT_NAME);

	*parts = (struct parts) { 0 };
	if (!event_has(&sample->fields[SAMPLE_RUN].field) || !event_has(&sample->fields[SAMPLE_SEQ].field))
		return;
	for (; events && *events; events++)
		if (!strcmp((*events)->system, "wakelat") && (*events)->id != sample->id &&
		    strcmp((*events)->name, "wakelat_end") &&
		    has_number(*events, "run") && has_number(*events, "seq"))
			add_part(parts, *events);
	if (parts->nr)
		parts->joined = xrealloc(NULL, parts->nr, sizeof(*parts->joined));
}

size_t parts_named(const struct parts *parts, const char *name)
{
	size_t i = 0;

	while (i < parts->nr && strcmp(parts->list[i].name, name))
		i++;
	return i;
}

static struct part_record *kept_of(struct parts *parts, int cpu)
{
	if (cpu >= parts->nr_cpus) {
		parts->last = xrealloc(parts->last, (cpu + 1) * parts->nr, sizeof(*parts->last));
		memset(parts->last + parts->nr_cpus * parts->nr, 0,
		       (cpu + 1 - parts->nr_cpus) * parts->nr * sizeof(*parts->last));
		parts->nr_cpus = cpu + 1;
	}
	return parts->last + cpu * parts->nr;
}

void parts_keep(struct parts *parts, int id, const struct tep_record *record)
{
	struct part_record *kept;
	const struct part *part;
	size_t i = 0;

	while (i < parts->nr && parts->list[i].id != id)
		i++;
	if (i == parts->nr)
		return;
	part = &parts->list[i];
	kept = &kept_of(parts, record->cpu)[i];
	kept->run = event_read(&part->run, record);
	kept->seq = event_read(&part->seq, record);
	if (part->size > record->size)
		event_too_short(record);
	if (!kept->is_there) {
		kept->is_there = true;
		kept->record.data = xrealloc(NULL, part->size, 1);
		kept->record.size = part->size;
		kept->record.cpu = record->cpu;
	}
	memcpy(kept->record.data, record->data, part->size);
}

void parts_join(struct parts *parts, const struct sample_event *sample, const struct tep_record *record)
{
	const struct part_record *kept;
	uint64_t run, seq;

	if (!parts->nr)
		return;
	run = event_read(&sample->fields[SAMPLE_RUN].field, record);
	seq = event_read(&sample->fields[SAMPLE_SEQ].field, record);
	kept = record->cpu < parts->nr_cpus ? parts->last + record->cpu * parts->nr : NULL;
	for (size_t i = 0; i < parts->nr; i++)
		parts->joined[i] = kept && kept[i].is_there && kept[i].run == run && kept[i].seq == seq ?
				   &kept[i].record : NULL;
}
