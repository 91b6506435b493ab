// SPDX-License-Identifier: GPL-2.0
/* Print the statistics for people, with a column for each state and times in us. */
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "message.h"
#include "schema.h"
#include "stats.h"

/* What is shown of a source: the rows of a table. */
struct view {
	const struct stats *stats;
	const struct table *table;
	const char *source;
	size_t *rows;
	size_t nr;
	int width;
	FILE *out;
};

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_of(const struct view *view, const struct table *table, size_t row)
{
	return !strcmp(named_cell(table, row, "source"), view->source);
}

/* Return whether a column of the samples is a time in ns. */
static bool is_time(const char *metric)
{
	static struct schema schema;
	const char *end = metric + strlen(metric);
	const struct schema_column *column;

	if (!schema.nr)
		schema_find(&schema, "samples.tsv");
	column = schema_column(&schema, metric, end);
	return column ? column->ns : !strcmp(metric, "latency") ||
		(end - metric > 3 && !strcmp(end - 3, "_ns"));
}

/* Find the rows of the source, and how wide their cells are. */
static void find_rows(struct view *view)
{
	size_t width = 10;

	view->rows = xrealloc(NULL, table_rows(view->table) + 1, sizeof(*view->rows));
	for (size_t row = 0; row < table_rows(view->table); row++) {
		if (!is_of(view, view->table, row))
			continue;
		view->rows[view->nr++] = row;
		for (size_t i = 0; i < view->table->nr_columns; i++) {
			const char *cell = table_cell(view->table, row, i);
			/* us() adds a decimal point to a value, and to each end of an interval. */
			size_t len = strlen(cell) + (strstr(cell, "..") ? 3 : 1);

			width = len > width ? len : width;
		}
	}
	view->width = width;
}

/* Print a row with a cell of each state. */
static void show_row(const struct view *view, const char *label, const char *column, bool time)
{
	size_t at = table_find(view->table, column);

	if (at == TABLE_NONE)
		return;
	fprintf(view->out, "%-15s", label);
	for (size_t i = 0; i < view->nr; i++) {
		const char *cell = table_cell(view->table, view->rows[i], at);

		fprintf(view->out, " %*s", view->width, time ? us(cell) : cell);
	}
	fputc('\n', view->out);
}

static const char *state_of(const struct view *view, size_t i)
{
	return table_get(view->table, view->rows[i], "state");
}

/* Return the sum of n over the rows of a state with this cell in column "reached". */
static double reached_n(const struct view *view, const char *state, const char *reached)
{
	const struct table *table = &view->stats->tables[REACHED];
	double n = 0;

	for (size_t row = 0; row < table_rows(table); row++)
		if (is_of(view, table, row) && !strcmp(table_cell(table, row, 0), state) &&
		    !strcmp(named_cell(table, row, "reached"), reached))
			n = number_in_text(named_cell(table, row, "n"));
	return n;
}

/* Print how many samples did not reach their state, and the share of those that did. */
static void show_reached(const struct view *view)
{
	const struct table *table = &view->stats->tables[REACHED];
	bool any = false;

	for (size_t row = 0; row < table_rows(table); row++)
		any |= is_of(view, table, row) && !is_dash(named_cell(table, row, "reached"));
	for (int share = 0; any && share < 2; share++) {
		fprintf(view->out, "%-15s", share ? "reached %" : "not reached");
		for (size_t i = 0; i < view->nr; i++) {
			double yes = reached_n(view, state_of(view, i), "yes"),
				no = reached_n(view, state_of(view, i), "no");

			fprintf(view->out, " %*s", view->width, yes + no <= 0 ? "-" : share ?
				xprintf("%.1f", 100 * yes / (yes + no)) : xprintf("%.0f", no));
		}
		fputc('\n', view->out);
	}
}

static void show_frequency(const struct view *view)
{
	const struct table *table = &view->stats->tables[FREQUENCY];
	bool any = false;

	for (size_t row = 0; row < table_rows(table); row++)
		any |= is_of(view, table, row);
	if (!any)
		return;
	fprintf(view->out, "%-15s", "MHz");
	for (size_t i = 0; i < view->nr; i++) {
		const char *mhz = "-";

		for (size_t row = 0; row < table_rows(table); row++)
			if (is_of(view, table, row) &&
			    !strcmp(table_cell(table, row, 0), state_of(view, i)))
				mhz = table_get(table, row, "mhz");
		fprintf(view->out, " %*s", view->width, mhz);
	}
	fputc('\n', view->out);
}

