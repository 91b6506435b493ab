/* SPDX-License-Identifier: GPL-2.0 */
/* Groups of a table's rows that have the same values in some columns. */
#ifndef WAKELAT_GROUPS_H
#define WAKELAT_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "tsv.h"

struct group {
	char **key;
	size_t *len;	/* of each part of the key */
	void *data;	/* the caller's; NULL in a new group */
};

struct groups {
	size_t nr_keys;
	struct group *list;
	size_t nr;
	/* Open addressing: 0 is free, else the group's index + 1. */
	uint32_t *slots;
	size_t nr_slots;
	/* Some groups that were returned lately, by a hash of little work: the index + 1. */
	uint32_t recent[64];
};

/*
 * Return the group of KEY, adding it if it is new. KEY has groups->nr_keys cells. Valid until the
 * next call.
 */
struct group *groups_get(struct groups *groups, const struct tsv_cell *key);

/* Return the group of KEY, or NULL. */
struct group *groups_find(const struct groups *groups, const struct tsv_cell *key);

/* Return the caller's data of the group of KEY: SIZE bytes, zeroed in a new group. */
void *group_data(struct groups *groups, const struct tsv_cell *key, size_t size);

/* Store the first NR parts of a group's key in CELL. */
void group_cells(const struct group *group, size_t nr, struct tsv_cell *cell);

/*
 * Sort by the first part of the key, then by the second...: numbers as numbers, anything else as
 * text.
 */
void groups_sort(struct groups *groups);

/* Sort as a file of counts has its lines (Documentation/formats.md). */
void groups_sort_as_counts(struct groups *groups);

#endif
