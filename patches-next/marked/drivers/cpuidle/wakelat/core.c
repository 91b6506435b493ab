// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement: runs, samples and sources.
 */

/**
 * DOC: wakelat
 *
 * A run measures one or more CPUs, each by itself, with one event source:
 *
 * 1. An event is armed on the CPU, a launch distance (ldist) ahead. The instant
 *    at which it will happen is the launch time (ltime).
 * 2. The CPU idles, as and when the idle governor decides. A clock is read
 *    directly before the idle state's ->enter() (tbi) and directly after it
 *    (tai).
 * 3. The event's interrupt handler reads the clock as well (tintr), makes a sample
 *    out of the stamps and arms the next event. So no task ever runs on the
 *    measured CPU because of the measurement.
 *
 * What is reported:
 *
 * * silent_time = ltime - tbi: how long the CPU had been left alone,
 * * wake_latency = tai - ltime: from the event to the first instruction,
 * * intr_latency = tintr - ltime: from the event to its handler.
 *
 * If the idle state is entered with interrupts enabled, the handler comes before
 * tai, which then says nothing: tai and wake_latency are absent.
 *
 * An event that finds the CPU busy is counted, by reason, and not a sample. A
 * sample about which there is any doubt (whether it was the event that woke the
 * CPU, whether something else took time in between) is tainted, by reason, and
 * reported all the same. What cannot be looked at on the architecture or the CPU at
 * hand is said in each sample as well (unknown): no taint does not speak for it then.
 *
 * The stamps are cycles of the fastest clock that the CPU can read, on x86 the TSC, and
 * so is the launch time. Everything is a difference of its values. Where the hardware
 * can tell when it is going to fire, that is read back before the CPU idles, and
 * nothing that is done to the system's clocks changes a sample. Elsewhere
 * the launch time is what the hardware was asked for (unknown: launch).
 */

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpuidle.h>
/*@+HOOK*/
#include <linux/delay.h>
/*@-*/
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/suspend.h>
#include <linux/timekeeping.h>
#include <linux/wait.h>
#include <linux/wakelat.h>
#include <linux/wakelat_arith.h>
#include <linux/workqueue.h>

#include "wakelat.h"

#define CREATE_TRACE_POINTS
#include <trace/events/wakelat.h>

/**
 * struct wakelat_cpu - a measured CPU
 * @active: it arms events
 * @late: the launch time of the event in flight may have been over when armed
 * @reason: WAKELAT_END_* if it has come to its end by itself, else 0
 * @ltime: launch time of the event in flight, as it was armed
 * @armed_cyc: when the event in flight was armed
 * @ldist: where in its sequence of launch distances it is
 * @counts: what became of its events
/*@+DEADLINE*/
 * @limited_until_cyc: no sample is taken before
/*@-*/
 * @sample: the one that is being made
 *
 * Changed by the CPU itself with interrupts disabled while a run is on.
 */
struct wakelat_cpu {
	bool active;
	bool late;
	u32 reason;
	u64 ltime;
	u64 armed_cyc;
	struct wakelat_ldist ldist;
	struct wakelat_counts counts;
/*@+DEADLINE*/
	u64 limited_until_cyc;
/*@-*/
	struct wakelat_sample sample;
};

static DEFINE_PER_CPU(struct wakelat_cpu, wakelat_cpu);

/* Guards the settings, the sources and the run; taken inside cpus_read_lock(). */
DEFINE_MUTEX(wakelat_lock);
/*
 * Serializes starting and ending; taken outside cpus_read_lock(), because what a
 * source does in ->start() and ->stop() may take that lock itself.
 */
static DEFINE_MUTEX(start_end_lock);
LIST_HEAD(wakelat_sources);
struct wakelat_run wakelat_run;

struct wakelat_settings wakelat_settings = {
	.ldist = {
		.min_ns = 50 * NSEC_PER_USEC,
		.max_ns = 8 * NSEC_PER_MSEC,
		.seed = 1,
/*@+SWEEP*/
		.factor_permille = 1100,
		.step_samples = 1500,
/*@-*/
	},
	.max_samples = 10000,
	.max_uncertainty_ns = 5000,
/*@+LIMITS*/
	.max_barren_s = 60,
/*@-*/
};

const char * const wakelat_taint_names[WAKELAT_NR_TAINTS] = {
	"foreign_irq", "foreign_timer", "resched", "nmi", "smi", "spurious",
	"broadcast", "early", "uncertain", "other_state", "no_sleep",
};

/*@+HOOK*/
/* So long, in all, may it take to find out how fast the timers count. */
#define OBSERVE_TRY_MS		50
#define OBSERVE_TRIES		20

