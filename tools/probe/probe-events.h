/* SPDX-License-Identifier: GPL-2.0 */
/* Make the events of `wakelat probe`: threads arm timers on a CPU, or wake the CPU from another one. */
#ifndef WAKELAT_PROBE_EVENTS_H
#define WAKELAT_PROBE_EVENTS_H

#include <stdint.h>

struct distances {
	uint64_t min, max;	/* ns */
	uint64_t seed;
};

/* Start a thread that arms timers on CPU, one after the other, until there are LIMIT samples (0: no limit). */
void events_timer(int cpu, const struct distances *distances, uint64_t limit);

/* Start a sleeping thread on each of NR CPUS. CPU WAKER wakes them all at once until each CPU has LIMIT samples. */
void events_wake(const int *cpus, int nr, int waker, const struct distances *distances, uint64_t limit);

/* End the events. Return when the threads have ended. */
void events_end(void);

#endif
