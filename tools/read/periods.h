/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The idle periods of a recording of any kernel's stock events, and what ended each:
 * power:cpu_idle around them, timer:hrtimer_start and hrtimer_expire_entry for the timers;
 * interrupts (irq_vectors, irq:irq_handler_entry, nmi) and power:cpu_idle_miss where recorded.
 */
#ifndef WAKELAT_PERIODS_H
#define WAKELAT_PERIODS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "hrtimers.h"
#include "trace.h"

enum wakeup {
	WAKEUP_TIMER,		/* a timer that expired while the CPU was idle */
	WAKEUP_LATE,		/* a timer that was due before the CPU was idle */
	WAKEUP_UNKNOWN_TIMER,	/* a timer that was armed before the recording, or unseen */
	WAKEUP_OTHER_CLOCK,	/* a timer of CLOCK_REALTIME or another clock */
	WAKEUP_OTHER,		/* no timer */
	NR_WAKEUPS
};

enum miss { MISS_NONE, MISS_TOO_DEEP, MISS_TOO_SHALLOW };

struct period {
	int cpu;
	uint64_t nr;		/* of this CPU, from 1 */
	uint32_t state;
	uint64_t enter, exit;	/* time stamps of cpu_idle */
	enum wakeup wakeup;
	bool irqs_on;		/* the timer's handler ran before the end of the period */
	uint64_t armed;		/* these three: of WAKEUP_TIMER and WAKEUP_LATE */
	int64_t ltime;
	uint64_t tintr;		/* 0: not seen */
	unsigned int taint;
	enum miss miss;
	bool has_prediction;
	uint64_t prediction;
};

enum role {
	NOTHING, IDLE, IDLE_MISS, TIMER_START, TIMER_EXPIRE, TIMER_CANCEL, TIMER_IRQ,
	TIMER_IRQ_EXIT, FOREIGN_IRQ, RESCHED_IRQ, IRQ_BY_NAME, NMI, PREDICTION
};

#define NR_EVENT_IDS 65536

struct cpu_periods {
	struct period period;
	bool open, exited;
	bool has_timer, unknown_timer, other_clock;
	bool has_prediction;	/* of the next period */
	uint64_t prediction;
	uint64_t nr;
	/* What happens later than this has nothing to do with the end of the period. */
	uint64_t related_until;
};

struct periods {
	struct trace *trace;
	const char *input;
	struct tracecmd_input *buffer;	/* that they are in */
	unsigned char roles[NR_EVENT_IDS];
	struct event_field idle_state, miss_below, irq_name;
	struct event_field start_timer, start_expires, expire_timer, expire_now, cancel_timer;
	struct event_field prediction;
	bool timers, irqs, timer_irqs, misses;	/* what was recorded */
	struct hrtimers hrtimers;
	struct cpu_periods *cpus;
	int nr_cpus;
	int flushed;		/* at the end: CPUs whose last period was returned */
	uint64_t cut;		/* periods without an end, or with events lost in them */
	uint64_t nr_expired;
	int64_t least_delay;	/* between a timer's own time and the time stamp */
};

/*
 * die() if an event that is needed is not in the recording. PREDICTED, SYSTEM:EVENT:FIELD or
 * NULL, is what somebody's own event says about the length of the next idle period, in ns.
 */
void periods_open(struct periods *periods, struct trace *trace, const char *input,
		  bool need_timers, const char *predicted);

/* False at the end. die() if the clock of the recording is not that of the timers. */
bool periods_next(struct periods *periods, struct period *period);

void periods_close(struct periods *periods);

#endif
