// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide.h"
#include "message.h"

/* The state that is judged, and what the functions below find out about it. */
struct subject {
	struct answer *answer;
	const struct verdict_tables *tables;
	struct groups units[NR_TABLES];		/* state, unit: the row of a summary, plus 1 */
	/* state, unit: the samples that did not reach the state, as text */
	struct groups missed;
	/* state, unit, metric, percentile: the row of the intervals, plus 1 */
	struct groups bounds[NR_TABLES];
	const char *percentile, *budget;
	/* the percentile whose row has the number and the dependence of the samples */
	const char *listed;
	double needed;

	const char *state;			/* its index */
	const struct state *facts;
	const char *unit;			/* a CPU, or "all" */
	const char *metric;
	bool mixed;
	const char **cpus;
	enum verdict *said;			/* of each CPU */
	size_t nr_cpus, over;
	/* the verdict is on all CPUs, because one has too few samples */
	bool together;
	bool uncertain;				/* no number of samples decides */
};

/* A state without facts in run.tsv. */
static const struct state no_state;

static bool is(const char *a, const char *b)
{
	return !strcmp(a, b);
}

static bool absent(const char *cell)
{
	return is(cell, "-");
}

static const char *or_dash(const char *text)
{
	return text && *text ? text : "-";
}

static const char *known_bound(const char *bound)
{
	return is(bound, "inf") ? "-" : bound;
}

static bool is_max(const struct subject *s)
{
	return is(s->percentile, "max");
}

/* Return the row of the current state and UNIT in a summary, plus 1; 0 if there is none. */
static size_t row_of(const struct subject *s, int table, const char *unit)
{
	struct tsv_cell key[] = { cell_from(s->state), cell_from(unit) };
	const struct group *group = groups_find(&s->units[table], key);

	return group ? *(size_t *)group->data : 0;
}

/*
 * Return the table with an answer: that of the samples that reached the state, if there are any on
 * any CPU. If all wake-ups were clean, the state's table answers for the machine.
 */
static int table_of(const struct subject *s, bool machine)
{
	if (machine && !row_of(s, OF_MACHINE, "all") && !row_of(s, OF_MACHINE_REACHED, "all"))
		machine = false;
	if (row_of(s, machine ? OF_MACHINE_REACHED : OF_STATE_REACHED, "all"))
		return machine ? OF_MACHINE_REACHED : OF_STATE_REACHED;
	return machine ? OF_MACHINE : OF_STATE;
}

/* Return the statistic WHAT of the metric; "-" if it is not there. */
static const char *field(const struct subject *s, bool machine, const char *what)
{
	int table = table_of(s, machine);
	size_t row = row_of(s, table, s->unit);
	char name[128];

	if (!row)
		return "-";
	snprintf(name, sizeof(name), "%s_%s", s->metric, what);
	return or_dash(table_get(s->tables->summary[table], row - 1, name));
}

/* Return a cell of the intervals of a percentile; "-" if it is not there. */
static const char *bound(const struct subject *s, bool machine, const char *percentile,
			 const char *what)
{
	int table = table_of(s, machine);
	struct tsv_cell key[] = { cell_from(s->state), cell_from(s->unit), cell_from(s->metric),
		cell_from(percentile) };
	const struct group *group = groups_find(&s->bounds[table], key);
	const char *cell = group ? table_get(s->tables->intervals[table],
					     *(size_t *)group->data - 1, what) : NULL;

	return cell ? cell : "-";
}

/* Return the lower end of a value that may be an interval. */
static const char *low_end(const char *value)
{
	const char *dots = strstr(value, "..");

	return dots ? xprintf("%.*s", (int)(dots - value), value) : value;
}

/*
 * Return the bounds of the percentile that decides. The maximum only has a lower bound: the longest
 * latency seen.
 */
static const char *low_of(const struct subject *s, bool machine)
{
	return is_max(s) ? low_end(field(s, machine, "max")) :
		bound(s, machine, s->percentile, "low");
}

static const char *high_of(const struct subject *s, bool machine)
{
	return is_max(s) ? "-" : bound(s, machine, s->percentile, "high");
}

/* Return the number of wake-ups that an answer is based on, as text and as a number. */
static const char *n_text(const struct subject *s, bool machine)
{
	return bound(s, machine, s->listed, "n");
}

static double n_of(const struct subject *s, bool machine)
{
	return number_in_text(n_text(s, machine));
}

static bool is_limit(const char *limit)
{
	return limit && *limit && !absent(limit) && number_in_text(limit) != 0;
}

