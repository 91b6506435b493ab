/* SPDX-License-Identifier: GPL-2.0 */
/* Replay a governor over its own recording: whether it chooses what the kernel chose, and why. */
#ifndef REPLAY_EXPLAIN_H
#define REPLAY_EXPLAIN_H

#include "choose.h"
#include "outfile.h"

/* Why a choice differs: the first change of what is uncertain that gives the recorded choice. */
enum cause {
	AGREES, CAUSE_TIME, CAUSE_REFUSED, CAUSE_HELD, CAUSE_TIMER, CAUSE_LIMIT, CAUSE_HISTORY, CAUSE_UNKNOWN, NR_CAUSES
};

extern const char *const cause_names[NR_CAUSES];

struct agreement {
	uint64_t n, causes[NR_CAUSES];
};

/* Put into NOW what the kernel knew at STEP. ENTRY: the time that it took for the beginning. */
void question(const struct inputs *inputs, const struct step *step, int64_t entry, struct replay_now *now);

/*
 * Replay VARIANT, the recorded governor. Mark the steps at which the tick was held. OUT: write a row for each choice, and
 * close it; NULL: no file.
 */
void explain(struct inputs *inputs, struct variant *variant, struct outfile *out, struct agreement *agreement);

#endif
