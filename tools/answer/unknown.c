// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "facts.h"
#include "groups.h"
#include "message.h"
#include "text.h"
#include "unknown.h"

static const struct {
	const char *word, *unknown, *consequence;
} words[] = {
#define UNKNOWN(bit, word, unknown, consequence) { word, unknown, consequence },
#include "unknowns.inc"
};

#define NR_WORDS (sizeof(words) / sizeof(*words))

const char *unknowns_by(bool counts)
{
	return counts ? "metric" : "unknown";
}

/* The samples whose list has a word. */
struct found {
	double n;
	size_t list;	/* the number of the last list that had it, from 1 */
};

void make_unknowns(struct table *out, const struct table *lists)
{
	const size_t head = lists->nr_columns && !strcmp(lists->columns[0], unknowns_by(true)) ? strlen(COUNTS_UNKNOWN) : 0;
	struct groups found = { .nr_keys = 1 };
	double samples = 0;

	for (size_t row = 0; row < table_rows(lists); row++) {
		double n = number_in_text(table_get(lists, row, "n")) + number_in_text(table_get(lists, row, "tainted"));
		const char *cell = table_cell(lists, row, 0);
		char **list;
		size_t nr;

		if (strncmp(cell, COUNTS_UNKNOWN, head))
			continue;
		nr = split_list(cell + head, &list);
		samples += n;
		for (size_t i = 0; i < nr && strcmp(list[i], "-"); i++) {
			struct tsv_cell word = cell_from(list[i]);
			struct found *data = *list[i] ? group_data(&found, &word, sizeof(*data)) : NULL;

			/* A strange list may have a word twice. */
			if (!data || data->list == row + 1)
				continue;
			data->n += n;
			data->list = row + 1;
		}
	}
	groups_sort(&found);
	for (size_t i = 0; i < found.nr; i++) {
		table_set(out, "unknown", "%s", found.list[i].key[0]);
		table_set(out, "n", "%.0f", ((struct found *)found.list[i].data)->n);
		table_set(out, "samples", "%.0f", samples);
		table_end_row(out);
	}
}

/* Return the index of a word in the list, the number of words if it is not there. */
static size_t find_word(const char *word)
{
	size_t i = 0;

	while (i < NR_WORDS && strcmp(words[i].word, word))
		i++;
	return i;
}

void show_unknowns(const struct table *unknowns, const char *head, FILE *out)
{
	for (size_t row = 0; row < table_rows(unknowns); row++) {
		const char *word = table_get(unknowns, row, "unknown");
		size_t i = find_word(word);

		fprintf(out, "%sNot known for %s of %s samples: ", head, table_get(unknowns, row, "n"), table_get(unknowns, row, "samples"));
		if (i < NR_WORDS)
			fprintf(out, "%s (%s).\n", words[i].unknown, words[i].consequence);
		else
			fprintf(out, "%s.\n", word);
	}
}

const char *unknowns_text(const struct table *unknowns)
{
	struct text text = { 0 };

	for (size_t row = 0; row < table_rows(unknowns); row++) {
		const char *word = table_get(unknowns, row, "unknown"), *n = table_get(unknowns, row, "n"),
			*samples = table_get(unknowns, row, "samples");
		size_t i = find_word(word);

		text_join(&text, "; ", "%s%s", i < NR_WORDS ? words[i].unknown : word,
			  strcmp(n, samples) ? xprintf(" (%s of %s samples)", n, samples) : "");
	}
	return text_str(&text);
}