/* Return the number of wake-ups without a latency that count against the state. */
static double unknown_of(const struct subject *s)
{
	const struct table *balance = &s->answer->balance;
	double n = 0;

	for (size_t i = 0; i < table_rows(balance); i++)
		if (is(table_get(balance, i, "class"), "unknown") &&
		    (is(table_get(balance, i, "state"), s->state) ||
		     absent(table_get(balance, i, "state"))))
			n += number_in_text(table_get(balance, i, "count"));
	return n;
}

/*
 * Return KEPT if the upper bound of the percentile is not above the limit, EXCEEDED if the lower
 * bound is above it, else UNDECIDED; NO_VERDICT without a limit or samples.
 */
static enum verdict decide(const struct subject *s, bool machine, const char *limit)
{
	const char *low = low_of(s, machine), *high = high_of(s, machine);

	if (!is_limit(limit) || !n_of(s, machine))
		return NO_VERDICT;
	if (!absent(high) && !is(high, "inf") && number_in_text(high) <= number_in_text(limit))
		return KEPT;
	if (is_max(s) && is(s->unit, "all") && machine && unknown_of(s) > 0)
		return EXCEEDED;
	return is(low, "inf") || (!absent(low) && number_in_text(low) > number_in_text(limit)) ?
		EXCEEDED : UNDECIDED;
}

/* Return whether the bound X is greater than Y, or Y is empty. */
static bool exceeds(const char *x, const char *y)
{
	if (!*y || is(x, "inf") || is(y, "inf"))
		return !*y || (is(x, "inf") && !is(y, "inf"));
	return number_in_text(x) > number_in_text(y);
}

static bool equal(const char *x, const char *y)
{
	return !exceeds(x, y) && !exceeds(y, x);
}

/*
 * Return the CPU with the greatest bound among those with the VERDICT (NO_VERDICT: among all): by
 * the lower bounds, or by the upper ones. Among equal bounds, the longest wake-up decides.
 */
static const char *greatest(struct subject *s, bool machine, bool by_low, enum verdict verdict)
{
	const char *before = s->unit, *most = "", *longest = "", *found = before;

	for (size_t i = 0; i < s->nr_cpus; i++) {
		const char *x, *max;

		s->unit = s->cpus[i];
		if (verdict && s->said[i] != verdict)
			continue;
		x = by_low ? low_of(s, machine) : high_of(s, machine);
		if (absent(x))
			x = by_low ? "-1" : "inf";
		max = low_end(field(s, machine, "max"));
		if (exceeds(x, most) || (equal(x, most) && exceeds(max, longest))) {
			most = x;
			longest = max;
			found = s->cpus[i];
		}
	}
	s->unit = before;
	return found;
}

/*
 * Judge each CPU against the limit. Return whether one has too few samples; count the CPUs that
 * keep the limit in *KEPT_BY.
 */
static bool judge_cpus(struct subject *s, bool machine, const char *limit, size_t *kept_by)
{
	bool few = false;

	s->over = *kept_by = 0;
	for (size_t i = 0; i < s->nr_cpus; i++) {
		s->unit = s->cpus[i];
		s->said[i] = decide(s, machine, limit);
		s->over += s->said[i] == EXCEEDED;
		*kept_by += s->said[i] == KEPT;
		few |= !is_max(s) && n_of(s, machine) < s->needed;
	}
	s->unit = "all";
	return few;
}

/* Judge the state against the limit. Set the unit to the CPU that decides, or to "all". */
static enum verdict judge_limit(struct subject *s, bool machine, const char *limit)
{
	size_t kept_by;
	bool few = judge_cpus(s, machine, limit, &kept_by);
	enum verdict verdict = decide(s, machine, limit);

