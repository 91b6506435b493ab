// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement: one record per CPU of its current or last idle
 * period.
 *
 * The record has two halves. The stamps are taken directly around the idle
 * state's ->enter(), where RCU does not watch and nothing may be traced, so
 * taking them is all that happens there. Everything that tells whether they can
 * be trusted is collected outside: before the CPU commits itself to the state
 * and after it has left it, with interrupts still disabled, that is, before the
 * interrupt that woke it is handled.
 */

#include <linux/clockchips.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/tick.h>
#include <linux/wakelat.h>

#include "wakelat.h"

/* What delivers the event being measured, NULL on a CPU that is not measured. */
static DEFINE_PER_CPU(const struct wakelat_source *, watched);
static DEFINE_PER_CPU(struct wakelat_idle, wakelat_idle);

static void forget_stamps(void)
{
	this_cpu_write(wakelat_stamps.tbi_cyc, 0);
	this_cpu_write(wakelat_stamps.tai_cyc, 0);
}

/**
 * wakelat_idle_watch - start or stop collecting idle records on this CPU
 * @source: what delivers the event being measured; NULL to stop
 *
 * Context: on the CPU meant, interrupts disabled.
 */
void wakelat_idle_watch(const struct wakelat_source *source)
{
	u32 unknown;

	forget_stamps();
	this_cpu_write(watched, source);
	if (!source)
		return;
	unknown = wakelat_arch_watch(source->arrives, source->irq);
	if (source->launch)
		unknown &= ~WAKELAT_UNKNOWN_LAUNCH;
	this_cpu_write(wakelat_idle.unknown, unknown);
/*@+SLEEP*/
	wakelat_way_watch();
/*@-*/
}

/**
 * wakelat_idle_start - events are armed from now on
 *
 * Context: on the CPU meant, which is being watched; interrupts disabled.
 */
void wakelat_idle_start(void)
{
	forget_stamps();
	this_cpu_write(wakelat_idle.other_wakes, 0);
	this_cpu_write(wakelat_idle.next_timer, WAKELAT_ABSENT);
}

/*@+DEADLINE*/
/**
 * wakelat_idle_next_timer - when this CPU's timer was wanted to fire
 *
 * Return: as of when it last went idle, CLOCK_MONOTONIC ns.
 */
u64 wakelat_idle_next_timer(void)
{
	return this_cpu_read(wakelat_idle.next_timer);
}

/*@-*/
/**
 * wakelat_idle_rearmed - has the local timer fired before it was due?
 *
 * It has if it was wanted at the same time when this CPU went idle before, and has
 * fired meanwhile; and if it has fired twice since, without an idle period in between.
 *
 * Context: the handler of the event being measured, interrupts disabled.
 * Return: true if so; false where nobody counts its interrupts.
 */
bool wakelat_idle_rearmed(void)
{
	const struct wakelat_idle *idle = this_cpu_ptr(&wakelat_idle);
	struct wakelat_marks now;

	if (idle->next_timer == idle->last_timer &&
	    idle->before.timer_irqs != idle->last_timer_irqs)
		return true;
	wakelat_arch_mark(&now);

	return now.timer_irqs - idle->before.timer_irqs > 1;
}

static void look_at_timer(struct wakelat_idle *idle)
{
	struct clock_event_device *dev = tick_cpu_clockevent(smp_processor_id());

	idle->last_timer = idle->next_timer;
	idle->last_timer_irqs = idle->before.timer_irqs;
	idle->next_timer = ktime_to_ns(dev->next_event);
	idle->timer.cyc = WAKELAT_ABSENT;
	idle->timer.uncertainty_cyc = 0;
	if (clockevent_state_oneshot(dev))
		wakelat_arch_timer_launch(dev, &idle->timer);
	else if (clockevent_state_shutdown(dev))
		idle->taint |= WAKELAT_TAINT_BROADCAST;
}

void __wakelat_idle_prepare(int index)
{
	const struct wakelat_source *source = this_cpu_read(watched);
	struct wakelat_idle *idle = this_cpu_ptr(&wakelat_idle);

	if (!source)
		return;

	idle->state = index;
	idle->entered = WAKELAT_ABSENT;
	idle->taint = 0;
	idle->handled = false;
	if (source->arrives == WAKELAT_BY_TIMER)
		look_at_timer(idle);
	wakelat_arch_mark(&idle->before);
/*@+COUNTERS*/
	wakelat_arch_read_counters(WAKELAT_COUNTERS_BEFORE);
/*@-*/
	if (source->before)
		source->before();
/*@+SLEEP*/
	wakelat_way_before(idle);
/*@-*/
}

