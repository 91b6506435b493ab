// SPDX-License-Identifier: GPL-2.0
/* Read the samples of data sets, and sort them into series. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "counts-table.h"
#include "figures.h"
#include "message.h"
#include "number.h"
#include "tsv.h"

/* The columns of samples.tsv. */
struct columns {
	size_t state, source, cpu, silent_time, wake, intr, ldist, taint;
	size_t x, y;		/* of figures.x and figures.y; else TSV_ABSENT */
	size_t tsc, tbi_cyc, tai_cyc, tintr_cyc;	/* may be TSV_ABSENT */
	size_t counters[16];
	enum share share_of[16];
	size_t nr_counters;
	struct reached reached;
};

/* The columns of counts.tsv. */
struct counts_columns {
	size_t state, source, cpu, taint, metric, kind, value, high, count;
};

/* The data set that is read. */
struct reading {
	struct columns samples;
	struct counts_columns counts;
	struct counts_table table;
	bool is_counts;
	int64_t tsc_khz;
	size_t before;		/* the number of samples of the sets before */
};

static const struct {
	const char *name;
	enum share share;
} counters[] = {
	{ "cc1_cyc", SHARE_C1 }, { "cc3_cyc", SHARE_C3 }, { "cc6_cyc", SHARE_C6 },
	{ "cc7_cyc", SHARE_C7 }, { "pc2_cyc", SHARE_PACKAGE }, { "pc3_cyc", SHARE_PACKAGE },
	{ "pc6_cyc", SHARE_PACKAGE }, { "pc7_cyc", SHARE_PACKAGE }, { "pc8_cyc", SHARE_PACKAGE },
	{ "pc9_cyc", SHARE_PACKAGE }, { "pc10_cyc", SHARE_PACKAGE },
};

static void find_columns(struct columns *at, const struct tsv *tsv,
			 const struct source_of_samples *from)
{
	at->state = tsv_column(tsv, "state");
	at->source = tsv_column(tsv, "source");
	at->cpu = tsv_column(tsv, "cpu");
	at->silent_time = tsv_number_column(tsv, "silent_time");
	at->wake = tsv_number_column(tsv, "wake_latency");
	at->intr = tsv_number_column(tsv, "intr_latency");
	at->ldist = tsv_number_column(tsv, "ldist");
	at->taint = tsv_column(tsv, "taint");
	at->tsc = tsv_optional_number_column(tsv, "tsc_cyc");
	at->tbi_cyc = tsv_optional_number_column(tsv, "tbi_cyc");
	at->tai_cyc = tsv_optional_number_column(tsv, "tai_cyc");
	at->tintr_cyc = tsv_optional_number_column(tsv, "tintr_cyc");
	at->nr_counters = 0;
	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++) {
		size_t column = tsv_optional_number_column(tsv, counters[i].name);

		if (column == TSV_ABSENT)
			continue;
		at->share_of[at->nr_counters] = counters[i].share;
		at->counters[at->nr_counters++] = column;
	}
	at->reached.nr = 0;
	if (!from->reached)
		return;
	reached_parse(&at->reached, from->reached);
	reached_find_columns(&at->reached, tsv);
}

static size_t chosen_column(const struct tsv *tsv, const struct chosen *chosen)
{
	return chosen->name ? tsv_number_column(tsv, chosen->name) : TSV_ABSENT;
}

/* Read the value of a chosen column. Return false if the cell is empty. */
static bool take_chosen(const struct tsv *tsv, size_t column, const struct chosen *chosen, int64_t *value)
{
	if (!tsv_s64(tsv, column, value))
		return false;
	if (chosen->plain && __builtin_mul_overflow(*value, 1000, value))
		die("%s:%" PRIu64 ": %s: too large to be drawn", tsv->name, tsv->line, chosen->name);
	return true;
}

static size_t position_of(struct figures *figures, size_t set, int64_t state,
			  const struct tsv_cell *source)
{
	static size_t last;
	struct series *series = figures->series;

	for (size_t i = 0; i <= figures->nr_series; i++) {
		/* Try the series of the last row first: mostly it is the same. */
		size_t at = i ? i - 1 : last;

		if (at < figures->nr_series && series[at].set == set &&
		    series[at].state == state && cell_is(source, series[at].source))
			return last = at;
	}
	if (figures->nr_series == MOST_SERIES)
		die("more than %d states and sources", MOST_SERIES);
	figures->series = xrealloc(series, figures->nr_series + 1, sizeof(*series));
	figures->series[figures->nr_series] = (struct series) {
		.set = set,
		.state = state,
		.source = xprintf("%.*s", (int)(source->end - source->start), source->start),
	};
	return last = figures->nr_series++;
}

