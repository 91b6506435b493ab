// SPDX-License-Identifier: GPL-2.0
/*
 * Make intel_idle.table= from measured latencies.
 *
 * Linux 7.0 puts the given values into the driver's table, checks the whole table, and takes all
 * values or none. From index 1 on, a state needs a latency above 0 and at most 5 ms, and a
 * residency of at most 100 ms and not below the latency. Both must be greater than those of the
 * state before. So a value is raised to the minimum that fits, also for a state that was not
 * measured. The parameter has at most 255 characters.
 */
#include <ctype.h>
#include <string.h>

#include "answer.h"


/*
 * Return US, raised if necessary to the minimum that the kernel takes: at least FLOOR, and above
 * BEFORE, the value of the state LAST.
 */
static double fitting(struct text *raised, const char *name, const char *what, double us,
		      double floor, double before, const char *last)
{
	double wanted = us < floor ? floor : us;

	wanted = wanted <= before ? before + 1 : wanted;
	if (wanted <= us)
		return us;
	text_join(raised, "; ", "%s's %s from %.0f to %.0f us, ", name, what, us, wanted);
	if (wanted == floor)
		text_add(raised, "its latency");
	else
		text_add(raised, "because it must be above %s's", last);
	return wanted;
}

static bool is_number(const char *ns)
{
	return ns && isdigit((unsigned char)*ns);
}

static double us_of(const char *ns)
{
	return whole_us(ns ? number_in_text(ns) : 0);
}

/* Return whether intel_idle takes a state's name in its table. */
static bool is_name(const char *name)
{
	return *name && !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")];
}

/* Add the reason why a state makes the table impossible, if there is one. */
static void check_state(struct text *why, const char *name, double latency, double residency)
{
	if (!is_name(name))
		text_add(why, "the name '%s' is not allowed in it", name);
	else if (latency > 5000)
		text_add(why, "%s takes more than 5 ms, which the kernel does not accept", name);
	else if (residency > 100000)
		text_add(why, "the residency of %s would be more than 100 ms, which the kernel does not accept", name);
}

void make_idle_table(struct idle_table *out, const struct facts *facts,
		     const char *const upper[MAX_STATES],
		     const char *const residencies[MAX_STATES])
{
	const char *last = facts->states[0].name ? facts->states[0].name : "";
	double latency = 0, residency = 0;
	struct text table = { 0 };
	bool any = false;

	*out = (struct idle_table) { 0 };
	if (!fact_is(facts, "driver", "intel_idle"))
		text_add(&out->why_none, "the idle driver is not intel_idle");
	for (size_t i = 1; i < facts->nr_states && text_empty(&out->why_none); i++) {
		const struct state *state = &facts->states[i];
		const char *name = state->name ? state->name : "";
		bool given = upper[i] && strcmp(upper[i], "-");

		if (!is_number(state->latency_ns) || !is_number(state->residency_ns)) {
			text_add(&out->why_none,
				 "the advertised latency or residency of %s is not known", name);
			break;
		}
		latency = fitting(&out->raised, name, "latency",
				  us_of(given ? upper[i] : state->latency_ns), 1, latency, last);
		residency = fitting(&out->raised, name, "residency",
				    us_of(residencies[i] ? residencies[i] : state->residency_ns),
			latency,
				    residency, last);
		check_state(&out->why_none, name, latency, residency);
		if (given || latency != us_of(state->latency_ns) ||
		    residency != us_of(state->residency_ns))
			text_join(&table, ",", "%s:%.0f:%.0f", name, latency, residency);
		any |= given || residencies[i];
		last = name;
	}
	if (text_empty(&out->why_none) && !any)
		text_add(&out->why_none, "no state has enough samples");
	else if (text_empty(&out->why_none) && table.len > 255)
		text_add(&out->why_none,
			 "it would be longer than 255 characters, the kernel's limit");
	if (text_empty(&out->why_none))
		out->table = table;
}

void upper_bounds(const struct answer *answer, const char *upper[MAX_STATES])
{
	for (size_t i = 0; i < table_rows(&answer->rows); i++) {
		int state = state_named(&answer->facts, table_get(&answer->rows, i, "state"));

		if (state >= 0)
			upper[state] = table_get(&answer->rows, i, "high_greatest");
	}
}
