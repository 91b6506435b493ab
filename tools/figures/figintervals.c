// SPDX-License-Identifier: GPL-2.0
/*
 *	histogram-P.dat		latency count middle	the narrowest intervals, as figdist.c writes bins
 *	wide-P.dat		low high count		the other intervals; if there is no end, high is low
 *	ccdf-P.dat		latency share		minimum share that is as long or longer: by the lower ends
 *	ccdf-most-P.dat		latency share		maximum share: by the upper ends
 *
 * The files are of untainted samples that are only known as intervals.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "figures.h"
#include "message.h"

static int compare_samples(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->latency != y->latency)
		return x->latency < y->latency ? -1 : 1;
	return (x->high > y->high) - (x->high < y->high);
}

/* Return the intervals of a series as samples, each interval once with its count. NR: their number. */
static struct sample *intervals_of(const struct figures *figures, size_t position, size_t *nr)
{
	struct sample *list = xrealloc(NULL, figures->samples.nr, sizeof(*list));
	size_t all = 0;

	for_each_sample_of(&figures->samples, i, position) {
		const struct sample sample = sample_at(&figures->samples, i), *s = &sample;

		if (!s->is.has_latency)
			continue;
		list[all] = *s;
		if (!s->is.interval)
			list[all].high = s->latency;
		all++;
	}
	qsort(list, all, sizeof(*list), compare_samples);
	*nr = 0;
	for (size_t i = 0; i < all; i++) {
		if (*nr && !compare_samples(&list[*nr - 1], &list[i]))
			list[*nr - 1].count += list[i].count;
		else
			list[(*nr)++] = list[i];
	}
	return list;
}

/* Return the width of an interval, or INT64_MAX if the width does not fit in the type. */
static int64_t width_of(const struct sample *s)
{
	int64_t width;

	return __builtin_sub_overflow(s->high, s->latency, &width) ? INT64_MAX : width;
}

/* Write a step at each value, up to the last known end. */
static void write_shares_of(FILE *f, const struct distribution *d, const struct axis *axis)
{
	for (size_t i = 0; i < d->nr && d->value[i] != INT64_MAX; i++) {
		if (axis->log && d->value[i] < axis->low)
			continue;
		print_us(f, d->value[i]);
		fprintf(f, "\t%.9g\n", (double)(d->n - (i ? d->upto[i - 1] : 0)) / d->n);
	}
	finish(f);
}

void write_intervals(const struct figures *figures, size_t position)
{
	FILE *bins = create_for("histogram", position), *wide = create_for("wide", position);
	int64_t smallest = INT64_MAX, edge = 0;
	size_t nr;
	struct sample *list = intervals_of(figures, position, &nr);
	const struct series *series = &figures->series[position];
	bool open = false;

	write_shares_of(create_for("ccdf", position), &series->low, &figures->latency);
	write_shares_of(create_for("ccdf-most", position), &series->ends, &figures->latency);

	for (size_t i = 0; i < nr; i++)
		if (list[i].high != INT64_MAX && width_of(&list[i]) > 0 && width_of(&list[i]) < smallest)
			smallest = width_of(&list[i]);
	for (size_t i = 0; i < nr; i++) {
		const struct sample *s = &list[i];

		if (figures->latency.log && s->latency < figures->latency.low)
			continue;
		if (width_of(s) != smallest || s->high == INT64_MAX ||
		    (open && s->latency < edge)) {
			print_us(wide, s->latency);
			fputc('\t', wide);
			print_us(wide, s->high == INT64_MAX ? s->latency : s->high);
			fprintf(wide, "\t%" PRIu64 "\n", s->count);
			continue;
		}
		if (open && s->latency != edge) {
			outline_base(bins, edge);
			fputc('\n', bins);
			open = false;
		}
		if (!open)
			outline_base(bins, s->latency);
		outline_top(bins, s->latency, s->high, s->count, figures->latency.log);
		edge = s->high;
		open = true;
	}
	if (open)
		outline_base(bins, edge);
	finish(bins);
	finish(wide);
	free(list);
}