/* Return whether the short table has a statistic. */
static bool is_brief(const struct stats *stats, const char *statistic)
{
	static const char *const shown[] = { "min", "p50", "p99", "p99.9", "max" };

	for (size_t i = 0; i < 5; i++)
		if (!strcmp(statistic, shown[i]))
			return true;
	return stats->chosen && *statistic == 'p';
}

static const char *metric_name(const char *metric)
{
	return !strcmp(metric, "intr_latency") ? "interrupt latency" :
		!strcmp(metric, "wake_latency") ? "wake latency" : metric;
}

static void show_statistics(const struct view *view, const char *metric)
{
	size_t len = strlen(metric);
	const char *name = metric_name(metric);
	bool time = is_time(metric);

	if (name == metric && len > 3 && time && !strcmp(metric + len - 3, "_ns"))
		name = xprintf("%.*s", (int)len - 3, metric);
	fprintf(view->out, "%s%s\n", name, time ? " (us)" : "");
	for (size_t i = 0; i < view->table->nr_columns; i++) {
		const char *column = view->table->columns[i], *statistic = column + len + 1;

		if (starts(column, metric) && column[len] == '_' &&
		    (!view->stats->brief || is_brief(view->stats, statistic)))
			show_row(view, xprintf("  %s", statistic), column, time);
	}
}

/* Return a bound of a percentile of a state. */
static const char *bound_in(const struct view *view, size_t i, const char *metric,
			    const char *percentile, const char *which)
{
	const struct table *ci = &view->stats->tables[CI];
	const char *found = "-";

	for (size_t row = 0; row < table_rows(ci); row++)
		if (is_of(view, ci, row) && !strcmp(table_cell(ci, row, 0), state_of(view, i)) &&
		    !strcmp(table_get(ci, row, "metric"), metric) &&
		    !strcmp(table_get(ci, row, "percentile"), percentile))
			found = table_get(ci, row, which);
	return found;
}

/* Print a row with a bound of the percentile, unless no state has one. */
static void show_bound(const struct view *view, const char *metric, const char *percentile,
		       bool low)
{
	const char **cells = xrealloc(NULL, view->nr + 1, sizeof(*cells));
	bool any = false;

	for (size_t i = 0; i < view->nr; i++) {
		cells[i] = bound_in(view, i, metric, percentile, low ? "low" : "high");
		any |= !is_dash(cells[i]);
	}
	if (any)
		fprintf(view->out, "%-15s", xprintf("  p%s %s", percentile, low ? "from" : "to"));
	for (size_t i = 0; any && i < view->nr; i++)
		fprintf(view->out, " %*s", view->width, is_time(metric) ? us(cells[i]) : cells[i]);
	if (any)
		fputc('\n', view->out);
	free(cells);
}

static void show_intervals(const struct view *view, const char *metric)
{
	const struct table *ci = &view->stats->tables[CI];
	struct groups seen = { .nr_keys = 1 };
	bool any = false;

	for (size_t row = 0; row < table_rows(ci); row++) {
		struct tsv_cell percentile = cell_from(table_get(ci, row, "percentile"));

		if (!is_of(view, ci, row))
			continue;
		groups_get(&seen, &percentile);
		any |= !strcmp(table_get(ci, row, "metric"), metric) &&
			(!is_dash(table_get(ci, row, "low")) ||
			 !is_dash(table_get(ci, row, "high")));
	}
	if (!any)
		return;
	fprintf(view->out, "%s, 95 %% confidence%s\n", metric_name(metric),
		is_time(metric) ? " (us)" : "");
	for (size_t i = 0; i < 2 * seen.nr; i++)
		show_bound(view, metric, seen.list[i / 2].key[0], !(i % 2));
}

