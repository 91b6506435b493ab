/* SPDX-License-Identifier: GPL-2.0 */
/* The events of `wakelat probe`: threads that arm timers on a CPU, or wake it from another one. */
#ifndef WAKELAT_PROBE_EVENTS_H
#define WAKELAT_PROBE_EVENTS_H

#include <stdint.h>

struct distances {
	uint64_t min, max;	/* ns */
	uint64_t seed;
};

/* Timers on CPU, each armed when the one before has run; LIMIT samples, 0: no limit. */
void events_timer(int cpu, const struct distances *distances, uint64_t limit);

/* A thread sleeps on each of NR CPUS; WAKER wakes all of them at once, until each CPU has LIMIT samples. */
void events_wake(const int *cpus, int nr, int waker, const struct distances *distances, uint64_t limit);

/* No more of them; returns when the threads are gone. */
void events_end(void);

#endif
