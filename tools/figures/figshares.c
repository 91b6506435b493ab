// SPDX-License-Identifier: GPL-2.0
/*
 *	shares-P.dat	silent_low silent_high c1 c3 c6 c7 package reached n
 *
 * The share of the idle period that the CPU spent in each C-state according to its residency
 * counters, in %. It is the mean over the untainted samples whose silent time is in the bin.
 * reached: the share of samples that reached their state, in %; '-': no counter.
 */
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "message.h"

#define BINS 80
#define LEAST 10

struct bin {
	double sum[NR_SHARES];
	size_t n, reached, tells;
};

static void count(struct bin *bins, const struct figures *figures, size_t position)
{
	for_each_sample_of(&figures->samples, i, position) {
		const struct sample sample = sample_at(&figures->samples, i), *s = &sample;
		int at;

		if (!s->is.has_shares || !s->is.has_silent)
			continue;
		at = axis_cell(&figures->silent, BINS, s->silent_time);
		if (at < 0)
			continue;
		for (int k = 0; k < NR_SHARES; k++)
			bins[at].sum[k] += figures->shares[i][k];
		bins[at].tells += s->is.tells;
		bins[at].reached += s->is.reached;
		bins[at].n++;
	}
}

static void write_bin(FILE *f, double low, double high, const struct bin *bin)
{
	fprintf(f, "%.4f\t%.4f", low / 1000, high / 1000);
	for (int k = 0; k < NR_SHARES; k++)
		fprintf(f, "\t%.3f", 100 * bin->sum[k] / bin->n);
	if (bin->tells)
		fprintf(f, "\t%.3f", 100.0 * bin->reached / bin->tells);
	else
		fputs("\t-", f);
	fprintf(f, "\t%zu\n", bin->n);
}

static void add(struct bin *sum, const struct bin *bin)
{
	for (int k = 0; k < NR_SHARES; k++)
		sum->sum[k] += bin->sum[k];
	sum->n += bin->n;
	sum->reached += bin->reached;
	sum->tells += bin->tells;
}

/* Write the bins. Join neighbours until they have LEAST samples; the last bin may have fewer. */
static void write_bins(FILE *f, const struct figures *figures, const struct bin *bins)
{
	struct bin sum = { 0 };
	size_t start = 0;

	for (size_t i = 0; i < BINS; i++) {
		if (!sum.n && !bins[i].n)
			start = i + 1;
		add(&sum, &bins[i]);
		if (!sum.n || (sum.n < LEAST && i + 1 < BINS))
			continue;
		write_bin(f, axis_edge(&figures->silent, BINS, start),
			  axis_edge(&figures->silent, BINS, i + 1), &sum);
		sum = (struct bin) { 0 };
		start = i + 1;
	}
	finish(f);
}

/* Return true if the counter is known for any sample of the series in this figure. */
bool shares_tell(const struct figures *figures, size_t position)
{
	for_each_sample_of(&figures->samples, i, position) {
		const struct sample sample = sample_at(&figures->samples, i), *s = &sample;

		if (s->is.tells && s->is.has_shares && s->is.has_silent)
			return true;
	}
	return false;
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