/*
 * What has happened since the CPU went idle, besides the event. Whether another
 * interrupt came before the event, and so woke the CPU, or during the wake-up,
 * cannot be told: both are reasons not to believe the sample.
 *
 * The clock of the source, if it has one, comes first: the sooner it is read, the
 * less depends on how its rate compares with that of the stamps' clock.
 *
 * Of the interrupts handled meanwhile @own are the event's. Returns which are pending.
 */
static u32 look_around(const struct wakelat_source *source, struct wakelat_idle *idle,
		       u64 own)
{
	struct wakelat_marks now;
	u32 pending;

	if (source->after)
		source->after();
/*@+COUNTERS*/
	wakelat_arch_read_counters(WAKELAT_COUNTERS_AFTER);
/*@-*/
	wakelat_arch_mark(&now);
	idle->smi = now.smis - idle->before.smis;
	idle->nmi = now.nmis - idle->before.nmis;

	pending = wakelat_arch_pending();
/*@+IPI*/
	if (source->arrives == WAKELAT_BY_FLAG && need_resched())
		pending |= WAKELAT_PENDING_EVENT | WAKELAT_PENDING_FLAG;
/*@-*/
	if ((pending & WAKELAT_PENDING_OTHER) || now.irqs - idle->before.irqs > own)
		idle->taint |= WAKELAT_TAINT_FOREIGN_IRQ;
	if (need_resched() && !(pending & WAKELAT_PENDING_FLAG))
		idle->taint |= WAKELAT_TAINT_RESCHED;
	if (idle->nmi)
		idle->taint |= WAKELAT_TAINT_NMI;
	if (idle->smi)
		idle->taint |= WAKELAT_TAINT_SMI;
	if (source->arrives == WAKELAT_BY_TIMER && wakelat_arch_timer_armed())
		idle->taint |= WAKELAT_TAINT_SPURIOUS;

	return pending;
}

void __wakelat_idle_finish(int entered)
{
	const struct wakelat_source *source = this_cpu_read(watched);
	struct wakelat_idle *idle = this_cpu_ptr(&wakelat_idle);
	u32 pending;

	if (!source)
		return;

	if (entered >= 0)
		idle->entered = entered;
	if (entered != idle->state)
		idle->taint |= WAKELAT_TAINT_OTHER_STATE;
	/* Where interrupts are enabled in the state, one may be gone by now. */
	pending = look_around(source, idle, idle->handled);
/*@+SLEEP*/
	if (wakelat_way_after(idle))
		return;
/*@-*/
	if (!(pending & WAKELAT_PENDING_EVENT) &&
	    !(idle->unknown & WAKELAT_UNKNOWN_FOREIGN_IRQ)) {
		idle->taint |= WAKELAT_TAINT_SPURIOUS;
		idle->other_wakes += !idle->handled;
	}
/*@+IPI*/
	if (source->woken)
		source->woken();
/*@-*/
}

/**
 * wakelat_other_wakes - idle periods that something else than the event ended
 * @cpu: a measured CPU
 *
 * Return: their number since the run began.
 */
u64 wakelat_other_wakes(unsigned int cpu)
{
	return per_cpu(wakelat_idle, cpu).other_wakes;
}

/**
 * wakelat_idle_handled - the event has come, and is not to make a sample
 *
 * So that the idle period it has ended does not count as ended by something else.
 *
 * Context: the handler of the event, interrupts disabled.
 */
void wakelat_idle_handled(void)
{
	this_cpu_write(wakelat_idle.handled, true);
}

/**
 * wakelat_idle_now - the current or last idle period of this CPU
 *
 * If the CPU is still inside the idle state, which happens where the state is
 * entered with interrupts enabled, nothing has looked at what woke it yet: that
 * is done here. By then one interrupt has been handled or is being handled, the
 * caller's own, which is counted already unless the source is early.
 *
 * Context: the handler of the event being measured, interrupts disabled.
 * Return: its record, valid until the handler returns.
 */
struct wakelat_idle *wakelat_idle_now(void)
{
	const struct wakelat_source *source = this_cpu_read(watched);
	struct wakelat_idle *idle = this_cpu_ptr(&wakelat_idle);

	if (!this_cpu_read(wakelat_stamps.tai_cyc)) {
		idle->handled = true;
		look_around(source, idle, !source->early);
	}

	return idle;
}
