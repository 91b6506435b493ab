// SPDX-License-Identifier: GPL-2.0
/*
 * Make machines from recordings, and kinds from machines: machines of one kind have the same CPU model and stepping and were
 * measured in the same way. Rank the machines of a kind by the largest distance of a median or 99th percentile from that of
 * their kind. The unit of distance is the kind's median absolute deviation (MAD), but at least 1 % of the median, the clock's
 * step, and the error of the machine's own samples. The part of a distance that the uncertainty of launch times may explain does not
 * count: the machine's values and those of the median's machines may be wrong in opposite directions.
 *
 * A machine is called different if it is farther away than kind.limit MADs, or if it lacks a state that nine of ten of the other
 * machines have. In a kind of two, both are equally far from the median, so there is no limit.
 * The limit grows with the number of comparisons so that of fleets without such a machine one of twenty has one by chance, if the
 * machines scatter with tails as heavy as those of Student's distribution with five degrees of freedom (extras/fleet/tests/bench/fleet-rank).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "intern.h"
#include "message.h"

#define LEAST_SCALE 0.01
#define ROUNDING 1e-9	/* of a distance in MADs */
#define LEAST_SAMPLES 20

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

static bool same_moment(const struct recording *x, const struct recording *y)
{
	return x->kind == y->kind && x->machine == y->machine && x->date == y->date && x->date;
}

/* Rename machines that share a name. Two recordings with one name that began in the same second are of two machines. */
static void rename_doubles(struct recording **r, size_t nr)
{
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

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->state == b->state && a->source == b->source && a->intr == b->intr;
}

static struct cell *find_cell(const struct machine *m, const struct cell *like)
{
	for (size_t i = 0; i < m->nr_cells; i++)
		if (same_cell(&m->cells[i], like))
			return &m->cells[i];
	return NULL;
}

/* Add the samples of C to TO. An estimate becomes the mean, weighted by the numbers of samples; a maximum the larger one. */
static void add_cell(struct cell *to, const struct cell *c)
{
	double old = to->n, new = c->n;

	for (enum statistic s = P50; s < NR_STATISTICS; s++) {
		struct estimate *a = &to->at[s];
		const struct estimate *b = &c->at[s];

		if (b->has && (!a->has || (s == MAX && b->value > a->value)))
			*a = *b;
		else if (b->has && s != MAX)
			*a = (struct estimate) { true, (old * a->value + new * b->value) / (old + new),
				(old * a->low + new * b->low) / (old + new), (old * a->high + new * b->high) / (old + new),
				(old * a->uncertainty + new * b->uncertainty) / (old + new) };
	}
	to->step = !to->step || (c->step && c->step < to->step) ? c->step : to->step;
	to->n += c->n;
	to->tainted += c->tainted;
}

static void add_recording(struct machine *m, struct recording *r)
{
	m->recordings = xrealloc(m->recordings, m->nr_recordings + 1, sizeof(*m->recordings));
	m->recordings[m->nr_recordings++] = r;
	if (!r->reason)
		m->reason = 0;
	for (size_t i = 0; i < r->nr_cells && !r->reason; i++) {
		struct cell *to = find_cell(m, &r->cells[i]);

		if (to) {
			add_cell(to, &r->cells[i]);
			continue;
		}
		m->cells = xrealloc(m->cells, m->nr_cells + 1, sizeof(*m->cells));
		m->cells[m->nr_cells++] = r->cells[i];
	}
}

