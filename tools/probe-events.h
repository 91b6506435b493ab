/* SPDX-License-Identifier: GPL-2.0 */
/* The events of `wakelat probe`: threads that arm timers on a CPU, or wake it from another one. */
#ifndef WAKELAT_PROBE_EVENTS_H
#define WAKELAT_PROBE_EVENTS_H

#include <stdint.h>

struct distances {
	uint64_t min, max;	/* ns */
	uint64_t seed;
};

/* Before the BPF program is loaded: the thread that will be woken on CPU. Returns its id. */
int events_sleeper(int cpu);

/* Timers on CPU, each armed when the one before has run; LIMIT samples, 0: no limit. */
void events_timer(int cpu, const struct distances *distances, uint64_t limit);

/* The sleeper of CPU is woken by WAKER. */
void events_wake(int cpu, int waker, const struct distances *distances, uint64_t limit);

/* No more of them; returns when the threads are gone. */
void events_end(void);

#endif
