// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <string.h>

#include "counts-table.h"
#include "message.h"

#define SAMPLES_KEYS 5
#define VALUES_KEYS 6
enum { KIND = VALUES_KEYS, COUNT, HIGH };

/*
 * The number of samples of a group, or of its values of one metric, and the line of the last such
 * row.
 */
struct sum {
	uint64_t n, line;
};

void counts_table_begin(struct counts_table *table, const struct tsv *tsv)
{
	static const char *const names[] = {
		"source", "state", "reached", "cpu", "taint", "metric", "kind", "count",
	};

	*table = (struct counts_table) {
		.samples.nr_keys = SAMPLES_KEYS,
		.values.nr_keys = VALUES_KEYS,
	};
	for (size_t i = 0; i < HIGH; i++)
		table->at[i] = tsv_column(tsv, names[i]);
	for (size_t i = 0; i < tsv->nr_columns; i++)
		table->has_high |= !strcmp(tsv->header[i], "high");
	if (table->has_high)
		table->at[HIGH] = tsv_column(tsv, "high");
}

static void add(struct groups *groups, const struct counts_table *table, const struct tsv *tsv)
{
	struct tsv_cell key[VALUES_KEYS];
	struct sum *sum;
	int64_t n;

	if (!tsv_s64(tsv, table->at[COUNT], &n) || n < 1)
		die("%s:%" PRIu64 ": count is not a number above 0", tsv->name, tsv->line);
	for (size_t i = 0; i < groups->nr_keys; i++)
		key[i] = tsv->cells[table->at[i]];
	sum = group_data(groups, key, sizeof(*sum));
	sum->line = tsv->line;
	if (__builtin_add_overflow(sum->n, n, &sum->n))
		die("%s:%" PRIu64 ": more samples than 64 bits can count", tsv->name,
		    tsv->line);
}

void counts_table_row(struct counts_table *table, const struct tsv *tsv)
{
	static const char *const others[] = {
		"value", "column", "sum", "clusters_p", "drift_p", NULL
	};
	const struct tsv_cell *kind = &tsv->cells[table->at[KIND]];
	bool interval = cell_is(kind, "interval"), samples = cell_is(kind, "samples");
	bool has_end = table->has_high && !tsv_absent(tsv, table->at[HIGH]);
	size_t i = 0;

	while (others[i] && !cell_is(kind, others[i]))
		i++;
	if (!interval && !samples && !others[i])
		die("%s:%" PRIu64 ": unknown kind '%.*s': import the recording again", tsv->name, tsv->line,
		    (int)(kind->end - kind->start), kind->start);
	if (interval && !has_end)
		die("%s:%" PRIu64 ": an interval without its end in column high: import it again",
		    tsv->name, tsv->line);
	if (!interval && has_end)
		die("%s:%" PRIu64 ": column high has a value, but the row is not an interval: import it again",
		    tsv->name, tsv->line);
	if (samples)
		add(&table->samples, table, tsv);
	else if (interval || !i)
		add(&table->values, table, tsv);
}

void counts_table_end(const struct counts_table *table, const struct tsv *tsv)
{
	struct groups samples = table->samples;

	for (size_t i = 0; i < table->values.nr; i++) {
		const struct group *group = &table->values.list[i];
		const struct sum *values = group->data, *of;
		struct tsv_cell key[VALUES_KEYS];

		group_cells(group, VALUES_KEYS, key);
		of = group_data(&samples, key, sizeof(*of));
		if (values->n > of->n)
			die("%s:%" PRIu64 ": %" PRIu64 " values of %s, but %" PRIu64
			    " samples: import it again", tsv->name, values->line, values->n,
			    group->key[VALUES_KEYS - 1], of->n);
	}
}
