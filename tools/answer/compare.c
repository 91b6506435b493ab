// SPDX-License-Identifier: GPL-2.0
/* Compare each statistic of each state that two recordings have. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare.h"
#include "message.h"
#include "outfile.h"
#include "recording.h"
#include "run.h"
#include "sets.h"

/* A state that both recordings have. */
struct pair {
	const struct compared *side[2];
	const char *state, *metric;
	size_t row[2];			/* of the state in stats.tsv */
	size_t bounds[2];		/* of the statistic in stats-ci.tsv; TABLE_NONE: it has no bounds */
};

static bool is_interval(const char *cell)
{
	return strstr(cell, "..");
}

static const char *tenths(double x)
{
	char *text = xprintf("%.1f", x), *point = strchr(text, '.');

	if (!strcmp(point, ".0"))
		*point = '\0';
	return strcmp(text, "-0") ? text : "0";
}

/*
 * Return X - Y, of numbers or intervals; "-" if it is not known. Differences beyond 2^53 ns (104 days)
 * lose digits; no latency is that long.
 */
static const char *minus(const char *x, const char *y)
{
	const char *low;

	if (is_dash(x) || is_dash(y))
		return "-";
	if (!is_interval(x) && !is_interval(y))
		return tenths(number_in_text(x) - number_in_text(y));
	low = minus(low_end(x), high_end(y));
	/* An interval without a lower end is unknown. */
	return is_dash(low) ? low :
		xprintf("%s..%s", low, minus(high_end(x), low_end(y)));
}

/* Return how much larger Y is than X, in % of X. */
static const char *percent(const char *x, const char *y)
{
	double whole = number_in_text(x);
	const char *text;

	if (is_dash(x) || is_dash(y) || is_interval(x) || is_interval(y) || whole == 0)
		return "-";
	text = xprintf("%.2f", 100 * (number_in_text(y) - whole) / (whole < 0 ? -whole : whole));
	return strcmp(text, "-0.00") ? text : "0.00";
}

static const char *value(const struct pair *pair, int side, const char *what)
{
	const char *cell = named_cell(&pair->side[side]->stats.tables[STATS], pair->row[side],
				      xprintf("%s_%s", pair->metric, what));

	return *cell ? cell : "-";
}

static const char *bound(const struct pair *pair, int side, const char *column)
{
	const char *cell = pair->bounds[side] == TABLE_NONE ? "" :
		named_cell(&pair->side[side]->stats.tables[CI], pair->bounds[side], column);

	return *cell ? cell : "-";
}

/*
 * Return whether the recordings differ: yes if 0 is outside the interval of the difference, no if it
 * is inside, "-" without an interval. The interval contains the true difference if the intervals of
 * both percentiles contain the true percentiles.
 */
static const char *distinguishable(const char *low, const char *high)
{
	/* An end that is "-" counts as 0 here. */
	if (number_in_text(low) > 0 || number_in_text(high) < 0)
		return "yes";
	return is_dash(low) || is_dash(high) ? "-" : "no";
}

/*
 * Return why the interval of a percentile may miss the true percentile more often than stated, or "-".
 * clusters: samples depend on each other, and the number of independent samples is unknown, because
 * there are too few clusters or only counts. drift: latencies changed during the recording.
 */
static const char *doubt_in(const struct pair *pair)
{
	struct text text = { 0 };

	for (int side = 0; side < 2; side++) {
		if (is_small(bound(pair, side, "clusters_p")) &&
		    strcmp(bound(pair, side, "unknown"), "no"))
			text_join(&text, ",", "clusters_%c", 'a' + side);
		if (is_small(bound(pair, side, "drift_p")))
			text_join(&text, ",", "drift_%c", 'a' + side);
	}
	return text_empty(&text) ? "-" : text_str(&text);
}

/* Return the last row of stats-ci.tsv for the state and metric of a pair. */
static size_t find_bounds(const struct pair *pair, int side, const char *percentile)
{
	const struct table *ci = &pair->side[side]->stats.tables[CI];
	size_t row = table_rows(ci);

	while (row-- > 0)
		if (!strcmp(table_get(ci, row, "state"), pair->state) &&
		    !strcmp(table_get(ci, row, "metric"), pair->metric) &&
		    !strcmp(table_get(ci, row, "percentile"), percentile))
			break;
	return row;
}

