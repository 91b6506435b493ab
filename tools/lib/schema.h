/* SPDX-License-Identifier: GPL-2.0 */
/* The columns of all tables, as scripts/lib/common/schema.tsv has them. */
#ifndef WAKELAT_SCHEMA_H
#define WAKELAT_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A column, or a key of run.tsv. TABLE is a table's name without .tsv. Capitals in NAME are
 * placeholders.
 */
struct schema_column {
	const char *table;
	const char *name;
	bool text, ns;
	bool extra;	/* of a table of an extra */
	const char *show;	/* how a page shows it: us (ns in the file), number, choice, text or prose */
};

/* The columns that a table can have. */
struct schema {
	const struct schema_column **list;
	size_t nr;
};

/*
 * Find the columns of the table in a file: verdict of DIR/verdict.tsv. For stats-cpu, those of
 * stats-cpu come first, then those of stats. SCHEMA may be of an earlier call; at first, it is
 * empty.
 */
void schema_find(struct schema *schema, const char *path);

/* Return the schema's first column that fits the text from START to END; NULL if there is none. */
const struct schema_column *schema_column(const struct schema *schema, const char *start,
					  const char *end);

#endif
