// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "intern.h"
#include "message.h"

#define CHUNK (1 << 20)

static struct {
	const char **text;
	uint64_t *hash;
	size_t nr, size;
	/* Open addressing: 0 is free. */
	uint32_t *slots;
	size_t nr_slots;
	char *chunk;
	size_t left;
} all;

/* FNV-1a */
uint64_t hash_of(const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	uint64_t hash = 14695981039346656037ULL;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ p[i]) * 1099511628211ULL;
	return hash;
}

static void more_slots(void)
{
	all.nr_slots = all.nr_slots ? all.nr_slots * 2 : 1 << 12;
	all.slots = xrealloc(all.slots, all.nr_slots, sizeof(*all.slots));
	memset(all.slots, 0, all.nr_slots * sizeof(*all.slots));
	for (size_t i = 1; i < all.nr; i++) {
		size_t at = all.hash[i];

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
		if (all.hash[number] == hash && strlen(all.text[number]) == len && !memcmp(all.text[number], text, len))
			return number;
	}
	if (all.nr >= all.size) {
		all.size = all.size ? all.size * 2 : 1 << 10;
		all.text = xrealloc(all.text, all.size, sizeof(*all.text));
		all.hash = xrealloc(all.hash, all.size, sizeof(*all.hash));
	}
	all.text[all.nr] = keep(text, len);
	all.hash[all.nr] = hash;
	all.slots[at & (all.nr_slots - 1)] = all.nr;
	return all.nr++;
}

uint32_t intern_text(const char *text)
{
	return intern(text, strlen(text));
}

const char *text_of(uint32_t number)
{
	return number ? all.text[number] : "";
}
