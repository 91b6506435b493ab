// SPDX-License-Identifier: GPL-2.0
/*
 * Write how each machine changed from one kernel (microcode, ...) to the next, in the order of their first recordings. Each
 * change has an interval. The interval of one machine includes only the error of its samples. For several machines, the change
 * is the median of their changes, and its interval (from order statistics) also includes how differently they changed.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "intern.h"
#include "message.h"
#include "percentile.h"

struct change {
	uint32_t kind, from, to, state, source;
	bool intr;
	enum statistic statistic;
	double difference;
};

static struct change *changes;
static size_t nr_changes, room_changes;

static void put_change(FILE *to, const struct machine *a, const struct machine *b, const struct cell *x, const struct cell *y)
{
	for (enum statistic s = P50; s <= MAX; s++) {
		double difference = y->y[s] - x->y[s], error = 1.96 * hypot(x->error[s], y->error[s]);

		if (!x->has[s] || !y->has[s])
			continue;
		fprintf(to, "%s\t1\t%s\t%s\t%s\t%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%.0f\t%.0f\t%.2f", text_of(a->name), text_of(a->key),
			text_of(b->key), text_of(x->state), text_of(x->source), metric_name(x->intr), statistic_name[s], x->n, y->n,
			x->value[s], y->value[s], 100 * expm1(difference));
		if (s == MAX)
			fprintf(to, "\t-\t-\n");
		else
			fprintf(to, "\t%.2f\t%.2f\n", 100 * expm1(difference - error), 100 * expm1(difference + error));
		changes = xgrow(changes, nr_changes, &room_changes, sizeof(*changes));
		changes[nr_changes++] = (struct change) {
			a->kind, a->key, b->key, x->state, x->source, x->intr, s, difference };
	}
}

static void compare_cells(FILE *to, struct machine *a, struct machine *b)
{
	for (size_t i = 0; i < a->nr_cells; i++) {
		struct cell *x = &a->cells[i], *y = cell_of(b, x->state, x->source);

		if (y && y->intr == x->intr && x->n && y->n)
			put_change(to, a, b, x, y);
	}
}

/* Write the changes of one machine. Its recordings are sorted by date. */
static void write_machine(FILE *to, struct recording **r, size_t nr)
{
	struct machine *at = NULL;
	size_t nr_at = 0;

	for (size_t i = 0; i < nr; i++) {
		size_t k = 0;

		if (r[i]->reason || !r[i]->by)
			continue;
		while (k < nr_at && at[k].key != r[i]->by)
			k++;
		if (k == nr_at) {
			at = xrealloc(at, ++nr_at, sizeof(*at));
			at[k] = (struct machine) { .name = r[i]->machine, .kind = r[i]->kind, .key = r[i]->by };
		}
		add_recording(&at[k], r[i]);
	}
	for (size_t k = 1; k < nr_at; k++)
		compare_cells(to, &at[k - 1], &at[k]);
	for (size_t k = 0; k < nr_at; k++) {
		free(at[k].cells);
		free(at[k].recordings);
	}
	free(at);
}

/* Compare what changed, from which kernel to which, without the size of the change. */
static int compare_subjects(const struct change *x, const struct change *y)
{
	const uint32_t left[] = { x->kind, x->from, x->to, x->source, x->state };
	const uint32_t right[] = { y->kind, y->from, y->to, y->source, y->state };

	for (size_t i = 0; i < sizeof(left) / sizeof(*left); i++)
		if (left[i] != right[i])
			return strcmp(text_of(left[i]), text_of(right[i]));
	return x->intr != y->intr ? x->intr - y->intr : (int)x->statistic - (int)y->statistic;
}

static int compare_changes(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	int order = compare_subjects(x, y);

	return order ? order : (x->difference > y->difference) - (x->difference < y->difference);
}

/* Print the median of the changes of NR machines. They are in ascending order. */
static void put_median(FILE *to, const struct change *c, size_t nr)
{
	static struct percentile *median;
	struct ranks ranks;

	if (!median)
		parse_percentiles("50", &median);
	ranks = percentile_ranks(median, nr, 0.025L);
	fprintf(to, "all\t%zu\t%s\t%s\t%s\t%s\t%s\t%s\t-\t-\t-\t-\t%.2f", nr, text_of(c->from), text_of(c->to), text_of(c->state),
		text_of(c->source), metric_name(c->intr), statistic_name[c->statistic],
		100 * expm1((c[(nr - 1) / 2].difference + c[nr / 2].difference) / 2));
	if (ranks.low && ranks.high)
		fprintf(to, "\t%.2f\t%.2f\n", 100 * expm1(c[ranks.low - 1].difference), 100 * expm1(c[ranks.high - 1].difference));
	else
		fprintf(to, "\t-\t-\n");
}

void write_history(const struct fleet *fleet, const char *directory)
{
	FILE *to = table(directory, "fleet-history.tsv", "machine\tmachines\tfrom\tto\tstate\tsource\tmetric\tstatistic\tn_from\tn_to\tvalue_from\tvalue_to\tchange_pct\tchange_low_pct\tchange_high_pct");
	struct recording **r = fleet->recordings;

	for (size_t i = 0, nr; i < fleet->nr_recordings; i += nr) {
		nr = 1;
		while (i + nr < fleet->nr_recordings && r[i + nr]->kind == r[i]->kind && r[i + nr]->machine == r[i]->machine)
			nr++;
		if (nr > 1)
			write_machine(to, r + i, nr);
	}
	if (nr_changes)
		qsort(changes, nr_changes, sizeof(*changes), compare_changes);
	for (size_t i = 0, nr; i < nr_changes; i += nr) {
		nr = 1;
		while (i + nr < nr_changes && !compare_subjects(&changes[i], &changes[i + nr]))
			nr++;
		if (nr > 1)
			put_median(to, &changes[i], nr);
	}
	end_table(to);
}
