// SPDX-License-Identifier: GPL-2.0
/* Show how recordings differ, and what makes a difference doubtful. */
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "message.h"
#include "unknown.h"

/* Why the intervals of a recording's state may be wrong. */
struct doubt {
	const char *name, *state;
	const char *least, *of_n;	/* the smallest effective number of samples; NULL: all count */
	double uncertainty;
	bool drift;
	struct groups statistics;
};

/* Take the doubts of a row in recording A or B from the columns that end in SIDE. */
static void take_doubt(struct groups *doubts, const struct table *rows, size_t row, char side)
{
	const char *name = table_get(rows, row, xprintf("run_%c", side)),
		*state = table_get(rows, row, "state"), *n = table_get(rows, row, xprintf("n_%c", side)),
		*effective = table_get(rows, row, xprintf("effective_n_%c", side)),
		*list = table_get(rows, row, "doubt");
	double off = number_in_text(table_get(rows, row, xprintf("uncertainty_%c", side)));
	struct tsv_cell key[] = { cell_from(name), cell_from(state) },
		statistic = cell_from(table_get(rows, row, "statistic"));
	struct doubt *doubt = group_data(doubts, key, sizeof(*doubt));
	bool drift = strstr(list, xprintf("drift_%c", side));

	doubt->name = name;
	doubt->state = state;
	doubt->statistics.nr_keys = 1;
	if (off > doubt->uncertainty)
		doubt->uncertainty = off;
	if (drift || strstr(list, xprintf("clusters_%c", side)))
		groups_get(&doubt->statistics, &statistic);
	doubt->drift |= drift;
	if (!is_dash(effective) && number_in_text(effective) < number_in_text(n) &&
	    (!doubt->least || number_in_text(effective) < number_in_text(doubt->least))) {
		doubt->least = effective;
		doubt->of_n = n;
	}
}

/* Print for each recording and state why a difference may be chance more often than its interval states. */
static void show_comparison_doubts(const struct table *rows, FILE *out)
{
	struct groups doubts = { .nr_keys = 2 };

	for (size_t row = 0; row < table_rows(rows); row++) {
		take_doubt(&doubts, rows, row, 'a');
		take_doubt(&doubts, rows, row, 'b');
	}
	for (size_t i = 0; i < doubts.nr; i++) {
		const struct doubt *doubt = doubts.list[i].data;
		struct text statistics = { 0 };

		if (doubt->least)
			fprintf(out, "%s, %s: samples may depend on each other: the intervals count them as at least %s samples instead of %s\n",
				doubt->name, doubt->state, doubt->least, doubt->of_n);
		if (doubt->uncertainty > 0)
			fprintf(out, "%s, %s: the uncertainty of launch times widens the intervals by at most %.10g us\n",
				doubt->name, doubt->state, doubt->uncertainty / 1000);
		for (size_t k = 0; k < doubt->statistics.nr; k++)
			text_join(&statistics, ", ", "%s", doubt->statistics.list[k].key[0]);
		if (!text_empty(&statistics))
			fprintf(out, "DOUBT: %s, %s: %s, so a difference may be chance (%s)\n",
				doubt->name, doubt->state, doubt->drift ?
				"latencies changed during the recording" : "samples come in clusters",
				text_str(&statistics));
	}
}

/* The CPU whose statistic differs most from that of all CPUs, by a factor. */
struct apart {
	double factor;
	const char *cpu, *state, *what, *value, *all;
};

/* Return the metric of a row. A state that was entered with interrupts on has no wake latency. */
static const char *metric_in(const struct table *table, size_t row)
{
	if (table_find(table, "latency_min") != TABLE_NONE)
		return "latency";
	return is_dash(named_cell(table, row, "wake_latency_min")) ? "intr_latency" : "wake_latency";
}

/* Return the statistic of all CPUs; "" if the state has another metric then. */
static const char *of_all_cpus(const struct table *stats, const char *state, const char *metric,
			       const char *what)
{
	size_t row = table_rows(stats);

	while (row-- > 0)
		if (!strcmp(table_get(stats, row, "state"), state) &&
		    !strcmp(metric_in(stats, row), metric))
			return named_cell(stats, row, xprintf("%s_%s", metric, what));
	return "";
}

