/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wake-up latency measurement: what its files share.
 */
#ifndef _WAKELAT_INTERNAL_H
#define _WAKELAT_INTERNAL_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/wakelat_source.h>

#include "ldist.h"

/*
 * Taints: reasons to distrust a sample. The values are ABI, they appear in the
 * trace event.
 */
#define WAKELAT_TAINT_FOREIGN_IRQ	0x01	/* another interrupt came as well */
#define WAKELAT_TAINT_FOREIGN_TIMER	0x02	/* the local timer was set for somebody else */
#define WAKELAT_TAINT_RESCHED		0x04	/* a task was woken on this CPU */
#define WAKELAT_TAINT_NMI		0x08	/* an NMI came in between */
#define WAKELAT_TAINT_SMI		0x10	/* an SMI came in between */
#define WAKELAT_TAINT_SPURIOUS		0x20	/* awake while the event was not pending */
#define WAKELAT_TAINT_BROADCAST		0x40	/* the local timer stops: another CPU's woke it */
#define WAKELAT_TAINT_EARLY		0x80	/* the timer had fired before it was due */
#define WAKELAT_TAINT_UNCERTAIN		0x100	/* the launch time is not known well enough */
#define WAKELAT_TAINT_OTHER_STATE	0x200	/* not the state that was asked for */
#define WAKELAT_TAINT_NO_SLEEP		0x400	/* the event came before the CPU slept */
#define WAKELAT_NR_TAINTS		11

/* Why a run has ended. ABI as well. */
#define WAKELAT_END_SAMPLES		1	/* every CPU has its max_samples */
#define WAKELAT_END_SWEEP		2	/* the sweep is through */
#define WAKELAT_END_DURATION		3	/* max_duration_s is over */
#define WAKELAT_END_STOPPED		4	/* the user's wish */
#define WAKELAT_END_CPU_OFFLINE		5	/* a measured CPU went offline */
#define WAKELAT_END_SUSPEND		6	/* the system is about to sleep */
#define WAKELAT_END_CLOCK		7	/* the clock has turned out to be unstable */
#define WAKELAT_END_SOURCE_GONE		8	/* the source, or its device, went away */
#define WAKELAT_END_SOURCE_CLOCK	9	/* the source's own clock jumped */
#define WAKELAT_END_BARREN		10	/* no untainted sample for max_barren_s */

/**
 * struct wakelat_idle - what is known of an idle period besides its stamps
 * @timer: when the CPU's own timer was going to fire
 * @next_timer: when it was wanted to, CLOCK_MONOTONIC ns
 * @last_timer: @next_timer of the idle period before this one
 * @last_timer_irqs: interrupts of that timer handled before that period
 * @before: what the CPU had counted before
 * @smi: SMIs in this period
 * @nmi: NMIs in this period
 * @entered: index of the idle state that was entered, WAKELAT_ABSENT if that is not
 *	known (yet)
/*@+SLEEP*/
 * @way_cyc: an event that comes within this time after tbi may have found the CPU
 *	awake
/*@-*/
 * @other_wakes: idle periods since the run began that something else ended
 * @state: index of the idle state asked for
 * @taint: reasons to distrust what this period yields, WAKELAT_TAINT_*
 * @unknown: what cannot be looked at on this CPU, WAKELAT_UNKNOWN_*
 * @handled: the event's handler has run inside the idle state
 */
struct wakelat_idle {
	struct wakelat_launch timer;
	u64 next_timer;
	u64 last_timer;
	u32 last_timer_irqs;
	struct wakelat_marks before;
	u64 smi;
	u32 nmi;
	u64 entered;
/*@+SLEEP*/
	u64 way_cyc;
/*@-*/
	u64 other_wakes;
	u32 state;
	u32 taint;
	u32 unknown;
	bool handled;
};

