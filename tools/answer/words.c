// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "words.h"

const char *cell_in(const struct row *row, const char *column)
{
	const char *cell = table_get(row->table, row->at, column);

	if (!cell)
		die("verdict.tsv has no column %s", column);
	return cell;
}

double number_of(const struct row *row, const char *column)
{
	return number_in_text(cell_in(row, column));
}

bool is_cell(const struct row *row, const char *column, const char *text)
{
	return !strcmp(cell_in(row, column), text);
}

const char *budget_of(const struct row *row)
{
	const char *budget = cell_in(row, "budget_ns");

	return strcmp(budget, "-") ? budget : NULL;
}

enum verdict verdict_of(const struct row *row)
{
	return verdict_from(cell_in(row, budget_of(row) ? "budget_verdict" : "advertised_verdict"));
}

char *us_text(const char *ns)
{
	return xprintf("%.10g us", number_in_text(ns) / 1000);
}

/* Return a time in s as text, with two digits, rounded down. */
static char *time_text(double s)
{
	static const struct {
		double below, times, over;
		const char *word;
	} units[] = { { 0.95, 1000, 1, "ms" }, { 120, 1, 1, "s" }, { 7200, 1, 60, "min" },
		{ INFINITY, 1, 3600, "h" } };
	double step;
	size_t i = 0;

	while (s >= units[i].below && i < 3)
		i++;
	s = s * units[i].times / units[i].over;
	step = s < 10 ? 0.1 : 1;
	return xprintf("%s %s", plain_number(floor(s / step + 1e-9) * step, 6), units[i].word);
}

char *condition(const struct table *rows)
{
	double fewest = 0, shortest = 0;
	bool timeless = false;

	for (struct row row = { rows, 0 }; row.at < table_rows(rows); row.at++) {
		double n = number_of(&row, "n"), s = number_of(&row, "lasted_s");

		timeless |= !isdigit((unsigned char)*cell_in(&row, "lasted_s"));
		fewest = !row.at || n < fewest ? n : fewest;
		shortest = !row.at || s < shortest ? s : shortest;
	}
	if (timeless)
		return xprintf("each cause of delays occurs at least every %.0f wake-ups (measured: %.0f)", floor(fewest / 5), fewest);
	return xprintf("each cause of delays occurs at least every %s (measured for %s)",
		       time_text(shortest / 5), time_text(shortest));
}

const char *greatest_error(const struct table *rows)
{
	const char *most = "";

	for (struct row row = { rows, 0 }; row.at < table_rows(rows); row.at++)
		if (number_of(&row, "error_pct") > number_in_text(most))
			most = cell_in(&row, "error_pct");
	return most;
}

const char *statistic_of(const struct row *row)
{
	return is_cell(row, "percentile", "max") ? "longest wake-up" :
		xprintf("p%s", cell_in(row, "percentile"));
}

const char *state_on_cpu(const struct row *row)
{
	return is_cell(row, "cpu", "-") ? cell_in(row, "state") :
		xprintf("%s (CPU %s)", cell_in(row, "state"), cell_in(row, "cpu"));
}

const char *member_of(const struct row *row, enum verdict verdict)
{
	double others = number_of(row, "cpus_over") - 1;
	const char *state = cell_in(row, "state"), *cpu = cell_in(row, "cpu");

	if (verdict == KEPT || !strcmp(cpu, "-"))
		return state;
	if (verdict != EXCEEDED || others <= 0)
		return xprintf("%s on CPU %s", state, cpu);
	return xprintf("%s on CPU %s and %.0f other%s", state, cpu, others, others > 1 ? "s" : "");
}

const char *together_text(const struct row *row, const char *limit)
{
	if (is_cell(row, "cpu_differs", "-"))
		return "";
	return xprintf("%s: %s CPUs judged together: %s needs %s samples of each, and one has %s.\n"
		       "CPU %s differs most: %s of its %s wake-ups are longer than %s.",
		       cell_in(row, "state"), cell_in(row, "cpus"), statistic_of(row),
			cell_in(row, "samples_needed"), cell_in(row, "cpu_n_least"),
		       cell_in(row, "cpu_differs"), cell_in(row, "cpu_differs_over"),
			cell_in(row, "cpu_differs_n"), limit);
}

