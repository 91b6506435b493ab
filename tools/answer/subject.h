/* SPDX-License-Identifier: GPL-2.0 */
/* A state that is judged: where its numbers are in the tables, and what they say about a limit. */
#ifndef WAKELAT_SUBJECT_H
#define WAKELAT_SUBJECT_H

#include <string.h>

#include "decide.h"

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

static inline bool is(const char *a, const char *b)
{
	return !strcmp(a, b);
}

static inline bool absent(const char *cell)
{
	return is(cell, "-");
}

/* subject.c: the tables */

void index_tables(struct subject *s);
/*
 * Make the state of row I of the summary the current one. The rows of its CPUs come before its row
 * "all".
 */
void begin_state(struct subject *s, size_t i, size_t first_cpu);
/* Return the index of the current state in run.tsv; -1 if the state is not there. */
int state_index(const struct subject *s);
bool is_max(const struct subject *s);

const char *or_dash(const char *text);
bool is_limit(const char *limit);

/*
 * Each of these returns "-" if there is no value. MACHINE: of all judged wake-ups, else only of the
 * clean ones. They are about the current unit.
 */
/* Return the statistic WHAT of the metric. */
const char *field_of(const struct subject *s, bool machine, const char *what);
/* Return a cell of the intervals of a percentile. */
const char *bound_of(const struct subject *s, bool machine, const char *percentile,
		     const char *what);
/*
 * Return the bounds of the percentile that decides. The maximum only has a lower bound: the longest
 * latency seen.
 */
const char *low_of(const struct subject *s, bool machine);
const char *high_of(const struct subject *s, bool machine);
/* Return the number of wake-ups that an answer is based on, as text and as a number. */
const char *n_text(const struct subject *s, bool machine);
double n_of(const struct subject *s, bool machine);
/* Return the number of samples that did not reach the state. */
const char *not_reached(const struct subject *s);

/* decide.c: the verdict on the current state */

/*
 * Return KEPT if the upper bound of the percentile is not above the limit, EXCEEDED if the lower
 * bound is above it, else UNDECIDED; NO_VERDICT without a limit or samples.
 */
enum verdict decide(const struct subject *s, bool machine, const char *limit);
/* Judge the state against the limit. Set the unit to the CPU that decides, or to "all". */
enum verdict judge_limit(struct subject *s, bool machine, const char *limit);
/* Return the smallest number of samples of a CPU. */
double fewest(struct subject *s, bool machine);

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
struct different most_different(struct subject *s, bool machine, const char *what);
/* Return the greatest upper bound of the state's clean samples on any CPU; "inf" if it is not known. */
const char *highest(struct subject *s);

/* estimate.c */

/*
 * Return the number of samples that each CPU needs to decide, as text. Set s->uncertain if no
 * number of samples decides.
 */
const char *samples_to_decide(struct subject *s, bool machine, const char *what,
			      const char *limit);
/*
 * Return the reasons for doubt, separated by commas. All CPUs decide, unless one exceeds the limit.
 */
const char *doubts_of(struct subject *s, bool machine, enum verdict verdict);

#endif