/* Add the row of a statistic. */
static void put_statistic(struct table *out, struct pair *pair, const char *what)
{
	const char *low = "-", *high = "-", *a = value(pair, 0, what), *b = value(pair, 1, what);

	for (int side = 0; side < 2; side++)
		pair->bounds[side] = *what == 'p' ? find_bounds(pair, side, what + 1) : TABLE_NONE;
	if (!is_dash(a) && !is_dash(b)) {
		low = minus(bound(pair, 1, "low_joint"), bound(pair, 0, "high_joint"));
		high = minus(bound(pair, 1, "high_joint"), bound(pair, 0, "low_joint"));
	}
	table_set(out, "state", "%s", pair->state);
	table_set(out, "metric", "%s", pair->metric);
	table_set(out, "statistic", "%s", what);
	table_set(out, "run_a", "%s", pair->side[0]->name);
	table_set(out, "run_b", "%s", pair->side[1]->name);
	for (int side = 0; side < 2; side++)
		table_set(out, side ? "n_b" : "n_a", "%s",
			  table_get(&pair->side[side]->stats.tables[STATS], pair->row[side], "n"));
	table_set(out, "a", "%s", a);
	table_set(out, "b", "%s", b);
	table_set(out, "difference", "%s", minus(b, a));
	table_set(out, "difference_pct", "%s", percent(a, b));
	table_set(out, "a_low", "%s", bound(pair, 0, "low"));
	table_set(out, "a_high", "%s", bound(pair, 0, "high"));
	table_set(out, "b_low", "%s", bound(pair, 1, "low"));
	table_set(out, "b_high", "%s", bound(pair, 1, "high"));
	table_set(out, "difference_low", "%s", low);
	table_set(out, "difference_high", "%s", high);
	table_set(out, "distinguishable", "%s", distinguishable(low, high));
	table_set(out, "effective_n_a", "%s", bound(pair, 0, "effective_n"));
	table_set(out, "effective_n_b", "%s", bound(pair, 1, "effective_n"));
	table_set(out, "doubt", "%s", doubt_in(pair));
	table_set(out, "uncertainty_a", "%s", bound(pair, 0, "uncertainty"));
	table_set(out, "uncertainty_b", "%s", bound(pair, 1, "uncertainty"));
	table_end_row(out);
}

/* Return the last row of a state; TABLE_NONE if the recording does not have the state. */
static size_t row_of(const struct compared *recording, const char *state)
{
	const struct table *stats = &recording->stats.tables[STATS];
	size_t row = table_rows(stats);

	while (row-- > 0)
		if (!strcmp(table_get(stats, row, "state"), state))
			break;
	return row;
}

/*
 * Return the metric that is compared. A state that was entered with interrupts on has no wake latency. If
 * one recording has no wake latency, the interrupt latencies are compared.
 */
static const char *metric_of(const struct pair *pair)
{
	const char *metric = "wake_latency";

	for (int side = 0; side < 2; side++) {
		const struct table *stats = &pair->side[side]->stats.tables[STATS];

		if (table_find(stats, "latency_min") != TABLE_NONE)
			return "latency";
		if (is_dash(named_cell(stats, pair->row[side], "wake_latency_min")) &&
		    !is_dash(named_cell(stats, pair->row[side], "intr_latency_min")))
			metric = "intr_latency";
	}
	return metric;
}

/* Add the rows that compare two recordings. */
static void compare_with(struct table *out, const struct compared *a, const struct compared *b)
{
	const struct table *stats = &a->stats.tables[STATS];
	char **percentiles;
	size_t nr = split_list(a->stats.percentiles, &percentiles);

	for (size_t i = 0; i < table_rows(stats); i++) {
		struct pair pair = { .side = { a, b }, .state = table_get(stats, i, "state") };

		pair.row[0] = row_of(a, pair.state);
		pair.row[1] = row_of(b, pair.state);
		if (pair.row[1] == TABLE_NONE)
			continue;
		pair.metric = metric_of(&pair);
		put_statistic(out, &pair, "min");
		for (size_t k = 0; k < nr; k++)
			put_statistic(out, &pair, xprintf("p%s", percentiles[k]));
		put_statistic(out, &pair, "max");
	}
}

/* die() if the recording has several sources. */
static void check_source(const struct compared *recording)
{
	const struct table *stats = &recording->stats.tables[STATS];
	struct groups sources = { .nr_keys = 1 };
	struct text list = { 0 };

	for (size_t row = 0; row < table_rows(stats); row++) {
		struct tsv_cell source = cell_from(table_get(stats, row, "source"));

		groups_get(&sources, &source);
	}
	groups_sort(&sources);
	for (size_t i = 0; i < sources.nr; i++)
		text_join(&list, " ", "%s", sources.list[i].key[0]);
	if (sources.nr > 1)
		die("%s: several sources (%s): their latencies mean different things and are never averaged together",
		    recording->name, text_str(&list));
}

