// SPDX-License-Identifier: GPL-2.0
/* How many samples would decide, and whether those that there are may mislead. */
#include <ctype.h>
#include <math.h>

#include "message.h"
#include "subject.h"

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
	const char *low = bound_of(s, machine, s->listed, "value_least"),
		*high = bound_of(s, machine, s->listed, "value_most");

	return !is_max(s) && is_number(low) && is_number(high) &&
		number_in_text(low) <= number_in_text(limit) &&
		number_in_text(high) > number_in_text(limit) &&
			number_in_text(low) != number_in_text(high);
}

/* Return the estimate for the samples of the unit. */
static double unit_to_decide(const struct subject *s, bool machine, const char *what)
{
	return to_decide(s, field_of(s, machine, what), n_of(s, machine),
			 number_in_text(bound_of(s, machine, s->listed, "effective_n")));
}

const char *samples_to_decide(struct subject *s, bool machine, const char *what,
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
	const char *before = s->unit, *p = bound_of(s, machine, s->listed, what);

	if (absent(p)) {
		s->unit = "all";
		p = bound_of(s, machine, s->listed, what);
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

	if (p_of(s, machine, "clusters_p") < 0.001 && !is(bound_of(s, machine, s->listed, "unknown"),
							  "no"))
		doubts |= CLUSTERS;
	if (p_of(s, machine, "drift_p") < 0.001)
		doubts |= DRIFT;
	if (decided && n_of(s, machine) < enough_for_bursts(s->percentile))
		doubts |= FEW;
	return doubts;
}

const char *doubts_of(struct subject *s, bool machine, enum verdict verdict)
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