void fleet_kinds(struct fleet *fleet)
{
	struct recording **r = fleet->recordings;
	struct kind *k = NULL;
	struct machine *m = NULL;
	size_t room = 0;

	if (!fleet->nr_recordings)
		return;
	qsort(r, fleet->nr_recordings, sizeof(*r), compare_recordings);
	rename_doubles(r, fleet->nr_recordings);
	for (size_t i = 0; i < fleet->nr_recordings; i++) {
		if (!i || r[i]->kind != r[i - 1]->kind) {
			fleet->kinds = xrealloc(fleet->kinds, fleet->nr_kinds + 1, sizeof(*k));
			k = &fleet->kinds[fleet->nr_kinds++];
			*k = (struct kind) { 0 };
			room = 0;
			m = NULL;
		}
		if (!m || m->name != r[i]->machine) {
			m = xrealloc(NULL, 1, sizeof(*m));
			*m = (struct machine) { .name = r[i]->machine, .kind = r[i]->kind, .reason = r[i]->reason };
			k->machines = xgrow(k->machines, k->nr, &room, sizeof(*k->machines));
			k->machines[k->nr++] = m;
		}
		add_recording(m, r[i]);
	}
}

/* --- the spread of a kind */

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sort NR values, and return their median. */
static double median_of(double *v, size_t nr)
{
	qsort(v, nr, sizeof(*v), compare_doubles);
	return (v[(nr - 1) / 2] + v[nr / 2]) / 2;
}

const struct spread *find_spread(const struct kind *k, const struct cell *c, enum statistic s)
{
	for (size_t i = 0; i < k->nr_spreads; i++) {
		const struct spread *p = &k->spreads[i];

		if (p->state == c->state && p->source == c->source && p->intr == c->intr && p->statistic == s)
			return p;
	}
	return NULL;
}

static void add_spread(struct kind *k, const struct cell *like, enum statistic s)
{
	struct spread p = { .state = like->state, .source = like->source, .intr = like->intr, .statistic = s };
	double *v = xrealloc(NULL, k->nr + 1, sizeof(*v)), *least = xrealloc(NULL, k->nr + 1, sizeof(*least)), step = 0;
	double *most = xrealloc(NULL, k->nr + 1, sizeof(*most));

	for (size_t i = 0; i < k->nr; i++) {
		const struct cell *c = find_cell(k->machines[i], like);

		if (!c || !c->at[s].has)
			continue;
		v[p.nr] = c->at[s].value;
		least[p.nr] = c->at[s].value - c->at[s].uncertainty;
		most[p.nr++] = c->at[s].value + c->at[s].uncertainty;
		p.uncertainty = fmax(p.uncertainty, c->at[s].uncertainty);
		step = !step || (c->step && c->step < step) ? c->step : step;
	}
	if (p.nr) {
		p.median = median_of(v, p.nr);
		p.least = median_of(least, p.nr);
		p.most = median_of(most, p.nr);
		p.low = v[0];
		p.high = v[p.nr - 1];
		for (size_t i = 0; i < p.nr; i++)
			v[i] = fabs(v[i] - p.median);
		p.scale = fmax(fmax(median_of(v, p.nr), step), LEAST_SCALE * p.median);
		k->spreads = xrealloc(k->spreads, k->nr_spreads + 1, sizeof(p));
		k->spreads[k->nr_spreads++] = p;
	}
	free(v);
	free(least);
	free(most);
}

static void find_spreads(struct kind *k)
{
	for (size_t i = 0; i < k->nr; i++)
		for (size_t c = 0; c < k->machines[i]->nr_cells; c++)
			if (k->machines[i]->cells[c].n && !find_spread(k, &k->machines[i]->cells[c], MAX))
				for (enum statistic s = P50; s < NR_STATISTICS; s++)
					add_spread(k, &k->machines[i]->cells[c], s);
}

/* --- the rank of a machine */

/* Return the distance of E from the median of P, without the part that uncertainty may explain. */
static double certain_distance(const struct spread *p, const struct estimate *e)
{
	double distance = e->value - p->median, explained = distance > 0 ? p->most - p->median : p->median - p->least;

	/* The median of two machines moves by half of each one's error, so the machine's own error is in it. */
	if (p->nr > 2)
		explained += e->uncertainty;
	return copysign(fmax(fabs(distance) - explained, 0), distance);
}

