// SPDX-License-Identifier: GPL-2.0
/*
 * Find how the facts of an odd machine differ from those of its peers. The facts are from run.tsv, doctor.tsv and the kernel's
 * command line. A fact is named if most peers have the same other value, and hardly any peer has this machine's value. Such a
 * difference is where to look first. It is not proof of a cause.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "intern.h"
#include "message.h"

/* The maximum number of differences that are named. */
#define MOST 4

struct known {
	const struct peers *peers;
	uint32_t key, value;	/* value UINT32_MAX: any value. key 0: value 0 counts all peers that are not odd */
	uint32_t nr;		/* of peers */
};

static struct {
	struct known *slots;
	size_t nr_slots, used;
	uint32_t *keys;
	size_t nr_keys, room_keys;
} all;

static struct known *slot_of(const struct peers *p, uint32_t key, uint32_t value)
{
	struct { const void *p; uint32_t key, value; } whole = { p, key, value };
	size_t at = hash_of(&whole, sizeof(whole));

	for (;; at++) {
		struct known *k = &all.slots[at & (all.nr_slots - 1)];

		if (!k->peers || (k->peers == p && k->key == key && k->value == value))
			return k;
	}
}

static void count(const struct peers *p, uint32_t key, uint32_t value)
{
	struct known *k;

	if (all.used * 2 >= all.nr_slots) {
		struct known *old = all.slots;
		size_t nr = all.nr_slots;

		all.nr_slots = nr ? nr * 2 : 1 << 12;
		all.slots = xrealloc(NULL, all.nr_slots, sizeof(*all.slots));
		memset(all.slots, 0, all.nr_slots * sizeof(*all.slots));
		for (size_t i = 0; i < nr; i++)
			if (old[i].peers)
				*slot_of(old[i].peers, old[i].key, old[i].value) = old[i];
		free(old);
	}
	k = slot_of(p, key, value);
	if (!k->peers) {
		*k = (struct known) { p, key, value, 0 };
		all.used++;
	}
	k->nr++;
}

/* Add the keys of R that are new. */
static void add_keys(const struct recording *r)
{
	static struct marks known;

	for (size_t i = 0; i < r->nr_pairs; i++) {
		uint32_t key = r->pairs[i].key, *is_known = mark_of(&known, key);

		if (*is_known)
			continue;
		*is_known = true;
		all.keys = xgrow(all.keys, all.nr_keys, &all.room_keys, sizeof(*all.keys));
		all.keys[all.nr_keys++] = key;
	}
}

/* Count how many peers have each key, and how many have each value of it, without odd peers. Collect all keys. */
void causes_prepare(struct fleet *fleet)
{
	for (size_t i = 0; i < fleet->nr_peers; i++) {
		struct peers *p = fleet->peers[i];

		for (size_t k = 0; k < p->nr; k++) {
			const struct recording *r = p->machines[k]->recordings[0];

			for (size_t v = 0; !p->machines[k]->odd && v < r->nr_pairs; v++) {
				count(p, r->pairs[v].key, r->pairs[v].value);
				count(p, r->pairs[v].key, UINT32_MAX);
			}
			count(p, 0, p->machines[k]->odd);
		}
	}
	for (size_t i = 0; i < fleet->nr_recordings; i++)
		add_keys(fleet->recordings[i]);
}

static uint32_t how_many(const struct peers *p, uint32_t key, uint32_t value)
{
	return slot_of(p, key, value)->nr;
}

/* Store the value that more than half of the peers have (0: most lack the key). Return false if there is none. */
static bool usual_value(const struct peers *p, uint32_t key, uint32_t nr, uint32_t *value)
{
	*value = 0;
	if ((nr - how_many(p, key, UINT32_MAX)) * 2 > nr)
		return true;
	for (size_t i = 0; i < p->nr; i++) {
		if (p->machines[i]->odd)
			continue;
		*value = pair_value(p->machines[i]->recordings[0], key);
		if (how_many(p, key, *value) * 2 > nr)
			return true;
		/* A value that more than half of the peers have is almost certainly among the first few. */
		if (i > 64)
			break;
	}
	return false;
}

struct cause {
	uint32_t key, value, usual, nr;
	int rank;
};

/* Return the rank of KEY: facts that are known to change latencies come first. */
static int rank_of(const char *key)
{
	static const char *const known[] = { "microcode", "bios", "kernel", "driver", "governor", "cmdline", "doctor", "state" };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strncmp(key, known[i], strlen(known[i])))
			return i;
	return 100;
}

static int compare_causes(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank - y->rank;
	if (x->nr != y->nr)
		return x->nr < y->nr ? -1 : 1;
	return strcmp(text_of(x->key), text_of(y->key));
}

static size_t find_causes(const struct machine *m, struct cause **found)
{
	const struct peers *p = m->peers;
	uint32_t good = how_many(p, 0, 0);
	size_t nr = 0;

	*found = NULL;
	for (size_t i = 0; good && i < all.nr_keys; i++) {
		struct cause c = { .key = all.keys[i], .value = pair_value(m->recordings[0], all.keys[i]) };

		if (!c.value && how_many(p, c.key, UINT32_MAX) * 2 <= good)
			continue;
		c.nr = c.value ? how_many(p, c.key, c.value) : good - how_many(p, c.key, UINT32_MAX);
		if (c.nr * 10 > good || !usual_value(p, c.key, good, &c.usual) || c.usual == c.value)
			continue;
		c.rank = rank_of(text_of(c.key));
		*found = xrealloc(*found, nr + 1, sizeof(**found));
		(*found)[nr++] = c;
	}
	if (nr)
		qsort(*found, nr, sizeof(**found), compare_causes);
	return nr;
}

uint32_t cause_of(const struct machine *m)
{
	struct cause *found;
	size_t nr, len;
	uint32_t number;
	char *text;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		die("out of memory");
	nr = find_causes(m, &found);
	for (size_t i = 0; i < nr && i < MOST; i++) {
		const char *value = text_of(found[i].value), *usual = text_of(found[i].usual);

		fprintf(to, "%s%s %.80s, the others %.80s", i ? "; " : "", text_of(found[i].key), *value ? value : "missing",
			*usual ? usual : "without");
	}
	if (nr > MOST)
		fprintf(to, "; and %zu more", nr - MOST);
	fclose(to);
	free(found);
	number = intern(text, len);
	free(text);
	return number;
}
