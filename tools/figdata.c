// SPDX-License-Identifier: GPL-2.0
/*
 * figdata [-s] SAMPLES.TSV DIRECTORY: what gnuplot needs for the figures, as small files.
 *
 *	states.dat		position state metric n tainted min max not_positive
 *	ranges.dat		key value
 *	silent-time-P.dat	silent_time latency		points of the state at position P
 *	order-P.dat		index latency
 *	silent-time-tainted.dat order-tainted.dat		the same, tainted samples of all states
 *	ldist.dat		index least greatest		launch distance
 *	histogram-P.dat		latency count middle		an outline; the middle of each bin
 *	ccdf-P.dat		latency share			of samples as long or longer
 *
 * Times in us, index from 1 in recording order. The latency is wake_latency, or
 * intr_latency for a state entered with interrupts on. -s: launch distances were
 * swept geometrically, so silent_time gets a logarithmic axis.
 *
 * A million points would make figures of many megabytes. The figure is divided into
 * cells smaller than a mark and only the first point of a cell is kept: what it hides
 * would have been drawn under it, and no outlier is lost.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "number.h"
#include "tsv.h"

/* 70 mm x 45 mm of plot at 88 mm of figure: cells of 0.16 mm. */
#define CELLS_X 440
#define CELLS_Y 280
#define HISTOGRAM_BINS 110
/* Launch distances: steps of a sweep are seen, random ones blend into an even band. */
#define LDIST_BINS_SWEEP 440
#define LDIST_BINS_UNIFORM 40
/* The tail of a CCDF is drawn sample by sample. */
#define EXACT_TAIL 100

struct sample {
	int64_t silent_time;
	int64_t latency;
	int64_t ldist;
	uint32_t state;		/* position in states[] */
	bool tainted;
	bool has_silent, has_latency, has_ldist;
};

struct state {
	int64_t index;
	bool uses_wake;
	uint64_t tainted;
	uint64_t not_positive;
	int64_t *latency;	/* of the untainted, sorted */
	size_t nr;
};

/* An axis, cut into cells. */
struct axis {
	double low, high;
	bool log;
	int cells;
};

static struct sample *samples;
static size_t nr_samples;
static struct state *states;
static size_t nr_states;
static const char *directory;

static FILE *create(const char *name)
{
	char *path = xprintf("%s/%s", directory, name);
	FILE *f = fopen(path, "w");

	if (!f)
		die("%s: %s", path, strerror(errno));
	free(path);
	return f;
}

static FILE *create_for(const char *name, size_t position)
{
	char *full = xprintf("%s-%zu.dat", name, position + 1);
	FILE *f = create(full);

	free(full);
	return f;
}

static void finish(FILE *f)
{
	int failed = ferror(f);

	if (fclose(f) || failed)
		die("%s: cannot write: %s", directory, strerror(errno));
}

/* Nanoseconds as microseconds with three decimals, without a double in between. */
static void print_us(FILE *f, int64_t ns)
{
	uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	fprintf(f, "%s%" PRIu64 ".%03u", ns < 0 ? "-" : "", size / 1000, (unsigned int)(size % 1000));
}

/* Reading. */

static int compare_states(const void *a, const void *b)
{
	const struct state *x = a, *y = b;

	return (x->index > y->index) - (x->index < y->index);
}

static size_t position_of(int64_t index)
{
	for (size_t i = 0; i < nr_states; i++)
		if (states[i].index == index)
			return i;
	states = xrealloc(states, nr_states + 1, sizeof(*states));
	states[nr_states] = (struct state) { .index = index };
	return nr_states++;
}

struct input {
	size_t state, silent_time, wake, intr, ldist, taint;
};

/* Row by row it is not yet known which latency a state has: both are kept until then. */
static int64_t *intr_latency;
static bool *has_intr;

static void add_sample(const struct tsv *tsv, const struct input *in)
{
	struct sample *s = &samples[nr_samples];
	int64_t index;

	if (!tsv_s64(tsv, in->state, &index))
		die("%s:%" PRIu64 ": no state", tsv->name, tsv->line);
	*s = (struct sample) { .tainted = !tsv_absent(tsv, in->taint) };
	s->state = position_of(index);
	s->has_silent = tsv_s64(tsv, in->silent_time, &s->silent_time);
	s->has_ldist = tsv_s64(tsv, in->ldist, &s->ldist);
	s->has_latency = tsv_s64(tsv, in->wake, &s->latency);
	has_intr[nr_samples] = tsv_s64(tsv, in->intr, &intr_latency[nr_samples]);
	states[s->state].uses_wake |= s->has_latency;
	states[s->state].tainted += s->tainted;
	nr_samples++;
}

