/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A row of verdict.tsv in words: how the wake-ups count, and why the verdict on the machine differs
 * from that on the state alone.
 */
#ifndef WAKELAT_WORDS_H
#define WAKELAT_WORDS_H

#include "answer.h"

struct row {
	const struct table *table;
	size_t at;
};

const char *cell_in(const struct row *row, const char *column);
double number_of(const struct row *row, const char *column);
bool is_cell(const struct row *row, const char *column, const char *text);

/* Return the budget in ns, NULL if there is none. */
const char *budget_of(const struct row *row);
/* Return the verdict on the state: against the budget, or else against the advertised latency. */
enum verdict verdict_of(const struct row *row);

char *us_text(const char *ns);

/*
 * Return the condition on which a verdict on each state is wrong as seldom as stated. Causes are
 * found if they come five times in a recording on average: 4 % of the recordings have one or none
 * then (Poisson).
 */
char *condition(const struct table *rows);
/* Return the greatest probability of error of a state, in %. */
const char *greatest_error(const struct table *rows);

/* Return the statistic that decides. */
const char *statistic_of(const struct row *row);
/* Return the state's name with the CPU that decides, if several were judged. */
const char *state_on_cpu(const struct row *row);
/*
 * Return the state's name in a list of states with this verdict: with the CPUs that do not keep it.
 */
const char *member_of(const struct row *row, enum verdict verdict);
/*
 * Return a sentence if the answer is about all CPUs together because a CPU has too few samples;
 * else "".
 */
const char *together_text(const struct row *row, const char *limit);
/* Return whether the machine's answer can differ from the state's. */
bool differs(const struct row *row);
/*
 * Return why the verdict on the machine differs from the verdict on the state alone; "" if it does
 * not.
 */
const char *cause(const struct row *row, enum verdict verdict);
/* Return why all samples of a run have been left out; "" if they have not. */
const char *clock_text(const struct row *row);
/* Return how each wake-up of the recording was counted. */
const char *balance_text(const struct row *row);

#endif