/* Take a statistic of a CPU if it differs more than those before. */
static void take_apart(struct apart *most, const struct stats *stats, size_t row, const char *what)
{
	const struct table *cpus = &stats->tables[CPU];
	const char *metric = metric_in(cpus, row), *state = table_get(cpus, row, "state"),
		*value = named_cell(cpus, row, xprintf("%s_%s", metric, what)),
		*all = of_all_cpus(&stats->tables[STATS], state, metric, what);
	double one = number_in_text(value), whole = number_in_text(all), factor;

	/* Intervals of histograms have no relative difference. */
	if (!*value || value[strspn(value, "0123456789.")] || strstr(value, "..") || whole <= 0)
		return;
	factor = one > whole ? one / whole : one > 0 ? whole / one : 0;
	if (factor > most->factor)
		*most = (struct apart) { factor, table_get(cpus, row, "cpu"), state, what, value, all };
}

/*
 * Print how many CPUs of the recording are compared together, and which of them differs most from all.
 * This describes the samples: the CPU that differs most may do so by chance.
 */
static void show_cpus_together(const struct compared *recording, FILE *out)
{
	static const char *const statistics[] = { "p99", "p90", "p50" };
	const struct table *cpus = &recording->stats.tables[CPU];
	struct groups seen = { .nr_keys = 1 };
	struct apart most = { 0 };

	for (size_t row = 0; row < table_rows(cpus); row++) {
		struct tsv_cell cpu = cell_from(table_get(cpus, row, "cpu"));

		groups_get(&seen, &cpu);
		for (size_t i = 0; i < 3; i++)
			take_apart(&most, &recording->stats, row, statistics[i]);
	}
	fprintf(out, "%s: %zu CPUs are compared together", recording->name, seen.nr);
	if (most.factor > 1.01)
		fprintf(out, "; CPU %s differs most (%s, %s: %s us, all CPUs: %s us)", most.cpu,
			most.state, most.what, us(most.value), us(most.all));
	else
		fputs("; none differs by more than 1 %", out);
	fputs("; to compare one: --where cpu==CPU\n", out);
}

/* Print a line for each setting that changes latencies and differs between the recordings. */
static void show_settings(const struct comparison *comparison, FILE *out)
{
	static const char *const keys[] = { "source", "emulated", "hostname", "cpu_model", "microcode",
		"kernel", "cmdline", "driver", "governor", "ldist_mode", "ldist_min_ns",
		"ldist_max_ns", "counters" };

	for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
		const char *first = fact(&comparison->list[0].stats.facts, keys[k]);
		struct text list = { 0 };
		bool differs = false;

		for (size_t i = 0; i < comparison->nr; i++) {
			const char *value = fact(&comparison->list[i].stats.facts, keys[k]);

			differs |= strcmp(*value ? value : "-", *first ? first : "-");
			text_join(&list, " | ", "%s", *value ? value : "-");
		}
		if (differs)
			fprintf(out, "The recordings differ in %s: %s%s\n", keys[k], text_str(&list),
				k ? "" : " (sources measure different quantities)");
		text_free(&list);
	}
}

/* Print a line for each state that some recordings do not have. */
static void show_missing_states(const struct comparison *comparison, FILE *out)
{
	struct groups states = { .nr_keys = 1 };

	for (size_t i = 0; i < comparison->nr; i++) {
		const struct table *stats = &comparison->list[i].stats.tables[STATS];

		for (size_t row = 0; row < table_rows(stats); row++) {
			struct tsv_cell state = cell_from(table_get(stats, row, "state"));

			++*(size_t *)group_data(&states, &state, sizeof(size_t));
		}
	}
	for (size_t i = 0; i < states.nr; i++)
		if (*(size_t *)states.list[i].data < comparison->nr)
			fprintf(out, "Not in all recordings: state %s\n", states.list[i].key[0]);
}

void show_differences(const struct comparison *comparison, FILE *out)
{
	show_comparison_doubts(&comparison->rows, out);
	for (size_t i = 0; i < comparison->nr; i++)
		if (comparison->list[i].stats.source.counts)
			fprintf(out, "%s: counts have no order, so the bounds assume independent samples.\n",
				comparison->list[i].name);
	for (size_t i = 0; i < comparison->nr; i++)
		if (is_there(&comparison->list[i].stats.tables[CPU]))
			show_cpus_together(&comparison->list[i], out);
	if (*comparison->selected)
		fprintf(out, "%s\n", comparison->selected);
	show_settings(comparison, out);
	show_missing_states(comparison, out);
	if (comparison->incomplete)
		fputs("INCOMPLETE: samples are missing from a recording.\n", out);
}

