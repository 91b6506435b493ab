/* SPDX-License-Identifier: GPL-2.0 */
/* Read numbers and names of a trace event. Fields are found by name in the event's format. */
#ifndef WAKELAT_EVENT_H
#define WAKELAT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <traceevent/event-parse.h>

struct event_field {
	int offset;
	int size;	/* 1, 2, 4 or 8; 0: the event has no such field */
	bool is_signed;
	bool swapped;	/* recorded on a machine of the other byte order */
};

/* A field with text, which ends at a NUL or at the end of the field. */
struct event_text {
	int offset;
	int size;	/* 0: the event has no such field */
};

struct event_name {
	uint64_t value;
	const char *name;
};

struct event_names {
	struct event_name *list;
	size_t nr;
};

bool event_is_integer(const struct tep_format_field *field);

/* Find field NAME. size is 0 if EVENT has no such field; die() if it is not an integer. */
struct event_field event_find_field(struct tep_event *event, const char *name);

/* Find the field with the id of an event, which all events have. size is 0 if there is no event. */
struct event_field event_find_type(struct tep_handle *tep);

/* Find text field NAME. size is 0 unless it is a short array of characters. */
struct event_text event_find_text(struct tep_event *event, const char *name);

/*
 * Write TEXT as a cell of a table, "-" if it is empty. Characters other than visible ASCII become "?". Write at most
 * TEXT->size bytes. Return the end; write no NUL.
 */
char *event_put_text(char *p, const struct event_text *text, const struct tep_record *record);

static inline bool event_has(const struct event_field *field)
{
	return field->size != 0;
}

void event_too_short(const struct tep_record *record) __attribute__((noreturn, cold));

static inline uint64_t event_load(const char *at, int size, bool swapped)
{
	uint64_t value;
	uint32_t v32;
	uint16_t v16;

	/* Constant sizes let the compiler turn each memcpy into one load. */
	if (size == 8) {
		memcpy(&value, at, 8);
		return swapped ? __builtin_bswap64(value) : value;
	}
	if (size == 4) {
		memcpy(&v32, at, 4);
		return swapped ? __builtin_bswap32(v32) : v32;
	}
	if (size == 2) {
		memcpy(&v16, at, 2);
		return swapped ? __builtin_bswap16(v16) : v16;
	}
	return (unsigned char)*at;
}

/*
 * Return the bits of FIELD, which must exist, sign-extended if signed; die() if RECORD is too
 * short.
 */
static inline uint64_t event_read(const struct event_field *field, const struct tep_record *record)
{
	uint64_t value;
	int unused;

	if (field->offset + field->size > record->size)
		event_too_short(record);
	value = event_load((const char *)record->data + field->offset, field->size, field->swapped);
	if (!field->is_signed || field->size == 8)
		return value;
	unused = 64 - 8 * field->size;
	return (uint64_t)((int64_t)(value << unused) >> unused);
}

/* Store VALUE in FIELD, which has 8 bytes. DATA is the data of a record. */
static inline void event_store(const struct event_field *field, void *data, uint64_t value)
{
	if (field->swapped)
		value = __builtin_bswap64(value);
	memcpy((char *)data + field->offset, &value, 8);
}

/*
 * Return the names that the event's own print format gives to the values of field NAME
 * (__print_flags or __print_symbolic), then those of FALLBACK. The print format comes
 * first, because a newer kernel may know more names than this program.
 */
struct event_names event_find_names(struct tep_event *event, const char *name,
				    const struct event_name *fallback, size_t nr_fallback);

const char *event_name_of(const struct event_names *names, uint64_t value);

#endif
