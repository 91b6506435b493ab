// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "message.h"
#include "schema.h"

static const struct schema_column columns[] = {
#include "columns.inc"
};

#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* True if the placeholder of LEN capitals at NAME can match the character C. See schema.awk. */
static bool may_have(const char *name, size_t len, char c)
{
	if (len == 1)
		return (c >= '0' && c <= '9') || (*name == 'P' && c == '.');
	if ((len == 5 && !strncmp(name, "STATE", len)) || (len == 3 && !strncmp(name, "KEY", len)))
		return true;
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/*
 * True if NAME of the schema matches the text from AT to END. A placeholder tries its longest match
 * first.
 */
static bool fits(const char *name, const char *at, const char *end)
{
	for (; *name; name++, at++) {
		const char *to = at;
		size_t len = 0;

		while (name[len] >= 'A' && name[len] <= 'Z')
			len++;
		if (!len) {
			if (at == end || *at != *name)
				return false;
			continue;
		}
		while (to < end && may_have(name, len, *to))
			to++;
		for (; to > at; to--)
			if (fits(name + len, to, end))
				return true;
		return false;
	}
	return at == end;
}

void schema_find(struct schema *schema, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t len = strcspn(name, ".");

	if (!schema->list)
		schema->list = xrealloc(NULL, NR_COLUMNS, sizeof(*schema->list));
	schema->nr = 0;
	while (len) {
		for (size_t i = 0; i < NR_COLUMNS; i++)
			if (!strncmp(columns[i].table, name, len) && !columns[i].table[len])
				schema->list[schema->nr++] = &columns[i];
		while (len && name[--len] != '-')
			;
	}
}

const struct schema_column *schema_column(const struct schema *schema, const char *start,
					  const char *end)
{
	for (size_t i = 0; i < schema->nr; i++)
		if (fits(schema->list[i]->name, start, end))
			return schema->list[i];
	return NULL;
}