/*@-*/
static DECLARE_WAIT_QUEUE_HEAD(run_ended);

static void end_work_fn(struct work_struct *work);
static DECLARE_WORK(end_work, end_work_fn);
/*@+LIMITS*/
static void duration_work_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(duration_work, duration_work_fn);
static void barren_work_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(barren_work, barren_work_fn);

/* The run and its untainted samples when it was last looked at. Guarded by start_end_lock. */
static u32 barren_run;
static u64 barren_samples;
/*@-*/

/* The kernel's own calibration. No run starts without. */
static u64 to_ns(u64 cyc)
{
	return wakelat_cyc_to_ns(cyc, wakelat_clock_khz());
}

static s64 between(u64 later, u64 earlier)
{
	return wakelat_cyc_between(later, earlier, wakelat_clock_khz());
}

/*
 * This CPU has come to its end. The last one ends the run, which takes a process
 * context.
 */
static void finish_cpu(struct wakelat_cpu *wc, u32 reason)
{
	if (!wc->active)
		return;

	wc->active = false;
	wc->reason = reason;
	wakelat_idle_watch(NULL);
	if (atomic_dec_and_test(&wakelat_run.cpus_left))
		queue_work(system_dfl_wq, &end_work);
}

/* Has the CPU yielded all the samples that are wanted? */
static bool has_samples(const struct wakelat_cpu *wc)
{
	u64 wanted = wakelat_settings.max_samples;

	return wanted && wc->counts.samples - wc->counts.tainted >= wanted;
}

static void arm_next(struct wakelat_cpu *wc, u64 now_cyc)
{
	const struct wakelat_source *source = wakelat_run.source;
	int err;

	if (has_samples(wc)) {
		finish_cpu(wc, WAKELAT_END_SAMPLES);
		return;
	}

	if (source->arm)
		wc->sample.ldist = wakelat_ldist_next(&wc->ldist);
/*@+SWEEP*/
	if (source->arm && !wc->sample.ldist) {
		finish_cpu(wc, WAKELAT_END_SWEEP);
		return;
	}
/*@-*/

	wc->counts.armed++;
	wc->armed_cyc = now_cyc;
	if (!source->arm)
		return;

	err = source->arm(wc->sample.ldist, &wc->ltime);
	wc->late = err == -ETIME;
	if (err == -ENODEV)
		finish_cpu(wc, WAKELAT_END_SOURCE_GONE);
	else if (err == -EIO)
		finish_cpu(wc, WAKELAT_END_SOURCE_CLOCK);
}

static void count_sample(struct wakelat_cpu *wc, u32 taint)
{
	struct wakelat_counts *c = &wc->counts;
	unsigned int i;

	c->samples++;
/*@+SWEEP*/
	wakelat_ldist_sampled(&wc->ldist, !taint);
/*@-*/
	if (!taint)
		return;

	c->tainted++;
	for (i = 0; i < WAKELAT_NR_TAINTS; i++)
		c->taints[i] += !!(taint & BIT(i));
}

/* @ltime is the launch time in ns; the stamps are there, and the launch time in cycles. */
static void times_from_stamps(struct wakelat_sample *s, u64 ltime)
{
	s->silent_time = between(s->ltime_cyc, s->tbi_cyc);
	s->ltime = ltime;
	s->tbi = ltime - s->silent_time;
	if (s->tintr_cyc == WAKELAT_ABSENT) {
		s->intr_latency = WAKELAT_ABSENT_S64;
		s->tintr = WAKELAT_ABSENT;
	} else {
		s->intr_latency = between(s->tintr_cyc, s->ltime_cyc);
		s->tintr = ltime + s->intr_latency;
	}
	if (s->tai_cyc == WAKELAT_ABSENT) {
		s->wake_latency = WAKELAT_ABSENT_S64;
		s->tai = WAKELAT_ABSENT;
	} else {
		s->wake_latency = between(s->tai_cyc, s->ltime_cyc);
		s->tai = ltime + s->wake_latency;
	}
}

/* Nobody knows when the event was. The stamps are there. */
static void times_without_launch(struct wakelat_sample *s)
{
	s->ltime = WAKELAT_ABSENT;
	s->silent_time = WAKELAT_ABSENT_S64;
	s->wake_latency = WAKELAT_ABSENT_S64;
	s->intr_latency = WAKELAT_ABSENT_S64;
	s->uncertainty = WAKELAT_ABSENT;
	s->tbi = to_ns(s->tbi_cyc);
	s->tintr = to_ns(s->tintr_cyc);
	s->tai = s->tai_cyc == WAKELAT_ABSENT ? WAKELAT_ABSENT : to_ns(s->tai_cyc);
}

