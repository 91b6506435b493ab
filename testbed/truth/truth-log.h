/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read the testbed's truth log: truth.tsv has the idle periods of each CPU, truth-turns.tsv when a
 * CPU had to wait for its turn, truth-i210.tsv when the card sent interrupts. Times: *_cyc are TSC
 * cycles (arm64: of the system counter), *_ns are ns.
 */
#ifndef WAKELAT_TRUTH_LOG_H
#define WAKELAT_TRUTH_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsv.h"

struct period {
	int64_t run_cyc;	/* when the CPU ran again */
	int64_t enter_cyc;
	int64_t wake_cyc;	/* when the event came */
	int64_t silent_ns;	/* from the idle instruction to the event */
	int64_t latency_ns;	/* the injected exit latency */
	long hint;		/* how the CPU entered the state, see truth-states.h */
	bool timer, card, cpu;	/* ended by an event of this source; all true if the event was pending */
};

struct log;

/* Read the truth log in DIR. Only truth.tsv must exist. */
void log_read(const char *dir);

/* Return the log of the CPU that TSV's current row has in COLUMN. die() if there is no such CPU. */
struct log *log_of(const struct tsv *tsv, size_t column);

/* Return the last period that ended by END_CYC; NULL if it began before BEGIN_CYC. */
const struct period *log_period(const struct log *log, int64_t begin_cyc, int64_t end_cyc);

/* Return how long the CPU waited for its turn, in all waits that overlap BEGIN_CYC to END_CYC, rounded up. */
int64_t log_waited_ns(const struct log *log, int64_t begin_cyc, int64_t end_cyc);

/* Return true if any CPU but that of OWN waited for its turn at any time from BEGIN_CYC to END_CYC. */
bool log_others_wait(const struct log *own, int64_t begin_cyc, int64_t end_cyc);

/* Return the number in COLUMN; die() if it is absent. */
int64_t cell_number(const struct tsv *tsv, size_t column);

/*
 * Return LIST with room for another element of SIZE bytes, reallocated if necessary. LIST has NR
 * elements and room for *ROOM.
 */
void *with_room(void *list, size_t nr, size_t *room, size_t size);

#endif
