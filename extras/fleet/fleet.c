// SPDX-License-Identifier: GPL-2.0
/*
 * fleet LIST DIRECTORY: rank the machines of a fleet.
 *
 * Each line of LIST names a file of counts. If a line begins with =, the file was fetched from the machine that has the file's
 * name. Writes into DIRECTORY the tables fleet.tsv, fleet-machines.tsv, fleet-kinds.tsv, fleet-states.tsv and fleet-left-out.tsv.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "intern.h"
#include "message.h"
#include "outfile.h"

static char name[4096];

static FILE *table(const char *directory, const char *which, const char *header)
{
	FILE *to;

	snprintf(name, sizeof(name), "%s/%s", directory, which);
	to = outfile_stream(name);
	fprintf(to, "%s\n", header);
	return to;
}

static const char *metric_name(bool intr)
{
	return intr ? "intr_latency" : "wake_latency";
}

static const char *or_none(uint32_t text)
{
	return text ? text_of(text) : "-";
}

static void write_distances(FILE *to, size_t number, const struct kind *k, const struct machine *m)
{
	for (size_t i = 0; i < m->nr_cells * NR_STATISTICS; i++) {
		const struct cell *c = &m->cells[i / NR_STATISTICS];
		const struct distance *d = &m->distances[i];
		enum statistic s = i % NR_STATISTICS;
		const struct estimate *e = &c->at[s];
		const struct spread *p = e->has ? find_spread(k, c, s) : NULL;

		if (!p)
			continue;
		fprintf(to, "%s\t%zu\t%zu\t%s\t%s\t%s\t%s\t%" PRIu64 "\t%.0f", text_of(m->name), number, m->rank, text_of(c->state),
			text_of(c->source), metric_name(c->intr), statistic_name[s], c->n, e->value);
		if (s == MAX)
			fprintf(to, "\t-\t-");
		else
			fprintf(to, "\t%.0f\t%.0f", e->low, e->high);
		fprintf(to, "\t%.0f\t%.2f", p->median, d->percent);
		if (d->judged)
			fprintf(to, "\t%.2f\t%.2f\t%.2f\t%s\n", d->low, d->high, d->mads, fabs(d->mads) > k->limit ? "yes" : "no");
		else
			fprintf(to, "\t-\t-\t-\t-\n");
	}
}

/* Print the largest distance of M in words. */
static void put_farthest(FILE *to, const struct machine *m)
{
	const struct cell *c = &m->cells[m->farthest / NR_STATISTICS];
	const struct distance *d = &m->distances[m->farthest];
	const struct estimate *e = &c->at[m->farthest % NR_STATISTICS];

	fprintf(to, "%s %s %.3f us (%.3f .. %.3f): %+.1f %%, ", text_of(c->state), statistic_name[m->farthest % NR_STATISTICS],
		e->value / 1000, e->low / 1000, e->high / 1000, d->percent);
	if (d->mads != 0)
		fprintf(to, "%.1f MADs", fabs(d->mads));
	else
		fprintf(to, "within the uncertainty of launch times");
}

static void write_machine(FILE *to, size_t number, const struct kind *k, const struct machine *m)
{
	uint64_t n = 0, tainted = 0;
	bool far = m->nr_cells && m->distances[m->farthest].judged && m->distances[m->farthest].percent != 0;

	for (size_t i = 0; i < m->nr_cells; i++) {
		n += m->cells[i].n;
		tainted += m->cells[i].tainted;
	}
	fprintf(to, "%s\t%zu\t%zu\t%zu\t%" PRIu64 "\t%" PRIu64 "\t%s\t", text_of(m->name), number, m->rank, m->nr_recordings, n, tainted,
		m->reason ? "nothing" : m->different ? "different" : k->nr_ranked > 1 ? "like" : "alone");
	if (far)
		fprintf(to, "%.2f\t%.2f\t", fabs(m->mads), m->distances[m->farthest].percent);
	else
		fprintf(to, "-\t-\t");
	if (m->reason || m->missing)
		fprintf(to, "%s%s", text_of(m->reason ? m->reason : m->missing), far && !m->reason ? "; " : "");
	if (far && !m->reason)
		put_farthest(to, m);
	else if (!m->reason && !m->missing)
		fputc('-', to);
	fprintf(to, "\t%s\n", or_none(m->reason ? 0 : facts_differ(k, m)));
}

/* Print the limit of a kind, times FACTOR, plus MORE; "-": there is none. */
static void put_limit(FILE *to, const struct kind *k, double factor, double more)
{
	if (isinf(k->limit))
		fprintf(to, "\t-");
	else
		fprintf(to, "\t%.1f", factor * k->limit + more);
}

