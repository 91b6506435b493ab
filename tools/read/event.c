// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "message.h"

bool event_is_integer(const struct tep_format_field *field)
{
	const unsigned long not_a_number = TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_STRING |
					   TEP_FIELD_IS_DYNAMIC;

	/* Events are much smaller than 1 MiB. A larger offset is wrong. */
	return !(field->flags & not_a_number) && field->offset >= 0 && field->offset < 1 << 20 &&
	       (field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8);
}

static struct event_field field_from(const struct tep_event *event, const struct tep_format_field *field)
{
	return (struct event_field) {
		.offset = field->offset,
		.size = field->size,
		.is_signed = field->flags & TEP_FIELD_IS_SIGNED,
		.swapped = tep_is_file_bigendian(event->tep) != tep_is_local_bigendian(event->tep),
	};
}

struct event_field event_find_field(struct tep_event *event, const char *name)
{
	struct tep_format_field *field = tep_find_field(event, name);

	if (!field)
		return (struct event_field) { 0 };
	if (!event_is_integer(field))
		die("event %s: field %s is not an integer", event->name, name);
	return field_from(event, field);
}

struct event_field event_find_type(struct tep_handle *tep)
{
	struct tep_event *event = tep_get_first_event(tep);
	struct tep_format_field *field = event ? tep_find_common_field(event, "common_type") : NULL;

	return field && event_is_integer(field) ? field_from(event, field) : (struct event_field) { 0 };
}

struct event_text event_find_text(struct tep_event *event, const char *name)
{
	const struct tep_format_field *field = tep_find_field(event, name);
	struct event_text found = { 0 };

	if (!field || !(field->flags & TEP_FIELD_IS_ARRAY) || field->flags & TEP_FIELD_IS_DYNAMIC ||
	    field->elementsize != 1 || field->size < 1 || field->size > 64 || field->offset < 0 ||
	    field->offset >= 1 << 20)
		return found;
	found.offset = field->offset;
	found.size = field->size;
	return found;
}

char *event_put_text(char *p, const struct event_text *text, const struct tep_record *record)
{
	const char *from = (const char *)record->data + text->offset;
	const char *begin = p;

	if (text->offset + text->size > record->size)
		event_too_short(record);
	for (int i = 0; i < text->size && from[i]; i++)
		*p++ = from[i] > ' ' && from[i] < 0x7f ? from[i] : '?';
	if (p == begin)
		*p++ = '-';
	return p;
}

void event_too_short(const struct tep_record *record)
{
	die("damaged recording: an event of CPU %d is shorter than its format says", record->cpu);
}

static bool is_field(const struct tep_print_arg *arg, const char *name)
{
	while (arg && arg->type == TEP_PRINT_TYPE)
		arg = arg->typecast.item;
	return arg && arg->type == TEP_PRINT_FIELD && !strcmp(arg->field.name, name);
}

static const struct tep_print_flag_sym *symbols_of(struct tep_event *event, const char *name)
{
	for (const struct tep_print_arg *arg = event->print_fmt.args; arg; arg = arg->next) {
		if (arg->type == TEP_PRINT_FLAGS && is_field(arg->flags.field, name))
			return arg->flags.flags;
		if (arg->type == TEP_PRINT_SYMBOL && is_field(arg->symbol.field, name))
			return arg->symbol.symbols;
	}
	return NULL;
}

static void add_name(struct event_names *names, uint64_t value, const char *name)
{
	names->list = xrealloc(names->list, names->nr + 1, sizeof(*names->list));
	names->list[names->nr].value = value;
	names->list[names->nr++].name = name;
}

/* True if NAME can be a cell of a table, or an item of a comma-separated list in a cell. */
static bool is_usable_name(const char *name)
{
	return *name && !strpbrk(name, "\t\n\r ,") && strcmp(name, "-");
}

struct event_names event_find_names(struct tep_event *event, const char *name,
				    const struct event_name *fallback, size_t nr_fallback)
{
	const struct tep_print_flag_sym *symbol = symbols_of(event, name);
	struct event_names names = { 0 };

	for (; symbol; symbol = symbol->next) {
		char *end;
		uint64_t value = strtoull(symbol->value, &end, 0);

		if (end != symbol->value && is_usable_name(symbol->str))
			add_name(&names, value, xstrdup(symbol->str));
	}
	/* event_name_of() takes the first match, so FALLBACK only fills gaps. */
	for (size_t i = 0; i < nr_fallback; i++)
		add_name(&names, fallback[i].value, fallback[i].name);
	return names;
}

const char *event_name_of(const struct event_names *names, uint64_t value)
{
	for (size_t i = 0; i < names->nr; i++)
		if (names->list[i].value == value)
			return names->list[i].name;
	return NULL;
}
