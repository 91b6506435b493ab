// SPDX-License-Identifier: GPL-2.0
/*
 * count-values [-r COLUMN:STATE=COUNTER,...] SAMPLES.TSV OUTPUT
 *
 * Count how often each value occurs. Write the lines columns, samples, sum, order and values of a
 * file of counts (Documentation/formats.md). -r is the same option as that of quantiles.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counts.h"
#include "distribution.h"
#include "groups.h"
#include "message.h"
#include "outfile.h"
#include "reached.h"
#include "spread.h"
#include "dependence.h"
#include "tsv.h"

/* The order of these lists is the order of the output. */
static const char *const metrics[] = { "intr_latency", "uncertainty", "wake_latency" };
static const char *const sums[] = { "aperf_cyc", "mperf_cyc" };
#define NR_METRICS 3
#define NR_SUMS 2

enum { SOURCE, STATE, REACHED, CPU, TAINT, NR_KEYS };

struct values {
	int64_t *list;
	size_t nr, room;
};

/* The samples with the same source, state, reached, CPU and taint. */
struct part {
	uint64_t n;
	struct values metrics[NR_METRICS];
	uint64_t counted[NR_SUMS];
	int64_t sums[NR_SUMS];
};

struct sum_line {
	uint64_t n;
	int64_t sum;
};

/* Untainted samples of a state (all of them, or those that reached it), in the order of recording. */
struct recorded {
	struct values metrics[NR_METRICS];
	struct {
		uint32_t *list;
		size_t nr, room;
	} cpus[NR_METRICS];
};

static struct groups parts = { .nr_keys = NR_KEYS }, orders = { .nr_keys = 3 };
/* By source, state, reached, CPU, and the cell of the column unknown: how many samples, tainted ones included. */
static struct groups unknowns = { .nr_keys = NR_KEYS };
static struct reached reached;
static size_t metric_at[NR_METRICS], sum_at[NR_SUMS], unknown_at;
static FILE *out;

static void add_value(struct values *values, int64_t v)
{
	values->list = xgrow(values->list, values->nr, &values->room, sizeof(*values->list));
	values->list[values->nr++] = v;
}

static void add_recorded(const struct tsv_cell *key, const int64_t *v, const bool *has, uint32_t cpu)
{
	struct recorded *recorded = group_data(&orders, key, sizeof(*recorded));

	for (size_t i = 0; i < NR_METRICS; i++)
		if (has[i]) {
			add_value(&recorded->metrics[i], v[i]);
			recorded->cpus[i].list = xgrow(recorded->cpus[i].list, recorded->cpus[i].nr, &recorded->cpus[i].room, sizeof(uint32_t));
			recorded->cpus[i].list[recorded->cpus[i].nr++] = cpu;
		}
}

static void add_sum(struct part *part, size_t i, const struct tsv *tsv)
{
	int64_t v;

	if (sum_at[i] == TSV_ABSENT || !tsv_s64(tsv, sum_at[i], &v))
		return;
	if (__builtin_add_overflow(part->sums[i], v, &part->sums[i]))
		die("%s:%" PRIu64 ": the sum of %s is beyond 64 bits", tsv->name, tsv->line, sums[i]);
	part->counted[i]++;
}

static void add_row(const struct tsv *tsv, const size_t *at)
{
	struct tsv_cell key[NR_KEYS];
	bool has[NR_METRICS], tainted = !tsv_absent(tsv, at[TAINT]);
	int64_t v[NR_METRICS];
	uint32_t cpu;
	struct part *part;

	for (size_t i = 0; i < NR_KEYS; i++)
		key[i] = tsv->cells[at[i]];
	key[REACHED] = cell_from(reached.nr ? reached_word(&reached, tsv) : "-");
	part = group_data(&parts, key, sizeof(*part));
	part->n++;
	for (size_t i = 0; i < NR_METRICS; i++) {
		has[i] = metric_at[i] != TSV_ABSENT && tsv_s64(tsv, metric_at[i], &v[i]);
		if (has[i])
			add_value(&part->metrics[i], v[i]);
	}
	if (unknown_at != TSV_ABSENT) {
		key[TAINT] = tsv->cells[unknown_at];
		++*(uint64_t *)group_data(&unknowns, key, sizeof(uint64_t));
	}
	if (tainted)
		return;
	for (size_t i = 0; i < NR_SUMS; i++)
		add_sum(part, i, tsv);
	cpu = spread_cpu(&key[CPU]);
	if (reached.nr)
		add_recorded(key, v, has, cpu);
	key[REACHED] = cell_from("all");
	add_recorded(key, v, has, cpu);
}

static void write_columns(const struct tsv *tsv)
{
	fprintf(out, "columns");
	for (size_t i = 0; i < tsv->nr_columns; i++)
		fprintf(out, "\t%s", tsv->header[i]);
	fprintf(out, "\n");
}

static void read_samples(const char *name)
{
	size_t at[NR_KEYS];
	struct tsv tsv;

	tsv_open(&tsv, name);
	at[SOURCE] = tsv_column(&tsv, "source");
	at[STATE] = at[REACHED] = tsv_column(&tsv, "state");
	at[CPU] = tsv_column(&tsv, "cpu");
	at[TAINT] = tsv_column(&tsv, "taint");
	for (size_t i = 0; i < NR_METRICS; i++)
		metric_at[i] = tsv_optional_column(&tsv, metrics[i]);
	for (size_t i = 0; i < NR_SUMS; i++)
		sum_at[i] = tsv_optional_column(&tsv, sums[i]);
	unknown_at = tsv_optional_column(&tsv, "unknown");
	if (reached.nr)
		reached_find_columns(&reached, &tsv);
	write_columns(&tsv);
	while (tsv_next_row(&tsv))
		add_row(&tsv, at);
	if (!parts.nr)
		die("%s: no rows", name);
	tsv_close(&tsv);
}