static void write_kind(FILE *to, size_t number, const struct kind *k)
{
	static const char *const what[] = { "emulated", "cpu_model", "cpu_stepping", "driver", "source" };
	size_t different = 0;

	for (size_t i = 0; i < k->nr; i++)
		different += k->machines[i]->different;
	fprintf(to, "%zu\t%zu\t%zu\t%zu\t%zu", number, k->nr, different, k->nr - k->nr_ranked, k->comparisons);
	put_limit(to, k, 1, 0);
	for (size_t i = 0; i < sizeof(what) / sizeof(*what); i++)
		fprintf(to, "\t%s", or_none(pair_value(k->machines[0]->recordings[0], intern_text(what[i]))));
	fputc('\n', to);
}

static void write_spread(FILE *to, size_t number, const struct kind *k, const struct spread *p)
{
	double percent = 100 / fmax(p->median, 1), explained = p->uncertainty + fmax(p->most - p->median, p->median - p->least);

	fprintf(to, "%zu\t%s\t%s\t%s\t%s\t%zu\t%.0f\t%.0f\t%.0f", number, text_of(p->state), text_of(p->source), metric_name(p->intr),
		statistic_name[p->statistic], p->nr, p->median, p->low, p->high);
	if (p->statistic == MAX || p->nr < 2)
		fprintf(to, "\t-\t-");
	else {
		fprintf(to, "\t%.2f", percent * p->scale);
		put_limit(to, k, percent * p->scale, percent * explained);
	}
	if (p->uncertainty > 0)
		fprintf(to, "\t%.0f\n", p->uncertainty);
	else
		fprintf(to, "\t-\n");
}

static void write_tables(const struct fleet *fleet, const char *directory)
{
	FILE *to = table(directory, "fleet.tsv", "machine\tkind\trank\tstate\tsource\tmetric\tstatistic\tn\tvalue\tlow\thigh\tmedian\tdifference_pct\tdifference_low_pct\tdifference_high_pct\tmads\tdifferent");

	for (size_t i = 0; i < fleet->nr_kinds; i++)
		for (size_t m = 0; m < fleet->kinds[i].nr_ranked; m++)
			write_distances(to, i + 1, &fleet->kinds[i], fleet->kinds[i].machines[m]);
	outfile_close_stream(to, name);
	to = table(directory, "fleet-machines.tsv", "machine\tkind\trank\trecordings\tn\ttainted\tanswer\tmads\tdifference_pct\tfinding\tfacts");
	for (size_t i = 0; i < fleet->nr_kinds; i++)
		for (size_t m = 0; m < fleet->kinds[i].nr; m++)
			write_machine(to, i + 1, &fleet->kinds[i], fleet->kinds[i].machines[m]);
	outfile_close_stream(to, name);
	to = table(directory, "fleet-kinds.tsv", "kind\tmachines\tdifferent\tnothing\tcomparisons\tlimit_mads\temulated\tcpu_model\tcpu_stepping\tdriver\tsource");
	for (size_t i = 0; i < fleet->nr_kinds; i++)
		write_kind(to, i + 1, &fleet->kinds[i]);
	outfile_close_stream(to, name);
	to = table(directory, "fleet-states.tsv", "kind\tstate\tsource\tmetric\tstatistic\tmachines\tmedian\tminimum\tmaximum\tscale_pct\tfrom_pct\tuncertainty");
	for (size_t i = 0; i < fleet->nr_kinds; i++)
		for (size_t s = 0; s < fleet->kinds[i].nr_spreads; s++)
			write_spread(to, i + 1, &fleet->kinds[i], &fleet->kinds[i].spreads[s]);
	outfile_close_stream(to, name);
	to = table(directory, "fleet-left-out.tsv", "file\trecording\tmachine\treason");
	for (size_t i = 0; i < fleet->nr_left_out; i++)
		fprintf(to, "%s\t%s\t%s\t%s\n", text_of(fleet->left_out[i].file), or_none(fleet->left_out[i].id),
			or_none(fleet->left_out[i].machine), text_of(fleet->left_out[i].reason));
	outfile_close_stream(to, name);
}

static void read_all(struct fleet *fleet, const char *list)
{
	FILE *from = fopen(list, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t len;

	if (!from)
		die("cannot read %s: %s", list, strerror(errno));
	while ((len = getline(&line, &size, from)) > 0) {
		line[len - 1] = '\0';
		fleet_read(fleet, intern_text(line + (*line == '=')), *line == '=');
	}
	free(line);
	fclose(from);
}

int main(int argc, char **argv)
{
	struct fleet fleet = { 0 };

	message_init("fleet");
	if (argc != 3)
		die("usage: fleet LIST DIRECTORY");
	read_all(&fleet, argv[1]);
	fleet_bind(&fleet);
	fleet_kinds(&fleet);
	for (size_t i = 0; i < fleet.nr_kinds; i++)
		kind_rank(&fleet.kinds[i]);
	write_tables(&fleet, argv[2]);
	if (fleet.duplicates)
		message("%zu recordings occurred more than once, and were counted once", fleet.duplicates);
	return 0;
}