/* Store the value of a counter. Return false if it is absent or cannot be right. */
static bool counter_value(const struct tsv *tsv, size_t column, int64_t *value)
{
	const struct tsv_cell *cell = &tsv->cells[column];

	if (column == TSV_ABSENT)
		return false;
	if (tsv->rows)
		return tsv_s64(tsv, column, value) && *value >= 0;
	return parse_s64(cell->start, cell->end, value) && *value >= 0;
}

static void take_residency(struct sample *s, const struct tsv *tsv, const struct columns *at,
			   int64_t tsc_khz)
{
	const struct reached *reached = &at->reached;
	int64_t cycles;

	for (size_t i = 0; i < reached->nr; i++) {
		if (!cell_is(&tsv->cells[reached->state_at], reached->states[i]))
			continue;
		if (!counter_value(tsv, reached->counters_at[i], &cycles))
			return;
		s->is.tells = true;
		s->is.reached = cycles > 0;
		s->is.has_residency = tsc_khz;
		if (tsc_khz)
			s->residency = (__int128)cycles * 1000000 / tsc_khz;
		return;
	}
}

/* Store how long the idle period was, in cycles: from column tsc_cyc, or else from the stamps around it. */
static bool idle_period(const struct tsv *tsv, const struct columns *at, int64_t *period)
{
	int64_t before, after;

	if (counter_value(tsv, at->tsc, period))
		return *period > 0;
	if (!counter_value(tsv, at->tbi_cyc, &before) ||
	    (!counter_value(tsv, at->tai_cyc, &after) &&
	     !counter_value(tsv, at->tintr_cyc, &after)))
		return false;
	*period = after - before;
	return *period > 0;
}

static void take_shares(struct figures *figures, struct sample *s, const struct tsv *tsv,
			const struct columns *at)
{
	float *shares;
	int64_t period, cycles;

	if (!at->nr_counters || !idle_period(tsv, at, &period))
		return;
	for (size_t i = 0; i < at->nr_counters; i++) {
		if (!counter_value(tsv, at->counters[i], &cycles))
			continue;
		if (figures->shares_room < figures->samples.nr + 1) {
			figures->shares_room = 2 * (figures->samples.nr + 1);
			figures->shares = xrealloc(figures->shares, figures->shares_room, sizeof(*figures->shares));
		}
		shares = figures->shares[figures->samples.nr];
		if (!s->is.has_shares)
			memset(shares, 0, sizeof(*figures->shares));
		shares[at->share_of[i]] += (double)cycles / period;
		s->is.has_shares = true;
	}
}

/* Return a new sample with the data that every row has: state, source, CPU, taint. */
static struct sample new_sample(struct figures *figures, const struct tsv *tsv, size_t state_at, size_t source_at,
				size_t cpu_at, size_t taint_at)
{
	struct sample s = { .is.tainted = !tsv_absent(tsv, taint_at) };
	int64_t state, cpu;

	if (!tsv_s64(tsv, state_at, &state))
		die("%s:%" PRIu64 ": no state", tsv->name, tsv->line);
	s.is.series = position_of(figures, figures->nr_sets, state, &tsv->cells[source_at]);
	s.cpu = tsv_s64(tsv, cpu_at, &cpu) && cpu >= 0 && cpu < UINT32_MAX ? cpu : 0;
	return s;
}

static void add_sample(struct figures *figures, const struct tsv *tsv, const struct columns *at,
		       int64_t tsc_khz)
{
	struct sample sample = new_sample(figures, tsv, at->state, at->source, at->cpu, at->taint), *s = &sample;
	struct series *series;

	s->is.has_silent = tsv_s64(tsv, at->silent_time, &s->silent_time);
	/* If a source arms nothing, its launch distance is 0. */
	s->is.has_ldist = tsv_s64(tsv, at->ldist, &s->ldist) && s->ldist > 0;
	s->is.has_latency = tsv_s64(tsv, at->wake, &s->latency);
	s->is.has_intr = tsv_s64(tsv, at->intr, &s->intr_latency);
	if (at->x != TSV_ABSENT)
		s->is.has_silent = take_chosen(tsv, at->x, &figures->x, &s->silent_time);
	if (at->y != TSV_ABSENT)
		s->is.has_latency = take_chosen(tsv, at->y, &figures->y, &s->latency);
	series = &figures->series[s->is.series];
	/* A tainted sample may have a wake latency even in a state that is entered with interrupts on: ignore it. */
	series->uses_wake |= s->is.has_latency && !s->is.tainted;
	series->chosen = at->y != TSV_ABSENT;
	series->tainted += s->is.tainted;
	take_residency(s, tsv, at, tsc_khz);
	take_shares(figures, s, tsv, at);
	samples_add(&figures->samples, s);
	figures->all_samples++;
}

