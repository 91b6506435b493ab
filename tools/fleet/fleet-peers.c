// SPDX-License-Identifier: GPL-2.0
/*
 * Make machines from recordings, and find the peers of each machine. Machines have the same kind if they have the same CPU model
 * and stepping and were measured in the same way. Machines have the same key if their microcode, BIOS, kernel, driver, table of
 * states and governor are the same. The peers of a machine are the machines with the same key, if these are a quarter of their
 * kind or more. Otherwise the peers are the machines with the most frequent key of the kind. If even these are less than a
 * quarter, the peers are all machines of the kind. So machines with a rare microcode are compared with the others. But if half
 * of a fleet has one microcode, this half is compared only with itself.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "intern.h"
#include "message.h"

#define SHARE_OF_KIND 4

static int compare_texts(uint32_t a, uint32_t b)
{
	return a == b ? 0 : strcmp(text_of(a), text_of(b));
}

static int compare_recordings(const void *a, const void *b)
{
	const struct recording *x = *(struct recording *const *)a, *y = *(struct recording *const *)b;
	int order = compare_texts(x->kind, y->kind);

	if (!order)
		order = compare_texts(x->machine, y->machine);
	if (!order)
		order = compare_texts(x->date, y->date);
	return order ? order : compare_texts(x->id, y->id);
}

/* Compare by kind, key and name, the order of the tables. */
static int compare_machines(const void *a, const void *b)
{
	const struct machine *x = *(struct machine *const *)a, *y = *(struct machine *const *)b;
	int order = compare_texts(x->kind, y->kind);

	if (!order)
		order = compare_texts(x->key, y->key);
	return order ? order : compare_texts(x->name, y->name);
}

static bool same_moment(const struct recording *x, const struct recording *y)
{
	return x->kind == y->kind && x->machine == y->machine && x->date == y->date && x->date;
}

/*
 * Rename machines that share a name. Two recordings with one name that began in the same second are of two
 * machines.
 */
static void rename_doubles(struct fleet *fleet)
{
	size_t nr = fleet->nr_recordings;
	struct recording **r = fleet->recordings;
	uint32_t *names = xrealloc(NULL, nr + 1, sizeof(*names));

	for (size_t i = 0; i < nr; i++) {
		bool with_last = i && same_moment(r[i - 1], r[i]), with_next = i + 1 < nr && same_moment(r[i], r[i + 1]);

		names[i] = r[i]->machine;
		if (!with_last && !with_next)
			continue;
		if (!with_last)
			message("%s: several machines of that name were measured at the same time: they are kept apart",
				text_of(r[i]->machine));
		names[i] = intern_printf("%s (%.8s)", text_of(r[i]->machine), text_of(r[i]->id));
	}
	for (size_t i = 0; i < nr; i++)
		r[i]->machine = names[i];
	free(names);
}

/* --- several recordings of one machine */

struct cell *find_cell(const struct machine *m, uint32_t state, uint32_t source, bool intr)
{
	for (size_t i = 0; i < m->nr_cells; i++)
		if (m->cells[i].state == state && m->cells[i].source == source && m->cells[i].intr == intr)
			return &m->cells[i];
	return NULL;
}

/* Return the cell of STATE and SOURCE for either metric: the one with more samples if there are two. */
struct cell *cell_of(const struct machine *m, uint32_t state, uint32_t source)
{
	struct cell *with = NULL;

	for (size_t i = 0; i < m->nr_cells; i++)
		if (m->cells[i].state == state && m->cells[i].source == source && (!with || m->cells[i].n > with->n))
			with = &m->cells[i];
	return with;
}

/* Add C to TO. Percentiles become the mean of their logarithms, weighted by the number of samples. */
static void add_cell(struct cell *to, const struct cell *c)
{
	double old = to->n, new = c->n, all = old + new;

	for (enum statistic s = P50; s <= P999 && all > 0; s++) {
		if (!c->has[s])
			continue;
		/* If TO has too few samples for this percentile, take that of C. */
		if (to->has[s]) {
			to->y[s] = (to->y[s] * old + c->y[s] * new) / all;
			to->error[s] = hypot(to->error[s] * old, c->error[s] * new) / all;
			continue;
		}
		to->y[s] = c->y[s];
		to->error[s] = c->error[s];
		to->has[s] = true;
	}
	for (enum statistic s = P50; s <= P999; s++)
		if (to->has[s])
			to->value[s] = value_of(s, to->y[s]);
	if (c->has[MAX] && (!to->has[MAX] || c->value[MAX] > to->value[MAX])) {
		to->has[MAX] = true;
		to->value[MAX] = c->value[MAX];
		to->y[MAX] = c->y[MAX];
	}
	for (int i = 0; i < NR_GRID && all > 0; i++)
		to->grid[i] = (to->grid[i] * old + c->grid[i] * new) / all;
	to->n += c->n;
	to->tainted += c->tainted;
	to->reached += c->reached;
	to->not_reached += c->not_reached;
	measure_share(to, REACHED, to->reached, to->reached + to->not_reached);
	measure_share(to, TAINTED, to->tainted, to->tainted + to->n);
}

