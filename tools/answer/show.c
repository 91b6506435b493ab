// SPDX-License-Identifier: GPL-2.0
/*
 * Show the rows of a verdict as text for people, latencies in us: the answer first, then its
 * reasons.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "message.h"
#include "unknown.h"
#include "words.h"

/* What the lines below the table say of all states. */
struct summary {
	struct text by_verdict[UNDECIDED + 1], by_advertised[UNDECIDED + 1];
	struct text causes, together, counts, interrupts, mixed, missed, uncertain, dependent,
		clustered, drifting, few;
	size_t each;			/* CPUs that were judged by themselves */
	bool same_n, looked, judged, as_it_is;
};

/* A line of the table. */
struct line {
	char *name, *cells;
};

struct lines {
	struct line *list;
	size_t nr, width;
};

static void add_line(struct lines *lines, char *name, char *cells)
{
	lines->list = xrealloc(lines->list, lines->nr + 1, sizeof(*lines->list));
	lines->list[lines->nr++] = (struct line) { name, cells };
	lines->width = strlen(name) > lines->width ? strlen(name) : lines->width;
}

static const char *bound(const char *ns)
{
	return strcmp(ns, "-") ? us(ns) : "?";
}

/* Return an upper bound of a share, given in percent, as "1 in N"; from 10 % on as a percentage. */
static const char *most(const char *pct)
{
	double share = number_in_text(pct);

	if (!strcmp(pct, "-"))
		return pct;
	return share < 10 ? xprintf("1 in %.0f", floor(100 / share)) : xprintf("%.0f %%", share);
}

/* Columns are wider for intervals (metric latency) than for values. */
static int value_width(const struct row *row)
{
	return is_cell(row, "metric", "latency") ? 20 : 9;
}

/* Return the cells of the columns PREFIXvalue and so on, with the verdict. */
static char *statistics(const struct row *row, const char *prefix, const char *over,
			enum verdict verdict)
{
	const char *cell[4], *names[] = { "value", "low", "high", "max" };
	int width = value_width(row);
	char name[64];

	for (size_t i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "%s%s", prefix, names[i]);
		cell[i] = cell_in(row, name);
	}
	return xprintf(" %*s %19s %*s %9s  %s", width, us(cell[0]),
		       xprintf("%s .. %s", bound(cell[1]), bound(cell[2])), width, us(cell[3]),
		       most(over), verdict ? verdict_word(verdict) : number_of(row, "n") ?
			"nothing advertised" : "no samples");
}

/* Add the lines of a state to the table. */
static void add_lines(const struct row *row, struct lines *lines, struct summary *sum)
{
	const char *metric = cell_in(row, "metric");
	bool has_budget = budget_of(row);
	enum verdict verdict = verdict_of(row);

	add_line(lines, xprintf("%s%s", state_on_cpu(row),
				strncmp(metric, "intr", 4) ? "" : " (intr.)"),
		 xprintf(" %9s%s", us(cell_in(row, "advertised_ns")),
			 statistics(row, "", cell_in(row,
						     has_budget ? "state_budget_over_most_pct" :
				"advertised_over_most_pct"),
				    has_budget ? verdict_from(cell_in(row,
					"state_budget_verdict")) : verdict)));
	if (!has_budget || !differs(row))
		return;
	add_line(lines, " as it is", xprintf(" %9s%s", "",
					     statistics(row, "machine_",
							cell_in(row, "budget_over_most_pct"),
		verdict)));
	sum->as_it_is = true;
}