static void measure(struct kind *k, struct machine *m)
{
	m->distances = xrealloc(NULL, m->nr_cells * NR_STATISTICS + 1, sizeof(*m->distances));
	for (size_t i = 0; i < m->nr_cells * NR_STATISTICS; i++) {
		const struct cell *c = &m->cells[i / NR_STATISTICS];
		const struct estimate *e = &c->at[i % NR_STATISTICS];
		const struct spread *p = e->has ? find_spread(k, c, i % NR_STATISTICS) : NULL;
		struct distance *d = &m->distances[i];
		double ahead;

		*d = (struct distance) { 0 };
		if (!p || p->nr < 2 || p->median <= 0)
			continue;
		d->percent = 100 * (e->value / p->median - 1);
		d->low = 100 * (e->low - p->most) / p->median;
		d->high = 100 * (e->high - p->least) / p->median;
		if (p->statistic == MAX)
			continue;
		d->judged = true;
		k->comparisons++;
		/* The MAD of a normal distribution is 0.6745 standard deviations, the 95 % interval is 3.92 wide. */
		d->mads = certain_distance(p, e) / fmax(p->scale, (e->high - e->low - 2 * e->uncertainty) * 0.6745 / 3.92);
		/* In a kind of two, all distances are 1 MAD. Then the larger difference in % is the farther one. */
		ahead = fabs(d->mads) - fabs(m->mads);
		if (ahead > ROUNDING || (ahead > -ROUNDING && fabs(d->percent) > fabs(m->distances[m->farthest].percent))) {
			m->mads = d->mads;
			m->farthest = i;
		}
	}
}

/* Return the text that says why M has no samples of a state. */
static const char *why_missing(const struct machine *m, uint32_t state)
{
	const struct recording *r = m->recordings[0];

	for (int s = 0; s < MAX_STATES; s++) {
		uint32_t off = intern_printf("state.%d.disabled", s);

		if (pair_value(r, intern_printf("state.%d.name", s)) != state)
			continue;
		return pair_value(r, off) && strcmp(text_of(pair_value(r, off)), "0") ? "disabled" : "no untainted sample";
	}
	return "not in its table of states";
}

static void find_missing(const struct kind *k, struct machine *m)
{
	for (size_t i = 0; i < k->nr_spreads; i++) {
		const struct spread *p = &k->spreads[i];
		const struct cell like = { .state = p->state, .source = p->source, .intr = p->intr };
		const struct cell *c = find_cell(m, &like);
		bool first = p->statistic == MAX && k->nr_ranked > 2;

		if (!first || p->nr * 10 < (k->nr_ranked - 1) * 9 || (c && c->n))
			continue;
		m->missing = m->missing ?
			intern_printf("%s; %s missing: %s", text_of(m->missing), text_of(p->state), why_missing(m, p->state)) :
			intern_printf("%s missing: %s", text_of(p->state), why_missing(m, p->state));
	}
}

static int compare_ranks(const void *a, const void *b)
{
	const struct machine *x = *(struct machine *const *)a, *y = *(struct machine *const *)b;

	if (!x->reason != !y->reason)
		return x->reason ? 1 : -1;
	if (!x->missing != !y->missing)
		return x->missing ? -1 : 1;
	if (fabs(x->mads) != fabs(y->mads))
		return fabs(x->mads) < fabs(y->mads) ? 1 : -1;
	return compare_texts(x->name, y->name);
}

void kind_rank(struct kind *k)
{
	find_spreads(k);
	for (size_t i = 0; i < k->nr; i++)
		k->nr_ranked += !k->machines[i]->reason;
	for (size_t i = 0; i < k->nr; i++) {
		measure(k, k->machines[i]);
		if (!k->machines[i]->reason)
			find_missing(k, k->machines[i]);
	}
	k->limit = k->nr_ranked > 2 ? 2.5 * pow(20.0 * k->comparisons, 0.2) : INFINITY;
	qsort(k->machines, k->nr, sizeof(*k->machines), compare_ranks);
	for (size_t i = 0; i < k->nr_ranked; i++) {
		k->machines[i]->rank = i + 1;
		k->machines[i]->different = k->machines[i]->missing || fabs(k->machines[i]->mads) > k->limit;
	}
}
