/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers for groups, chosen by the group's value of one column. */
#ifndef WAKELAT_BY_STATE_H
#define WAKELAT_BY_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "groups.h"

struct by_state {
	char *column;		/* NULL: there are no numbers */
	char **states;		/* values of this column */
	int64_t *numbers;	/* for each of STATES */
	size_t nr;
	size_t at;		/* the column's place in the key of a group */
};

/* Parse "COLUMN:STATE=NUMBER,...", the value of -OPTION. */
void by_state_parse(struct by_state *list, char option, const char *text);

/* Find the column among the NR names of a group's key; die() if the column is not there. */
void by_state_find_column(struct by_state *list, char option, char *const *names, size_t nr);

/* Return the number of STATE, or the number for a group; NULL if there is none. */
const int64_t *by_state_named(const struct by_state *list, const char *state);
const int64_t *by_state_number(const struct by_state *list, const struct group *group);

#endif