/**
 * struct wakelat_counts - what became of the armed events of one CPU
 * @armed: events armed; all of them but the one in flight are in the next six
 * @samples: found the CPU idle and have all their stamps
 * @tainted: samples with a taint, whichever
 * @not_idle: the CPU was not idle when the event happened
 * @late: the event was past before it was armed
 * @order: the stamps are not in their order
 * @limited: passed over because the last sample is too recent
 * @lost: the event has not come
 * @taints: samples with each of the taints, by bit
 */
struct wakelat_counts {
	u64 armed;
	u64 samples;
	u64 tainted;
	u64 not_idle;
	u64 late;
	u64 order;
	u64 limited;
	u64 lost;
	u64 taints[WAKELAT_NR_TAINTS];
};

/**
 * struct wakelat_settings - what the next run, or the current one, is to do
 * @source: what delivers the events, NULL if not chosen yet
 * @cpus: CPUs to measure
 * @ldist: how far ahead the events are armed
 * @max_samples: untainted samples per CPU after which it ends; 0: no limit
 * @max_uncertainty_ns: a sample whose launch time may be off by more is tainted
/*@+DEADLINE*/
 * @passive_interval_us: a source that arms nothing takes at most one sample per
 *	this time and CPU; 0: no limit
/*@-*/
/*@+LIMITS*/
 * @max_duration_s: seconds after which it ends; 0: no limit
 * @max_barren_s: seconds without an untainted sample after which it ends; 0: no limit
/*@-*/
 */
struct wakelat_settings {
	struct wakelat_source *source;
	struct cpumask cpus;
	struct wakelat_ldist_params ldist;
	u64 max_samples;
	u64 max_uncertainty_ns;
/*@+DEADLINE*/
	u64 passive_interval_us;
/*@-*/
/*@+LIMITS*/
	u64 max_duration_s;
	u64 max_barren_s;
/*@-*/
};

/**
 * struct wakelat_run - the current run, or the last one
 * @source: what delivers its events
 * @cpus: CPUs it measures
 * @cpus_left: how many of them have not come to their end yet
 * @number: number since boot, 0 if there was none
 * @reason: WAKELAT_END_*, 0 while nothing has ended it
 * @on: it has not ended
 * @start_ns: when it started, CLOCK_MONOTONIC ns
 * @end_ns: when it ended
 * @error: why the last attempt to start one failed
 */
struct wakelat_run {
	struct wakelat_source *source;
	struct cpumask cpus;
	atomic_t cpus_left;
	u32 number;
	u32 reason;
	bool on;
	u64 start_ns;
	u64 end_ns;
	char error[128];
};

extern struct mutex wakelat_lock;
extern struct wakelat_settings wakelat_settings;
extern struct wakelat_run wakelat_run;
extern struct list_head wakelat_sources;
extern const char * const wakelat_taint_names[WAKELAT_NR_TAINTS];

/* idle.c */
void wakelat_idle_watch(const struct wakelat_source *source);
void wakelat_idle_start(void);
bool wakelat_idle_rearmed(void);
void wakelat_idle_handled(void);
struct wakelat_idle *wakelat_idle_now(void);
u64 wakelat_other_wakes(unsigned int cpu);
/*@+DEADLINE*/
u64 wakelat_idle_next_timer(void);
/*@-*/
/*@+SLEEP*/

/* way.c */
void wakelat_way_watch(void);
void wakelat_way_before(struct wakelat_idle *idle);
bool wakelat_way_after(const struct wakelat_idle *idle);
void wakelat_way_show(struct seq_file *m, unsigned int cpu);
/*@-*/
/*@+FACTS*/

/* characterise.c */
int wakelat_characterise(unsigned int cpu, const struct wakelat_source *source);
void wakelat_characterisation_show(struct seq_file *m);
/*@-*/

/* core.c */
const char *wakelat_source_problem(const struct wakelat_source *source,
				   const struct cpumask *cpus);
int wakelat_run_start(void);
void wakelat_run_stop(void);
int wakelat_run_wait(void);
const struct wakelat_counts *wakelat_counts_of(unsigned int cpu);
/*@+FACTS*/
int wakelat_run_characterise(unsigned int cpu);
/*@-*/

#endif /* _WAKELAT_INTERNAL_H */