/* The stamps of @s are in the order of what they are stamps of, and all before @now_cyc. */
static bool in_order(const struct wakelat_sample *s, u64 now_cyc)
{
	u64 last_cyc = s->tai_cyc == WAKELAT_ABSENT ? s->tbi_cyc : s->tai_cyc;

	return last_cyc >= s->tbi_cyc && s->tintr_cyc >= last_cyc && now_cyc >= last_cyc &&
	       (s->tintr_cyc == WAKELAT_ABSENT || now_cyc >= s->tintr_cyc);
}

/* Has the event found the CPU idle? As far as one can tell if @slack ns are in doubt. */
static bool found_idle(const struct wakelat_sample *s, s64 slack)
{
	return s->silent_time >= 0 &&
	       (s->tai_cyc == WAKELAT_ABSENT || s->wake_latency >= -slack);
}

/* Returns 0, or which count the event belongs to that has no launch time. */
static u64 *find_launch(struct wakelat_cpu *wc, const struct wakelat_idle *idle,
			struct wakelat_launch *launch)
{
	const struct wakelat_source *source = wakelat_run.source;

	if (source->launch)
		return source->launch(wc->ltime, launch) ? NULL : &wc->counts.lost;

	*launch = idle->timer;
	launch->ns = to_ns(launch->cyc);
	if (launch->cyc != WAKELAT_ABSENT || (idle->taint & WAKELAT_TAINT_BROADCAST))
		return NULL;

	/* Has been idle without a timer. */
	return &wc->counts.not_idle;
}

/*
 * Fills in the times of @s, whose stamps are there already.
 *
 * Returns NULL, or which count the event belongs to if it does not make a sample.
 */
static u64 *judge_times(struct wakelat_cpu *wc, struct wakelat_sample *s,
			const struct wakelat_idle *idle, u64 now_cyc)
{
	struct wakelat_launch launch;
	u64 *not_sample;

	if (wc->late)
		return &wc->counts.late;
	/* Has not been idle at all since then? */
	if (s->tbi_cyc <= wc->armed_cyc)
		return &wc->counts.not_idle;
	if (!in_order(s, now_cyc))
		return &wc->counts.order;
	not_sample = find_launch(wc, idle, &launch);
	if (not_sample)
		return not_sample;

	s->ltime_cyc = launch.cyc;
	if (launch.cyc == WAKELAT_ABSENT) {
		times_without_launch(s);
		return NULL;
	}
	s->uncertainty = launch.uncertainty_cyc ? to_ns(launch.uncertainty_cyc) : 0;
	times_from_stamps(s, launch.ns);
	if (s->uncertainty > wakelat_settings.max_uncertainty_ns)
		s->taint |= WAKELAT_TAINT_UNCERTAIN;
	/* Went idle after the event, or was back before it? */
	if (!found_idle(s, s->uncertainty))
		return &wc->counts.not_idle;
/*@+SLEEP*/
	if (s->ltime_cyc - s->tbi_cyc < idle->way_cyc + idle->timer.uncertainty_cyc)
		s->taint |= WAKELAT_TAINT_NO_SLEEP;
/*@-*/

	return NULL;
}

/* What the armed event itself is suspected of. */
static u32 taint_of_timer(const struct wakelat_cpu *wc, const struct wakelat_idle *idle)
{
	const struct wakelat_source *source = wakelat_run.source;
	u32 taint = 0;

	if (source->arrives != WAKELAT_BY_TIMER || !source->arm)
		return 0;
	if (idle->next_timer != wc->ltime)
		taint |= WAKELAT_TAINT_FOREIGN_TIMER;
	if (!source->early && wakelat_idle_rearmed())
		taint |= WAKELAT_TAINT_EARLY;

	return taint;
}

static bool take_sample(struct wakelat_cpu *wc, const struct wakelat_idle *idle,
			u64 tintr_cyc, u64 now_cyc)
{
	struct wakelat_sample *s = &wc->sample;
	u64 *not_sample;

	s->tbi_cyc = this_cpu_read(wakelat_stamps.tbi_cyc);
	s->tai_cyc = this_cpu_read(wakelat_stamps.tai_cyc) ?: WAKELAT_ABSENT;
	s->tintr_cyc = tintr_cyc;
	s->seq = wc->counts.armed;
	s->state = idle->state;
	s->entered = idle->entered;
	s->taint = idle->taint | taint_of_timer(wc, idle);
	s->unknown = idle->unknown;

	not_sample = judge_times(wc, s, idle, now_cyc);
	if (not_sample)
		(*not_sample)++;

	return !not_sample;
}

