// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intern.h"
#include "message.h"

#define CHUNK (1 << 20)

static struct {
	struct text {
		const char *text;
		uint64_t hash;
	} *list;
	size_t nr, room;
	/* Open addressing: 0 is free. */
	uint32_t *slots;
	size_t nr_slots;
	char *chunk;
	size_t left;
} all;

/* FNV-1a */
static uint64_t hash_of(const char *text, size_t len)
{
	uint64_t hash = 14695981039346656037ULL;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * 1099511628211ULL;
	return hash;
}

static void more_slots(void)
{
	all.nr_slots = all.nr_slots ? all.nr_slots * 2 : 1 << 12;
	all.slots = xrealloc(all.slots, all.nr_slots, sizeof(*all.slots));
	memset(all.slots, 0, all.nr_slots * sizeof(*all.slots));
	for (size_t i = 1; i < all.nr; i++) {
		size_t at = all.list[i].hash;

		while (all.slots[at & (all.nr_slots - 1)])
			at++;
		all.slots[at & (all.nr_slots - 1)] = i;
	}
}

static char *keep(const char *text, size_t len)
{
	char *kept;

	if (len + 1 > all.left) {
		all.left = len + 1 > CHUNK ? len + 1 : CHUNK;
		all.chunk = xrealloc(NULL, all.left, 1);
	}
	kept = all.chunk;
	memcpy(kept, text, len);
	kept[len] = '\0';
	all.chunk += len + 1;
	all.left -= len + 1;
	return kept;
}

uint32_t intern(const char *text, size_t len)
{
	uint64_t hash = hash_of(text, len);
	const struct text *known;
	size_t at = hash;

	if (!len)
		return 0;
	if (!all.nr)
		all.nr = 1;
	if (all.nr * 2 >= all.nr_slots)
		more_slots();
	for (;; at++) {
		uint32_t number = all.slots[at & (all.nr_slots - 1)];

		if (!number)
			break;
		known = &all.list[number];
		if (known->hash == hash && strlen(known->text) == len &&
		    !memcmp(known->text, text, len))
			return number;
	}
	all.list = xgrow(all.list, all.nr, &all.room, sizeof(*all.list));
	all.list[all.nr] = (struct text) { keep(text, len), hash };
	all.slots[at & (all.nr_slots - 1)] = all.nr;
	return all.nr++;
}

uint32_t intern_text(const char *text)
{
	return intern(text, strlen(text));
}

uint32_t intern_cell(const struct tsv_cell *cell)
{
	return intern(cell->start, cell->end - cell->start);
}

uint32_t intern_printf(const char *fmt, ...)
{
	uint32_t number;
	va_list ap;
	char *text;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		die("out of memory");
	va_end(ap);
	number = intern_text(text);
	free(text);
	return number;
}

uint32_t intern_stream(FILE *to, char **text, const size_t *len)
{
	uint32_t number;

	fclose(to);
	number = intern(*text, *len);
	free(*text);
	return number;
}

const char *text_of(uint32_t number)
{
	return number ? all.list[number].text : "";
}

uint32_t *mark_of(struct marks *marks, uint32_t number)
{
	size_t old = marks->room;

	if (number >= old) {
		marks->room = 2 * (size_t)number + 64;
		marks->list = xrealloc(marks->list, marks->room, sizeof(*marks->list));
		memset(marks->list + old, 0, (marks->room - old) * sizeof(*marks->list));
	}
	return &marks->list[number];
}
