// SPDX-License-Identifier: GPL-2.0
/*
 * Read files of counts in one pass, and keep a few statistics of each state. Use a block only after the checksum at its end was
 * checked. Latencies are in ns.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "counts.h"
#include "distribution.h"
#include "fleet.h"
#include "intern.h"
#include "message.h"
#include "percentile.h"

const char *const statistic_name[NR_STATISTICS] = { "p50", "p99", "max" };

/* A state of the recording that is being read. Until its end, upto[i] is how often value[i] occurs. */
struct part {
	uint32_t source;
	unsigned int state;
	uint64_t n, tainted;
	int64_t uncertainty;	/* the largest of the untainted samples, ns */
	struct values {
		struct distribution d;
		size_t room;
	} wake, intr;
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

static void take_uncertainty(struct counts_line *line, struct part *part)
{
	int64_t ns, count;

	while (counts_row(line, &ns, &count))
		if (ns > part->uncertainty)
			part->uncertainty = ns;
}

static void take_values(struct counts_line *line)
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
	if (line->kind == COUNTS_SAMPLES)
		*(tainted ? &part->tainted : &part->n) += count;
	else if (!tainted && cell_is(&cell[5], "uncertainty"))
		take_uncertainty(line, part);
	else if (!tainted)
		take_rows(line, cell_is(&cell[5], "wake_latency") ? &part->wake : &part->intr);
}

/* Return a quantile of type 7, the type that wakelat stats prints. */
static double quantile(const struct distribution *d, double share)
{
	double h = (d->n - 1) * share;
	uint64_t below = floor(h);
	double low = distribution_at(d, below);

	return below + 1 < d->n ? low + (h - below) * (distribution_at(d, below + 1) - low) : low;
}

/* Return the ranks of the 95 % interval of percentile WHICH of N samples. Most recordings have the same N. */
static struct ranks ranks_of(enum statistic which, uint64_t n)
{
	static struct percentile *percentiles;
	static struct {
		uint64_t n;
		struct ranks ranks[2];
	} known[4096];
	size_t at = n % 4096;

	if (!percentiles)
		parse_percentiles("50,99", &percentiles);
	if (known[at].n != n) {
		known[at].n = n;
		for (int i = 0; i < 2; i++)
			known[at].ranks[i] = percentile_ranks(&percentiles[i], n, 0.025L);
	}
	return known[at].ranks[which];
}

static void measure(struct cell *cell, struct distribution *d, double uncertainty)
{
	static const double share[] = { 0.5, 0.99 };
	double max;

	distribution_sort(d->value, d->upto, d->nr);
	for (size_t i = 1; i < d->nr; i++) {
		double step = (double)d->value[i] - d->value[i - 1];

		d->upto[i] += d->upto[i - 1];
		if (step > 0 && (!cell->step || step < cell->step))
			cell->step = step;
	}
	for (enum statistic s = P50; s <= P99; s++) {
		struct ranks ranks = ranks_of(s, d->n);

		if (ranks.low && ranks.high)
			cell->at[s] = (struct estimate) { true, quantile(d, share[s]), distribution_at(d, ranks.low - 1) - uncertainty,
				distribution_at(d, ranks.high - 1) + uncertainty, uncertainty };
	}
	max = d->value[d->nr - 1];
	cell->at[MAX] = (struct estimate) { true, max, max - uncertainty, max + uncertainty, uncertainty };
}

/* Make the cells of R. */
static void end_values(struct recording *r, const struct state *states)
{
	r->cells = xrealloc(NULL, nr_parts, sizeof(*r->cells));
	r->nr_cells = nr_parts;
	for (size_t i = 0; i < nr_parts; i++) {
		struct part *part = &parts[i];
		struct distribution *d = part->wake.d.n ? &part->wake.d : &part->intr.d;

		r->cells[i] = (struct cell) { .state = states[part->state].name, .source = part->source, .intr = !part->wake.d.n,
			.n = d->n, .tainted = part->tainted };
		if (d->n)
			measure(&r->cells[i], d, part->uncertainty);
		distribution_free(&part->wake.d);
		distribution_free(&part->intr.d);
	}
	nr_parts = 0;
}

/* --- files */

/* For each identity: the number of its recording, from 1. */
static struct marks numbers;

static void take_line(struct recording *r, struct state *states, struct counts_line *line)
{
	switch (line->kind) {
	case COUNTS_RUN:
		facts_run(r, states, line);
		break;
	case COUNTS_DOCTOR:
		facts_doctor(r, line);
		break;
	case COUNTS_SAMPLES:
	case COUNTS_VALUES:
		take_values(line);
		break;
	case COUNTS_INTERVALS:
		r->reason = intern_text("its latencies are only known as intervals");
		break;
	default:
		break;
	}
}

/* Set why R cannot be used, if that is so. */
static void find_reason(struct recording *r)
{
	uint64_t n = 0, tainted = 0;

	for (size_t i = 0; i < r->nr_cells; i++) {
		n += r->cells[i].n;
		tainted += r->cells[i].tainted;
	}
	if (r->reason)
		r->nr_cells = 0;
	else if (!n)
		r->reason = !tainted ? intern_text("no sample") :
			intern_printf("all of %" PRIu64 " samples are tainted", tainted);
}

static void add_recording_to(struct fleet *fleet, const struct recording *new)
{
	struct recording *r = xrealloc(NULL, 1, sizeof(*r));

	*r = *new;
	/* Each recording without a host name counts as a machine of its own. */
	if (!r->machine || r->machine == intern_text("-"))
		r->machine = r->id;
	find_reason(r);
	fleet->recordings = xrealloc(fleet->recordings, fleet->nr_recordings + 1, sizeof(*fleet->recordings));
	fleet->recordings[fleet->nr_recordings++] = r;
	*mark_of(&numbers, r->id) = fleet->nr_recordings;
}

static void read_block(struct fleet *fleet, const struct counts_block *block, uint32_t file,
		       bool bound)
{
	struct recording r = {
		.id = intern_text(block->id), .crc = block->crc, .file = file, .bound = bound,
	};
	struct state states[MAX_STATES] = { 0 };
	struct counts_line line = { 0 };
	char *wrong = counts_check(block, true);
	uint32_t known;

	if (wrong) {
		struct tsv_cell name = counts_run(block, "hostname");

		r.machine = intern_cell(&name);
		fleet_leave_out(fleet, &r, intern_text(wrong));
		free(wrong);
		return;
	}
	while (counts_line(block, &line))
		take_line(&r, states, &line);
	facts_end(&r);
	end_values(&r, states);
	known = *mark_of(&numbers, r.id);
	if (!known) {
		add_recording_to(fleet, &r);
		return;
	}
	fleet_dispute(fleet, fleet->recordings[known - 1], &r);
	free(r.pairs);
	free(r.cells);
}

void fleet_read(struct fleet *fleet, uint32_t name, bool bound)
{
	const struct recording none = { .file = name, .bound = bound };
	struct counts_file file;
	struct counts_block block;
	enum counts_status status;

	if (!counts_open(&file, text_of(name))) {
		fleet_leave_out(fleet, &none, intern_text(file.why));
		return;
	}
	while ((status = counts_next(&file, &block)) != COUNTS_END) {
		if (status == COUNTS_BLOCK)
			read_block(fleet, &block, name, bound);
		else
			fleet_leave_out(fleet, &none, intern_text(file.why));
	}
	counts_close(&file);
}