	s->together = false;
	if (!s->nr_cpus || (verdict == EXCEEDED && !s->over) || (!verdict && is_limit(limit)))
		return verdict;
	if (s->over) {
		s->unit = greatest(s, machine, true, EXCEEDED);
		return EXCEEDED;
	}
	if (few) {
		s->together = true;
		return verdict;
	}
	if (kept_by == s->nr_cpus || !verdict) {
		s->unit = greatest(s, machine, is_max(s), NO_VERDICT);
		return verdict ? KEPT : NO_VERDICT;
	}
	s->unit = greatest(s, machine, is_max(s), UNDECIDED);
	return UNDECIDED;
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

static double at_least(const struct subject *s, double samples)
{
	return fmax(samples, enough_for_bursts(s->percentile));
}

/* Round up to two significant digits; an estimate is not more precise than that. */
static double rounded(double x)
{
	double step = 1;

	while (x > 100 * step)
		step *= 10;
	return (floor(x / step) + (x > floor(x / step) * step)) * step;
}

/*
 * Estimate how many samples would decide with a probability of 80 %, if COUNT of N samples above
 * the limit are the true share. Return -1 if that cannot be estimated, or takes more than a hundred
 * times the samples there are. If samples depend on each other, only EFFECTIVE of N count. The
 * number is never so small that the verdict would be in doubt.
 */
static double to_decide(const struct subject *s, const char *count, double n, double effective)
{
	double allowed, seen, wanted;

	if (is_max(s))
		return -1;
	if (absent(count) || !n)
		return at_least(s, s->needed);
	allowed = 1 - number_in_text(s->percentile) / 100;
	seen = number_in_text(count) / n;
	if (seen == allowed)
		return -1;
	wanted = (1.645 * sqrt(allowed * (1 - allowed)) +
		  0.842 * sqrt(fmax(0, seen * (1 - seen)))) / (allowed - seen);
	wanted = fmax(wanted * wanted, s->needed);
	if (effective > 0)
		wanted *= n / effective;
	if (wanted <= n)
		wanted = n * 1.5;
	return wanted > 100 * fmax(n, s->needed) ? -1 : at_least(s, rounded(wanted));
}

static bool is_number(const char *cell)
{
	return isdigit((unsigned char)cell[*cell == '-']);
}

/*
 * Return whether the percentile of the unit's samples is on both sides of the limit, depending on
 * the sign of the uncertainty of launch times. Then no number of samples decides.
 */
static bool is_uncertain(const struct subject *s, bool machine, const char *limit)
{
	const char *low = bound(s, machine, s->listed, "value_least"),
		*high = bound(s, machine, s->listed, "value_most");

	return !is_max(s) && is_number(low) && is_number(high) &&
		number_in_text(low) <= number_in_text(limit) &&
		number_in_text(high) > number_in_text(limit) &&
			number_in_text(low) != number_in_text(high);
}

/* Return the estimate for the samples of the unit. */
static double unit_to_decide(const struct subject *s, bool machine, const char *what)
{
	return to_decide(s, field(s, machine, what), n_of(s, machine),
			 number_in_text(bound(s, machine, s->listed, "effective_n")));
}

/*
 * Return the number of samples that each CPU needs to decide, as text. Set s->uncertain if no
 * number of samples decides.
 */
static const char *samples_to_decide(struct subject *s, bool machine, const char *what,
				     const char *limit)
{
	const char *before = s->unit;
	bool all = is(before, "all");
	double one, most;

	s->uncertain = is_uncertain(s, machine, limit);
	for (size_t i = 0; !all && i < s->nr_cpus; i++) {
		s->unit = s->cpus[i];
		s->uncertain |= s->said[i] == UNDECIDED && is_uncertain(s, machine, limit);
	}
	s->unit = before;
	if (s->uncertain)
		return "-";
	most = unit_to_decide(s, machine, what);
	if (s->together && most >= 0)
		most = at_least(s, rounded(fmax(most / s->nr_cpus, s->needed)));
	for (size_t i = 0; !all && i < s->nr_cpus && most >= 0; i++) {
		s->unit = s->cpus[i];
		if (s->said[i] != UNDECIDED)
			continue;
		one = unit_to_decide(s, machine, what);
		most = one < 0 ? one : fmax(one, most);
	}
	s->unit = before;
	return most < 0 ? "-" : xprintf("%.0f", most);
}

/*
 * Return a p-value of the test for dependence, 1 if there is none. Counts only have those of all
 * CPUs together.
 */
static double p_of(struct subject *s, bool machine, const char *what)
{
	const char *before = s->unit, *p = bound(s, machine, s->listed, what);

	if (absent(p)) {
		s->unit = "all";
		p = bound(s, machine, s->listed, what);
		s->unit = before;
	}
	return absent(p) ? 1 : number_in_text(p);
}

enum { CLUSTERS = 1, DRIFT = 2, FEW = 4 };

/*
 * Return the reasons for doubt in the samples of the unit. Dependence is a reason if the number of
 * independent samples is unknown, as it always is for counts. A verdict that is DECIDED on too few
 * samples is in doubt.
 */
static int unit_doubts(struct subject *s, bool machine, bool decided)
{
	int doubts = 0;

	if (p_of(s, machine, "clusters_p") < 0.001 && !is(bound(s, machine, s->listed, "unknown"),
							  "no"))
		doubts |= CLUSTERS;
	if (p_of(s, machine, "drift_p") < 0.001)
		doubts |= DRIFT;
	if (decided && n_of(s, machine) < enough_for_bursts(s->percentile))
		doubts |= FEW;
	return doubts;
}

/*
 * Return the reasons for doubt, separated by commas. All CPUs decide, unless one exceeds the limit.
 */
static const char *doubts_of(struct subject *s, bool machine, enum verdict verdict)
{
	static const char *const names[] = { "clusters", "drift", "few" };
	const char *before = s->unit;
	bool decided = verdict == KEPT || verdict == EXCEEDED, all = is(before, "all");
	int doubts = unit_doubts(s, machine, decided);
	struct text text = { 0 };

	for (size_t i = 0; !all && verdict != EXCEEDED && i < s->nr_cpus; i++) {
		s->unit = s->cpus[i];
		doubts |= unit_doubts(s, machine, decided);
	}
	s->unit = before;
	for (size_t i = 0; i < 3; i++)
		if (doubts & 1 << i)
			text_join(&text, ",", "%s", names[i]);
	return or_dash(text_str(&text));
}

/*
 * Choose the metric. A state that is entered with interrupts on has no wake latency. If interrupts
 * were on in only some of the entries, only the interrupt latency covers all samples. Without clean
 * samples, the state has neither latency.
 */
static void choose_metric(struct subject *s)
{
	double wake, intr;

	s->mixed = false;
	s->metric = "latency";
	if (n_of(s, false) > 0)
		return;
	s->metric = "wake_latency";
	wake = n_of(s, false);
	s->metric = "intr_latency";
	intr = n_of(s, false);
	if (absent(n_text(s, false)) || intr <= wake)
		s->metric = "wake_latency";
	s->mixed = is(s->metric, "intr_latency") && wake > 0;
}

/* Return the smallest number of samples of a CPU. */
static double fewest(struct subject *s, bool machine)
{
	const char *before = s->unit;
	double least = -1;

	for (size_t i = 0; i < s->nr_cpus; i++) {
		s->unit = s->cpus[i];
		if (least < 0 || n_of(s, machine) < least)
			least = n_of(s, machine);
	}
	s->unit = before;
	return least;
}

/*
 * The CPU that differs most from the others: its samples above the limit, and all of its samples.
 */
struct different {
	const char *cpu, *over, *n;
};

/*
 * Return the CPU with the greatest share of samples above the limit; among equal shares, the one
 * with the greatest lower bound.
 */
static struct different most_different(struct subject *s, bool machine, const char *what)
{
	struct different found = { "-", "-", "-" };
	const char *before = s->unit, *most_low = "";
	double most = -1;

