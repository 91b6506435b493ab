// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement: an architecture of which nothing is known.
 */

#include <linux/clockchips.h>
/*@+I210*/
#include <linux/export.h>
/*@-*/
#include <linux/sched/clock.h>
/*@+HOOK*/
#include <linux/seq_file.h>
/*@-*/
/*@+COUNTERS*/
#include <linux/string.h>
/*@-*/
#include <linux/tick.h>
#include <linux/timekeeping.h>
#include <linux/wakelat.h>

#include "wakelat.h"

/**
 * wakelat_arch_clock_problem - why nothing can be stamped
 *
 * Context: any.
 * Return: the reason, or NULL if the clock of the stamps can be relied on.
 */
const char * __weak wakelat_arch_clock_problem(void)
{
#ifdef CONFIG_HAVE_UNSTABLE_SCHED_CLOCK
	if (!sched_clock_stable())
		return "the clock is unstable: nothing can be stamped";
#endif

	return NULL;
}

/**
 * wakelat_arch_watch - begin to watch this CPU
 * @arrives: how the event to be measured arrives
 * @irq: if WAKELAT_BY_IRQ, the interrupt
 *
 * Context: on the CPU meant, interrupts disabled.
 * Return: what cannot be looked at on it, WAKELAT_UNKNOWN_*.
 */
u32 __weak wakelat_arch_watch(enum wakelat_arrival arrives, unsigned int irq)
{
	return WAKELAT_UNKNOWN_ALL;
}

/**
 * wakelat_arch_mark - note what this CPU has counted
 * @marks: where to
 *
 * What is not known is always 0.
 *
 * Context: on a CPU that is watched, interrupts disabled.
 */
void __weak wakelat_arch_mark(struct wakelat_marks *marks)
{
	*marks = (struct wakelat_marks) { };
}

/**
 * wakelat_arch_pending - which interrupts are pending on this CPU?
 *
 * Context: on a CPU that is watched, interrupts disabled.
 * Return: WAKELAT_PENDING_*; 0 if that is not known.
 */
u32 __weak wakelat_arch_pending(void)
{
	return 0;
}

/**
 * wakelat_arch_timer_problem - why one cannot measure with the local timer of a CPU
 * @cpu: the CPU, online
 *
 * Context: process; CPU hotplug excluded.
 * Return: the reason, or NULL if one can.
 */
const char * __weak wakelat_arch_timer_problem(unsigned int cpu)
{
	const struct clock_event_device *dev = tick_cpu_clockevent(cpu);

	if (!dev || (dev->features & CLOCK_EVT_FEAT_DUMMY))
		return "the CPU has no timer of its own";
	if (!(dev->features & CLOCK_EVT_FEAT_ONESHOT))
		return "the CPU's timer fires periodically";

	return NULL;
}

/**
 * wakelat_arch_timer_launch - when is the local timer of this CPU going to fire?
 * @dev: the timer, in oneshot mode
 * @launch: where to put it
 *
 * Here: when it is wanted to, by the clock of the stamps. Both clocks are taken to run
 * at the same rate until then.
 *
 * Context: on a CPU that is watched, interrupts disabled.
 */
void __weak wakelat_arch_timer_launch(struct clock_event_device *dev,
				      struct wakelat_launch *launch)
{
	u64 from_cyc = wakelat_clock();
	s64 left_ns = ktime_to_ns(ktime_sub(dev->next_event, ktime_get()));
	u64 to_cyc = wakelat_clock();

	launch->cyc = from_cyc + (to_cyc - from_cyc) / 2 +
		      div_s64(left_ns * wakelat_clock_khz(), USEC_PER_SEC);
	launch->uncertainty_cyc = (to_cyc - from_cyc + 1) / 2;
}

/**
 * wakelat_arch_timer_armed - is the local timer of this CPU still to fire?
 *
 * Context: on a CPU that is watched, interrupts disabled.
 * Return: true if so; false if that is not known.
 */
bool __weak wakelat_arch_timer_armed(void)
{
	return false;
}
/*@+HOOK*/

/**
 * wakelat_arch_timer_observed - is it known how fast a CPU's timer counts?
 * @cpu: a CPU that is being watched
 * @enough: there is no more time to find out
 *
 * Context: process.
 * Return: true if it is, or need not be.
 */
bool __weak wakelat_arch_timer_observed(unsigned int cpu, bool enough)
{
	return true;
}

/**
 * wakelat_arch_show - print what has been found out about a CPU
 * @m: where to, lines "cpuN.key value"
 * @cpu: a CPU of the current or the last run
 *
 * Context: process; CPU hotplug excluded.
 */
void __weak wakelat_arch_show(struct seq_file *m, unsigned int cpu)
{
	const struct clock_event_device *dev = tick_cpu_clockevent(cpu);

	seq_printf(m, "cpu%u.timer %s\n", cpu, dev ? dev->name : "-");
}

/**
 * wakelat_arch_emit - emit what the architecture knows of a sample, as events
 * @s: the sample, which is emitted next
 * @smi: SMIs meanwhile
 * @nmi: NMIs meanwhile
 *
 * Context: hard interrupt.
 */
void __weak wakelat_arch_emit(const struct wakelat_sample *s, u64 smi, u32 nmi)
{
}
/*@-*/
/*@+COUNTERS*/

/**
 * wakelat_arch_read_counters - read the counters that are chosen
 * @when: before the idle period, or after it
 *
 * Context: on a CPU that is watched, interrupts disabled.
 */
void __weak wakelat_arch_read_counters(enum wakelat_counters_when when)
{
}

/**
 * wakelat_arch_show_counters - print which sets of counters are chosen
 * @m: where to: their names, joined by commas, or none
 *
 * Context: process.
 */
void __weak wakelat_arch_show_counters(struct seq_file *m)
{
	seq_puts(m, "none\n");
}

/**
 * wakelat_arch_choose_counters - choose sets of counters
 * @sets: their names, joined by commas, or none; it is changed
 *
 * Context: process; no run is on.
 * Return: 0, or -EINVAL if there is no such set.
 */
int __weak wakelat_arch_choose_counters(char *sets)
{
	return strcmp(sets, "none") ? -EINVAL : 0;
}
/*@-*/
/*@+FACTS*/

/**
 * wakelat_arch_costs - what else is done on a measured CPU
 *
 * Return: a list to be timed, which ends with an entry without a name; NULL if nothing.
 */
const struct wakelat_cost * __weak wakelat_arch_costs(void)
{
	return NULL;
}
/*@-*/
/*@+I210*/

/**
 * wakelat_arch_intrusions - how often this CPU was taken away by what nothing can mask
 *
 * Context: interrupts disabled.
 * Return: SMIs, where the CPU counts them, and NMIs since boot; 0 if not known.
 */
u64 __weak wakelat_arch_intrusions(void)
{
	return 0;
}
EXPORT_SYMBOL_GPL(wakelat_arch_intrusions);
/*@-*/
