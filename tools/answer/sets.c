// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "message.h"
#include "sets.h"

void sets_begin(struct sets *sets, size_t most)
{
	*sets = (struct sets) {
		.tables = xrealloc(NULL, most, sizeof(*sets->tables)), .traces = xrealloc(NULL, most, sizeof(*sets->traces)),
	};
}

static void add_set(struct sets *sets, const char *run_tsv)
{
	sets->list = xrealloc(sets->list, sets->nr + 1, sizeof(*sets->list));
	sets->list[sets->nr++] = (struct set) {
		{ .run_tsv = run_tsv, .tables = sets->tables + sets->nr_tables }, sets->nr_traces,
	};
}

/* Add a table of the last recording. */
static void add_table(struct sets *sets, const char *name)
{
	struct question *q = &sets->list[sets->nr - 1].q;

	if (q->traces)
		sets->traces[sets->nr_traces++] = name;
	sets->tables[sets->nr_tables++] = name;
	q->nr_tables++;
}

bool sets_option(struct sets *sets, int opt, char *value)
{
	struct question *last = sets->nr ? &sets->list[sets->nr - 1].q : NULL;

	if (opt == 'r')
		add_set(sets, value);
	else if (opt == 'c' && last)
		last->check = last->samples_name = value;
	else if (opt == 't' && last)
		last->traces = true;
	else if (opt == 1 && last)
		add_table(sets, value);
	else if (opt == 'n')
		for (char *name; (name = strsep(&value, "\t")); )
			add_name(&sets->names, name);
	else
		return false;
	return true;
}

void sets_end(struct sets *sets)
{
	while (sets->names.nr < sets->nr)
		add_name(&sets->names, "recording");
}