/* Return what the recordings together say nothing about. */
static char *limits_of_all(const struct comparison *comparison)
{
	const struct facts *facts[comparison->nr];
	const struct table *tables[comparison->nr];
	const char *names[comparison->nr];

	for (size_t i = 0; i < comparison->nr; i++) {
		facts[i] = &comparison->list[i].stats.facts;
		tables[i] = &comparison->list[i].stats.tables[STATS];
		names[i] = comparison->list[i].name;
	}
	return limits_of(facts, tables, names, comparison->nr, false);
}

static void print_comparison(const struct comparison *comparison, FILE *out)
{
	begin_document("compare", !comparison->incomplete, comparison->selected,
		       limits_of_all(comparison), NULL, out);
	print_rows("compare", "compare", &comparison->rows, out);
	fputs("\n}\n", out);
}

static void print_form(const struct comparison *comparison, const char *form, FILE *to)
{
	char *text = NULL;
	size_t len;
	FILE *out;

	if (!strcmp(form, "json")) {
		print_comparison(comparison, to);
		return;
	}
	out = open_memstream(&text, &len);
	(strcmp(form, "notes") ? show_comparison : show_differences)(comparison, out);
	fclose(out);
	print_plain(text, to);
	free(text);
}

/* Return the exit status: a state of a pair is open if no percentile has an interval. */
static int status_of(const struct table *rows)
{
	bool any_open = false, open = false;

	for (size_t row = 0; row < table_rows(rows); row++) {
		const char *cell = table_get(rows, row, "distinguishable");

		if (!strcmp(cell, "yes"))
			return STATUS_EXCEEDED;
		if (!strcmp(table_get(rows, row, "statistic"), "min"))
			open = true;
		open &= is_dash(cell);
		any_open |= open && !strcmp(table_get(rows, row, "statistic"), "max");
	}
	return any_open ? STATUS_UNDECIDED : 0;
}

/* What is compared, and where the result goes. */
struct task {
	struct comparison comparison;
	struct sets sets;
	const char *percentiles, *form, *output;
};

/* Make the statistics of each recording. */
static void read_recordings(struct task *task)
{
	struct comparison *comparison = &task->comparison;

	comparison->nr = task->sets.nr;
	comparison->list = xrealloc(NULL, comparison->nr, sizeof(*comparison->list));
	for (size_t i = 0; i < comparison->nr; i++) {
		struct compared *recording = &comparison->list[i];
		const struct set *set = &task->sets.list[i];

		*recording = (struct compared) {
			.name = task->sets.names.list[i], .stats = { .percentiles = task->percentiles, .question = set->q },
		};
		recording_begins(set->first_trace);
		facts_read(&recording->stats.facts, set->q.run_tsv);
		make_stats(&recording->stats);
		check_source(recording);
		comparison->incomplete |= recording->stats.question.incomplete;
	}
}

/* Write the table, and print the comparison to TEXT. Return the exit status. */
static int compare_task(FILE *text, void *arg)
{
	struct task *task = arg;
	struct comparison *comparison = &task->comparison;
	FILE *table;

	read_recordings(task);
	for (size_t i = 1; i < comparison->nr; i++)
		compare_with(&comparison->rows, &comparison->list[0], &comparison->list[i]);
	if (!table_rows(&comparison->rows))
		die("the recordings have no state in common");
	table = outfile_begin_stream(task->output);
	table_tsv(&comparison->rows, table);
	outfile_close_stream(table, task->output);
	print_form(comparison, task->form, text);
	return comparison->incomplete ? STATUS_INCOMPLETE : status_of(&comparison->rows);
}

int compare_command(int argc, char **argv)
{
	static struct task task = { .comparison.selected = "", .form = "text" };
	int opt;

	sets_begin(&task.sets, argc);
	while ((opt = getopt(argc, argv, SETS_OPTIONS "f:io:p:w:")) != -1) {
		if (opt == 'f')
			task.form = optarg;
		else if (opt == 'i')
			task.comparison.incomplete = true;
		else if (opt == 'o')
			task.output = optarg;
		else if (opt == 'p')
			task.percentiles = optarg;
		else if (opt == 'w')
			task.comparison.selected = xprintf("SELECTED: samples with %s", optarg);
		else if (!sets_option(&task.sets, opt, optarg))
			return -1;
	}
	if (task.sets.nr < 2 || !task.output || !task.percentiles)
		return -1;
	sets_end(&task.sets);
	return run_reader(task.sets.traces, task.sets.nr_traces, task.output, compare_task, &task);
}
