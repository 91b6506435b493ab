/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wake-up latency measurement: what delivers the events.
 */
#ifndef _LINUX_WAKELAT_SOURCE_H
#define _LINUX_WAKELAT_SOURCE_H

#include <linux/limits.h>
#include <linux/list.h>
#include <linux/types.h>
#include <linux/wakelat_arch.h>

struct cpumask;
struct module;
struct seq_file;

/* What an unsigned field has that does not apply, and a signed one. ABI. */
#define WAKELAT_ABSENT			U64_MAX
#define WAKELAT_ABSENT_S64		S64_MIN

/* The kernel programs timers a microsecond ahead at least. */
#define WAKELAT_TIMER_FLOOR_NS		1000ULL
#define WAKELAT_LDIST_CEILING_NS	10000000000ULL

#define WAKELAT_SOURCE_NAME_LEN		16

/**
 * struct wakelat_sample - one armed event that found the CPU idle
 * @ltime: launch time: when the event was to happen, ns
 * @tbi: time before idle, ns
 * @tai: time after idle, ns; absent if the handler ran inside the idle state
 * @tintr: time in the interrupt handler, ns
 * @ltime_cyc: @ltime in the clock of the stamps; of a timer, what the hardware was told
 * @tbi_cyc: @tbi as it was stamped
 * @tai_cyc: @tai as it was stamped; absent if @tai is
 * @tintr_cyc: @tintr as it was stamped
 * @silent_time: @ltime - @tbi, ns
 * @wake_latency: @tai - @ltime, ns; absent if @tai is
 * @intr_latency: @tintr - @ltime, ns
 * @uncertainty: how far @ltime may be off for what is known, ns; not for what the
 *	instructions take, nor for what the frequency of the clock may be off
 * @ldist: launch distance: how far ahead the event was armed, ns
 * @seq: number of the event on this CPU in this run, from 1
 * @entered: index of the idle state that was entered; absent if @tai is, for the CPU
 *	is inside it
 * @run: number of the run since boot, from 1
 * @source: name of the source
 * @state: index of the idle state asked for
 * @taint: reasons to distrust it, WAKELAT_TAINT_*
 * @unknown: what could not be looked at, WAKELAT_UNKNOWN_*
 *
 * Absent is WAKELAT_ABSENT, or WAKELAT_ABSENT_S64 in a signed field. So are @ltime and
 * what follows from it if nobody knows when the event was (WAKELAT_TAINT_BROADCAST).
 * The times in ns are in the clock of the source.
 */
struct wakelat_sample {
	u64 ltime;
	u64 tbi;
	u64 tai;
	u64 tintr;
	u64 ltime_cyc;
	u64 tbi_cyc;
	u64 tai_cyc;
	u64 tintr_cyc;
	s64 silent_time;
	s64 wake_latency;
	s64 intr_latency;
	u64 uncertainty;
	u64 ldist;
	u64 seq;
	u64 entered;
	u32 run;
	u32 state;
	u32 taint;
	u32 unknown;
	char source[WAKELAT_SOURCE_NAME_LEN];
};

/*@+FACTS*/
/**
 * struct wakelat_cost - something that is done on the measured CPU
 * @name: what it is
 * @fn: do it once. Interrupts disabled.
 */
struct wakelat_cost {
	const char *name;
	void (*fn)(void);
};

/*@-*/
/**
 * struct wakelat_source - what delivers the event
 * @name: its name in the control files and in the samples
 * @clock: the clock that its launch times are in, for people; NULL if that of the stamps
 * @arrives: how the event gets to the CPU
 * @irq: if WAKELAT_BY_IRQ, the interrupt; may be set by @start
 * @early: it reports the event before the kernel has counted its interrupt
 * @max_cpus: how many CPUs it can do at once; 0: any number
 * @ldist_min_ns: the smallest launch distance it can do
 * @ldist_max_ns: the largest
 * @owner: module that must stay while a run is on
 * @probe: why it cannot be used on these CPUs, NULL if it can. Process context; CPU
 *	hotplug excluded.
 * @start: called before the first event is armed, with the CPUs to measure; NULL if
 *	there is nothing to do. Returns 0, or an error and may store the problem in
 *	words. Process context; may sleep.
 * @stop: the counterpart, called after the last cancel; NULL if @start is
 * @arm: arm the event @ldist ns ahead on the calling CPU and store its launch
 *	time; of a timer, the expiry, CLOCK_MONOTONIC. Returns 0, or -ETIME if that
 *	time may have passed meanwhile; the event must come in either case, or be
 *	reported with wakelat_event_lost().
 *	-ENODEV if the device is gone, -EIO if its clock jumped: the run ends.
 *	Hard interrupt context. NULL if the source arms nothing and takes events
 *	as they come.
 * @cancel: make sure that no event of @cpu comes any more and that none is
 *	being handled. The CPU may be offline. Process context; may sleep. NULL
 *	if @arm is.
 * @before: called before each idle period; NULL if there is nothing to do. Interrupts
 *	disabled.
 * @after: called after it, or in the handler if that comes first: before anything else
 *	is looked at. Interrupts disabled.
 * @launch: when the event that has arrived was launched; false if that is lost.
 *	NULL if the event is the local timer's. Interrupts disabled.
 * @emit: emit an event of its own with what else it knows of the sample; NULL if
 *	that is nothing. Interrupts disabled.
/*@+IPI*/
 * @woken: called when the CPU is back from an idle period, where the event may come
 *	without an interrupt; NULL if it never does. Interrupts disabled.
/*@-*/
 * @show_settings: print its settings, a line "key value" each; NULL if it has none
 * @set: change one of them; -EINVAL if there is no such key, or not that value. NULL if
 *	it has none. Process context; no run is on.
/*@+FACTS*/
 * @costs: what it does on the measured CPU, to be timed; ends with an entry without a
 *	name. NULL if there is nothing.
 * @facts: print what is to be known about the source and its last run, a line "key
 *	value" each. Process context. NULL if there is nothing.
/*@-*/
 * @node: in the list of sources
 *
 * The interrupt handler of a source takes wakelat_clock() in its first statement and
 * passes it to wakelat_event().
 */
struct wakelat_source {
	const char *name;
	const char *clock;
	enum wakelat_arrival arrives;
	unsigned int irq;
	bool early;
	unsigned int max_cpus;
	u64 ldist_min_ns;
	u64 ldist_max_ns;
	struct module *owner;
	const char *(*probe)(const struct cpumask *cpus);
	int (*start)(const struct cpumask *cpus, const char **problem);
	void (*stop)(void);
	int (*arm)(u64 ldist, u64 *ltime);
	void (*cancel)(unsigned int cpu);
	void (*before)(void);
	void (*after)(void);
	bool (*launch)(u64 ltime, struct wakelat_launch *launch);
	void (*emit)(const struct wakelat_sample *s);
/*@+IPI*/
	void (*woken)(void);
/*@-*/
	void (*show_settings)(struct seq_file *m);
	int (*set)(const char *key, const char *value);
/*@+FACTS*/
	const struct wakelat_cost *costs;
	void (*facts)(struct seq_file *m);
/*@-*/
	struct list_head node;
};

void wakelat_event(u64 tintr_cyc);
void wakelat_event_lost(void);
/*@+DEADLINE*/
void wakelat_timer_event(u64 tintr_cyc);
/*@-*/
int wakelat_source_register(struct wakelat_source *source);
void wakelat_source_unregister(struct wakelat_source *source);
/*@+I210*/
void wakelat_source_gone(struct wakelat_source *source);
/*@-*/

#endif /* _LINUX_WAKELAT_SOURCE_H */
