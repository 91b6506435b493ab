// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "message.h"
#include "source.h"
#include "trace-tsv.h"

/*
 * Return the residency counter of the state with this MWAIT hint. By Intel's convention, its upper
 * digits are one less than the C-state.
 */
static const char *counter_of(const char *hint)
{
	size_t len = strlen(hint);

	while (len > 2 && *hint == '0') {
		hint++;
		len--;
	}
	if (len < 2 || (len == 2 && *hint == '0'))
		return "cc1_cyc";
	return len == 2 && *hint == '1' ? "cc3_cyc" : len == 2 &&
		*hint == '2' ? "cc6_cyc" : "cc7_cyc";
}

bool has_column(const struct source *source, const char *name)
{
	struct tsv_cell cell = cell_from(name);

	return groups_find(&source->columns, &cell);
}

static void find_counters(struct source *source, const struct facts *facts)
{
	struct text list = { 0 };

	for (size_t i = 0; i < MAX_STATES; i++) {
		const char *desc = facts->states[i].desc, *hint;

		if (!desc || strncmp(desc, "MWAIT 0x", 8))
			continue;
		hint = desc + 8;
		if (*hint && !hint[strspn(hint, "0123456789abcdefABCDEF")] &&
		    has_column(source, counter_of(hint)))
			text_join(&list, ",", "%zu=%s", i, counter_of(hint));
	}
	if (!text_empty(&list))
		source->counters = xprintf("state:%s", text_str(&list));
	text_free(&list);
}

void open_samples(const struct question *q, struct source *source, struct tsv *tsv)
{
	if (q->traces)
		trace_tsv_open(tsv, &source->reader, q->run_tsv, q->tables, q->nr_tables);
	else
		tsv_open(tsv, q->tables[0]);
}

void find_source(struct source *source, const struct question *q, const struct facts *facts,
		 struct tsv *tsv)
{
	*source = (struct source) { .columns.nr_keys = 1 };
	open_samples(q, source, tsv);
	for (size_t i = 0; i < tsv->nr_columns; i++) {
		struct tsv_cell cell = cell_from(tsv->header[i]);

		groups_get(&source->columns, &cell);
	}
	source->counts = !q->traces && tsv_is_counts(tsv);
	if (source->counts) {
		size_t kind = tsv_column(tsv, "kind"), metric = tsv_column(tsv, "metric");

		while (tsv_next_row(tsv) && cell_is(&tsv->cells[kind], "column"))
			groups_get(&source->columns, &tsv->cells[metric]);
		tsv_close(tsv);
		open_samples(q, source, tsv);
	}
	source->uncertain = source->counts || has_column(source, "uncertainty");
	for (size_t i = 0; !source->counts && i < 2; i++)
		if (has_column(source, i ? "silent_time" : "ldist"))
			source->lasted[source->nr_lasted++] = i ? "silent_time" : "ldist";
	find_counters(source, facts);
}