static void find_counts_columns(struct counts_columns *at, const struct tsv *tsv)
{
	at->state = tsv_column(tsv, "state");
	at->source = tsv_column(tsv, "source");
	at->cpu = tsv_column(tsv, "cpu");
	at->taint = tsv_column(tsv, "taint");
	at->metric = tsv_column(tsv, "metric");
	at->kind = tsv_column(tsv, "kind");
	at->value = tsv_column(tsv, "value");
	at->high = tsv_optional_column(tsv, "high");
	at->count = tsv_column(tsv, "count");
}

/* Store the end of the interval that begins at the row's value. */
static void take_interval(struct figures *figures, struct sample *s, const struct tsv *tsv, const struct counts_columns *at)
{
	int64_t value;

	figures->intervals = figures->series[s->is.series].intervals = s->is.interval = true;
	s->high = INT64_MAX;
	if (!tsv_s64(tsv, at->value, &value) || at->high == TSV_ABSENT ||
	    (!cell_is(&tsv->cells[at->high], "inf") && !tsv_s64(tsv, at->high, &s->high)) || s->high < value)
		die("%s:%" PRIu64 ": an interval that ends before it begins", tsv->name, tsv->line);
}

/* Add a row of counts.tsv: a latency and how many samples had it, or the number of samples. */
static void add_counts(struct figures *figures, const struct tsv *tsv, const struct counts_columns *at)
{
	const struct tsv_cell *kind = &tsv->cells[at->kind];
	bool samples = cell_is(kind, "samples"), interval = cell_is(kind, "interval");
	bool timed = cell_is(&tsv->cells[at->metric], "latency");
	bool wake = cell_is(&tsv->cells[at->metric], "wake_latency");
	int64_t value = 0, count;
	struct sample sample, *s = &sample;

	if (!samples && ((!interval && !cell_is(kind, "value")) ||
			 (!wake && !timed && !cell_is(&tsv->cells[at->metric], "intr_latency"))))
		return;
	if (!tsv_s64(tsv, at->count, &count) || count < 1 || (!samples && !tsv_s64(tsv, at->value, &value)))
		die("%s:%" PRIu64 ": not a value and its count", tsv->name, tsv->line);
	sample = new_sample(figures, tsv, at->state, at->source, at->cpu, at->taint);
	s->is.counted = true;
	s->count = count;
	if (samples) {
		figures->all_samples += count;
		figures->series[s->is.series].tainted += s->is.tainted ? count : 0;
	} else if (wake) {
		s->latency = value;
		s->is.has_latency = true;
		figures->series[s->is.series].uses_wake |= !s->is.tainted;
	} else if (timed) {
		s->latency = value;
		s->is.has_latency = true;
		figures->series[s->is.series].timed_elsewhere = true;
	} else {
		s->intr_latency = value;
		s->is.has_intr = true;
	}
	if (interval)
		take_interval(figures, s, tsv, at);
	samples_add(&figures->samples, s);
}

void figures_begin(struct figures *figures, const struct source_of_samples *from, const struct tsv *tsv)
{
	struct reading *reading = xrealloc(figures->reading, 1, sizeof(*reading));

	figures->reading = reading;
	*reading = (struct reading) {
		.samples = { .x = TSV_ABSENT, .y = TSV_ABSENT }, .is_counts = tsv_is_counts(tsv), .tsc_khz = from->tsc_khz,
		.before = figures->samples.nr,
	};
	figures->counts |= reading->is_counts;
	if (!reading->is_counts) {
		find_columns(&reading->samples, tsv, from);
		reading->samples.x = chosen_column(tsv, &figures->x);
		reading->samples.y = chosen_column(tsv, &figures->y);
		return;
	}
	if (figures->x.name || figures->y.name)
		die("%s: counts have no columns of single samples", tsv->name);
	find_counts_columns(&reading->counts, tsv);
	counts_table_begin(&reading->table, tsv);
}

