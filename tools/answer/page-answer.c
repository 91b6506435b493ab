// SPDX-License-Identifier: GPL-2.0
/* The verdict in words, and the table of statistics. */
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "html.h"
#include "message.h"

/* The rows of the verdict with their words (parts.c), by verdict. */
struct verdict_words {
	struct names members[UNDECIDED + 1], costs, unknown;
	const char *budget, *percentile, *limit, *clock, *balance;
	struct text causes;
	size_t rows;
};

static void read_words(struct verdict_words *of, struct table *table, const char *file)
{
	table_read(table, file);
	of->rows = table_rows(table);
	for (size_t row = 0; row < of->rows; row++) {
		const char *state = table_get(table, row, "state"), *low = table_get(table, row, "low"), *high = table_get(table, row, "high");

		of->budget = table_get(table, row, "budget_ns");
		of->percentile = table_get(table, row, "percentile");
		of->limit = table_get(table, row, "limit");
		of->balance = table_get(table, row, "balance");
		of->clock = table_get(table, row, "clock");
		text_add(&of->causes, "%s", table_get(table, row, "cause"));
		add_name(&of->members[verdict_from(table_get(table, row, "verdict"))], table_get(table, row, "member"));
		if (strcmp(high, "-"))
			add_name(&of->costs, xprintf("%s %s µs", state, brief(high)));
		else
			add_name(&of->unknown, strcmp(low, "-") ? xprintf("%s more than %s µs", state, brief(low)) : state);
	}
}

/* Add a sentence about the states with this verdict, with the verb ONE for one state, MANY for several. */
static void add_members(struct text *out, const struct verdict_words *of, enum verdict verdict, const char *before, const char *one,
			const char *many, const char *end)
{
	const struct names *names = &of->members[verdict];

	if (names->nr)
		text_add(out, " %s%s%s%s", before, listed(names), names->nr == 1 ? one : many, end);
}

/* Return the states that keep the budget, that exceed it, and that are undecided. */
static char *about_budget(const struct verdict_words *of)
{
	char *what = xprintf("%s µs", exact(number_in_text(of->budget)));
	const char *causes = text_str(&of->causes);
	struct text out = { 0 };

	add_members(&out, of, KEPT, "", " keeps ", " keep ", xprintf("%s.", what));
	add_members(&out, of, EXCEEDED, "", " takes", " take", xprintf(" longer than %s.", what));
	add_members(&out, of, UNDECIDED, "Undecided whether ", " keeps ", " keep ", xprintf("%s.", what));
	text_add(&out, " Decided by %s.", strcmp(of->percentile, "max") ? xprintf("p%s", of->percentile) : "the longest wake-up");
	if (*causes)
		text_add(&out, "%s%s.", strncmp(causes, "; ", 2) ? "" : " ", causes + (strncmp(causes, "; ", 2) ? 0 : 2));
	return xstrdup(text_str(&out));
}

static char *about_costs(const struct verdict_words *of)
{
	bool max = !strcmp(of->percentile, "max");
	struct text out = { 0 };

	if (of->costs.nr)
		text_add(&out, "Of 1000 wake-ups, all but %.10g take at most: %s.", 10 * (100 - number_in_text(of->percentile)),
			 listed(&of->costs));
	if (of->unknown.nr)
		text_add(&out, " %s: %s.", max ? "The longest possible latency is not known" : "Too few samples for an upper bound",
			 listed(&of->unknown));
	return xstrdup(text_str(&out));
}

void html_answer(const char *words_file, bool joint, FILE *out)
{
	struct verdict_words of = { 0 };
	struct table table = { 0 };
	struct text advertised = { 0 };
	const char *worst;

	read_words(&of, &table, words_file);
	if (!of.rows) {
		paragraph("answer open", "No state was measured.", out);
		return;
	}
	worst = of.members[EXCEEDED].nr ? "exceeded" : of.members[UNDECIDED].nr ? "undecided" : of.members[KEPT].nr ? "kept" : "open";
	if (strcmp(of.budget, "-"))
		paragraph(xprintf("answer %s", worst), about_budget(&of), out);
	else
		paragraph("answer open", about_costs(&of), out);
	paragraph("", xprintf("%s %s.", of.clock, of.balance), out);
	if (strcmp(of.budget, "-")) {
		if (!joint)
			paragraph("limit", of.limit, out);
		return;
	}
	add_members(&advertised, &of, EXCEEDED, "", " exceeds", " exceed", " what the idle driver advertises.");
	add_members(&advertised, &of, KEPT, "", " keeps", " keep", " it.");
	add_members(&advertised, &of, UNDECIDED, "Undecided: ", "", "", ".");
	paragraph("limit", text_str(&advertised), out);
}