/*@+DEADLINE*/
/* Only a source that arms nothing can deliver more than is wanted. */
static void limit_rate(struct wakelat_cpu *wc, u64 now_cyc)
{
	u64 interval_us = wakelat_settings.passive_interval_us;

	if (interval_us && !wakelat_run.source->arm)
		wc->limited_until_cyc = now_cyc + div_u64(interval_us * wakelat_clock_khz(),
							  USEC_PER_MSEC);
}

/*@-*/
static void emit(const struct wakelat_sample *s, const struct wakelat_idle *idle)
{
	/* Its parts come first: who reads them has them when the sample comes. */
/*@+HOOK*/
	wakelat_arch_emit(s, idle->smi, idle->nmi);
/*@-*/
	if (wakelat_run.source->emit)
		wakelat_run.source->emit(s);
	trace_wakelat_sample(s);
}

/**
 * wakelat_event - the armed event has arrived
 * @tintr_cyc: wakelat_clock(), read in the first statement of the interrupt handler;
 *	WAKELAT_ABSENT if the event has no handler
 *
 * Emits the sample, if the event makes one, and arms the next event.
 *
 * Context: on the CPU on which the event was armed, interrupts disabled: hard
 * interrupt, or the idle task after an idle period.
 */
void wakelat_event(u64 tintr_cyc)
{
	struct wakelat_cpu *wc = this_cpu_ptr(&wakelat_cpu);
	const struct wakelat_idle *idle;
	u64 now_cyc;

	if (!wc->active)
		return;

	now_cyc = wakelat_clock();
/*@+DEADLINE*/
	if (now_cyc < wc->limited_until_cyc) {
		wakelat_idle_handled();
		wc->counts.limited++;
		arm_next(wc, now_cyc);
		return;
	}
/*@-*/
	idle = wakelat_idle_now();
	if (take_sample(wc, idle, tintr_cyc, now_cyc)) {
/*@+DEADLINE*/
		limit_rate(wc, now_cyc);
/*@-*/
		count_sample(wc, wc->sample.taint);
		emit(&wc->sample, idle);
	}

	arm_next(wc, now_cyc);
}
EXPORT_SYMBOL_GPL(wakelat_event);

/*@+DEADLINE*/
/**
 * wakelat_timer_event - the local timer has interrupted this CPU
 * @tintr_cyc: wakelat_clock(), read in the first statement of the interrupt handler
 *
 * The same as wakelat_event() if it was programmed for the armed event when the CPU
 * went idle, whether or not the kernel will find that this is due. Else nothing.
 *
 * Context: hard interrupt.
 */
void wakelat_timer_event(u64 tintr_cyc)
{
	if (wakelat_idle_next_timer() == this_cpu_read(wakelat_cpu.ltime))
		wakelat_event(tintr_cyc);
}

/*@-*/
/**
 * wakelat_event_lost - the armed event has not come and will not
 *
 * Counts it and arms the next one.
 *
 * Context: hard interrupt, on the CPU on which the event was armed.
 */
void wakelat_event_lost(void)
{
	struct wakelat_cpu *wc = this_cpu_ptr(&wakelat_cpu);

	if (!wc->active)
		return;

	wc->counts.lost++;
	arm_next(wc, wakelat_clock());
}
EXPORT_SYMBOL_GPL(wakelat_event_lost);

static void watch_cpu(void *unused)
{
	wakelat_idle_watch(wakelat_run.source);
}

static void start_cpu(void *unused)
{
	struct wakelat_cpu *wc = this_cpu_ptr(&wakelat_cpu);

	memset(wc, 0, sizeof(*wc));
	wakelat_ldist_start(&wc->ldist, smp_processor_id(), &wakelat_settings.ldist);
	wc->sample.run = wakelat_run.number;
	strscpy(wc->sample.source, wakelat_run.source->name);
	wakelat_idle_start();
	wc->active = true;
	arm_next(wc, wakelat_clock());
}

static void stop_cpu(void *unused)
{
	struct wakelat_cpu *wc = this_cpu_ptr(&wakelat_cpu);

	wc->active = false;
	wakelat_idle_watch(NULL);
}

/* Have all CPUs come to their end, or has one gone offline? */
static bool ends_by_itself(void)
{
	return READ_ONCE(wakelat_run.reason) || !atomic_read(&wakelat_run.cpus_left);
}