static void read_samples(const char *name)
{
	struct tsv tsv;
	struct input in;
	size_t room = 0;

	tsv_open(&tsv, name);
	in.state = tsv_column(&tsv, "state");
	in.silent_time = tsv_column(&tsv, "silent_time");
	in.wake = tsv_column(&tsv, "wake_latency");
	in.intr = tsv_column(&tsv, "intr_latency");
	in.ldist = tsv_column(&tsv, "ldist");
	in.taint = tsv_column(&tsv, "taint");
	while (tsv_next_row(&tsv)) {
		if (nr_samples == room) {
			room = room ? room * 2 : 16384;
			samples = xrealloc(samples, room, sizeof(*samples));
			intr_latency = xrealloc(intr_latency, room, sizeof(*intr_latency));
			has_intr = xrealloc(has_intr, room, sizeof(*has_intr));
		}
		add_sample(&tsv, &in);
	}
	tsv_close(&tsv);
}

/* States in the order of their indices, which is not that of their appearance. */
static void order_states(void)
{
	struct state *before = xrealloc(NULL, nr_states, sizeof(*before));
	uint32_t *position = xrealloc(NULL, nr_states, sizeof(*position));

	memcpy(before, states, nr_states * sizeof(*before));
	qsort(states, nr_states, sizeof(*states), compare_states);
	for (size_t i = 0; i < nr_states; i++)
		position[i] = position_of(before[i].index);
	for (size_t i = 0; i < nr_samples; i++)
		samples[i].state = position[samples[i].state];
	free(before);
	free(position);
}

static void choose_latency(void)
{
	for (size_t i = 0; i < nr_samples; i++) {
		if (states[samples[i].state].uses_wake)
			continue;
		samples[i].latency = intr_latency[i];
		samples[i].has_latency = has_intr[i];
	}
	free(intr_latency);
	free(has_intr);
}

static void sort_latencies(void)
{
	int64_t *all = xrealloc(NULL, nr_samples, sizeof(*all));
	int64_t *scratch = xrealloc(NULL, nr_samples, sizeof(*scratch));

	for (size_t p = 0; p < nr_states; p++) {
		struct state *state = &states[p];

		for (size_t i = 0; i < nr_samples; i++) {
			const struct sample *s = &samples[i];

			if (s->state != p || s->tainted || !s->has_latency)
				continue;
			all[state->nr++] = s->latency;
			state->not_positive += s->latency <= 0;
		}
		sort_s64(all, scratch, state->nr);
		state->latency = xrealloc(NULL, state->nr + 1, sizeof(*all));
		memcpy(state->latency, all, state->nr * sizeof(*all));
	}
	free(all);
	free(scratch);
}

/* Axes. */

static void axis_take(struct axis *axis, double value)
{
	if (axis->log && value <= 0)
		return;
	if (isnan(axis->low) || value < axis->low)
		axis->low = value;
	if (isnan(axis->high) || value > axis->high)
		axis->high = value;
}

/* -1 for what cannot be drawn. */
static int axis_cell(const struct axis *axis, double value)
{
	double low = axis->low, high = axis->high;

	if (axis->log) {
		if (value <= 0)
			return -1;
		value = log(value);
		low = log(low);
		high = log(high);
	}
	if (high <= low)
		return 0;
	return (value - low) / (high - low) * (axis->cells - 1);
}

static bool drawable(const struct sample *s, size_t position, bool tainted)
{
	if (!s->has_latency || s->latency <= 0 || s->tainted != tainted)
		return false;
	return tainted || s->state == position;
}

struct plane {
	struct axis x, y;
	unsigned char *taken;
};

/* Is this the first point in its cell? */
static bool plane_take(struct plane *plane, double x, double y)
{
	int column = axis_cell(&plane->x, x), row = axis_cell(&plane->y, y);
	unsigned char *cell;

	if (column < 0 || row < 0)
		return false;
	cell = &plane->taken[row * plane->x.cells + column];
	if (*cell)
		return false;
	*cell = 1;
	return true;
}

static void plane_clear(struct plane *plane)
{
	size_t size = (size_t)plane->x.cells * plane->y.cells;

	plane->taken = xrealloc(plane->taken, size, 1);
	memset(plane->taken, 0, size);
}

static void write_silent(FILE *f, struct plane *plane, size_t position, bool tainted)
{
	plane_clear(plane);
	for (size_t i = 0; i < nr_samples; i++) {
		const struct sample *s = &samples[i];

		if (!drawable(s, position, tainted) || !s->has_silent ||
		    !plane_take(plane, s->silent_time, s->latency))
			continue;
		print_us(f, s->silent_time);
		fputc('\t', f);
		print_us(f, s->latency);
		fputc('\n', f);
	}
	finish(f);
}