static void write_key(const char *kind, const struct group *group, size_t nr)
{
	fputs(kind, out);
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "\t%s", group->key[i]);
}

static void write_values(const struct group *group, size_t metric)
{
	struct values *v = &((struct part *)group->data)->metrics[metric];
	struct distribution sorted;

	if (!v->nr)
		return;
	sorted = distribution_of(v->list, NULL, v->nr);
	write_key("values", group, NR_KEYS);
	fprintf(out, "\t%s\t%" PRIu64 "\n", metrics[metric], sorted.n);
	for (size_t i = 0; i < sorted.nr; i++)
		fprintf(out, "%" PRId64 "\t%" PRIu64 "\n", sorted.value[i], distribution_count(&sorted, i));
	distribution_free(&sorted);
}

/* Add a line `sum` of METRIC for the source, state, reached and CPU of GROUP: N samples, whose sum is SUM. */
static void add_sum_line(struct groups *lines, const struct group *group, const char *metric, uint64_t n, int64_t sum)
{
	struct tsv_cell key[NR_KEYS];
	struct sum_line *line;

	group_cells(group, CPU + 1, key);
	key[TAINT] = cell_from(metric);
	line = group_data(lines, key, sizeof(*line));
	*line = (struct sum_line) { n, sum };
}

static void write_sums(void)
{
	struct groups lines = { .nr_keys = NR_KEYS };

	for (size_t i = 0; i < parts.nr; i++) {
		const struct part *part = parts.list[i].data;

		for (size_t k = 0; k < NR_SUMS; k++)
			if (part->counted[k])
				add_sum_line(&lines, &parts.list[i], sums[k], part->counted[k], part->sums[k]);
	}
	for (size_t i = 0; i < unknowns.nr; i++) {
		uint64_t n = *(uint64_t *)unknowns.list[i].data;
		char *metric = xprintf(COUNTS_UNKNOWN "%s", unknowns.list[i].key[TAINT]);

		add_sum_line(&lines, &unknowns.list[i], metric, n, n);
		free(metric);
	}
	groups_sort_as_counts(&lines);
	for (size_t i = 0; i < lines.nr; i++) {
		const struct sum_line *line = lines.list[i].data;

		write_key("sum", &lines.list[i], NR_KEYS);
		fprintf(out, "\t%" PRIu64 "\t%" PRId64 "\n", line->n, line->sum);
	}
}

static void write_p(double p)
{
	if (p < 0)
		fprintf(out, "\t-");
	else
		fprintf(out, "\t%.2g", p);
}

/* Write tests at p50, p90, p99 and p99.9 for which the order of the samples is needed. Counts do not keep this order. */
static void write_order(const struct group *group, size_t metric)
{
	const struct recorded *recorded = group->data;
	const struct values *v = &recorded->metrics[metric];
	struct distribution sorted;
	struct dependence d;
	int64_t *copy;

	if (!v->nr)
		return;
	copy = xrealloc(NULL, v->nr, sizeof(*copy));
	memcpy(copy, v->list, v->nr * sizeof(*copy));
	spread_cpus(v->list, recorded->cpus[metric].list, v->nr);
	sorted = distribution_of(copy, NULL, v->nr);
	d = dependence_at(v->list, &sorted, 500, 1000);
	d = dependence_worse(d, dependence_at(v->list, &sorted, 900, 1000));
	d = dependence_worse(d, dependence_at(v->list, &sorted, 990, 1000));
	d = dependence_worse(d, dependence_at(v->list, &sorted, 999, 1000));
	distribution_free(&sorted);
	write_key("order", group, REACHED + 1);
	fprintf(out, "\t%s", metrics[metric]);
	write_p(d.p);
	write_p(d.drift_p);
	fprintf(out, "\n");
}

static void write_all(void)
{
	groups_sort_as_counts(&parts);
	groups_sort_as_counts(&orders);
	for (size_t i = 0; i < parts.nr; i++) {
		write_key("samples", &parts.list[i], NR_KEYS);
		fprintf(out, "\t%" PRIu64 "\n", ((struct part *)parts.list[i].data)->n);
	}
	write_sums();
	for (size_t i = 0; i < orders.nr; i++)
		for (size_t metric = 0; metric < NR_METRICS; metric++)
			if (strcmp(metrics[metric], "uncertainty"))
				write_order(&orders.list[i], metric);
	for (size_t i = 0; i < parts.nr; i++)
		for (size_t metric = 0; metric < NR_METRICS; metric++)
			write_values(&parts.list[i], metric);
}

int main(int argc, char **argv)
{
	int opt;

	message_init("count-values");
	while ((opt = getopt(argc, argv, "r:")) == 'r')
		reached_parse(&reached, optarg);
	if (opt != -1 || optind + 2 != argc)
		die("usage: count-values [-r COLUMN:STATE=COUNTER,...] SAMPLES.TSV OUTPUT");
	out = outfile_stream(argv[optind + 1]);
	read_samples(argv[optind]);
	write_all();
	outfile_close_stream(out, argv[optind + 1]);
	return 0;
}
