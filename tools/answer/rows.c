// SPDX-License-Identifier: GPL-2.0
/* Make the rows of verdict.tsv. */
#include <stdlib.h>

#include "message.h"
#include "subject.h"

static const char *known_bound(const char *bound)
{
	return is(bound, "inf") ? "-" : bound;
}

/* Return COUNT of N in %. COUNT may be an interval. */
static const char *percent(const char *count, double n)
{
	const char *dots = strstr(count, "..");

	if (absent(count))
		return count;
	if (dots)
		return xprintf("%s..%s", percent(low_end(count), n), percent(dots + 2, n));
	return xprintf("%.4f", 100 * number_in_text(count) / n);
}

static const char *value_of(const struct subject *s, bool machine)
{
	char name[64];

	snprintf(name, sizeof(name), is_max(s) ? "max" : "p%s", s->percentile);
	return field_of(s, machine, name);
}

/* Return the share X in %. With 10^10 wake-ups, a share may be too small for six decimals. */
static const char *most_percent(const char *x)
{
	double share = 100 * number_in_text(x);

	return absent(x) ? x : share < 0.001 ? xprintf("%.3g", share) : xprintf("%.6f", share);
}

/*
 * Add the number of samples above the limit, their share in %, and the upper bound on that share in
 * %.
 */
static void put_share(struct subject *s, struct table *rows, const char *name, bool machine,
		      const char *what, bool none)
{
	double n = n_of(s, machine);
	char column[64], most[64];

	none |= absent(n_text(s, machine)) || !n;
	snprintf(most, sizeof(most), "%s_most", what);
	snprintf(column, sizeof(column), "%s_over", name);
	table_set(rows, column, "%s", none ? "-" : field_of(s, machine, what));
	snprintf(column, sizeof(column), "%s_over_pct", name);
	table_set(rows, column, "%s", none ? "-" : percent(field_of(s, machine, what), n));
	snprintf(column, sizeof(column), "%s_over_most_pct", name);
	table_set(rows, column, "%s", none ? "-" : most_percent(field_of(s, machine, most)));
}

/*
 * Return the reasons of a class with their counts: of the state, or of the whole recording (STATE
 * is NULL).
 */
static const char *reasons_of(const struct answer *answer, const char *class, const char *state)
{
	const struct table *balance = &answer->balance;
	struct groups sums = { .nr_keys = 1 };
	struct text text = { 0 };

	for (size_t i = 0; i < table_rows(balance); i++) {
		struct tsv_cell reason = cell_from(table_get(balance, i, "reason"));

		if (is(table_get(balance, i, "class"), class) &&
		    (!state || is(table_get(balance, i, "state"), state)))
			*(double *)group_data(&sums, &reason,
					      sizeof(double)) += number_in_text(table_get(balance,
				i, "count"));
	}
	for (size_t i = 0; i < sums.nr; i++)
		text_join(&text, ",", "%s=%.0f", sums.list[i].key[0], *(double *)sums.list[i].data);
	return or_dash(text_str(&text));
}

static double total_of(const struct answer *answer, const char *class)
{
	double n = 0;

	for (size_t i = 0; i < table_rows(&answer->balance); i++)
		if (is(table_get(&answer->balance, i, "class"), class))
			n += number_in_text(table_get(&answer->balance, i, "count"));
	return n;
}

/* Return how often each bound of the state may err, in %. */
static double error_of(const struct subject *s)
{
	const int64_t *own = by_state_named(s->tables->tails, s->state);

	return (own ? *own : s->tables->tail) / 10000;
}

