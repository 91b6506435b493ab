// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "by-state.h"
#include "message.h"
#include "number.h"

void by_state_parse(struct by_state *list, char option, const char *text)
{
	const char *colon = strchr(text, ':');

	if (!colon)
		die("-%c: '%s' is not COLUMN:STATE=NUMBER,...", option, text);
	list->column = xprintf("%.*s", (int)(colon - text), text);
	list->nr = split_list(colon + 1, &list->states);
	list->numbers = xrealloc(NULL, list->nr, sizeof(*list->numbers));
	for (size_t i = 0; i < list->nr; i++) {
		char *equals = strchr(list->states[i], '=');

		if (!equals || !parse_s64(equals + 1, equals + strlen(equals), &list->numbers[i]))
			die("-%c: '%s' is not STATE=NUMBER", option, list->states[i]);
		*equals = '\0';
	}
}

void by_state_find_column(struct by_state *list, char option, char *const *names, size_t nr)
{
	while (list->column && strcmp(names[list->at], list->column))
		if (++list->at == nr)
			die("-%c: %s is not one of the -g columns", option, list->column);
}

const int64_t *by_state_named(const struct by_state *list, const char *state)
{
	for (size_t i = 0; i < list->nr; i++)
		if (!strcmp(state, list->states[i]))
			return &list->numbers[i];
	return NULL;
}

const int64_t *by_state_number(const struct by_state *list, const struct group *group)
{
	return by_state_named(list, group->key[list->at]);
}
