// SPDX-License-Identifier: GPL-2.0
/* Write the tables that Documentation/formats.md describes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "binomial.h"
#include "fleet.h"
#include "intern.h"
#include "message.h"
#include "outfile.h"

static char name[4096];

FILE *table(const char *directory, const char *which, const char *header)
{
	FILE *to;

	snprintf(name, sizeof(name), "%s/%s", directory, which);
	to = outfile_stream(name);
	fprintf(to, "%s\n", header);
	return to;
}

void end_table(FILE *to)
{
	outfile_close_stream(to, name);
}

const char *metric_name(bool intr)
{
	return intr ? "intr_latency" : "wake_latency";
}

static const char *or_none(uint32_t text)
{
	return text ? text_of(text) : "-";
}

/* Return the number of the peers' key, "all" if they are all of their kind, or "-" without peers. */
static const char *peers_name(const struct peers *p)
{
	static char text[24];

	if (!p || !p->key_number)
		return p ? "all" : "-";
	snprintf(text, sizeof(text), "%zu", p->key_number);
	return text;
}

/* Print a latency in ns or a share in %. */
static void put_value(FILE *to, enum statistic s, double value)
{
	if (is_share(s))
		fprintf(to, "\t%.4f", 100 * value);
	else
		fprintf(to, "\t%.0f", value);
}

/* Return the difference from the centre: of a latency in %, of a share in percentage points. */
static double difference(enum statistic s, double centre, double y)
{
	return 100 * (is_share(s) ? value_of(s, y) - value_of(s, centre) : expm1(y - centre));
}

/* --- fleet.tsv: each test */

static void write_tests_of(FILE *to, const struct machine *m)
{
	for (size_t i = 0; i < m->nr_cells * NR_STATISTICS; i++) {
		const struct cell *c = &m->cells[i / NR_STATISTICS];
		const struct test *t = &m->test[i];
		enum statistic s = i % NR_STATISTICS;

		if (!t->done)
			continue;
		fprintf(to, "%s\t%zu\t%s\t%s\t%s\t%s\t%" PRIu64, text_of(m->name), m->key_number, text_of(c->state), text_of(c->source),
			metric_name(c->intr), statistic_name[s], c->n);
		put_value(to, s, c->value[s]);
		fprintf(to, "\t%zu", t->spread->nr);
		put_value(to, s, value_of(s, t->spread->centre));
		fprintf(to, "\t%.2f", difference(s, t->spread->centre, c->y[s]));
		if (s == MAX)
			fprintf(to, "\t-\t-");
		else
			fprintf(to, "\t%.2f\t%.2f", difference(s, t->spread->centre, t->spread->centre + t->low),
				difference(s, t->spread->centre, t->spread->centre + t->high));
		fprintf(to, "\t%.2f\t%.3g\t%s\n", t->z, t->p, t->odd ? "yes" : "no");
	}
}

static void write_tests(const struct fleet *fleet, const char *directory)
{
	FILE *to = table(directory, "fleet.tsv", "machine\tkey\tstate\tsource\tmetric\tstatistic\tn\tvalue\tpeers\tusual\tdifference_pct\tdifference_low_pct\tdifference_high_pct\tz\tp\todd");

	for (size_t i = 0; i < fleet->nr_machines; i++)
		if (fleet->machines[i]->test)
			write_tests_of(to, fleet->machines[i]);
	end_table(to);
}

/* --- fleet-machines.tsv */

static void write_machine(FILE *to, const struct machine *m)
{
	const char *answer = m->reason ? "nothing" : m->odd ? "odd" : m->undecided ? "undecided" : "like";
	uint32_t finding = m->reason ? m->reason : m->odd ? findings_of(m) : m->undecided;
	uint64_t n = 0, tainted = 0;

	for (size_t i = 0; i < m->nr_cells; i++) {
		n += m->cells[i].n;
		tainted += m->cells[i].tainted;
	}
	fprintf(to, "%s\t%zu\t%zu\t%" PRIu64 "\t%" PRIu64 "\t%s\t%zu\t%s\t%.3g\t%s\t%s\n", text_of(m->name), m->key_number,
		m->nr_recordings, n, tainted, peers_name(m->peers), m->peers ? m->peers->nr : 0, answer, fmin(1, m->p), or_none(finding),
		or_none(m->odd ? cause_of(m) : 0));
}

static void write_machines(const struct fleet *fleet, const char *directory)
{
	FILE *to = table(directory, "fleet-machines.tsv", "machine\tkey\trecordings\tn\ttainted\tagainst\tpeers\tanswer\tp\tfinding\tcause");

	for (size_t i = 0; i < fleet->nr_machines; i++)
		write_machine(to, fleet->machines[i]);
	end_table(to);
}

/* --- fleet-keys.tsv */

