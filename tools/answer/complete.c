// SPDX-License-Identifier: GPL-2.0
/* Whether samples are missing from a recording. */
#include <inttypes.h>
#include <string.h>

#include "complete.h"
#include "message.h"

/* Return the number of samples of a run on a CPU. */
static double samples_of(const struct table *rows, const char *run, const char *cpu)
{
	for (size_t i = 0; i < table_rows(rows); i++)
		if (!strcmp(table_get(rows, i, "run"), run) &&
		    !strcmp(table_get(rows, i, "cpu"), cpu))
			return number_in_text(table_get(rows, i, "n")) +
				number_in_text(table_get(rows, i, "tainted"));
	return 0;
}

/*
 * Compare the numbers of samples with those that the kernel counted. Only these show a run whose
 * events were all lost.
 */
static void check_samples(struct question *q, const struct facts *facts, const struct table *rows)
{
	const char *name = q->check;
	struct text fewer = { 0 }, more = { 0 };

	for (size_t i = 0; i < facts->nr; i++) {
		const char *wanted = facts->list[i].value, *cpu;
		char *part[4];
		double have;

		if (key_parts(facts->list[i].key, part, 4) < 4 || strcmp(part[0], "run") ||
		    !is_digits(part[1]) ||
		    strncmp(part[2], "cpu", 3) || !is_digits(part[2] + 3) ||
			strcmp(part[3], "samples"))
			continue;
		cpu = part[2] + 3;
		have = samples_of(rows, part[1], cpu);
		if (have > number_in_text(wanted)) {
			text_free(&more);
			text_add(&more, "%.0f samples of run %s on CPU %s, where run.tsv counts %s",
				 have, part[1], cpu, wanted);
		} else if (have < number_in_text(wanted) && text_empty(&fewer))
			text_add(&fewer, "run %s on CPU %s has %.0f of %s samples", part[1], cpu,
				 have, wanted);
	}
	if (!text_empty(&more))
		die("%s has %s: it belongs to another recording%s",
		    name, text_str(&more), q->traces ? "" :
		    ", or has duplicate rows: remove it, and it will be made again from trace.dat");
	if (text_empty(&fewer))
		return;
	message("%s is incomplete: %s", name, text_str(&fewer));
	q->incomplete = true;
	text_free(&fewer);
}

void check_complete(struct question *q, const struct facts *facts, const struct source *source, const struct table *rows, const char *used)
{
	const struct reader *reader = &source->reader;

	if (reader->lost) {
		message("%s: %s; the other %" PRIu64 " samples are %s", q->samples_name, reader->lost, reader->tally.seen, used);
		q->incomplete = true;
	} else if (q->check && !source->counts) {
		check_samples(q, facts, rows);
	}
}

void rows_begin(struct row_counts *rows, const struct tsv *tsv)
{
	*rows = (struct row_counts) {
		.groups.nr_keys = 2, .at = { tsv_optional_column(tsv, "run"), tsv_optional_column(tsv, "cpu") },
	};
}

void rows_count(struct row_counts *rows, const struct tsv *tsv)
{
	uint32_t kind = tsv->rows ? tsv->rows->kind(tsv) : 0;
	uint64_t **known = kind < MOST_KNOWN ? &rows->known[kind] : rows->known;

	if (rows->at[0] == TSV_ABSENT || rows->at[1] == TSV_ABSENT)
		return;
	if (!kind || kind >= MOST_KNOWN || !*known) {
		const struct tsv_cell key[2] = { tsv->cells[rows->at[0]], tsv->cells[rows->at[1]] };

		*known = group_data(&rows->groups, key, sizeof(uint64_t));
	}
	(**known)++;
}

void rows_table(const struct row_counts *rows, struct table *out)
{
	table_columns(out, "run cpu n tainted");
	for (size_t i = 0; i < rows->groups.nr; i++) {
		const struct group *group = &rows->groups.list[i];

		table_put(out, "%s", group->key[0]);
		table_put(out, "%s", group->key[1]);
		table_put(out, "%" PRIu64, *(const uint64_t *)group->data);
		table_put(out, "0");
	}
}