/* Of a run whose CPUs have all come to their end: failures have the higher numbers. */
static u32 reason_of_cpus(void)
{
	unsigned int cpu;
	u32 reason = 0;

	for_each_cpu(cpu, &wakelat_run.cpus)
		reason = max(reason, per_cpu(wakelat_cpu, cpu).reason);

	return reason;
}

/*
 * Ends the run, whatever its CPUs are doing. start_end_lock, cpus_read_lock() and
 * wakelat_lock are held.
 */
static void end_run(u32 reason)
{
	struct wakelat_run *run = &wakelat_run;
	unsigned int cpu;

	for_each_cpu_and(cpu, &run->cpus, cpu_online_mask)
		smp_call_function_single(cpu, stop_cpu, NULL, true);
	if (run->source->arm)
		for_each_cpu(cpu, &run->cpus)
			run->source->cancel(cpu);
	static_branch_disable_cpuslocked(&wakelat_key);
/*@+LIMITS*/
	cancel_delayed_work(&duration_work);
	cancel_delayed_work(&barren_work);
/*@-*/

	/* Seen now, whenever it came about. */
	if (wakelat_arch_clock_problem())
		run->reason = WAKELAT_END_CLOCK;
	if (!run->reason)
		run->reason = atomic_read(&run->cpus_left) ? reason : reason_of_cpus();
	run->end_ns = ktime_get_ns();
	for_each_cpu(cpu, &run->cpus)
		trace_wakelat_end(run->number, cpu, run->reason,
				  &per_cpu(wakelat_cpu, cpu).counts);

	run->source = NULL;
	WRITE_ONCE(run->on, false);
	wake_up_all(&run_ended);
}

/*
 * Ends the run if one is on, with @only as its source unless that is NULL, and if
 * it has lasted @least_ns.
 */
static void __end_run_if(u32 reason, const struct wakelat_source *only, u64 least_ns)
{
	struct wakelat_run *run = &wakelat_run;
	struct wakelat_source *source = NULL;

	lockdep_assert_held(&start_end_lock);

	cpus_read_lock();
	mutex_lock(&wakelat_lock);
	if (run->on && (!only || run->source == only) &&
	    ktime_get_ns() - run->start_ns >= least_ns) {
		source = run->source;
		end_run(reason);
	}
	mutex_unlock(&wakelat_lock);
	cpus_read_unlock();

	if (source && source->stop)
		source->stop();
	if (source)
		module_put(source->owner);
}

static void end_run_if(u32 reason, const struct wakelat_source *only, u64 least_ns)
{
	guard(mutex)(&start_end_lock);
	__end_run_if(reason, only, least_ns);
}

/* It may come so late that the run has been ended, and that another one is on. */
static void end_work_fn(struct work_struct *work)
{
	guard(mutex)(&start_end_lock);
	if (ends_by_itself())
		__end_run_if(WAKELAT_END_STOPPED, NULL, 0);
}

/*@+LIMITS*/
/* It may come too late to be cancelled, when another run is on already. */
static void duration_work_fn(struct work_struct *work)
{
	u64 wanted;

	scoped_guard(mutex, &wakelat_lock)
		wanted = wakelat_settings.max_duration_s * NSEC_PER_SEC;
	if (wanted)
		end_run_if(WAKELAT_END_DURATION, NULL, wanted);
}

static u64 untainted_samples(void)
{
	const struct wakelat_counts *c;
	unsigned int cpu;
	u64 samples = 0;

	for_each_cpu(cpu, &wakelat_run.cpus) {
		c = &per_cpu(wakelat_cpu, cpu).counts;
		samples += READ_ONCE(c->samples) - READ_ONCE(c->tainted);
	}

	return samples;
}

/* A user who wants a sample less often than that is not disappointed. */
static void look_again_later(void)
{
	const struct wakelat_settings *set = &wakelat_settings;
	u64 wanted_s = set->max_barren_s;

	barren_run = wakelat_run.number;
	barren_samples = untainted_samples();
	if (!wanted_s)
		return;
	wanted_s += div_u64(2 * set->passive_interval_us, USEC_PER_SEC) +
		    div_u64(2 * set->ldist.max_ns, NSEC_PER_SEC);
	queue_delayed_work(system_dfl_wq, &barren_work, wanted_s * HZ);
}

/*
 * Has the run come to nothing since it was last looked at? It is looked at seldom:
 * each time is an interrupt for some CPU.
 */
static void barren_work_fn(struct work_struct *work)
{
	guard(mutex)(&start_end_lock);
	if (!READ_ONCE(wakelat_run.on) || wakelat_run.number != barren_run)
		return;
	if (untainted_samples() == barren_samples || wakelat_arch_clock_problem())
		__end_run_if(WAKELAT_END_BARREN, NULL, 0);
	else
		look_again_later();
}