static void write_order(FILE *f, struct plane *plane, size_t position, bool tainted)
{
	plane_clear(plane);
	for (size_t i = 0; i < nr_samples; i++) {
		const struct sample *s = &samples[i];

		if (!drawable(s, position, tainted) || !plane_take(plane, i, s->latency))
			continue;
		fprintf(f, "%zu\t", i + 1);
		print_us(f, s->latency);
		fputc('\n', f);
	}
	finish(f);
}

/* A sweep gives a line, uniform launch distances the band that they fill. */
static void write_ldist(size_t bins)
{
	FILE *f = create("ldist.dat");
	size_t step = nr_samples / bins + 1;

	for (size_t start = 0; start < nr_samples; start += step) {
		size_t end = start + step < nr_samples ? start + step : nr_samples;
		int64_t least = INT64_MAX, greatest = INT64_MIN;

		for (size_t i = start; i < end; i++) {
			if (!samples[i].has_ldist)
				continue;
			if (samples[i].ldist < least)
				least = samples[i].ldist;
			if (samples[i].ldist > greatest)
				greatest = samples[i].ldist;
		}
		if (least > greatest)
			continue;
		for (int k = 0; k < 2; k++) {
			fprintf(f, "%zu\t", k ? end : start + 1);
			print_us(f, least);
			fputc('\t', f);
			print_us(f, greatest);
			fputc('\n', f);
		}
	}
	finish(f);
}

/* Distributions. */

/* Whole nanoseconds, or a bin would hold none and the outline look like a comb. */
static size_t make_edges(int64_t *edges, int64_t least, int64_t greatest)
{
	double factor = pow((double)greatest / least, 1.0 / HISTOGRAM_BINS);
	size_t nr = 0;

	/* One narrow state alone would be drawn as a block otherwise. */
	if (factor < 1.0005)
		factor = 1.0005;
	for (int i = 0; ; i++) {
		double edge = floor(least * pow(factor, i));

		if (edge >= 9e18)
			break;
		if (!nr || (int64_t)edge > edges[nr - 1])
			edges[nr++] = edge;
		if (edges[nr - 1] > greatest)
			break;
		/* A factor so near 1 that rounding stops it below the maximum. */
		if (nr == HISTOGRAM_BINS + 2)
			break;
	}
	if (edges[nr - 1] <= greatest)
		edges[nr - 1] = greatest + 1;
	return nr;
}

/* Half a sample stands for none: the axis is logarithmic. */
static void outline_base(FILE *f, int64_t edge)
{
	print_us(f, edge);
	fprintf(f, "\t0.5\t-\n");
}

static void outline_top(FILE *f, int64_t low, int64_t high, size_t count)
{
	print_us(f, low);
	fprintf(f, "\t%zu\t%.4f\n", count, sqrt((double)low * high) / 1000);
	print_us(f, high);
	fprintf(f, "\t%zu\t-\n", count);
}

static void write_histogram(FILE *f, const struct state *state, const int64_t *edges, size_t nr)
{
	size_t i = state->not_positive;
	bool open = false;

	for (size_t bin = 0; bin + 1 < nr; bin++) {
		size_t start = i;

		while (i < state->nr && state->latency[i] < edges[bin + 1])
			i++;
		if (i == start) {
			if (open) {
				outline_base(f, edges[bin]);
				fputc('\n', f);
			}
			open = false;
			continue;
		}
		if (!open)
			outline_base(f, edges[bin]);
		outline_top(f, edges[bin], edges[bin + 1], i - start);
		open = true;
	}
	if (open)
		outline_base(f, edges[nr - 1]);
	finish(f);
}

static void write_ccdf(FILE *f, const struct state *state)
{
	double kept_x = 0, kept_y = 0;
	double range_x = 1, range_y = log((double)state->nr + 1);

	if (state->nr > state->not_positive)
		range_x = log((double)state->latency[state->nr - 1] /
			      state->latency[state->not_positive]) + 1e-9;
	for (size_t i = state->not_positive; i < state->nr; i++) {
		double x, y;

		if (i > state->not_positive && state->latency[i] == state->latency[i - 1])
			continue;
		x = log(state->latency[i]);
		y = log(state->nr - i);
		if (i > state->not_positive && state->nr - i > EXACT_TAIL &&
		    x - kept_x < range_x / 500 && kept_y - y < range_y / 500)
			continue;
		kept_x = x;
		kept_y = y;
		print_us(f, state->latency[i]);
		fprintf(f, "\t%.9g\n", (double)(state->nr - i) / state->nr);
	}
	/* The step at the maximum ends there, at one sample, not at 0. */
	if (state->nr > state->not_positive) {
		print_us(f, state->latency[state->nr - 1]);
		fprintf(f, "\t%.9g\n", 1.0 / state->nr);
	}
	finish(f);
}