/* Add the columns about the advertised latency and the budget. */
static void put_verdicts(struct subject *s, enum verdict advertised, enum verdict within)
{
	struct table *rows = &s->answer->rows;
	const char *limit = or_dash(s->facts->latency_ns), *name = s->facts->name;

	table_set(rows, "state", name && *name ? "%s" : "state%s", name && *name ? name : s->state);
	table_set(rows, "advertised_ns", "%s", limit);
	table_set(rows, "residency_ns", "%s", or_dash(s->facts->residency_ns));
	table_set(rows, "budget_ns", "%s", or_dash(s->budget));
	table_set(rows, "metric", "%s", s->metric);
	table_set(rows, "n", "%s", n_text(s, false));
	table_set(rows, "not_reached", "%s", not_reached(s));
	table_set(rows, "percentile", "%s", s->percentile);
	table_set(rows, "value", "%s", value_of(s, false));
	table_set(rows, "low", "%s", known_bound(low_of(s, false)));
	table_set(rows, "high", "%s", known_bound(high_of(s, false)));
	table_set(rows, "error_pct", "%s", plain_number(error_of(s), 6));
	table_set(rows, "samples_needed", "%s", is_max(s) ? "-" : xprintf("%.0f", s->needed));
	table_set(rows, "max", "%s", field_of(s, false, "max"));
	table_set(rows, "advertised_verdict", "%s", verdict_word(advertised));
	put_share(s, rows, "advertised", false, "above", !is_limit(limit));
	table_set(rows, "budget_verdict", "%s", verdict_word(within));
	put_share(s, rows, "budget", true, "over", !s->budget);
}

/* Add the percentile P and its bounds. */
static void put_percentile_bounds(struct subject *s, const char *p)
{
	struct table *rows = &s->answer->rows;
	char name[64];

	snprintf(name, sizeof(name), "p%s", p);
	table_set(rows, name, "%s", field_of(s, false, name));
	snprintf(name, sizeof(name), "p%s_low", p);
	table_set(rows, name, "%s", known_bound(bound_of(s, false, p, "low")));
	snprintf(name, sizeof(name), "p%s_high", p);
	table_set(rows, name, "%s", known_bound(bound_of(s, false, p, "high")));
}

/*
 * Add the columns about the machine as it is, and about the samples that decide: those of the
 * machine if there is a budget.
 */
static void put_machine(struct subject *s)
{
	struct table *rows = &s->answer->rows;

	table_set(rows, "state_budget_verdict", "%s", verdict_word(decide(s, false, s->budget)));
	table_set(rows, "state_budget_over_most_pct", "%s",
		  most_percent(s->budget ? field_of(s, false, "over_most") : "-"));
	table_set(rows, "machine_n", "%s", n_text(s, true));
	table_set(rows, "machine_value", "%s", value_of(s, true));
	table_set(rows, "machine_low", "%s", known_bound(low_of(s, true)));
	table_set(rows, "machine_high", "%s", known_bound(high_of(s, true)));
	table_set(rows, "machine_max", "%s", field_of(s, true, "max"));
	table_set(rows, "effective_n", "%s", bound_of(s, s->budget, s->listed, "effective_n"));
	table_set(rows, "uncertainty_ns", "%s", known_bound(bound_of(s, s->budget, s->listed,
		"uncertainty")));
}

/* Add the columns that count the wake-ups: of the state, then of the whole recording. */
static void put_counts(struct subject *s)
{
	const struct answer *answer = s->answer;
	struct table *rows = &s->answer->rows;
	double judged = total_of(answer, "judged") + total_of(answer, "measured") +
		total_of(answer, "unknown");

	table_set(rows, "mixed", "%s", s->mixed ? "yes" : "no");
	table_set(rows, "measured_by", "%s", reasons_of(answer, "measured", s->state));
	table_set(rows, "unknown_by", "%s", reasons_of(answer, "unknown", s->state));
	table_set(rows, "other_by", "%s", reasons_of(answer, "other", s->state));
	table_set(rows, "wakeups", "%.0f", judged + total_of(answer, "other"));
	table_set(rows, "judged", "%.0f", judged);
	table_set(rows, "left_out", "%.0f", total_of(answer, "other"));
	table_set(rows, "all_measured_by", "%s", reasons_of(answer, "measured", NULL));
	table_set(rows, "all_unknown_by", "%s", reasons_of(answer, "unknown", NULL));
	table_set(rows, "all_other_by", "%s", reasons_of(answer, "other", NULL));
}