/* Collect what the samples of a state say about the bounds. */
static void add_notes(const struct row *row, struct summary *sum)
{
	const char *state = cell_in(row, "state"), *doubt = cell_in(row, "doubt"),
		*missed = cell_in(row, "not_reached");

	if (is_cell(row, "mixed", "yes"))
		text_join(&sum->mixed, ", ", "%s", state);
	if (number_in_text(missed) != 0)
		text_join(&sum->missed, "\n", !strcmp(missed, cell_in(row, "n")) ?
			  "%s: its residency counter moved in no sample. Is it the right counter?" :
			  "%s: %s more samples did not reach the requested state. They are left out.", state, missed);
	if (*cell_in(row, "uncertainty_ns") >= '1' && *cell_in(row, "uncertainty_ns") <= '9')
		text_join(&sum->uncertain, ", ", "%s %s", state,
			  us_text(cell_in(row, "uncertainty_ns")));
	if (number_of(row, "effective_n") < number_of(row, budget_of(row) ? "machine_n" : "n"))
		text_join(&sum->dependent, ", ", "%s %s", state, cell_in(row, "effective_n"));
	if (strstr(doubt, "clusters"))
		text_join(&sum->clustered, ", ", "%s", state);
	if (strstr(doubt, "drift"))
		text_join(&sum->drifting, ", ", "%s", state);
	if (strstr(doubt, "few"))
		text_join(&sum->few, ", ", "%s", state);
}

static void add_row(const struct row *row, struct lines *lines, struct summary *sum)
{
	const struct row first = { row->table, 0 };
	const char *together = together_text(row, budget_of(row) ? us_text(budget_of(row)) :
					     "advertised");

	sum->looked |= number_of(row, "error_pct") != 5;
	text_join(&sum->by_verdict[verdict_of(row)], ", ", "%s", member_of(row, verdict_of(row)));
	text_join(&sum->by_advertised[verdict_from(cell_in(row, "advertised_verdict"))], ", ", "%s",
		  cell_in(row, "state"));
	if (!is_cell(row, "cpu", "-") && number_of(row, "cpus") > sum->each)
		sum->each = number_of(row, "cpus");
	if (*together)
		text_join(&sum->together, "\n", "%s", together);
	add_lines(row, lines, sum);
	text_add(&sum->causes, "%s", cause(row, verdict_of(row)));
	text_join(&sum->counts, ", ", "%s %s", cell_in(row, "state"), cell_in(row, "n"));
	sum->same_n = !row->at || (sum->same_n && is_cell(&first, "n", cell_in(row, "n")));
	if (!strncmp(cell_in(row, "metric"), "intr", 4))
		text_join(&sum->interrupts, ", ", "%s", cell_in(row, "state"));
	sum->judged |= number_of(row, "n") != 0;
	add_notes(row, sum);
}

/* Print the first line: which states keep the limit. */
static void print_answer(const struct row *last, const struct summary *sum, FILE *out)
{
	const char *kept = text_str(&sum->by_verdict[KEPT]),
		*exceeded = text_str(&sum->by_verdict[EXCEEDED]);
	const char *undecided = text_str(&sum->by_verdict[UNDECIDED]),
		*causes = text_str(&sum->causes), *statistic = statistic_of(last);
	char *limit = xprintf("longer than %s)", budget_of(last) ? us_text(budget_of(last)) :
			      "advertised");
	char *others = xprintf("%s%s", *kept ? "; kept by " : "", kept);

	if (*exceeded)
		fprintf(out, "EXCEEDED by %s (%s %s%s%s%s%s\n", exceeded, statistic, limit, others,
			*undecided ? "; undecided for " : "",
			undecided, causes);
	else if (*undecided)
		fprintf(out, "UNDECIDED for %s (%s perhaps %s%s%s\n", undecided, statistic, limit,
			others, causes);
	else if (!sum->judged)
		fputs("Nothing to decide: no wake-up could be judged.\n", out);
	else if (!*kept)
		fputs("Nothing to decide: no budget, and nothing advertised.\n", out);
	else
		fprintf(out, "KEPT by %s (%s not %s%s\n", kept, statistic, limit, causes);
}

static void print_table(const struct row *last, const struct lines *lines, FILE *out)
{
	int width = lines->width < 10 ? 10 : lines->width, values = value_width(last);
	const char *percentile = cell_in(last, "percentile");

	fprintf(out, "\n%-*s %9s %*s %19s %*s %9s  verdict\n", width, "us", "advertised", values,
		strcmp(percentile, "max") ? xprintf("p%s", percentile) : "max", "between", values,
			"max", "longer<=");
	for (size_t i = 0; i < lines->nr; i++)
		fprintf(out, "%-*s%s\n", width, lines->list[i].name, lines->list[i].cells);
	fputc('\n', out);
}