void figures_row(struct figures *figures, const struct tsv *tsv)
{
	struct reading *reading = figures->reading;

	if (!reading->is_counts) {
		add_sample(figures, tsv, &reading->samples, reading->tsc_khz);
		return;
	}
	counts_table_row(&reading->table, tsv);
	add_counts(figures, tsv, &reading->counts);
}

void figures_end(struct figures *figures, const struct tsv *tsv)
{
	if (figures->reading->is_counts)
		counts_table_end(&figures->reading->table, tsv);
	if (figures->samples.nr == figures->reading->before)
		die("%s: no rows", tsv->name);
	figures->nr_sets++;
}

static int compare_series(const void *a, const void *b)
{
	const struct series *x = a, *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	if (x->state != y->state)
		return x->state < y->state ? -1 : 1;
	return strcmp(x->source, y->source);
}

/* Sort the series by data set, state and source. */
static void order_series(struct figures *figures)
{
	size_t nr = figures->nr_series;
	struct series *before = xrealloc(NULL, nr, sizeof(*before));
	uint32_t *position = xrealloc(NULL, nr, sizeof(*position));

	memcpy(before, figures->series, nr * sizeof(*before));
	qsort(figures->series, nr, sizeof(*before), compare_series);
	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < nr; k++)
			if (!compare_series(&before[i], &figures->series[k]))
				position[i] = k;
	for (size_t i = 0; i < figures->samples.nr; i++)
		figures->samples.is[i].series = position[figures->samples.is[i].series];
	free(before);
	free(position);
}

static void choose_latency(struct figures *figures)
{
	struct samples *all = &figures->samples;

	for (size_t i = 0; i < all->nr; i++) {
		const struct series *series = &figures->series[all->is[i].series];

		if (series->uses_wake || series->chosen || series->timed_elsewhere)
			continue;
		samples_set(all, &all->latency, i, number_at(&all->intr_latency, i));
		all->is[i].has_latency = all->is[i].has_intr;
	}
	free(all->intr_latency.small);
	free(all->intr_latency.wide);
	all->intr_latency = (struct numbers) { 0 };
}

/* Sort intervals. Keep equal intervals once, with a count: a histogram can have more samples than fit in memory. */
static void sort_intervals(struct figures *figures, size_t position)
{
	struct series *series = &figures->series[position];
	int64_t *low = xrealloc(NULL, figures->samples.nr, sizeof(*low));
	int64_t *high = xrealloc(NULL, figures->samples.nr, sizeof(*high));
	uint64_t *counts = xrealloc(NULL, figures->samples.nr, sizeof(*counts)), *again;
	size_t nr = 0;

	for_each_sample_of(&figures->samples, i, position) {
		const struct sample sample = sample_at(&figures->samples, i), *s = &sample;

		if (!s->is.has_latency)
			continue;
		low[nr] = s->latency;
		high[nr] = s->is.interval ? s->high : s->latency;
		counts[nr++] = count_of(s);
	}
	again = xrealloc(NULL, nr + 1, sizeof(*again));
	memcpy(again, counts, nr * sizeof(*again));
	series->low = distribution_of(low, counts, nr);
	series->ends = distribution_of(high, again, nr);
	series->nr = series->low.n;
}

static void sort_latencies(struct figures *figures)
{
	uint64_t *nr = xrealloc(NULL, figures->nr_series, sizeof(*nr)), most = 0;
	int64_t *scratch;

	memset(nr, 0, figures->nr_series * sizeof(*nr));
	for (size_t i = 0; i < figures->samples.nr; i++) {
		const struct sample sample = sample_at(&figures->samples, i), *s = &sample;

		if (s->is.has_latency && !s->is.tainted && !figures->series[s->is.series].intervals)
			nr[s->is.series] += count_of(s);
	}
	for (size_t p = 0; p < figures->nr_series; p++)
		most = nr[p] > most ? nr[p] : most;
	if (most > SIZE_MAX / 64)
		die("more samples than can be drawn");
	scratch = xrealloc(NULL, most + 1, sizeof(*scratch));
	for (size_t p = 0; p < figures->nr_series; p++) {
		if (figures->series[p].intervals)
			sort_intervals(figures, p);
		else
			figures->series[p].latency = xrealloc(NULL, nr[p] + 1, sizeof(int64_t));
	}
	for (size_t i = 0; i < figures->samples.nr; i++) {
		const struct sample sample = sample_at(&figures->samples, i), *s = &sample;
		struct series *series = &figures->series[s->is.series];

		if (s->is.tainted || !s->is.has_latency)
			continue;
		for (uint64_t k = 0; !series->intervals && k < count_of(s); k++)
			series->latency[series->nr++] = s->latency;
	}
	for (size_t p = 0; p < figures->nr_series; p++)
		if (!figures->series[p].intervals)
			sort_s64(figures->series[p].latency, scratch, figures->series[p].nr);
	free(nr);
	free(scratch);
}

