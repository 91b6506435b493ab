// SPDX-License-Identifier: GPL-2.0
/*
 *	shares-P.dat	silent_low silent_high c1 c3 c6 c7 package reached n
 *
 * What share of the idle period the CPU spent in each C-state according to its residency
 * counters, in %, mean over the untainted samples whose silent time lies in between; and
 * of how many of those the counter of the state asked for counted at all, '-': no counter.
 */
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "message.h"

#define BINS 80

struct bin {
	double sum[NR_SHARES];
	size_t n, reached, tells;
};

static void count(struct bin *bins, const struct figures *figures, size_t position)
{
	for (size_t i = 0; i < figures->nr_samples; i++) {
		const struct sample *s = &figures->samples[i];
		int at;

		if (s->series != position || s->tainted || !s->has_shares || !s->has_silent)
			continue;
		at = axis_cell(&figures->silent, BINS, s->silent_time);
		if (at < 0)
			continue;
		for (int k = 0; k < NR_SHARES; k++)
			bins[at].sum[k] += figures->shares[i][k];
		bins[at].tells += s->has_residency;
		bins[at].reached += s->has_residency && s->residency > 0;
		bins[at].n++;
	}
}

static void write_bins(FILE *f, const struct figures *figures, const struct bin *bins)
{
	for (size_t i = 0; i < BINS; i++) {
		const struct bin *bin = &bins[i];

		if (!bin->n)
			continue;
		fprintf(f, "%.4f\t%.4f", axis_edge(&figures->silent, BINS, i) / 1000,
			axis_edge(&figures->silent, BINS, i + 1) / 1000);
		for (int k = 0; k < NR_SHARES; k++)
			fprintf(f, "\t%.3f", 100 * bin->sum[k] / bin->n);
		if (bin->tells)
			fprintf(f, "\t%.3f", 100.0 * bin->reached / bin->tells);
		else
			fputs("\t-", f);
		fprintf(f, "\t%zu\n", bin->n);
	}
	finish(f);
}

void write_shares(const struct figures *figures)
{
	struct bin bins[BINS];

	if (!figures->shares || !axis_known(&figures->silent))
		return;
	for (size_t p = 0; p < figures->nr_series; p++) {
		memset(bins, 0, sizeof(bins));
		count(bins, figures, p);
		write_bins(create_for("shares", p), figures, bins);
	}
}
