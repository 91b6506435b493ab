// SPDX-License-Identifier: GPL-2.0
/* Describe in words what is odd in a machine. For each state, print only the finding that explains the others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "intern.h"
#include "message.h"

/*
 * A second mode: at least MODE_SHARE of the wake-ups take longer than the peers' p99.9, and grid[MODE_AT] is
 * above MODE_FACTOR times that p99.9.
 */
#define MODE_SHARE 0.003
#define MODE_FACTOR 1.15
#define MODE_AT 10 /* 99.8 % */

static FILE *to;
static bool any;

static void next_finding(uint32_t state)
{
	fprintf(to, "%s%s ", any ? "; " : "", text_of(state));
	any = true;
}

static double percent(double difference)
{
	return 100 * expm1(difference);
}

/* Print the difference from the peers and its 95 % interval. A maximum has no interval. */
static void put_latency(const struct machine *m, const struct cell *c, enum statistic s)
{
	const struct test *t = &m->test[(c - m->cells) * NR_STATISTICS + s];

	fprintf(to, "%s%s %.3f us: %+.1f %%", c->intr ? "interrupt latency " : "", statistic_name[s], c->value[s] / 1000,
		percent(c->y[s] - t->spread->centre));
	if (s != MAX)
		fprintf(to, " (%+.1f .. %+.1f)", percent(t->low), percent(t->high));
}

/* Return the minimum share of samples that are longer than NS, by the grid. Store the maximum share in MOST. */
static double share_above(const struct cell *c, double ns, double *most)
{
	int i = NR_GRID;

	while (i && c->grid[i - 1] > ns)
		i--;
	*most = i ? 1 - grid_share[i - 1] : 1;
	return i < NR_GRID ? 1 - grid_share[i] : 0;
}

static void put_tail(const struct machine *m, const struct cell *c, const struct test *t)
{
	enum statistic s = t[P999].odd ? P999 : t[P99].odd ? P99 : MAX;
	double usual = t[s].spread->grid_high, most, above = share_above(c, usual, &most);

	if (above >= MODE_SHARE && c->grid[MODE_AT] > MODE_FACTOR * usual)
		fprintf(to, "a second mode: %.3g to %.3g %% of wake-ups take longer than %.3f us, 0.1 %% of the peers' wake-ups; ",
			100 * above, 100 * most, usual / 1000);
	else if (s != MAX)
		fprintf(to, "%s tail: ", c->y[s] > t[s].spread->centre ? "a longer" : "a shorter");
	put_latency(m, c, s);
}

static void put_share(const struct cell *c, const struct test *t, enum statistic s)
{
	fprintf(to, s == REACHED ? "reached in %.2f %% of the samples, the others %.2f %%" :
		"%.2f %% of the samples tainted, the others %.2f %%", 100 * c->value[s], 100 * value_of(s, t[s].spread->centre));
}

static void put_cell(const struct machine *m, const struct cell *c, const struct test *t)
{
	bool level = t[P50].odd, tail = (t[P99].odd || t[P999].odd || t[MAX].odd) && !level;

	if (level) {
		next_finding(c->state);
		put_latency(m, c, P50);
	}
	/* The tail differs by more than the median does. */
	if (level && t[P999].odd && fabs(c->y[P999] - t[P999].spread->centre) > fabs(c->y[P50] - t[P50].spread->centre) + 0.2) {
		fprintf(to, ", ");
		put_latency(m, c, P999);
	}
	if (tail) {
		next_finding(c->state);
		put_tail(m, c, t);
	}
	for (enum statistic s = REACHED; s <= TAINTED; s++) {
		if (!t[s].odd)
			continue;
		next_finding(c->state);
		put_share(c, t, s);
	}
}

struct order {
	size_t cell;
	double p;
};

static int by_p(const void *a, const void *b)
{
	const struct order *x = a, *y = b;

	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	return (x->cell > y->cell) - (x->cell < y->cell);
}

/* Missing states come first, then the other states, the most unlikely first. */
uint32_t findings_of(const struct machine *m)
{
	struct order *order = xrealloc(NULL, m->nr_cells + 1, sizeof(*order));
	char *text;
	size_t len;

	to = open_memstream(&text, &len);
	if (!to)
		die("out of memory");
	any = false;
	for (size_t i = 0; i < m->nr_missing; i++) {
		next_finding(m->missing[i].state);
		fprintf(to, "missing: %s", m->missing[i].how);
	}
	for (size_t i = 0; i < m->nr_cells; i++) {
		order[i] = (struct order) { i, 1 };
		for (enum statistic s = P50; s < NR_STATISTICS; s++) {
			const struct test *t = &m->test[i * NR_STATISTICS + s];

			if (t->odd)
				order[i].p = fmin(order[i].p, t->p);
		}
	}
	qsort(order, m->nr_cells, sizeof(*order), by_p);
	for (size_t i = 0; i < m->nr_cells && order[i].p < 1; i++)
		put_cell(m, &m->cells[order[i].cell], &m->test[order[i].cell * NR_STATISTICS]);
	free(order);
	return intern_stream(to, &text, &len);
}