bool differs(const struct row *row)
{
	return !is_cell(row, "measured_by", "-") || !is_cell(row, "unknown_by", "-") ||
		!is_cell(row, "all_unknown_by", "-");
}

/* Return the sum of the counts in a list such as "smi=3,nmi=1". */
static double sum_of(const char *list)
{
	struct tsv_cell name, value;
	double sum = 0;

	while (next_pair(&list, &name, &value))
		sum += number_in_text(value.start);
	return sum;
}

/* Convert "not_idle=3,smi=1" to "3 not idle, 1 smi". */
static char *in_words(const char *list)
{
	struct tsv_cell name, value;
	struct text text = { 0 };

	while (next_pair(&list, &name, &value)) {
		text_join(&text, ", ", "%.*s ", (int)(value.end - value.start), value.start);
		for (; name.start < name.end; name.start++)
			text_add(&text, "%c", *name.start == '_' ? ' ' : *name.start);
	}
	return text.s ? text.s : "";
}

static const char *does(enum verdict verdict)
{
	return verdict == KEPT ? "keeps the budget" : verdict == EXCEEDED ? "exceeds the budget" :
		verdict == UNDECIDED ? "is undecided" : "is -";
}

/*
 * Return in words what disturbed the wake-ups that were judged although they are not clean; "" if
 * there are none.
 */
static const char *disturbance(const char *measured_by)
{
	bool smi = strstr(measured_by, "smi="), nmi = strstr(measured_by, "nmi=");

	if (smi || nmi)
		return smi && nmi ? "SMIs and NMIs" : smi ? "SMIs" : "NMIs";
	return sum_of(measured_by) != 0 ? "wake-ups whose launch time is uncertain" : "";
}

const char *cause(const struct row *row, enum verdict verdict)
{
	enum verdict alone = verdict_from(cell_in(row, "state_budget_verdict"));
	const char *state = cell_in(row, "state"), *what = disturbance(cell_in(row, "measured_by"));
	double share = sum_of(cell_in(row, "measured_by")),
		unknown = sum_of(cell_in(row, "unknown_by"));

	if (!budget_of(row) || verdict == alone || !alone)
		return "";
	/* Wake-ups whose state is not known count in each state. */
	if (!*what || unknown > share)
		return xprintf("; %s %s because %.0f wake-ups have no latency and count as longer; without them it %s", state, does(verdict),
			       sum_of(cell_in(row, "all_unknown_by")), does(alone));
	return xprintf("; %s %s because of %s: %.2g %% of the wake-ups had one, up to %s; without them it %s", state, does(verdict), what,
		       100 * share / number_of(row, "machine_n"),
			us_text(cell_in(row, "machine_max")), does(alone));
}

const char *clock_text(const struct row *row)
{
	struct tsv_cell name, value;

	for (const char *at = cell_in(row, "all_other_by"); next_pair(&at, &name, &value); )
		if (cell_is(&name, "clock"))
			return "The TSC was found unstable, which ended a run. Since when it was is not known, so the whole run is left out.";
	return "";
}

const char *balance_text(const struct row *row)
{
	const char *wakeups = cell_in(row, "wakeups"), *judged = cell_in(row, "judged");
	struct text text = { 0 };

	text_add(&text, "%s wake-ups, %s judged", wakeups,
		 strcmp(judged, wakeups) ? judged : "all");
	if (!is_cell(row, "all_measured_by", "-"))
		text_add(&text, ", of them %s", in_words(cell_in(row, "all_measured_by")));
	if (!is_cell(row, "all_unknown_by", "-"))
		text_add(&text, "; counted as too long: %s",
			 in_words(cell_in(row, "all_unknown_by")));
	if (number_of(row, "left_out") != 0)
		text_add(&text, "; left out: %s", in_words(cell_in(row, "all_other_by")));
	return text.s;
}