/* Print how many samples there are. */
static void print_numbers(const struct row *last, const struct summary *sum, FILE *out)
{
	if (sum->same_n)
		fprintf(out, "N = %s%s.\n", cell_in(last, "n"), last->at ? " each" : "");
	else
		fprintf(out, "N = %s.\n", text_str(&sum->counts));
	fprintf(out, "longer<=: at most this share of wake-ups is longer than %s.\n",
		budget_of(last) ? us_text(budget_of(last)) : "advertised");
}

/* Print how the CPUs were judged, and how often a verdict may be wrong. PAGE: see print_notes(). */
static void print_error(const struct row *last, const struct summary *sum, bool page, FILE *out)
{
	if (sum->each)
		fprintf(out, "Each of %zu CPUs was judged by itself; a row shows the CPU that decides.\n", sum->each);
	if (!text_empty(&sum->together))
		fprintf(out, "%s\n", text_str(&sum->together));
	if (sum->as_it_is && !page)
		fputs("The rows \"as it is\" give the verdict. They also count disturbed and lost wake-ups.\n", out);
	if (sum->judged)
		fprintf(out, "Each bound and each verdict is wrong with a probability of %s %% at most, if%c%s.\n", greatest_error(last->table),
			page ? ' ' : '\n', condition(last->table));
	if (sum->looked)
		fputs("The probability is lower for states that record --for-verdict tested several times.\n", out);
}

/* Print the verdicts on the advertised latencies, if the table is about a budget. */
static void print_advertised(const struct row *last, const struct summary *sum, FILE *out)
{
	static const enum verdict order[] = { EXCEEDED, UNDECIDED, KEPT };
	struct text text = { 0 };

	for (size_t i = 0; i < 3; i++)
		if (!text_empty(&sum->by_advertised[order[i]]))
			text_join(&text, "; ", "%s %s %s", verdict_word(order[i]),
				  order[i] == UNDECIDED ? "for" : "by",
				  text_str(&sum->by_advertised[order[i]]));
	if (budget_of(last) && !text_empty(&text))
		fprintf(out, "Advertised latencies: %s.\n", text_str(&text));
	text_free(&text);
}

/* Print a sentence about the states of LIST, if there are any. */
static void print_states(FILE *out, const char *before, const struct text *list, const char *after)
{
	if (!text_empty(list))
		fprintf(out, "%s%s%s\n", before, text_str(list), after);
}

/* Print what the samples say about the verdict: on a PAGE, whose rows have no marks, or below the table. */
static void print_notes(const struct row *last, const struct summary *sum, bool page, FILE *out)
{
	print_advertised(last, sum, out);
	print_states(out, "", &sum->missed, "");
	if (page)
		print_states(out, "", &sum->interrupts,
			     ": interrupt latency, because the state is entered with interrupts on.");
	else if (!text_empty(&sum->interrupts))
		fputs("(intr.): interrupt latency, because the state is entered with interrupts on.\n", out);
	print_states(out, "", &sum->mixed,
		     ": entered with interrupts on and off. Shown: the interrupt latency of both.");
	print_states(out, "The uncertainty of launch times widens the bounds by at most: ",
		     &sum->uncertain, ".");
	print_states(out, "Samples may depend on each other, so the bounds count them as fewer: ",
		     &sum->dependent, ".");
	print_states(out, "DOUBT: ", &sum->clustered, ": the longest wake-ups come in clusters, so the verdict may be wrong more often.");
	print_states(out, "DOUBT: ", &sum->drifting,
		     ": the latencies changed during the recording, so another recording may give another verdict.");
	if (!text_empty(&sum->few))
		fprintf(out, "DOUBT: %s: too few samples to see bursts of long wake-ups: %.0f are needed.\n", text_str(&sum->few),
			enough_for_bursts(cell_in(last, "percentile")));
}

/* Print what was measured, and which statistic decides. */
static void print_title(const struct answer *answer, FILE *out)
{
	const struct facts *facts = &answer->facts;
	const char *percentile = answer->question.percentile,
		*why = answer->question.percentile_given ? "as asked for" : "the default";
	bool max = !strcmp(percentile, "max");

	fprintf(out, "%s%s, %s\n", answer->question.name, machine_note(facts),
		fact_first(facts, "cpu_model"));
	fprintf(out, "Decided by %s%s (%s), source %s.\n", max ? "the longest latency" : "p",
		max ? "" : percentile, why, fact_first(facts, "source"));
}

