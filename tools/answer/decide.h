/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compare each state with its advertised latency and with the budget. The answer "state" uses the
 * clean wake-ups, and decides about the advertised latency. The answer "machine" uses all judged
 * wake-ups, and decides about the budget.
 *
 * With a column cpu, each CPU is judged by itself. A state exceeds a limit if one CPU exceeds it,
 * or all CPUs together; the lower bounds are corrected for this number of tests. A state is kept if
 * each CPU keeps it. If a CPU has fewer samples than the percentile needs, the answer for all CPUs
 * together decides instead.
 */
#ifndef WAKELAT_DECIDE_H
#define WAKELAT_DECIDE_H

#include "answer.h"
#include "by-state.h"

/*
 * The tables of each answer: of all its samples, and of those that reached their state (without
 * rows if there is no counter).
 */
enum { OF_STATE, OF_STATE_REACHED, OF_MACHINE, OF_MACHINE_REACHED, NR_TABLES };

struct verdict_tables {
	const struct table *summary[NR_TABLES], *intervals[NR_TABLES];
	double tail;			/* how often each bound may err, in millionths */
	const struct by_state *tails;	/* the same for some states */
};

/* Make answer->rows, and set answer->verdict_of, answer->measured and answer->limit. */
void make_rows(struct answer *answer, const struct verdict_tables *tables);

#endif
