// SPDX-License-Identifier: GPL-2.0
/*
 * Find the latency limit that keeps a budget. The kernel compares a limit with the advertised
 * latency, not with the measured one: a limit is only as good as the worst state that it admits.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "answer.h"

/* Round up to whole us. */
double whole_us(double ns)
{
	return floor(ns / 1000) + (fmod(ns, 1000) > 0);
}

/*
 * Return whether the latency is stated. Other tools' data may lack it; any limit may admit such a
 * state.
 */
bool latency_known(const struct state *state)
{
	return state->latency_ns && isdigit((unsigned char)*state->latency_ns);
}

static double latency_of(const struct state *state)
{
	return state->latency_ns ? number_in_text(state->latency_ns) : 0;
}

bool limit_admits(const struct state *state, double us)
{
	return !latency_known(state) || latency_of(state) <= us * 1000;
}

/*
 * Return whether the state advertises 0 and was not measured: then it is polling. No limit keeps a
 * CPU out of it.
 */
bool is_polling(const struct answer *answer, size_t state)
{
	const struct state *s = &answer->facts.states[state];

	return latency_known(s) && !latency_of(s) && !answer->measured[state];
}

/* Return the state's verdict; NO_VERDICT if it was not measured. */
enum verdict fate(const struct answer *answer, size_t state)
{
	return is_polling(answer, state) ? KEPT : answer->verdict_of[state];
}

/* Set the blockers of LIMIT to the states that it admits at US although they are not kept. */
static void find_blockers(const struct answer *answer, struct limit *limit, double us)
{
	const struct facts *facts = &answer->facts;

	limit->nr_blockers = 0;
	for (size_t i = 0; i < facts->nr_states; i++)
		if (!facts->states[i].disabled && limit_admits(&facts->states[i], us) &&
		    fate(answer, i) != KEPT)
			limit->blockers[limit->nr_blockers++] = i;
}

/*
 * Return the next advertised latency above US, in us, or -1: a greater limit admits one more state
 * only if it reaches that.
 */
static double next_limit(const struct facts *facts, double us)
{
	double next = -1;

	for (size_t i = 0; i < facts->nr_states; i++) {
		double its = whole_us(latency_of(&facts->states[i]));

		if (!facts->states[i].disabled && latency_known(&facts->states[i]) && its > us &&
		    (next < 0 || its < next))
			next = its;
	}
	return next;
}

/* Return whether any latency is advertised. Without one, a limit has no effect. */
bool any_latency_known(const struct facts *facts)
{
	for (size_t i = 0; i < facts->nr_states; i++)
		if (latency_known(&facts->states[i]))
			return true;
	return false;
}

/*
 * Return the index of the state that a limit of 0 admits: the first one that advertises 0. -1:
 * none.
 */
int polling_state(const struct facts *facts)
{
	for (size_t i = 0; i < facts->nr_states; i++)
		if (latency_known(&facts->states[i]) && !latency_of(&facts->states[i]))
			return i;
	return -1;
}

static bool polling_keeps(const struct answer *answer)
{
	int state = polling_state(&answer->facts);

	return state >= 0 && answer->verdict_of[state] == KEPT;
}

void find_limit(struct answer *answer)
{
	struct limit *limit = &answer->limit;
	size_t undecided = 0, exceeded = 0;

	*limit = (struct limit) { .us = -1 };
	if (!answer->question.budget || !any_latency_known(&answer->facts))
		return;
	for (double us = 0; us >= 0; us = next_limit(&answer->facts, us)) {
		find_blockers(answer, limit, us);
		if (limit->nr_blockers)
			break;
		limit->us = us;
	}
	for (size_t i = 0; i < limit->nr_blockers; i++) {
		undecided += fate(answer, limit->blockers[i]) == UNDECIDED;
		exceeded += fate(answer, limit->blockers[i]) == EXCEEDED;
	}
	if (limit->us != 0)
		return;
	/*
	 * A limit of 0 makes all CPUs poll, which costs more than any other. It needs a measurement
	 * of polling, and more samples of an undecided state may allow a greater limit.
	 */
	limit->only_polling = exceeded && !polling_keeps(answer);
	if (!polling_keeps(answer) || (undecided && !exceeded))
		limit->us = -1;
}