/* Print a table. WHOLE: it is that of all samples, so the other tables belong to it. */
static void show_table(struct view *view, bool whole)
{
	find_rows(view);
	show_row(view, "", "state", false);
	show_row(view, "advertised (us)", "advertised_ns", true);
	show_row(view, "N", "n", false);
	show_row(view, "tainted", "tainted", false);
	if (whole)
		show_reached(view);
	if (whole && !view->stats->brief)
		show_frequency(view);
	for (size_t i = 0; i < view->stats->tables[STATS].nr_columns; i++) {
		const char *column = view->stats->tables[STATS].columns[i];
		size_t len = strlen(column);
		char *metric;

		if (len <= 4 || strcmp(column + len - 4, "_min"))
			continue;
		metric = xprintf("%.*s", (int)len - 4, column);
		show_statistics(view, metric);
		if (whole && !view->stats->brief)
			show_intervals(view, metric);
	}
	free(view->rows);
}

/* Add the row of the reached or missed samples of a state, as state "C6 yes". */
static void put_half(struct table *both, const struct table *from, size_t row)
{
	table_put(both, "%s %s", table_cell(from, row, 0), table_get(from, row, "reached"));
	for (size_t i = 1; i < from->nr_columns; i++)
		if (strcmp(from->columns[i], "reached"))
			table_put(both, "%s", table_cell(from, row, i));
}

static bool has_half(const struct view *view, const struct table *from, size_t row)
{
	return is_of(view, from, row) && !is_dash(table_get(from, row, "reached")) &&
		number_in_text(table_get(from, row, "n")) > 0;
}

/* Print both groups side by side if some samples reached the state and others did not. */
static void show_both(const struct view *of)
{
	const struct table *from = &of->stats->tables[REACHED];
	struct table both = { 0 };
	struct view view = { of->stats, &both, of->source, NULL, 0, 0, of->out };

	for (size_t i = 0; i < from->nr_columns; i++)
		if (strcmp(from->columns[i], "reached"))
			table_column(&both, "%s", from->columns[i]);
	/* The rows of a state follow each other. */
	for (size_t row = 0; row + 1 < table_rows(from); row++) {
		size_t second = row + 1;

		if (!has_half(of, from, row))
			continue;
		while (second < table_rows(from) && !has_half(of, from, second))
			second++;
		if (second == table_rows(from) ||
		    strcmp(table_cell(from, row, 0), table_cell(from, second, 0)))
			continue;
		put_half(&both, from, row);
		put_half(&both, from, second);
		row = second;
	}
	if (table_rows(&both)) {
		fputs("\nReached the state asked for (yes), or not (no):\n", of->out);
		show_table(&view, false);
	}
	table_free(&both);
}

static const char *us_of(const struct table *table, size_t row, const char *metric,
			 const char *what)
{
	const char *cell = table_get(table, row, xprintf("%s_%s", metric, what));

	return cell ? us(cell) : "-";
}

/* Print a row for each state and CPU, with the first metric that the state has on this CPU. */
static void show_cpus(const struct view *view)
{
	const struct table *cpu = &view->stats->tables[CPU];
	bool binned = table_find(cpu, "latency_min") != TABLE_NONE,
		wake = table_find(cpu, "wake_latency_min") != TABLE_NONE,
		intr = table_find(cpu, "intr_latency_min") != TABLE_NONE;
	/* Intervals need wider columns than values. */
	int w = binned ? 20 : 11;

	if (!binned && !wake && !intr)
		return;
	fprintf(view->out, "\nBy CPU (us)\n%-14s %5s %9s %*s %*s %*s %*s %9s\n", "state", "CPU", "N",
		w, "min", w, "p50", w, "p99", w, "max", "tainted");
	for (size_t row = 0; row < table_rows(cpu); row++) {
		bool interrupt = !binned && (!wake || (intr &&
			is_dash(table_get(cpu, row, "wake_latency_min")) &&
			!is_dash(table_get(cpu, row, "intr_latency_min"))));
		const char *metric = binned ? "latency" : interrupt ? "intr_latency" :
			"wake_latency";

		if (!is_of(view, cpu, row))
			continue;
		fprintf(view->out, "%-14s %5s %9s %*s %*s %*s %*s %9s\n",
			xprintf("%s%s", table_cell(cpu, row, 0), interrupt ? " (intr.)" : ""),
			table_get(cpu, row, "cpu"), table_get(cpu, row, "n"),
			w, us_of(cpu, row, metric, "min"), w, us_of(cpu, row, metric, "p50"),
			w, us_of(cpu, row, metric, "p99"), w, us_of(cpu, row, metric, "max"),
			table_get(cpu, row, "tainted"));
	}
}

