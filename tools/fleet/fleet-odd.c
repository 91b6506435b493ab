// SPDX-License-Identifier: GPL-2.0
/*
 * Test each statistic of each state of each machine against the machine's peers.
 *
 * A machine's p is the p of its most unlikely test times the number of its tests (Bonferroni). This p is valid however the tests
 * depend on each other. The M machines are sorted by p, and the first k are called odd, where k is the largest number for which
 * the k-th p is at most 0.05 k / M (Benjamini and Hochberg). So, on average, 5 % of the machines that are called odd are not. If
 * no machine is odd, the probability that any is called odd is 5 %.
 *
 * If nine of ten peers have entered a state often, and the machine has never entered it, no test is needed: it is missing.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "intern.h"
#include "message.h"

/* A peer has entered a state often if it has this many samples. With fewer, a machine might miss the state by chance. */
#define OFTEN 20

/* --- spreads */

struct spread *find_spread(const struct peers *p, uint32_t state, uint32_t source, bool intr,
			   enum statistic s)
{
	for (size_t i = 0; i < p->nr_spreads; i++) {
		struct spread *spread = &p->spreads[i];

		if (spread->state == state && spread->source == source && spread->intr == intr &&
		    spread->statistic == s)
			return spread;
	}
	return NULL;
}

/* Return true if the maximum can be compared: it grows with the number of samples, so n must be similar. */
static bool about_as_many(const struct cell *c, uint64_t usual)
{
	return c->n <= 2 * usual && 2 * c->n >= usual;
}

static uint64_t usual_n(const struct peers *p, const struct cell *like, uint64_t *least)
{
	double *n = xrealloc(NULL, p->nr, sizeof(*n));
	size_t nr = 0;
	uint64_t usual;

	for (size_t i = 0; i < p->nr; i++) {
		struct cell *c = cell_of(p->machines[i], like->state, like->source);

		if (c && c->intr == like->intr)
			n[nr++] = c->n;
	}
	usual = median_of(n, nr);
	qsort(n, nr, sizeof(*n), compare_doubles);
	*least = n[nr / 20];
	free(n);
	return usual;
}

static void make_spread(struct peers *p, const struct cell *like, enum statistic s)
{
	struct spread spread = {
		.state = like->state, .source = like->source, .intr = like->intr, .polls = like->polls, .statistic = s,
	};
	struct observation *all = xrealloc(NULL, p->nr, sizeof(*all));
	double *grid = xrealloc(NULL, p->nr, sizeof(*grid)), *errors = xrealloc(NULL, p->nr, sizeof(*errors));
	size_t nr = 0;

	spread.n_usual = usual_n(p, like, &spread.n_low);
	for (size_t i = 0; i < p->nr; i++) {
		struct cell *c = cell_of(p->machines[i], like->state, like->source);

		if (!c || c->intr != like->intr || !c->has[s] || (s == MAX && !about_as_many(c, spread.n_usual)))
			continue;
		grid[nr] = c->grid[GRID_999];
		errors[nr] = c->error[s];
		all[nr++] = (struct observation) { c->y[s], c->error[s] };
	}
	if (nr >= LEAST_PEERS) {
		spread_of(&spread, all, nr);
		spread.grid_high = median_of(grid, nr);
		spread.least = median_of(errors, nr);
		p->spreads = xrealloc(p->spreads, p->nr_spreads + 1, sizeof(*p->spreads));
		p->spreads[p->nr_spreads++] = spread;
	}
	free(all);
	free(grid);
	free(errors);
}

static int compare_spreads(const void *a, const void *b)
{
	const struct spread *x = a, *y = b;
	int order = strcmp(text_of(x->source), text_of(y->source));

	if (!order)
		order = strcmp(text_of(x->state), text_of(y->state));
	if (!order)
		order = x->intr - y->intr;
	return order ? order : (int)x->statistic - (int)y->statistic;
}

