// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "groups.h"
#include "message.h"
#include "number.h"

static uint64_t hash_text(uint64_t hash, const char *start, size_t len)
{
	/* FNV-1a; the separator keeps "1","23" from being "12","3". */
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)start[i]) * 1099511628211ULL;
	return (hash ^ '\t') * 1099511628211ULL;
}

#define HASH_START 14695981039346656037ULL

static uint64_t hash_key(const struct groups *groups, const struct tsv_cell *key)
{
	uint64_t hash = HASH_START;

	for (size_t i = 0; i < groups->nr_keys; i++)
		hash = hash_text(hash, key[i].start, key[i].end - key[i].start);
	return hash;
}

static uint64_t hash_group(const struct groups *groups, const struct group *group)
{
	uint64_t hash = HASH_START;

	for (size_t i = 0; i < groups->nr_keys; i++)
		hash = hash_text(hash, group->key[i], strlen(group->key[i]));
	return hash;
}

static bool has_key(const struct groups *groups, const struct group *group,
		    const struct tsv_cell *key)
{
	for (size_t i = 0; i < groups->nr_keys; i++)
		if ((size_t)(key[i].end - key[i].start) != group->len[i] || memcmp(key[i].start, group->key[i], group->len[i]))
			return false;
	return true;
}

/* Return the place of a key among the recent groups: by the lengths and the last bytes of its parts. */
static size_t recent_of(const struct groups *groups, const struct tsv_cell *key)
{
	size_t hash = 0;

	for (size_t i = 0; i < groups->nr_keys; i++)
		hash = 5 * hash + (key[i].end - key[i].start) + (key[i].end > key[i].start ? (unsigned char)key[i].end[-1] : 0);
	return hash % (sizeof(groups->recent) / sizeof(*groups->recent));
}

static void grow_slots(struct groups *groups)
{
	groups->nr_slots = groups->nr_slots ? groups->nr_slots * 2 : 64;
	groups->slots = xrealloc(groups->slots, groups->nr_slots, sizeof(*groups->slots));
	memset(groups->slots, 0, groups->nr_slots * sizeof(*groups->slots));
	for (size_t i = 0; i < groups->nr; i++) {
		size_t slot = hash_group(groups, &groups->list[i]) % groups->nr_slots;

		while (groups->slots[slot])
			slot = (slot + 1) % groups->nr_slots;
		groups->slots[slot] = i + 1;
	}
}

static struct group *add_group(struct groups *groups, const struct tsv_cell *key)
{
	struct group *group;

	groups->list = xrealloc(groups->list, groups->nr + 1, sizeof(*groups->list));
	group = &groups->list[groups->nr++];
	*group = (struct group) {
		.key = xrealloc(NULL, groups->nr_keys, sizeof(*group->key)), .len = xrealloc(NULL, groups->nr_keys, sizeof(*group->len)),
	};
	for (size_t i = 0; i < groups->nr_keys; i++) {
		group->key[i] = xprintf("%.*s", (int)(key[i].end - key[i].start), key[i].start);
		group->len[i] = strlen(group->key[i]);
	}
	return group;
}

struct group *groups_find(const struct groups *groups, const struct tsv_cell *key)
{
	size_t slot;

	if (!groups->nr_slots)
		return NULL;
	slot = hash_key(groups, key) % groups->nr_slots;
	while (groups->slots[slot]) {
		struct group *group = &groups->list[groups->slots[slot] - 1];

		if (has_key(groups, group, key))
			return group;
		slot = (slot + 1) % groups->nr_slots;
	}
	return NULL;
}

struct group *groups_get(struct groups *groups, const struct tsv_cell *key)
{
	uint32_t *recent = &groups->recent[recent_of(groups, key)];
	struct group *group;
	size_t slot;

	if (*recent && has_key(groups, &groups->list[*recent - 1], key))
		return &groups->list[*recent - 1];
	if (groups->nr * 2 >= groups->nr_slots)
		grow_slots(groups);
	group = groups_find(groups, key);
	if (group) {
		*recent = group - groups->list + 1;
		return group;
	}
	slot = hash_key(groups, key) % groups->nr_slots;
	while (groups->slots[slot])
		slot = (slot + 1) % groups->nr_slots;
	groups->slots[slot] = groups->nr + 1;
	return add_group(groups, key);
}

void *group_data(struct groups *groups, const struct tsv_cell *key, size_t size)
{
	struct group *group = groups_get(groups, key);

	if (!group->data) {
		group->data = xrealloc(NULL, 1, size);
		memset(group->data, 0, size);
	}
	return group->data;
}

static int compare_cells(const char *a, const char *b)
{
	int64_t x, y;

	if (parse_s64(a, a + strlen(a), &x) && parse_s64(b, b + strlen(b), &y))
		return (x > y) - (x < y);
	return strcmp(a, b);
}

static int compare_groups(const void *a, const void *b, void *arg)
{
	const struct group *x = a, *y = b;
	const struct groups *groups = arg;
	int order = 0;

	for (size_t i = 0; i < groups->nr_keys && !order; i++)
		order = compare_cells(x->key[i], y->key[i]);
	return order;
}

static int compare_as_counts(const void *a, const void *b, void *arg)
{
	const struct groups *groups = arg;
	struct tsv_cell left[COUNTS_CELLS], right[COUNTS_CELLS];

	group_cells(a, groups->nr_keys, left);
	group_cells(b, groups->nr_keys, right);
	/* The fourth cell is the CPU, except in the lines that have no fifth one. */
	return counts_compare(left, right, groups->nr_keys, groups->nr_keys > 4);
}

static void sort_by(struct groups *groups, int (*compare)(const void *, const void *, void *))
{
	memset(groups->recent, 0, sizeof(groups->recent));
	if (groups->nr)
		qsort_r(groups->list, groups->nr, sizeof(*groups->list), compare, groups);
}

void groups_sort(struct groups *groups)
{
	sort_by(groups, compare_groups);
}

void groups_sort_as_counts(struct groups *groups)
{
	sort_by(groups, compare_as_counts);
}

void group_cells(const struct group *group, size_t nr, struct tsv_cell *cell)
{
	for (size_t i = 0; i < nr; i++)
		cell[i] = cell_from(group->key[i]);
}