	for (size_t i = 0; i < s->nr_cpus; i++) {
		const char *count, *low;
		double share;

		s->unit = s->cpus[i];
		count = field(s, machine, what);
		low = absent(low_of(s, machine)) ? "-1" : low_of(s, machine);
		share = n_of(s, machine) > 0 ? number_in_text(low_end(count)) / n_of(s, machine) :
			0;
		if (share < most || (share == most && !exceeds(low, most_low)))
			continue;
		most = share;
		most_low = low;
		found = (struct different) { s->unit, count, n_text(s, machine) };
	}
	s->unit = before;
	return found;
}

/* Return the greatest upper bound of the state's clean samples on any CPU. */
static const char *highest(struct subject *s)
{
	const char *before = s->unit, *high;

	if (!is(before, "all"))
		s->unit = greatest(s, false, false, NO_VERDICT);
	high = known_bound(high_of(s, false));
	s->unit = before;
	return high;
}

static const char *value_of(const struct subject *s, bool machine)
{
	char name[64];

	snprintf(name, sizeof(name), is_max(s) ? "max" : "p%s", s->percentile);
	return field(s, machine, name);
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
	table_set(rows, column, "%s", none ? "-" : field(s, machine, what));
	snprintf(column, sizeof(column), "%s_over_pct", name);
	table_set(rows, column, "%s", none ? "-" : percent(field(s, machine, what), n));
	snprintf(column, sizeof(column), "%s_over_most_pct", name);
	table_set(rows, column, "%s", none ? "-" : most_percent(field(s, machine, most)));
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

/* Return the number of samples of the unit that did not reach the state. */
static const char *not_reached(const struct subject *s)
{
	struct tsv_cell key[] = { cell_from(s->state), cell_from(s->unit) };
	const struct group *group = groups_find(&s->missed, key);

	return or_dash(group ? group->data : NULL);
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
	table_set(rows, "max", "%s", field(s, false, "max"));
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
	table_set(rows, name, "%s", field(s, false, name));
	snprintf(name, sizeof(name), "p%s_low", p);
	table_set(rows, name, "%s", known_bound(bound(s, false, p, "low")));
	snprintf(name, sizeof(name), "p%s_high", p);
	table_set(rows, name, "%s", known_bound(bound(s, false, p, "high")));
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
		  most_percent(s->budget ? field(s, false, "over_most") : "-"));
	table_set(rows, "machine_n", "%s", n_text(s, true));
	table_set(rows, "machine_value", "%s", value_of(s, true));
	table_set(rows, "machine_low", "%s", known_bound(low_of(s, true)));
	table_set(rows, "machine_high", "%s", known_bound(high_of(s, true)));
	table_set(rows, "machine_max", "%s", field(s, true, "max"));
	table_set(rows, "effective_n", "%s", bound(s, s->budget, s->listed, "effective_n"));
	table_set(rows, "uncertainty_ns", "%s", known_bound(bound(s, s->budget, s->listed,
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
	table_set(rows, "high_greatest", "%s", highest(s));
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
	table_set(rows, "p50", "%s", field(s, false, "p50"));
	put_percentile_bounds(s, "99");
	put_percentile_bounds(s, "99.9");
	put_percentile_bounds(s, "99.99");
	put_machine(s);
	put_counts(s);
	if (s->facts != &no_state)
		lasted = s->answer->lasted_s[s->facts - s->answer->facts.states];
	table_set(rows, "lasted_s", "%s", or_dash(lasted));
	table_set(rows, "uncertain", "%s", s->uncertain ? "yes" : "no");
	put_cpu(s);
	table_end_row(rows);
}

/*
 * Index the rows of the tables by state and unit, and the intervals by metric and percentile as
 * well.
 */
static void index_tables(struct subject *s)
{
	s->missed.nr_keys = 2;
	for (int i = 0; i < NR_TABLES; i++) {
		const struct table *summary = s->tables->summary[i],
			*intervals = s->tables->intervals[i];

		s->units[i].nr_keys = 2;
		s->bounds[i].nr_keys = 4;
		for (size_t k = 0; k < table_rows(summary); k++) {
			const char *reached = table_get(summary, k, "reached"),
				*cpu = table_get(summary, k, "cpu");
			struct tsv_cell key[] = { cell_from(table_get(summary, k, "state")),
				cell_from(cpu ? cpu : "all") };

			if (reached && is(reached, "no") && i == OF_STATE_REACHED)
				groups_get(&s->missed, key)->data =
					(char *)table_get(summary, k, "n");
			/* If no sample reached the state, the counter may not belong to it. */
			if (!reached || (is(reached, "yes") &&
					 number_in_text(table_get(summary, k, "n")) > 0))
				*(size_t *)group_data(&s->units[i], key, sizeof(size_t)) = k + 1;
		}
		for (size_t k = 0; k < table_rows(intervals); k++) {
			const char *reached = table_get(intervals, k, "reached"),
				*cpu = table_get(intervals, k, "cpu");
			struct tsv_cell key[] = {
				cell_from(table_get(intervals, k, "state")),
					cell_from(cpu ? cpu : "all"),
				cell_from(table_get(intervals, k, "metric")),
					cell_from(table_get(intervals, k, "percentile")),
			};

			if (!reached || is(reached, "yes"))
				*(size_t *)group_data(&s->bounds[i], key, sizeof(size_t)) = k + 1;
			if (is(table_get(intervals, k, "percentile"), s->percentile))
				s->needed = number_in_text(table_get(intervals, k, "needed"));
		}
	}
}

/*
 * Make the state of row I of the summary the current one. The rows of its CPUs come before its row
 * "all".
 */
static void begin_state(struct subject *s, size_t i, size_t first_cpu)
{
	const struct table *summary = s->tables->summary[OF_STATE];
	double index;

	s->state = table_get(summary, i, "state");
	index = number_in_text(s->state);
	s->facts = is_digits(s->state) && index < MAX_STATES ?
		&s->answer->facts.states[(size_t)index] : &no_state;
	s->unit = "all";
	s->nr_cpus = i - first_cpu;
	s->cpus = xrealloc(s->cpus, s->nr_cpus + 1, sizeof(*s->cpus));
	s->said = xrealloc(s->said, s->nr_cpus + 1, sizeof(*s->said));
	for (size_t k = 0; k < s->nr_cpus; k++)
		s->cpus[k] = table_get(summary, first_cpu + k, "cpu");
	choose_metric(s);
}

/* Store the verdict on the current state for the limit. */
static void note_verdict(struct subject *s)
{
	size_t index = s->facts - s->answer->facts.states;

	if (s->facts == &no_state)
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