/* Make the spreads of each state that any of the peers has. */
static void make_spreads(struct peers *p)
{
	struct machine done = { 0 };	/* has each state once */

	for (size_t i = 0; i < p->nr; i++) {
		for (size_t k = 0; k < p->machines[i]->nr_cells; k++) {
			struct cell *c = &p->machines[i]->cells[k];

			if (find_cell(&done, c->state, c->source, c->intr))
				continue;
			done.cells = xrealloc(done.cells, done.nr_cells + 1, sizeof(*done.cells));
			done.cells[done.nr_cells++] = *c;
			for (enum statistic s = P50; s < NR_STATISTICS; s++)
				make_spread(p, c, s);
		}
	}
	free(done.cells);
	spreads_freedom(p->spreads, p->nr_spreads);
	if (p->nr_spreads)
		qsort(p->spreads, p->nr_spreads, sizeof(*p->spreads), compare_spreads);
}

/* --- tests */

/* Return true if only a higher value is odd: a shorter maximum or fewer tainted samples are not. */
static bool one_sided(enum statistic s)
{
	return s == MAX || s == TAINTED;
}

static void test_one(struct test *t, const struct cell *c, enum statistic s)
{
	const struct spread *spread = t->spread;
	double error = hypot(c->error[s], spread->scale[1] * sqrt(M_PI_2 / spread->nr));

	t->done = true;
	t->z = spread_z(spread, c->y[s], c->error[s]);
	t->p = spread_p(spread, c->y[s], c->error[s]);
	if (one_sided(s))
		t->p = t->z > 0 ? t->p : 1;
	else
		t->p *= 2;
	t->low = c->y[s] - spread->centre - 1.96 * error;
	t->high = c->y[s] - spread->centre + 1.96 * error;
}

static void test_machine(struct machine *m)
{
	double least = 1;

	m->test = xrealloc(NULL, m->nr_cells * NR_STATISTICS + 1, sizeof(*m->test));
	for (size_t i = 0; i < m->nr_cells; i++) {
		struct cell *c = &m->cells[i];

		for (enum statistic s = P50; s < NR_STATISTICS; s++) {
			struct test *t = &m->test[i * NR_STATISTICS + s];

			*t = (struct test) {
				.spread = find_spread(m->peers, c->state, c->source, c->intr, s),
			};
			if (!t->spread || !c->has[s] || c->polls || (s == MAX && !about_as_many(c, t->spread->n_usual)))
				continue;
			test_one(t, c, s);
			m->tests++;
			least = fmin(least, t->p);
		}
	}
	m->p = fmin(1, least * m->tests);
}

/* --- missing states */

static const char *how_missing(const struct machine *m, uint32_t state)
{
	const struct recording *r = m->recordings[0];
	uint32_t disabled;

	for (int i = 0; i < MAX_STATES; i++) {
		if (pair_value(r, intern_printf("state.%d.name", i)) != state)
			continue;
		disabled = pair_value(r, intern_printf("state.%d.disabled", i));
		return disabled == intern_text("1") ? "disabled" : "never entered";
	}
	return "not in its table of states";
}

static size_t that_have(const struct peers *p, uint32_t state, uint32_t source)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr; i++) {
		struct cell *c = cell_of(p->machines[i], state, source);

		nr += c && c->n >= OFTEN;
	}
	return nr;
}

/* Add the state of S to the machines that miss it. */
static void add_missing(struct fleet *fleet, const struct peers *p, const struct spread *s)
{
	for (size_t i = 0; i < fleet->nr_machines; i++) {
		struct machine *m = fleet->machines[i];
		const struct cell *c;

		if (m->peers != p || m->reason)
			continue;
		c = cell_of(m, s->state, s->source);
		if (c && (c->n || c->tainted))
			continue;
		m->missing = xrealloc(m->missing, m->nr_missing + 1, sizeof(*m->missing));
		m->missing[m->nr_missing++] = (struct missing) { s->state, how_missing(m, s->state) };
	}
}