/*
 * Print what the latencies say nothing about: one line if it is the same for all recordings, else one for
 * each.
 */
static void show_limits(const struct comparison *comparison, FILE *out)
{
	struct groups lines = { .nr_keys = 1 }, named = { .nr_keys = 1 };

	for (size_t i = 0; i < comparison->nr; i++) {
		const struct stats *stats = &comparison->list[i].stats;
		char *line = limits_line(&stats->facts, &stats->tables[STATS], false);
		struct tsv_cell cell = cell_from(line);

		groups_get(&lines, &cell);
		*line = 'n';
		cell = cell_from(xprintf("%s: %s", comparison->list[i].name, line));
		groups_get(&named, &cell);
	}
	if (lines.nr == 1)
		print_folded(lines.list[0].key[0], out);
	for (size_t i = 0; lines.nr > 1 && i < named.nr; i++)
		print_folded(named.list[i].key[0], out);
}

/* Print a row. Values that are intervals need wider columns. */
static void show_statistic(bool binned, const char *const cell[], FILE *out)
{
	int width = binned ? 20 : 11;

	fprintf(out, "  %-7s %*s %*s %*s %9s  %-22s %s\n", cell[0], width, cell[1], width, cell[2], width,
		cell[3], cell[4], cell[5], cell[6]);
}

static const char *interval(const char *low, const char *high)
{
	return is_dash(low) && is_dash(high) ? "-" : xprintf("%s .. %s", us(low), us(high));
}

/* Return whether a row differs in a column from the row before. */
static bool is_new(const struct table *rows, size_t row, const char *column)
{
	return !row || strcmp(table_get(rows, row, column), table_get(rows, row - 1, column));
}

/* Print the heads of the blocks that begin at a row: of two recordings, and of a state. */
static void show_heads(const struct table *rows, size_t row, FILE *out)
{
	static const char *const head[] = { "", "A", "B", "B - A", "%", "B - A, 95 %", "distinguishable" };
	const char *metric = table_get(rows, row, "metric");

	if (is_new(rows, row, "run_b"))
		fprintf(out, "\n%s (A) and %s (B)\n", table_get(rows, row, "run_a"),
			table_get(rows, row, "run_b"));
	else if (!is_new(rows, row, "state") && !is_new(rows, row, "metric"))
		return;
	fprintf(out, "\n%s%s (us); N = %s and %s\n", table_get(rows, row, "state"),
		!strcmp(metric, "latency") ? " latency" : !strcmp(metric, "wake_latency") ?
		", wake latency" : ", interrupt latency", table_get(rows, row, "n_a"),
		table_get(rows, row, "n_b"));
	show_statistic(!strcmp(metric, "latency"), head, out);
}

void show_comparison(const struct comparison *comparison, FILE *out)
{
	const struct table *rows = &comparison->rows;
	const char *note = "";

	/* One emulated recording marks the comparison as emulated. */
	for (size_t i = 0; i < comparison->nr && !*note; i++)
		note = machine_note(&comparison->list[i].stats.facts);
	fprintf(out, "Differences of latencies%s\n", note);
	for (size_t row = 0; row < table_rows(rows); row++) {
		const char *cells[] = { table_get(rows, row, "statistic"), us(table_get(rows, row, "a")),
			us(table_get(rows, row, "b")), us(table_get(rows, row, "difference")),
			table_get(rows, row, "difference_pct"),
			interval(table_get(rows, row, "difference_low"),
				 table_get(rows, row, "difference_high")),
			table_get(rows, row, "distinguishable") };

		show_heads(rows, row, out);
		show_statistic(!strcmp(table_get(rows, row, "metric"), "latency"), cells, out);
	}
	fputs("\nDistinguishable: the 95 % confidence interval of the difference does not contain 0.\n"
	      "Minimum and maximum have no such interval.\n", out);
	show_differences(comparison, out);
	for (size_t i = 0; i < comparison->nr; i++)
		show_unknowns(&comparison->list[i].stats.tables[UNKNOWNS], xprintf("%s: ", comparison->list[i].name), out);
	show_limits(comparison, out);
}
