// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "reached.h"

void reached_parse(struct reached *reached, const char *text)
{
	const char *colon = strchr(text, ':');

	if (!colon)
		die("-r: '%s' is not COLUMN:STATE=COUNTER,...", text);
	reached->state_column = xprintf("%.*s", (int)(colon - text), text);
	reached->nr = split_list(colon + 1, &reached->states);
	reached->counters = xrealloc(NULL, reached->nr, sizeof(*reached->counters));
	reached->counters_at = xrealloc(NULL, reached->nr, sizeof(*reached->counters_at));
	for (size_t i = 0; i < reached->nr; i++) {
		char *equals = strchr(reached->states[i], '=');

		if (!equals)
			die("-r: '%s' is not STATE=COUNTER", reached->states[i]);
		*equals = '\0';
		reached->counters[i] = equals + 1;
	}
}

void reached_find_columns(struct reached *reached, const struct tsv *tsv)
{
	reached->state_at = tsv_column(tsv, reached->state_column);
	for (size_t i = 0; i < reached->nr; i++)
		reached->counters_at[i] = tsv_column(tsv, reached->counters[i]);
}

/* Compare counters as text, because they are unsigned and int64_t cannot hold all of them. */
static const char *word_of(const struct tsv *tsv, size_t column)
{
	const struct tsv_cell *cell = &tsv->cells[column];

	if (tsv_absent(tsv, column))
		return "-";
	return cell_is(cell, "0") ? "no" : "yes";
}

const char *reached_word(const struct reached *reached, const struct tsv *tsv)
{
	for (size_t i = 0; i < reached->nr; i++)
		if (cell_is(&tsv->cells[reached->state_at], reached->states[i]))
			return word_of(tsv, reached->counters_at[i]);
	return "-";
}
