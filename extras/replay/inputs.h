/* SPDX-License-Identifier: GPL-2.0 */
/* What a cpuidle governor was told before each of its choices, reconstructed from a recording of stock events. */
#ifndef REPLAY_INPUTS_H
#define REPLAY_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NEVER INT64_MAX
#define NOT_KNOWN (-1)
#define REFUSED (-1)	/* chosen, but the CPU did not enter the state: a task was to run */

enum ended { BY_NOTHING, BY_TIMER, BY_TICK, BY_DEVICE, BY_FREE_CPU, BY_CPU, NR_ENDED };

static inline int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* All times are absolute, in ns of CLOCK_MONOTONIC, unless they are called lengths. */
struct step {
	int64_t entry;			/* the time that the kernel takes as the beginning */
	int64_t enter, exit;		/* cpu_idle */
	int64_t hrtimer, wheel, tick;	/* what is due next; NEVER */
	int64_t device;			/* when the timer device is programmed to interrupt */
	int64_t due;			/* the expiry time of the timer that ended the period */
	int64_t latest;			/* the kernel read the clock for ENTRY before this time */
	int64_t exact;			/* when idle_entrytime was read, if that was recorded, or 0 */
	int64_t stopped_until;		/* when the tick is to go on, after it was stopped; or NOT_KNOWN */
	int64_t group_next;		/* the first timer of the CPUs that sleep */
	int64_t own_next;		/* this CPU's own timer that others may serve, as the kernel says; or NOT_KNOWN */
	int64_t wakeup;			/* what the kernel told a CPU with stopped tick about others' timers */
	int64_t local, global;		/* the wheel's next timer that only this CPU serves, and that others may serve */
	int64_t unseen_local, unseen_global;	/* of these, the first one that was armed before the recording */
	int64_t limit;			/* latency limit, ns */
	int state;			/* or REFUSED */
	int cpu;
	uint8_t ended;
	bool stopped;			/* the tick was stopped before the choice */
	bool stops;			/* it was stopped after the choice */
	bool got_tick;
	bool keeps_time;		/* the kernel limits this CPU's sleep, because it updates the clock */
	bool lonely;			/* this CPU serves the timers of all others, which sleep */
	bool relative;			/* HRTIMER was armed for a length of time by a task that ran since */
	bool due_relative;		/* and DUE */
	bool with_tick;			/* the tick came before the timer, in the same interrupt: DUE did not begin the wake-up */
	bool after_task;		/* the idle loop began anew since the period before */
	bool rcu;			/* RCU's softirq ran after it */
	bool held;			/* RCU or a softirq kept the tick */
	bool same_entry;		/* no interrupt came since the period before */
	bool unknown_timer;		/* a timer ended it that was armed before the recording */
};

#define NR_MISSING 6

struct inputs {
	struct step *before;		/* for each CPU, the last step before the first one; state REFUSED: unknown */
	struct step *steps;
	size_t nr, room;
	int nr_cpus;
	int64_t tick_ns, tick_phase;
	int64_t jiffies_offset;		/* time of jiffy 0 */
	int64_t usual_gap;		/* from the beginning to cpu_idle, median length */
	int64_t event_cost;		/* how long it takes to record an event */
	char *governor;			/* the governor that started inside the recording, or NULL */
	bool functions;			/* calls of the kernel's functions were recorded */
	uint64_t refused;
	const char *missing[NR_MISSING];	/* systems of events that would have made it more exact */
	int nr_missing;
	char *lost;			/* trace_losses() */
};

/* Read recording NAME; die() if it lacks an event that is needed. LIMIT is the latency limit at the start. */
void inputs_read(struct inputs *inputs, const char *name, int64_t limit);

#endif