/* Print the systematic error of the latencies, and the taints that could not be recognised. */
static void print_caveats(const struct facts *facts, FILE *out)
{
	for (size_t i = 0; i < facts->nr; i++) {
		const char *key = facts->list[i].key, *value = facts->list[i].value;

		if (!strcmp(key, "systematic_error"))
			fprintf(out, "Systematic error, %s.\n", value);
		else if (!strcmp(key, "caveat"))
			fprintf(out, "Caveat: %s.\n", value);
		else if (!strcmp(key, "taints_unknown"))
			fprintf(out, "Taints: %s.\n", value);
	}
}

void print_folded(const char *text, FILE *out)
{
	while (strlen(text) > 80) {
		size_t len = 80;

		while (len && text[len - 1] != ' ')
			len--;
		len = len ? len : 80;
		for (size_t end = len; ; end--)
			if (!end || text[end - 1] != ' ') {
				fprintf(out, "%.*s\n", (int)end, text);
				break;
			}
		text += len;
	}
	fprintf(out, "%s\n", text);
}

/* Print how all CPUs were judged, if they were judged together. */
static void print_pooled(const struct answer *answer, FILE *out)
{
	if (answer->question.pooled)
		fputs("All CPUs are judged together (as asked for), so one of them may be worse.\n",
		      out);
	else if (!answer->by_cpu)
		fputs("The CPUs of several machines are judged together, so one of them may be worse.\n", out);
}

/* Print how all CPUs were judged, and what the recording does not say. */
static void print_limits(const struct answer *answer, FILE *out)
{
	print_pooled(answer, out);
	if (answer->counts)
		fputs("Counts have no order, so the bounds assume independent samples.\n", out);
	print_caveats(&answer->facts, out);
	print_folded(limits_line(&answer->facts, &answer->rows, false), out);
}

/* Print what follows from the verdict, after an empty line. */
static void print_advice(const struct answer *answer, const char *again, FILE *out)
{
	char *text = NULL;
	size_t len;
	FILE *advice = open_memstream(&text, &len);

	if (!advice)
		die("out of memory");
	show_advice(answer, false, again, advice);
	fclose(advice);
	if (len)
		fprintf(out, "\n%s", text);
	free(text);
}

/* Add all rows. Return the last one. */
static struct row add_rows(const struct answer *answer, struct lines *lines, struct summary *sum)
{
	struct row row = { &answer->rows, 0 };

	sum->same_n = true;
	for (row.at = 0; row.at < table_rows(&answer->rows); row.at++)
		add_row(&row, lines, sum);
	row.at--;
	return row;
}

void show_notes(const struct answer *answer, FILE *out)
{
	struct summary sum = { 0 };
	struct lines lines = { 0 };
	struct row last = add_rows(answer, &lines, &sum);

	print_pooled(answer, out);
	print_error(&last, &sum, true, out);
	print_notes(&last, &sum, true, out);
	show_unknowns(&answer->unknowns, "", out);
}

void show_verdict(const struct answer *answer, const char *again, FILE *out)
{
	struct summary sum = { 0 };
	struct lines lines = { 0 };
	struct row row = add_rows(answer, &lines, &sum);

	print_answer(&row, &sum, out);
	if (*clock_text(&row))
		fprintf(out, "%s\n", clock_text(&row));
	if (answer->lost > 0)
		fprintf(out, "INCOMPLETE: %.0f events were lost while recording.\n", answer->lost);
	else if (answer->question.incomplete)
		fputs("INCOMPLETE: samples are missing from the recording.\n", out);
	if (budget_of(&row))
		fprintf(out, "%s\n", limit_line(answer));
	fprintf(out, "%s.\n", balance_text(&row));
	print_title(answer, out);
	print_table(&row, &lines, out);
	print_numbers(&row, &sum, out);
	print_error(&row, &sum, false, out);
	print_notes(&row, &sum, false, out);
	show_unknowns(&answer->unknowns, "", out);
	print_limits(answer, out);
	print_advice(answer, again, out);
}