static void write_states(void)
{
	FILE *f = create("states.dat");

	for (size_t p = 0; p < nr_states; p++) {
		const struct state *state = &states[p];

		fprintf(f, "%zu\t%" PRId64 "\t%s\t%zu\t%" PRIu64 "\t", p + 1, state->index,
			state->uses_wake ? "wake_latency" : "intr_latency", state->nr,
			state->tainted);
		if (state->nr) {
			print_us(f, state->latency[0]);
			fputc('\t', f);
			print_us(f, state->latency[state->nr - 1]);
		} else {
			fputs("-\t-", f);
		}
		fprintf(f, "\t%" PRIu64 "\n", state->not_positive);
	}
	finish(f);
}

static void write_range(FILE *f, const char *name, const struct axis *axis)
{
	fprintf(f, "%s_low\t%.3f\n", name, axis->low / 1000);
	fprintf(f, "%s_high\t%.3f\n", name, axis->high / 1000);
}

static void write_points(const struct axis *silent, const struct axis *latency)
{
	struct axis index = { .low = 0, .high = nr_samples, .cells = CELLS_X };
	struct plane by_silent = { .x = *silent, .y = *latency };
	struct plane by_index = { .x = index, .y = *latency };

	for (size_t p = 0; p < nr_states; p++) {
		write_silent(create_for("silent-time", p), &by_silent, p, false);
		write_order(create_for("order", p), &by_index, p, false);
	}
	write_silent(create("silent-time-tainted.dat"), &by_silent, 0, true);
	write_order(create("order-tainted.dat"), &by_index, 0, true);
	free(by_silent.taken);
	free(by_index.taken);
}

static void write_distributions(void)
{
	int64_t edges[HISTOGRAM_BINS + 3], least = INT64_MAX, greatest = 0;
	size_t nr;

	for (size_t p = 0; p < nr_states; p++) {
		const struct state *state = &states[p];

		if (state->nr == state->not_positive)
			continue;
		if (state->latency[state->not_positive] < least)
			least = state->latency[state->not_positive];
		if (state->latency[state->nr - 1] > greatest)
			greatest = state->latency[state->nr - 1];
	}
	if (!greatest)
		die("no untainted sample with a latency above 0: nothing to draw");
	nr = make_edges(edges, least, greatest);
	for (size_t p = 0; p < nr_states; p++) {
		write_histogram(create_for("histogram", p), &states[p], edges, nr);
		write_ccdf(create_for("ccdf", p), &states[p]);
	}
}

int main(int argc, char **argv)
{
	struct axis silent = { .low = NAN, .high = NAN, .cells = CELLS_X };
	struct axis latency = { .low = NAN, .high = NAN, .log = true, .cells = CELLS_Y };
	struct axis untainted = latency;
	struct axis ldist = { .low = NAN, .high = NAN };
	FILE *ranges;
	int opt;

	message_init("figdata");
	while ((opt = getopt(argc, argv, "s")) != -1) {
		if (opt != 's')
			die("usage: figdata [-s] SAMPLES.TSV DIRECTORY");
		silent.log = true;
	}
	if (optind + 2 != argc)
		die("usage: figdata [-s] SAMPLES.TSV DIRECTORY");
	directory = argv[optind + 1];

	read_samples(argv[optind]);
	if (!nr_samples)
		die("%s: no rows", argv[optind]);
	order_states();
	choose_latency();
	sort_latencies();
	for (size_t i = 0; i < nr_samples; i++) {
		if (samples[i].has_silent)
			axis_take(&silent, samples[i].silent_time);
		if (samples[i].has_ldist)
			axis_take(&ldist, samples[i].ldist);
		if (samples[i].has_latency)
			axis_take(&latency, samples[i].latency);
		if (samples[i].has_latency && !samples[i].tainted)
			axis_take(&untainted, samples[i].latency);
	}
	write_distributions();
	write_points(&silent, &latency);
	write_ldist(silent.log ? LDIST_BINS_SWEEP : LDIST_BINS_UNIFORM);
	write_states();
	ranges = create("ranges.dat");
	fprintf(ranges, "samples\t%zu\n", nr_samples);
	if (!isnan(silent.low))
		write_range(ranges, "silent", &silent);
	if (!isnan(ldist.low))
		write_range(ranges, "ldist", &ldist);
	write_range(ranges, "latency", &latency);
	write_range(ranges, "untainted", &untainted);
	finish(ranges);
	return 0;
}
