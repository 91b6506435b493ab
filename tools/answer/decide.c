// SPDX-License-Identifier: GPL-2.0
/* Judge a state against a limit. */
#include "subject.h"

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

enum verdict decide(const struct subject *s, bool machine, const char *limit)
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
		max = low_end(field_of(s, machine, "max"));
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

enum verdict judge_limit(struct subject *s, bool machine, const char *limit)
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

double fewest(struct subject *s, bool machine)
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

struct different most_different(struct subject *s, bool machine, const char *what)
{
	struct different found = { "-", "-", "-" };
	const char *before = s->unit, *most_low = "";
	double most = -1;

	for (size_t i = 0; i < s->nr_cpus; i++) {
		const char *count, *low;
		double share;

		s->unit = s->cpus[i];
		count = field_of(s, machine, what);
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

const char *highest(struct subject *s)
{
	const char *before = s->unit, *high;

	if (!is(before, "all"))
		s->unit = greatest(s, false, false, NO_VERDICT);
	high = high_of(s, false);
	s->unit = before;
	return high;
}