/*@-*/
/**
 * wakelat_run_stop - end the run, if one is on
 *
 * Context: process; may sleep.
 */
void wakelat_run_stop(void)
{
	end_run_if(WAKELAT_END_STOPPED, NULL, 0);
}

/**
 * wakelat_run_wait - wait until no run is on
 *
 * Context: process; may sleep.
 * Return: 0, or -ERESTARTSYS if a signal came.
 */
int wakelat_run_wait(void)
{
	return wait_event_interruptible(run_ended, !READ_ONCE(wakelat_run.on));
}

#define refuse(err, fmt, ...)							\
({										\
	snprintf(wakelat_run.error, sizeof(wakelat_run.error), fmt, ##__VA_ARGS__); \
	err;									\
})

/* The CPUs that the source is started with. Guarded by start_end_lock. */
static struct cpumask starting;

/* From before tasks are frozen until they are thawed. Guarded by start_end_lock. */
static bool suspending;

/* Does a CPU have idle states to wake up from? */
static bool has_cpuidle(unsigned int cpu)
{
	const struct cpuidle_device *dev = per_cpu(cpuidle_devices, cpu);

	return dev && dev->enabled;
}

/**
 * wakelat_source_problem - why a source cannot be used on this machine
 * @source: the source
 * @cpus: the CPUs to measure, online
 *
 * Context: process; CPU hotplug excluded.
 * Return: the reason, or NULL if it can be used.
 */
const char *wakelat_source_problem(const struct wakelat_source *source,
				   const struct cpumask *cpus)
{
	const char *problem = wakelat_arch_clock_problem();
	unsigned int cpu;

	if (!problem && source->probe)
		problem = source->probe(cpus);
	if (problem || source->arrives != WAKELAT_BY_TIMER)
		return problem;
	for_each_cpu(cpu, cpus) {
		problem = wakelat_arch_timer_problem(cpu);
		if (problem)
			return problem;
	}

	return NULL;
}

/*
 * Does each state that a CPU is allowed stop its timer? POLL does not count: it is left
 * only when a task is to run.
 */
static bool timer_stops(unsigned int cpu)
{
	struct cpuidle_device *dev = per_cpu(cpuidle_devices, cpu);
	const struct cpuidle_driver *drv = cpuidle_get_cpu_driver(dev);
	bool stops = false;
	int i;

	for (i = 0; drv && i < drv->state_count; i++) {
		if (dev->states_usage[i].disable ||
		    (drv->states[i].flags & CPUIDLE_FLAG_POLLING))
			continue;
		if (!(drv->states[i].flags & CPUIDLE_FLAG_TIMER_STOP))
			return false;
		stops = true;
	}

	return stops;
}

/* 0 if a run can be started with the settings, else the reason is stored. */
static int check_settings(const struct wakelat_settings *set)
{
	const struct wakelat_source *source = set->source;
	const char *problem;
	unsigned int cpu;

	if (!source)
		return refuse(-EINVAL, "no source is chosen");
	if (cpumask_empty(&set->cpus))
		return refuse(-EINVAL, "no CPU is chosen");
	if (source->max_cpus && cpumask_weight(&set->cpus) > source->max_cpus)
		return refuse(-EINVAL, "%s: it can measure no more than %u at a time",
			      source->name, source->max_cpus);
	for_each_cpu(cpu, &set->cpus) {
		if (!cpu_online(cpu))
			return refuse(-ENODEV, "CPU %u is offline", cpu);
		if (!has_cpuidle(cpu))
			return refuse(-ENODEV, "CPU %u has no cpuidle driver", cpu);
		if (source->arrives == WAKELAT_BY_TIMER && timer_stops(cpu))
			return refuse(-ENODEV,
				      "%s: the states of CPU %u stop its timer", source->name,
				      cpu);
	}
	if (set->ldist.min_ns < source->ldist_min_ns ||
	    set->ldist.max_ns > source->ldist_max_ns)
		return refuse(-ERANGE, "%s: ldist is not within %llu..%llu ns", source->name,
			      source->ldist_min_ns, source->ldist_max_ns);
	problem = wakelat_source_problem(source, &set->cpus);
	if (problem)
		return refuse(-ENODEV, "%s: %s", source->name, problem);

	return 0;
}

/*
 * Takes hold of the source to start with, if everything is as it should be.
 * wakelat_lock and cpus_read_lock() are held.
 */
static int choose_source(struct wakelat_source **source)
{
	struct wakelat_settings *set = &wakelat_settings;
	int err;

	if (wakelat_run.on)
		return -EBUSY;
	if (suspending)
		return refuse(-EBUSY, "the system is about to sleep");
	err = check_settings(set);
	if (err)
		return err;
	if (!try_module_get(set->source->owner))
		return refuse(-ENODEV, "%s: it is being removed", set->source->name);
	*source = set->source;
	cpumask_copy(&starting, &set->cpus);

	return 0;
}

/*@+HOOK*/
/* Is it known how fast the timers count? */
static bool timers_observed(bool enough)
{
	unsigned int cpu;
	bool observed = true;

	for_each_cpu(cpu, &wakelat_run.cpus)
		observed &= wakelat_arch_timer_observed(cpu, enough);

	return observed || wakelat_run.source->arrives != WAKELAT_BY_TIMER;
}

/*
 * Lets the CPUs be idle for a while if their timers have to be observed. What wakes
 * this task up again may be one of them.
 */
static int observe_timers(void)
{
	unsigned int tries;

	for (tries = 0; !timers_observed(false) && tries < OBSERVE_TRIES; tries++)
		msleep(OBSERVE_TRY_MS);

	return timers_observed(true) ? 0 : -EBUSY;
}

static void end_hooks(void)
{
	unsigned int cpu;

	for_each_cpu_and(cpu, &wakelat_run.cpus, cpu_online_mask)
		smp_call_function_single(cpu, stop_cpu, NULL, true);
	static_branch_disable_cpuslocked(&wakelat_key);
}

/*@-*/
/* start_end_lock, cpus_read_lock() and wakelat_lock are held. */
static int start_run(struct wakelat_source *source)
{
	struct wakelat_run *run = &wakelat_run;
	struct wakelat_settings *set = &wakelat_settings;
	unsigned int cpu;
	int err;

	/* They may have changed while the source was being started. */
	if (set->source != source || !cpumask_equal(&set->cpus, &starting))
		return refuse(-EBUSY, "the settings were changed meanwhile");
	err = check_settings(set);
	if (err)
		return err;

	run->error[0] = '\0';
	run->source = source;
	cpumask_copy(&run->cpus, &set->cpus);

	/* Every hook is on before the first event is armed. */
	for_each_cpu(cpu, &run->cpus)
		smp_call_function_single(cpu, watch_cpu, NULL, true);
	static_branch_enable_cpuslocked(&wakelat_key);
/*@+HOOK*/
	err = observe_timers();
	if (err) {
		end_hooks();
		run->source = NULL;
		return refuse(err, "%s: too little idle time to find out how fast the timer counts",
			      source->name);
	}
/*@-*/

	run->number++;
	atomic_set(&run->cpus_left, cpumask_weight(&run->cpus));
	run->reason = 0;
	run->start_ns = ktime_get_ns();
	WRITE_ONCE(run->on, true);
	for_each_cpu(cpu, &run->cpus)
		smp_call_function_single(cpu, start_cpu, NULL, true);
/*@+LIMITS*/
	look_again_later();
	if (set->max_duration_s)
		queue_delayed_work(system_dfl_wq, &duration_work, set->max_duration_s * HZ);
/*@-*/

	return 0;
}

static int start_source(struct wakelat_source *source)
{
	const char *problem = NULL;
	int err = source->start ? source->start(&starting, &problem) : 0;

	if (err) {
		guard(mutex)(&wakelat_lock);
		if (problem)
			refuse(err, "%s: %s", source->name, problem);
		else
			refuse(err, "%s: it does not start: %d", source->name, err);
	}

	return err;
}

static int start_source_and_run(struct wakelat_source *source)
{
	int err;

	err = start_source(source);
	if (err)
		return err;

	cpus_read_lock();
	mutex_lock(&wakelat_lock);
	err = start_run(source);
	mutex_unlock(&wakelat_lock);
	cpus_read_unlock();
	if (err && source->stop)
		source->stop();

	return err;
}

/**
 * wakelat_run_start - start a run with the current settings
 *
 * Context: process; may sleep.
 * Return: 0; -EBUSY if a run is on, the system is about to sleep or the settings
 * were changed meanwhile; -EINVAL if no source, no CPU or too many CPUs are chosen;
 * -ERANGE if the source cannot do the launch distances; -ENODEV if the source or a
 * CPU cannot be used; else what the source's ->start() returns. Unless a run is on,
 * wakelat_run.error has it in words.
 */
int wakelat_run_start(void)
{
	struct wakelat_source *source;
	int err;

	mutex_lock(&start_end_lock);
	cpus_read_lock();
	mutex_lock(&wakelat_lock);
	err = choose_source(&source);
	mutex_unlock(&wakelat_lock);
	cpus_read_unlock();

	if (!err) {
		err = start_source_and_run(source);
		if (err)
			module_put(source->owner);
	}
	mutex_unlock(&start_end_lock);

	return err;
}

/*@+FACTS*/
/**
 * wakelat_run_characterise - time what the measurement does, while no run is on
 * @cpu: the CPU to do it on
 *
 * Context: process; may sleep.
 * Return: 0; -EBUSY if a run is on; -ENODEV if the CPU is not online or the source is
 * being removed; -ENOMEM.
 */
int wakelat_run_characterise(unsigned int cpu)
{
	struct wakelat_source *source = NULL;
	int err;

	guard(mutex)(&start_end_lock);
	scoped_guard(mutex, &wakelat_lock) {
		if (wakelat_run.on)
			return -EBUSY;
		source = wakelat_settings.source;
		/* What it does can be timed only where it can be done. */
		if (source && source->probe && source->probe(cpumask_of(cpu)))
			source = NULL;
		if (source && !try_module_get(source->owner))
			return -ENODEV;
	}

	err = wakelat_characterise(cpu, source);
	if (source)
		module_put(source->owner);

	return err;
}

/*@-*/
/**
 * wakelat_counts_of - what has become of the events of a CPU so far
 * @cpu: a CPU of the current or the last run
 *
 * Return: the counts. While a run is on they may differ by an event from one another.
 */
const struct wakelat_counts *wakelat_counts_of(unsigned int cpu)
{
	return &per_cpu(wakelat_cpu, cpu).counts;
}

/**
 * wakelat_source_register - make a source available
 * @source: the source; stays until wakelat_source_unregister()
 *
 * Context: process; may sleep.
 * Return: 0, or -EEXIST if there is a source of that name.
 */
int wakelat_source_register(struct wakelat_source *source)
{
	struct wakelat_source *other;

	guard(mutex)(&wakelat_lock);
	list_for_each_entry(other, &wakelat_sources, node)
		if (!strcmp(other->name, source->name))
			return -EEXIST;
	list_add_tail(&source->node, &wakelat_sources);

	return 0;
}
EXPORT_SYMBOL_GPL(wakelat_source_register);

/**
 * wakelat_source_unregister - take a source away
 * @source: the source; not in use any more on return, a run with it has ended
 *
 * Context: process; may sleep.
 */
void wakelat_source_unregister(struct wakelat_source *source)
{
	guard(mutex)(&start_end_lock);
	__end_run_if(WAKELAT_END_STOPPED, source, 0);

	guard(mutex)(&wakelat_lock);
	if (wakelat_settings.source == source)
		wakelat_settings.source = NULL;
	list_del(&source->node);
}
EXPORT_SYMBOL_GPL(wakelat_source_unregister);

/*@+I210*/
/**
 * wakelat_source_gone - a source lost its device
 * @source: the source; its ->probe() fails by now
 *
 * A run with it has ended on return, and its ->stop() has been called.
 *
 * Context: process; may sleep.
 */
void wakelat_source_gone(struct wakelat_source *source)
{
	end_run_if(WAKELAT_END_SOURCE_GONE, source, 0);
}
EXPORT_SYMBOL_GPL(wakelat_source_gone);

/*@-*/
/*
 * A measured CPU goes offline: its event must not move to another CPU. The run
 * ends as soon as hotplug is through.
 */
static int wakelat_cpu_offline(unsigned int cpu)
{
	struct wakelat_run *run = &wakelat_run;

	/* Hotplug excludes start and end of a run: see wakelat_lock. */
	if (!run->on || !cpumask_test_cpu(cpu, &run->cpus))
		return 0;

	WRITE_ONCE(run->reason, WAKELAT_END_CPU_OFFLINE);
	local_irq_disable();
	stop_cpu(NULL);
	local_irq_enable();
	if (run->source->arm)
		run->source->cancel(cpu);
	queue_work(system_dfl_wq, &end_work);

	return 0;
}

static int wakelat_pm_notify(struct notifier_block *nb, unsigned long event, void *unused)
{
	guard(mutex)(&start_end_lock);
	switch (event) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		suspending = true;
		__end_run_if(WAKELAT_END_SUSPEND, NULL, 0);
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		suspending = false;
		break;
	}

	return NOTIFY_DONE;
}

static int __init wakelat_init(void)
{
	int err;

	err = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "cpuidle/wakelat:online",
					NULL, wakelat_cpu_offline);
	if (err < 0)
		return err;

	pm_notifier(wakelat_pm_notify, 0);

	return 0;
}
core_initcall(wakelat_init);
