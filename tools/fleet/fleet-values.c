// SPDX-License-Identifier: GPL-2.0
/*
 * Collect the values of each state of a recording, and keep a few statistics of them with their
 * standard errors. Latencies are in ns.
 */
#include <math.h>
#include <stdlib.h>

#include "counts.h"
#include "distribution.h"
#include "fleet.h"
#include "intern.h"
#include "message.h"
#include "percentile.h"

const char *const statistic_name[NR_STATISTICS] = { "p50", "p99", "p99.9", "max", "reached", "tainted" };
const double statistic_share[MAX + 1] = { 0.5, 0.99, 0.999, 1 };
const double grid_share[NR_GRID] = {
	0.5, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.9925, 0.995, 0.9965, 0.998, 0.999, 0.9995,
};

/* Values in any order. Until add_up(), upto[i] is how often value[i] occurs. */
struct values {
	struct distribution d;
	size_t room;
};

/* A state of the recording that is being read. */
struct part {
	uint32_t source;
	unsigned int state;
	uint64_t n, tainted, reached, not_reached;
	struct values wake, intr;
};

static struct part *parts;
static size_t nr_parts, room_parts;

static struct part *part_of(uint32_t source, unsigned int state)
{
	for (size_t i = 0; i < nr_parts; i++)
		if (parts[i].source == source && parts[i].state == state)
			return &parts[i];
	parts = xgrow(parts, nr_parts, &room_parts, sizeof(*parts));
	parts[nr_parts] = (struct part) { .source = source, .state = state };
	return &parts[nr_parts++];
}

static void take_rows(struct counts_line *line, struct values *values)
{
	struct distribution *d = &values->d;
	int64_t ns, count;

	while (counts_row(line, &ns, &count)) {
		if (d->nr == values->room) {
			values->room = values->room ? values->room * 2 : 1 << 10;
			d->value = xrealloc(d->value, values->room, sizeof(*d->value));
			d->upto = xrealloc(d->upto, values->room, sizeof(*d->upto));
		}
		d->value[d->nr] = ns;
		d->upto[d->nr++] = count;
		d->n += count;
	}
}

void values_take(struct counts_line *line)
{
	const struct tsv_cell *cell = line->cells;
	int64_t state = MAX_STATES, count = 0;
	struct part *part;
	bool tainted;

	cell_s64(&cell[1], &state);
	cell_s64(&cell[line->nr_cells - 1], &count);
	if (state < 0 || state >= MAX_STATES)
		return;
	part = part_of(intern_cell(&cell[0]), state);
	tainted = !cell_is(&cell[4], "-");
	if (line->kind == COUNTS_SAMPLES) {
		*(tainted ? &part->tainted : &part->n) += count;
		if (!tainted && !cell_is(&cell[2], "-"))
			*(cell_is(&cell[2], "yes") ? &part->reached : &part->not_reached) += count;
	} else if (!tainted && !cell_is(&cell[5], "uncertainty")) {
		take_rows(line, cell_is(&cell[5], "wake_latency") ? &part->wake : &part->intr);
	}
}

/* --- statistics */

static void add_up(struct distribution *d)
{
	distribution_sort(d->value, d->upto, d->nr);
	for (size_t i = 1; i < d->nr; i++)
		d->upto[i] += d->upto[i - 1];
}

/* Return a quantile of type 7, the type that wakelat stats prints. */
static double quantile(const struct distribution *d, double share)
{
	double h = (d->n - 1) * share;
	uint64_t below = floor(h);
	double low = distribution_at(d, below);

	return below + 1 < d->n ? low + (h - below) * (distribution_at(d, below + 1) - low) : low;
}

double y_of(enum statistic s, double value)
{
	return is_share(s) ? asin(sqrt(value < 0 ? 0 : value > 1 ? 1 : value)) : log(value > 1 ? value : 1);
}

double value_of(enum statistic s, double y)
{
	if (!is_share(s))
		return exp(y);
	y = y < 0 ? 0 : y > M_PI_2 ? M_PI_2 : y;
	return sin(y) * sin(y);
}

static struct ranks ranks_of(size_t which, uint64_t n)
{
	static struct percentile *percentiles;
	static struct {
		uint64_t n;
		struct ranks ranks[3];
	} known[4096];
	size_t at = n % 4096;

	if (!percentiles)
		parse_percentiles("50,99,99.9", &percentiles);
	if (known[at].n != n) {
		known[at].n = n;
		for (int i = 0; i < 3; i++)
			known[at].ranks[i] = percentile_ranks(&percentiles[i], n, 0.025L);
	}
	return known[at].ranks[which];
}

static void measure_latency(struct cell *cell, const struct distribution *d)
{
	for (enum statistic s = P50; s <= P999; s++) {
		struct ranks ranks = ranks_of(s, d->n);

		if (!ranks.low || !ranks.high)
			continue;
		cell->has[s] = true;
		cell->value[s] = quantile(d, statistic_share[s]);
		cell->y[s] = y_of(s, cell->value[s]);
		cell->error[s] = (y_of(s, distribution_at(d, ranks.high - 1)) - y_of(s, distribution_at(d, ranks.low - 1))) / (2 * 1.96);
	}
	cell->has[MAX] = true;
	cell->value[MAX] = d->value[d->nr - 1];
	cell->y[MAX] = y_of(MAX, cell->value[MAX]);
	for (int i = 0; i < NR_GRID; i++)
		cell->grid[i] = quantile(d, grid_share[i]);
}

void measure_share(struct cell *cell, enum statistic s, uint64_t part, uint64_t all)
{
	if (!all)
		return;
	cell->has[s] = true;
	cell->value[s] = (double)part / all;
	/* Anscombe's transform: 0 of 100 is less certain than 0 of 1,000,000. */
	cell->y[s] = y_of(s, (part + 0.375) / (all + 0.75));
	cell->error[s] = 0.5 / sqrt(all + 0.5);
}

static void measure(struct cell *cell, struct part *part, const struct state *state)
{
	struct distribution *v = part->wake.d.n ? &part->wake.d : &part->intr.d;

	*cell = (struct cell) {
		.state = state->name, .source = part->source, .intr = !part->wake.d.n, .polls = state->polls,
		.n = v->n, .tainted = part->tainted, .reached = part->reached, .not_reached = part->not_reached,
	};
	if (v->n) {
		add_up(v);
		measure_latency(cell, v);
	}
	measure_share(cell, REACHED, part->reached, part->reached + part->not_reached);
	measure_share(cell, TAINTED, part->tainted, part->n + part->tainted);
}

void values_end(struct recording *r, const struct state *states)
{
	r->cells = xrealloc(NULL, nr_parts, sizeof(*r->cells));
	r->nr_cells = nr_parts;
	for (size_t i = 0; i < nr_parts; i++) {
		measure(&r->cells[i], &parts[i], &states[parts[i].state]);
		distribution_free(&parts[i].wake.d);
		distribution_free(&parts[i].intr.d);
	}
	nr_parts = 0;
}
