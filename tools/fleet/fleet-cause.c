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

/* Each key of any recording, once. */
static uint32_t *keys;
static size_t nr_keys, room_keys;

static int64_t fact_of(uint32_t key, uint32_t value)
{
	return (int64_t)key << 32 | value;
}

/* Return how many peers that are not odd have a value of KEY from FIRST to LAST. */
static size_t how_many(const struct peers *p, uint32_t key, uint32_t first, uint32_t last)
{
	return distribution_above(&p->facts, fact_of(key, first) - 1) -
	       distribution_above(&p->facts, fact_of(key, last));
}

static size_t that_have(const struct peers *p, uint32_t key)
{
	return how_many(p, key, 0, UINT32_MAX);
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
		keys = xgrow(keys, nr_keys, &room_keys, sizeof(*keys));
		keys[nr_keys++] = key;
	}
}

/* Collect the facts of the peers that are not odd. */
static void collect_facts(struct peers *p)
{
	int64_t *facts = NULL;
	size_t nr = 0, room = 0;

	for (size_t i = 0; i < p->nr; i++) {
		const struct recording *r = p->machines[i]->recordings[0];

		if (p->machines[i]->odd)
			continue;
		p->nr_usual++;
		for (size_t k = 0; k < r->nr_pairs; k++) {
			facts = xgrow(facts, nr, &room, sizeof(*facts));
			facts[nr++] = fact_of(r->pairs[k].key, r->pairs[k].value);
		}
	}
	p->facts = distribution_of(facts, NULL, nr);
}

void causes_prepare(struct fleet *fleet)
{
	for (size_t i = 0; i < fleet->nr_peers; i++)
		collect_facts(fleet->peers[i]);
	for (size_t i = 0; i < fleet->nr_recordings; i++)
		add_keys(fleet->recordings[i]);
}

/* Store the value that more than half of the peers have (0: most lack the key). Return false if there is none. */
static bool usual_value(const struct peers *p, uint32_t key, uint32_t *value)
{
	size_t have = that_have(p, key);
	uint64_t first = p->facts.n - distribution_above(&p->facts, fact_of(key, 0) - 1);

	*value = 0;
	if ((p->nr_usual - have) * 2 > p->nr_usual)
		return true;
	/* A value that more than half of the peers have is in the middle of the sorted values. */
	*value = distribution_at(&p->facts, first + have / 2);
	return how_many(p, key, *value, *value) * 2 > p->nr_usual;
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
	size_t nr = 0;

	*found = NULL;
	for (size_t i = 0; p->nr_usual && i < nr_keys; i++) {
		struct cause c = { .key = keys[i], .value = pair_value(m->recordings[0], keys[i]) };

		if (!c.value && that_have(p, c.key) * 2 <= p->nr_usual)
			continue;
		c.nr = c.value ? how_many(p, c.key, c.value, c.value) :
				 p->nr_usual - that_have(p, c.key);
		if (c.nr * 10 > p->nr_usual || !usual_value(p, c.key, &c.usual) ||
		    c.usual == c.value)
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
	free(found);
	return intern_stream(to, &text, &len);
}
