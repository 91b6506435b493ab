/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Find idle periods, and what ended each of them, in a recording of any kernel's stock events.
 * power:cpu_idle gives the periods, timer:hrtimer_start and hrtimer_expire_entry give the timers.
 * Interrupts (irq_vectors, irq:irq_handler_entry, nmi) and power:cpu_idle_miss are used if recorded.
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
	WAKEUP_UNKNOWN_TIMER,	/* a timer whose start is not in the recording */
	WAKEUP_OTHER_CLOCK,	/* a timer of CLOCK_REALTIME or another clock */
	WAKEUP_OTHER,		/* no timer */
	NR_WAKEUPS
};

enum miss { MISS_NONE, MISS_TOO_DEEP, MISS_TOO_SHALLOW };

struct period {
	int cpu;
	uint64_t nr;		/* number of the period on this CPU, from 1 */
	uint32_t state;
	uint64_t enter, exit;	/* time stamps of cpu_idle */
	enum wakeup wakeup;
	bool irqs_on;		/* the timer's handler ran before the end of the period */
	uint64_t armed;		/* armed, ltime, tintr: only for WAKEUP_TIMER and WAKEUP_LATE */
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
	bool has_prediction;	/* for the next period */
	uint64_t prediction;
	uint64_t nr;
	/* An event later than this had no part in ending the period. */
	uint64_t related_until;
};

struct periods {
	struct trace *trace;
	const char *input;
	struct tracecmd_input *buffer;	/* the one buffer instance that has all used events */
	unsigned char roles[NR_EVENT_IDS];
	struct event_field idle_state, miss_below, irq_name;
	struct event_field start_timer, start_expires, expire_timer, expire_now, cancel_timer;
	struct event_field prediction;
	bool timers, irqs, timer_irqs, misses;	/* the kinds of events that were recorded */
	struct hrtimers hrtimers;
	struct cpu_periods *cpus;
	int nr_cpus;
	int flushed;		/* at the end: CPUs whose last period was returned */
	uint64_t cut;		/* periods without an end, or with events lost in them */
	uint64_t nr_expired;
	int64_t least_delay;	/* minimum of hrtimer_expire_entry's time stamp minus its field `now` */
};

/*
 * Prepare to read the periods of TRACE; die() if an event that is needed is missing. PREDICTED is
 * NULL, or SYSTEM:EVENT:FIELD: a field with the predicted length of the next idle period, in ns.
 */
void periods_open(struct periods *periods, struct trace *trace, const char *input,
		  bool need_timers, const char *predicted);

/*
 * Read the next period. Return false at the end. die() if time stamps and timers use different
 * clocks.
 */
bool periods_next(struct periods *periods, struct period *period);

void periods_close(struct periods *periods);

#endif