static void find_missing(struct fleet *fleet, const struct peers *p)
{
	for (size_t i = 0; i < p->nr_spreads; i++) {
		const struct spread *s = &p->spreads[i];

		if (s->statistic == TAINTED && that_have(p, s->state, s->source) * 10 >= p->nr * 9)
			add_missing(fleet, p, s);
	}
}

/* --- all of them together */

static int by_p(const void *a, const void *b)
{
	const struct machine *x = *(struct machine *const *)a, *y = *(struct machine *const *)b;

	return (x->p > y->p) - (x->p < y->p);
}

static void call_odd(struct machine **tested, size_t nr)
{
	size_t odd = 0;

	qsort(tested, nr, sizeof(*tested), by_p);
	for (size_t i = 0; i < nr; i++)
		if (tested[i]->p <= RATE * (i + 1) / nr)
			odd = i + 1;
	for (size_t i = 0; i < odd; i++) {
		struct machine *m = tested[i];

		m->odd = true;
		for (size_t k = 0; k < m->nr_cells * NR_STATISTICS; k++)
			if (m->test[k].done && m->test[k].p * m->tests <= RATE * odd / nr)
				m->test[k].odd = true;
	}
}

/* Set the smallest difference that is found in a machine with the usual error, if no other machine is odd. */
static void find_least(struct fleet *fleet, size_t nr_tested)
{
	for (size_t i = 0; i < fleet->nr_peers; i++) {
		struct peers *p = fleet->peers[i];

		for (size_t k = 0; k < p->nr_spreads; k++) {
			struct spread *s = &p->spreads[k];
			double tail = RATE / nr_tested / p->nr_spreads / (one_sided(s->statistic) ? 1 : 2);

			s->least = spread_found(s, tail, s->least);
		}
	}
}

/*
 * Return why some state of M could not be judged, or 0. Too few machines have the state, it has too
 * few samples, or the peers are too far apart.
 */
static uint32_t why_undecided(const struct machine *m)
{
	bool any = false;

	if (!m->peers)
		return intern_printf("fewer than %d machines of its kind", LEAST_PEERS);
	for (size_t i = 0; i < m->nr_cells; i++) {
		const struct cell *c = &m->cells[i];
		const struct test *t = &m->test[i * NR_STATISTICS + P50];
		const char *state = text_of(c->state);

		if (c->polls)
			continue;
		any = true;
		if (!c->has[P50])
			return intern_printf("%s: %" PRIu64 " samples are too few", state, c->n);
		if (!t->done)
			return intern_printf("%s: fewer than %d machines have it", state, LEAST_PEERS);
		if (t->spread->least > log1p(MATTERS))
			return intern_printf("%s: peers differ so much that a difference below "
					     "%+.0f %% is not found",
					     state, 100 * expm1(t->spread->least));
	}
	return any ? 0 : intern_text("it has no samples of a state other than POLL");
}

void fleet_test(struct fleet *fleet)
{
	struct machine **tested = xrealloc(NULL, fleet->nr_machines + 1, sizeof(*tested));
	size_t nr = 0;

	for (size_t i = 0; i < fleet->nr_peers; i++)
		make_spreads(fleet->peers[i]);
	for (size_t i = 0; i < fleet->nr_machines; i++) {
		struct machine *m = fleet->machines[i];

		m->p = 1;
		if (m->reason || !m->peers) {
			m->undecided = m->reason ? 0 : why_undecided(m);
			continue;
		}
		test_machine(m);
		tested[nr++] = m;
	}
	find_least(fleet, nr ? nr : 1);
	call_odd(tested, nr);
	for (size_t i = 0; i < fleet->nr_peers; i++)
		find_missing(fleet, fleet->peers[i]);
	for (size_t i = 0; i < nr; i++) {
		tested[i]->odd = tested[i]->odd || tested[i]->nr_missing;
		tested[i]->undecided = tested[i]->odd ? 0 : why_undecided(tested[i]);
	}
	free(tested);
}