void add_recording(struct machine *m, struct recording *r)
{
	m->recordings = xrealloc(m->recordings, m->nr_recordings + 1, sizeof(*m->recordings));
	m->recordings[m->nr_recordings++] = r;
	for (size_t i = 0; i < r->nr_cells; i++) {
		struct cell *to = find_cell(m, r->cells[i].state, r->cells[i].source, r->cells[i].intr);

		if (to) {
			add_cell(to, &r->cells[i]);
			continue;
		}
		m->cells = xrealloc(m->cells, m->nr_cells + 1, sizeof(*m->cells));
		m->cells[m->nr_cells++] = r->cells[i];
	}
	/* One usable recording is enough. */
	m->reason = m->nr_recordings == 1 ? r->reason : m->reason && r->reason ? m->reason : 0;
}

static bool same_kind(const struct machine *x, const struct machine *y, bool and_key)
{
	return x->kind == y->kind && (!and_key || x->key == y->key);
}

void fleet_machines(struct fleet *fleet)
{
	if (fleet->nr_recordings)
		qsort(fleet->recordings, fleet->nr_recordings, sizeof(*fleet->recordings), compare_recordings);
	rename_doubles(fleet);
	for (size_t i = 0, first = 0; i < fleet->nr_recordings; i++) {
		struct recording *r = fleet->recordings[i];
		struct machine *m = NULL;

		/* Recordings of one kind and name are adjacent; each key among them makes a machine. */
		if (!i || fleet->recordings[i - 1]->kind != r->kind || fleet->recordings[i - 1]->machine != r->machine)
			first = fleet->nr_machines;
		for (size_t k = first; k < fleet->nr_machines; k++)
			if (fleet->machines[k]->key == r->key)
				m = fleet->machines[k];
		if (!m) {
			m = xrealloc(NULL, 1, sizeof(*m));
			*m = (struct machine) { .name = r->machine, .kind = r->kind, .key = r->key };
			fleet->machines = xrealloc(fleet->machines, fleet->nr_machines + 1, sizeof(*fleet->machines));
			fleet->machines[fleet->nr_machines++] = m;
		}
		add_recording(m, r);
	}
	if (fleet->nr_machines)
		qsort(fleet->machines, fleet->nr_machines, sizeof(*fleet->machines), compare_machines);
	for (size_t i = 0, number = 0; i < fleet->nr_machines; i++) {
		number += !i || !same_kind(fleet->machines[i - 1], fleet->machines[i], true);
		fleet->machines[i]->key_number = number;
	}
}

/* --- peers */

static struct peers *new_peers(struct fleet *fleet, struct machine **machines, size_t nr,
			       size_t key_number)
{
	struct peers *p = xrealloc(NULL, 1, sizeof(*p));

	*p = (struct peers) { .kind = machines[0]->kind, .key_number = key_number };
	p->machines = xrealloc(NULL, nr, sizeof(*p->machines));
	for (size_t i = 0; i < nr; i++)
		if (!machines[i]->reason)
			p->machines[p->nr++] = machines[i];
	fleet->peers = xrealloc(fleet->peers, fleet->nr_peers + 1, sizeof(*fleet->peers));
	fleet->peers[fleet->nr_peers++] = p;
	return p;
}

/* Return how many of the machines have the first one's kind, and its key if BY_KEY is set. */
static size_t run_of(struct machine **machines, size_t nr, bool by_key)
{
	size_t i = 1;

	while (i < nr && same_kind(machines[0], machines[i], by_key))
		i++;
	return i;
}

static size_t useful(struct machine **machines, size_t nr)
{
	size_t n = 0;

	for (size_t i = 0; i < nr; i++)
		n += !machines[i]->reason;
	return n;
}

static void peers_of_kind(struct fleet *fleet, struct machine **machines, size_t nr)
{
	size_t all = useful(machines, nr), most = 0, len;
	struct peers *others = NULL;

	for (size_t i = 0; i < nr; i += len) {
		size_t n;

		len = run_of(machines + i, nr - i, true);
		n = useful(machines + i, len);
		if (n < LEAST_PEERS || n * SHARE_OF_KIND < all)
			continue;
		struct peers *own = new_peers(fleet, machines + i, len, machines[i]->key_number);

		for (size_t k = i; k < i + len; k++)
			machines[k]->peers = own;
		if (n > most) {
			most = n;
			others = own;
		}
	}
	if (!others && all >= LEAST_PEERS)
		others = new_peers(fleet, machines, nr, 0);
	for (size_t i = 0; i < nr; i++)
		if (!machines[i]->peers)
			machines[i]->peers = others;
}

void fleet_peers(struct fleet *fleet)
{
	size_t len;

	for (size_t i = 0; i < fleet->nr_machines; i += len) {
		len = run_of(fleet->machines + i, fleet->nr_machines - i, false);
		peers_of_kind(fleet, fleet->machines + i, len);
	}
}