/* Add the columns about the CPU that decides. */
static void put_cpu(struct subject *s)
{
	struct table *rows = &s->answer->rows;
	struct different different = { "-", "-", "-" };

	if (s->together)
		different = most_different(s, s->budget, s->budget ? "over" : "above");
	table_set(rows, "cpus", "%s", s->nr_cpus ? xprintf("%zu", s->nr_cpus) : s->answer->by_cpu ?
		  "1" : "-");
	table_set(rows, "cpu", "%s", is(s->unit, "all") ? "-" : s->unit);
	table_set(rows, "cpus_over", "%zu", s->over);
	table_set(rows, "cpu_n_least", "%s", s->together ? xprintf("%.0f", fewest(s, s->budget)) :
		  "-");
	table_set(rows, "cpu_differs", "%s", different.cpu);
	table_set(rows, "cpu_differs_over", "%s", different.over);
	table_set(rows, "cpu_differs_n", "%s", different.n);
	table_set(rows, "high_greatest", "%s", known_bound(highest(s)));
}

/*
 * Return whether the limit lets the CPU enter the state: "-" if there is no limit, or the state was
 * disabled.
 */
static const char *allowed(const struct subject *s)
{
	if (s->answer->limit.us < 0 || s->facts->disabled)
		return "-";
	return limit_admits(s->facts, s->answer->limit.us) ? "yes" : "no";
}

/* Add the row of the current state. */
static void put_row(struct subject *s)
{
	const char *advertised_limit = or_dash(s->facts->latency_ns), *lasted = NULL;
	enum verdict advertised = judge_limit(s, false, advertised_limit), within = NO_VERDICT;
	struct table *rows = &s->answer->rows;
	const char *open;

	if (s->budget)
		within = judge_limit(s, true, s->budget);
	put_verdicts(s, advertised, within);
	table_set(rows, "allowed", "%s", allowed(s));
	table_set(rows, "limit_us", "%s", s->answer->limit.us < 0 ? "-" :
		  xprintf("%.0f", s->answer->limit.us));
	s->uncertain = false;
	open = within == UNDECIDED ? "over" : advertised == UNDECIDED &&
		!s->budget ? "above" : NULL;
	table_set(rows, "samples_to_decide", "%s",
		  open ? samples_to_decide(s, s->budget, open,
					   s->budget ? s->budget : advertised_limit) : "-");
	table_set(rows, "doubt", "%s", doubts_of(s, s->budget, within ? within : advertised));
	table_set(rows, "p50", "%s", field_of(s, false, "p50"));
	put_percentile_bounds(s, "99");
	put_percentile_bounds(s, "99.9");
	put_percentile_bounds(s, "99.99");
	put_machine(s);
	put_counts(s);
	if (state_index(s) >= 0)
		lasted = s->answer->lasted_s[state_index(s)];
	table_set(rows, "lasted_s", "%s", or_dash(lasted));
	table_set(rows, "uncertain", "%s", s->uncertain ? "yes" : "no");
	put_cpu(s);
	table_end_row(rows);
}

/* Store the verdict on the current state for the limit. */
static void note_verdict(struct subject *s)
{
	int index = state_index(s);

	if (index < 0)
		return;
	s->answer->measured[index] = true;
	s->answer->verdict_of[index] = s->budget ? judge_limit(s, true, s->budget) : NO_VERDICT;
}

void make_rows(struct answer *answer, const struct verdict_tables *tables)
{
	const struct table *summary = tables->summary[OF_STATE];
	struct subject s = {
		.answer = answer, .tables = tables, .percentile = answer->question.percentile,
			.budget = answer->question.budget,
		/*
		 * The number and the dependence of the samples of a maximum are those of the row of
		 * p99.9.
		 */
		.listed = strcmp(answer->question.percentile, "max") ? answer->question.percentile :
			"99.9",
	};

	index_tables(&s);
	/* The limit depends on all verdicts, and each row has the limit. */
	for (int pass = 0; pass < 2; pass++) {
		size_t first_cpu = 0;

		for (size_t i = 0; i < table_rows(summary); i++) {
			const char *cpu = table_get(summary, i, "cpu");

			if (cpu && strcmp(cpu, "all"))
				continue;
			begin_state(&s, i, first_cpu);
			if (pass)
				put_row(&s);
			else
				note_verdict(&s);
			first_cpu = i + 1;
		}
		if (!pass)
			find_limit(answer);
	}
	free(s.cpus);
	free(s.said);
}