static void write_keys(const struct fleet *fleet, const char *directory)
{
	static const char *const what[] = {
		"emulated", "cpu_model", "cpu_stepping", "microcode", "bios", "kernel", "driver", "governor", "source",
	};
	FILE *to = table(directory, "fleet-keys.tsv", "key\tmachines\todd\tundecided\tnothing\tagainst\temulated\tcpu_model\tcpu_stepping\tmicrocode\tbios\tkernel\tdriver\tgovernor\tsource");
	size_t odd = 0, undecided = 0, nothing = 0, nr = 0;

	for (size_t i = 0; i < fleet->nr_machines; i++) {
		const struct machine *m = fleet->machines[i], *next = i + 1 < fleet->nr_machines ? fleet->machines[i + 1] : NULL;

		nr++;
		odd += m->odd;
		undecided += m->undecided != 0;
		nothing += m->reason != 0;
		if (next && next->key_number == m->key_number)
			continue;
		fprintf(to, "%zu\t%zu\t%zu\t%zu\t%zu\t%s", m->key_number, nr, odd, undecided, nothing, peers_name(m->peers));
		for (size_t k = 0; k < sizeof(what) / sizeof(*what); k++)
			fprintf(to, "\t%s", or_none(pair_value(m->recordings[0], intern_text(what[k]))));
		fputc('\n', to);
		nr = odd = undecided = nothing = 0;
	}
	end_table(to);
}

/* --- fleet-states.tsv: the usual values of peers, and how far peers are apart */

/*
 * Return the spread of the same state and statistic for the largest group of peers of P's kind. Return NULL if this
 * group is P, or if it has no such spread.
 */
static const struct spread *of_largest(const struct fleet *fleet, const struct peers *p, const struct spread *like)
{
	const struct peers *largest = NULL;

	for (size_t i = 0; i < fleet->nr_peers; i++)
		if (fleet->peers[i]->kind == p->kind && (!largest || fleet->peers[i]->nr > largest->nr))
			largest = fleet->peers[i];
	if (largest == p)
		return NULL;
	return find_spread(largest, like->state, like->source, like->intr, like->statistic);
}

static void put_from_largest(FILE *to, const struct spread *s, const struct spread *largest)
{
	double error;

	if (!largest || s->statistic == MAX) {
		fprintf(to, "\t-\t-\t-\n");
		return;
	}
	/* The error of the difference of two medians. */
	error = 1.96 * hypot(fmax(s->scale[0], s->scale[1]) * sqrt(M_PI_2 / s->nr),
			     fmax(largest->scale[0], largest->scale[1]) * sqrt(M_PI_2 / largest->nr));
	fprintf(to, "\t%.2f\t%.2f\t%.2f\n", difference(s->statistic, largest->centre, s->centre),
		difference(s->statistic, largest->centre, s->centre - error), difference(s->statistic, largest->centre, s->centre + error));
}

/*
 * Suppose that a share of a machine's wake-ups takes longer than usual. Print the smallest share with which the
 * statistic is one of these longer samples with a probability of 95 %.
 */
static void put_moved(FILE *to, const struct spread *s)
{
	uint64_t n = s->n_low, longer;

	fprintf(to, "\t%" PRIu64, n);
	if (is_share(s->statistic) || s->polls || !n) {
		fprintf(to, "\t-");
		return;
	}
	longer = n - (uint64_t)floor((n - 1) * statistic_share[s->statistic]);
	fprintf(to, "\t%.2f", 100 * (double)binomial_upper(n, longer - 1, 0.05L));
}

static void write_states(const struct fleet *fleet, const char *directory)
{
	FILE *to = table(directory, "fleet-states.tsv", "key\tstate\tsource\tmetric\tstatistic\tmachines\tusual\tleast\tmost\tbelow_pct\tabove_pct\tfreedom\tdetectable_pct\tn_low\tmoved_pct\tfrom_largest_pct\tfrom_largest_low_pct\tfrom_largest_high_pct");

	for (size_t i = 0; i < fleet->nr_peers; i++) {
		const struct peers *p = fleet->peers[i];

		for (size_t k = 0; k < p->nr_spreads; k++) {
			const struct spread *s = &p->spreads[k];

			fprintf(to, "%s\t%s\t%s\t%s\t%s\t%zu", peers_name(p), text_of(s->state), text_of(s->source), metric_name(s->intr),
				statistic_name[s->statistic], s->nr);
			put_value(to, s->statistic, value_of(s->statistic, s->centre));
			put_value(to, s->statistic, value_of(s->statistic, s->low));
			put_value(to, s->statistic, value_of(s->statistic, s->high));
			fprintf(to, "\t%.2f\t%.2f\t%.1f\t%.1f", -difference(s->statistic, s->centre, s->centre - s->scale[0]),
				difference(s->statistic, s->centre, s->centre + s->scale[1]), fmin(s->freedom[0], s->freedom[1]),
				difference(s->statistic, s->centre, s->centre + s->least));
			put_moved(to, s);
			put_from_largest(to, s, of_largest(fleet, p, s));
		}
	}
	end_table(to);
}

static void write_left_out(const struct fleet *fleet, const char *directory)
{
	FILE *to = table(directory, "fleet-left-out.tsv", "file\trecording\tmachine\treason");

	for (size_t i = 0; i < fleet->nr_left_out; i++)
		fprintf(to, "%s\t%s\t%s\t%s\n", text_of(fleet->left_out[i].file), or_none(fleet->left_out[i].id),
			or_none(fleet->left_out[i].machine), text_of(fleet->left_out[i].reason));
	end_table(to);
}

void write_tables(const struct fleet *fleet, const char *directory)
{
	write_tests(fleet, directory);
	write_machines(fleet, directory);
	write_keys(fleet, directory);
	write_states(fleet, directory);
	write_left_out(fleet, directory);
}