/* The tables of wakelat stats, and the statistics that the page shows. */
struct statistics {
	struct table stats, intervals;
	struct names shown;
	bool sources;
};

static void find_statistics(struct statistics *of)
{
	add_name(&of->shown, "min");
	for (size_t i = 0; i < of->stats.nr_columns; i++) {
		const char *name = of->stats.columns[i], *p;

		if (!strncmp(name, "wake_", 5))
			name += 5;
		if (strncmp(name, "latency_p", 9))
			continue;
		p = name + 8;
		if (p[1] && !p[1 + strspn(p + 1, "0123456789.")] && number_in_text(p + 1) < 99.995)
			add_name(&of->shown, p);
	}
	add_name(&of->shown, "max");
	add_name(&of->shown, "mean");
	add_name(&of->shown, "std");
	of->sources = table_find(&of->stats, "source") != TABLE_NONE;
}

/* Return whether both rows are of the same state and source. */
static bool same_state(const struct statistics *of, size_t row, size_t interval)
{
	const char *source = table_get(&of->intervals, interval, "source");

	return !strcmp(table_get(&of->stats, row, "state"), table_get(&of->intervals, interval, "state")) &&
		!strcmp(of->sources ? table_get(&of->stats, row, "source") : "", source ? source : "");
}

/* Return the interval of a percentile as HTML, "" if there is none. */
static char *bounds(const struct statistics *of, size_t row, const char *metric, const char *percentile)
{
	const char *low = "-", *high = "-";

	for (size_t i = 0; i < table_rows(&of->intervals); i++)
		if (same_state(of, row, i) && !strcmp(table_get(&of->intervals, i, "metric"), metric) &&
		    !strcmp(table_get(&of->intervals, i, "percentile"), percentile)) {
			low = table_get(&of->intervals, i, "low");
			high = table_get(&of->intervals, i, "high");
		}
	if (!strcmp(low, "-") && !strcmp(high, "-"))
		return "";
	if (!strcmp(low, "-"))
		return xprintf("<small>%s</small>", html(xprintf("≤ %s", us(high))));
	return xprintf("<small>%s</small>", html(strcmp(high, "-") ? xprintf("%s … %s", us(low), us(high)) : xprintf("≥ %s", us(low))));
}

static void put_cell(const char *heading, const char *value, const char *below, FILE *out)
{
	fprintf(out, "<td data-head=\"%s\">%s%s</td>", heading, html(value), below);
}

static void put_row(const struct statistics *of, size_t row, const char *metric, FILE *out)
{
	const struct table *stats = &of->stats;

	fprintf(out, "<tr><th>%s</th>", html(table_get(stats, row, "state")));
	if (of->sources)
		fprintf(out, "<td class=\"text\" data-head=\"source\">%s</td>", html(table_get(stats, row, "source")));
	put_cell("advertised", us(table_get(stats, row, "advertised_ns")), "", out);
	put_cell("N", table_get(stats, row, "n"), "", out);
	put_cell("tainted", table_get(stats, row, "tainted"), "", out);
	for (size_t i = 0; i < of->shown.nr; i++) {
		const char *what = of->shown.list[i], *value = table_get(stats, row, xprintf("%s_%s", metric, what));

		put_cell(what, value ? us(value) : "", *what == 'p' ? bounds(of, row, metric, what + 1) : "", out);
	}
	fputs("</tr>\n", out);
}

static void put_heading(const struct statistics *of, const char *caption, FILE *out)
{
	fprintf(out, "<div class=\"wide\"><table>\n<caption>%s, µs</caption>\n<tr class=\"head\"><th>state</th>%s<th>advertised</th><th>N</th><th>tainted</th>",
		caption, of->sources ? "<th class=\"text\">source</th>" : "");
	for (size_t i = 0; i < of->shown.nr; i++)
		fprintf(out, "<th>%s</th>", of->shown.list[i]);
	fputs("</tr>\n", out);
}

void html_stats(const char *intervals_file, const char *stats_file, FILE *out)
{
	static const char *const metrics[] = { "wake_latency", "intr_latency", "latency" },
		*const captions[] = { "Wake latency", "Interrupt latency", "Latency" };
	struct statistics of = { 0 };

	table_read(&of.intervals, intervals_file);
	table_read(&of.stats, stats_file);
	find_statistics(&of);
	for (size_t m = 0; m < 3; m++) {
		bool any = false;

		for (size_t row = 0; row < table_rows(&of.stats); row++) {
			const char *least = table_get(&of.stats, row, xprintf("%s_min", metrics[m]));

			if (!least || !strcmp(least, "-"))
				continue;
			if (!any)
				put_heading(&of, captions[m], out);
			any = true;
			put_row(&of, row, metrics[m], out);
		}
		if (any)
			fputs("</table></div>\n", out);
	}
}