/*
 * Print the latencies by what woke the CPU. In a state that is entered with interrupts on, the
 * latency is that of the interrupt.
 */
static void show_kinds(const struct stats *stats, FILE *out)
{
	const struct table *kinds = &stats->kinds;

	if (!is_there(kinds))
		return;
	fprintf(out, "%-12s %-8s %9s %10s %10s\n", "woken by", "state", "n", "p50 us", "max us");
	for (size_t row = 0; row < table_rows(kinds); row++) {
		const char *metric = is_dash(table_get(kinds, row, "wake_latency_max")) ?
			"intr_latency" : "wake_latency", *index = table_get(kinds, row, "state"),
			*name = fact(&stats->facts, xprintf("state.%s.name", index));

		if (!is_dash(us_of(kinds, row, metric, "max")))
			fprintf(out, "%-12s %-8s %9s %10s %10s\n", table_get(kinds, row, "event"),
				*name ? name : index, table_get(kinds, row, "n"),
				us_of(kinds, row, metric, "p50"), us_of(kinds, row, metric, "max"));
	}
}

/* Print what was measured. */
static void show_head(const struct stats *stats, FILE *out)
{
	const struct facts *facts = &stats->facts;
	bool armed = fact_known(facts, "ldist_min_ns");
	const char *mode = fact_first(facts, "ldist_mode");

	fprintf(out, "Latency from idle states%s: %s, %s\nsource %s, CPU %s, launch distance ",
		machine_note(facts), stats->name, fact_first(facts, "cpu_model"),
		fact_first(facts, "source"), fact_first(facts, "cpus"));
	if (!armed)
		fputs("unknown\n", out);
	else if (!strcmp(fact_first(facts, "source"), "passive"))
		fputs("none: nothing is armed\n", out);
	else
		fprintf(out, "%g us to %g us, %s\n",
			number_in_text(fact_first(facts, "ldist_min_ns")) / 1000,
			number_in_text(fact_first(facts, "ldist_max_ns")) / 1000,
			strcmp(mode, "sweep") ? mode : xprintf("sweep by %g", number_in_text(
				fact_first(facts, "sweep_factor_permille")) / 1000));
	if (!stats->brief)
		fprintf(out, "kernel %s, wakelat revision %s\n", fact_first(facts, "kernel"),
			fact_first(facts, "revision"));
	if (*stats->selected)
		fprintf(out, "%s\n", stats->selected);
}

/* Print a table for each source, because latencies of different sources mean different things. */
static void show_sources(const struct stats *stats, FILE *out)
{
	const struct table *table = &stats->tables[STATS];
	struct groups sources = { .nr_keys = 1 };

	for (size_t row = 0; row < table_rows(table); row++) {
		struct tsv_cell source = cell_from(table_get(table, row, "source"));

		groups_get(&sources, &source);
	}
	groups_sort(&sources);
	for (size_t i = 0; i < sources.nr; i++) {
		struct view view = { stats, table, sources.list[i].key[0], NULL, 0, 0, out };

		if (sources.nr > 1)
			fprintf(out, "\nsource %s\n", view.source);
		if (!stats->brief)
			fputc('\n', out);
		show_table(&view, true);
		if (!stats->brief) {
			show_both(&view);
			show_cpus(&view);
		}
	}
}

void show_stats(const struct stats *stats, FILE *out)
{
	bool brief = stats->brief, own = brief && !stats->special;
	char *doubts = NULL;
	size_t len;
	FILE *to = open_memstream(&doubts, &len);

	show_doubts(stats, brief, to);
	fclose(to);
	show_head(stats, out);
	show_sources(stats, out);
	show_kinds(stats, out);
	if (!brief)
		fputc('\n', out);
	show_stats_notes(stats, out);
	fprintf(out, "%s\n", limits_line(&stats->facts, &stats->tables[STATS], brief));
	if (!own)
		fputs(doubts, out);
	if (!own && stats->source.counts)
		fputs("Counts have no order, so the bounds assume independent samples.\n", out);
	if (stats->question.incomplete)
		fputs("INCOMPLETE: samples are missing from the recording.\n", out);
	doubts[strcspn(doubts, "\n")] = '\0';
	if (own)
		fprintf(out, *doubts ? "All of it: %s  (%s)\n" : "All of it: %s\n", stats->again,
			doubts);
	free(doubts);
}