int64_t low_at(const struct series *series, size_t rank)
{
	return series->intervals ? distribution_at(&series->low, rank) : series->latency[rank];
}

int64_t high_at(const struct series *series, size_t rank)
{
	return series->intervals ? distribution_at(&series->ends, rank) : series->latency[rank];
}

int64_t greatest_of(const struct series *series)
{
	const struct distribution *ends = &series->ends;
	size_t last = ends->nr - 1;
	int64_t low = low_at(series, series->nr - 1);

	if (!series->intervals)
		return low;
	last -= last && ends->value[last] == INT64_MAX;
	return ends->value[last] == INT64_MAX || ends->value[last] < low ? low : ends->value[last];
}

/*
 * Return the lower end of a logarithmic axis of latency: the smallest latency that is not below a third of the 0.1th
 * percentile of its series. One sample near 0 would otherwise take decades of the axis from all others. So at most one
 * in 1000 samples of a series is below the axis, and none of fewer than 1000 samples above 0. The figure states how many.
 */
static int64_t shortest_drawn(const struct figures *figures)
{
	int64_t shortest = INT64_MAX;

	for (size_t p = 0; p < figures->nr_series; p++) {
		const struct series *series = &figures->series[p];
		size_t first = 0;
		int64_t least;

		while (first < series->nr && low_at(series, first) <= 0)
			first++;
		if (first == series->nr)
			continue;
		least = low_at(series, first + (series->nr - first) / 1000) / 3;
		while (low_at(series, first) < least)
			first++;
		if (low_at(series, first) < shortest)
			shortest = low_at(series, first);
	}
	return shortest;
}

/* Make the axis of a chosen column linear, unless all values are above 0 and extend over more than a decade. */
static void choose_axis(struct figures *figures)
{
	int64_t least = INT64_MAX, greatest = INT64_MIN;

	for (size_t p = 0; p < figures->nr_series && figures->y.name; p++) {
		const struct series *series = &figures->series[p];

		if (series->nr && series->latency[0] < least)
			least = series->latency[0];
		if (series->nr && greatest_of(series) > greatest)
			greatest = greatest_of(series);
	}
	if (least <= greatest && (least <= 0 || greatest / 10 < least))
		figures->latency.log = false;
}

static void count_below(struct figures *figures, int64_t shortest)
{
	for (size_t i = 0; i < figures->samples.nr; i++) {
		const struct sample sample = sample_at(&figures->samples, i), *s = &sample;

		if (s->is.has_latency && !s->is.tainted && s->latency < shortest)
			figures->series[s->is.series].below += count_of(s);
	}
}

static void take_ranges(struct figures *figures)
{
	int64_t shortest = figures->latency.log ? shortest_drawn(figures) : INT64_MIN;

	count_below(figures, shortest);
	for (size_t i = 0; i < figures->samples.nr; i++) {
		const struct sample sample = sample_at(&figures->samples, i), *s = &sample;

		if (s->is.has_ldist)
			axis_take(&figures->ldist, s->ldist);
		if (s->is.has_silent && !s->is.tainted)
			axis_take(&figures->silent, s->silent_time);
		if (s->is.has_latency && !s->is.tainted && s->latency >= shortest)
			axis_take(&figures->latency, s->latency);
		if (s->is.has_latency && !s->is.tainted && s->is.interval && s->high != INT64_MAX)
			axis_take(&figures->latency, s->high);
		if (s->is.has_residency && s->is.has_silent && !s->is.tainted)
			axis_take(&figures->residency, s->residency);
		if (!i || s->cpu < figures->cpu_low)
			figures->cpu_low = s->cpu;
		if (!i || s->cpu > figures->cpu_high)
			figures->cpu_high = s->cpu;
	}
}

void figures_complete(struct figures *figures)
{
	order_series(figures);
	choose_latency(figures);
	sort_latencies(figures);
	choose_axis(figures);
	take_ranges(figures);
}
