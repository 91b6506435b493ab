// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement on x86: the local APIC's TSC-deadline timer as the event
 * source.
 */

/**
 * DOC: tsc_deadline source
 *
 * In TSC-deadline mode the local timer fires when the TSC reaches the value of
 * IA32_TSC_DEADLINE, and the MSR reads 0 from then on. So the hardware itself
 * tells when the event will be, to the cycle and in the clock of the stamps, and
 * afterwards whether it was: read the MSR before the CPU goes idle and after it
 * has come back.
 *
 * The timer is armed through a pinned high resolution timer. The clock event
 * device stays the kernel's, and nothing depends on the way in which the kernel
 * writes the MSR. What makes the sample is the interrupt of the hardware, be the high
 * resolution timer due by then or not.
 *
 * It is safe because the MSR is only read, and right because interrupts are
 * disabled from the first reading until the CPU idles: nothing can program the
 * timer in between. It relies on the TSC being constant and not stopping in any
 * idle state.
 *
 * tintr is taken at the entry of the local timer's interrupt (the tracepoint
 * local_timer_entry), before any timer is handled.
 *
 * The source passive does without an event of its own: each idle period that
 * the local timer ends, whatever it was armed for, makes a sample. It causes no
 * interrupts, and can be limited to one sample per passive_interval_us.
 */

#include <linux/cpufeature.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/tracepoint.h>
#include <linux/wakelat.h>
#include <linux/wakelat_source.h>

#include <asm/trace/irq_vectors.h>

#include "wakelat.h"

static DEFINE_PER_CPU(struct hrtimer, deadline_timer);

/* TSC at the entry of the last interrupt of the local timer. */
static DEFINE_PER_CPU(u64, timer_entry_cyc);

static const char *deadline_probe(const struct cpumask *cpus)
{
	const char *problem;
	unsigned int cpu;

	if (!boot_cpu_has(X86_FEATURE_TSC_DEADLINE_TIMER))
		return "the CPU has no TSC-deadline timer";
	for_each_cpu(cpu, cpus) {
		problem = wakelat_timer_deadline_problem(cpu);
		if (problem)
			return problem;
	}

	return NULL;
}

static const char *deadline_timer_probe(const struct cpumask *cpus)
{
	if (hrtimer_resolution > 1)
		return "high resolution timers are not active";

	return deadline_probe(cpus);
}

static void stamp_timer_entry(void *unused, int vector)
{
	u64 tintr_cyc = wakelat_clock();

	this_cpu_write(timer_entry_cyc, tintr_cyc);
	wakelat_timer_event(tintr_cyc);
}

static int deadline_start(const struct cpumask *cpus, const char **problem)
{
	return register_trace_local_timer_entry(stamp_timer_entry, NULL);
}

static void deadline_stop(void)
{
	unregister_trace_local_timer_entry(stamp_timer_entry, NULL);
}

/* The local timer was not programmed for it, or the CPU was not idle. */
static enum hrtimer_restart deadline_timer_fn(struct hrtimer *timer)
{
	wakelat_event(this_cpu_read(timer_entry_cyc));

	return HRTIMER_NORESTART;
}

static int deadline_arm(u64 ldist, u64 *ltime)
{
	ktime_t expires = ktime_add_ns(ktime_get(), ldist);

	hrtimer_start(this_cpu_ptr(&deadline_timer), expires, HRTIMER_MODE_ABS_PINNED_HARD);
	*ltime = ktime_to_ns(expires);

	return ktime_before(ktime_get(), expires) ? 0 : -ETIME;
}

static void deadline_cancel(unsigned int cpu)
{
	hrtimer_cancel(&per_cpu(deadline_timer, cpu));
}

static struct wakelat_source deadline_source = {
	.name		= "tsc_deadline",
	.arrives	= WAKELAT_BY_TIMER,
	.early		= true,
	.ldist_min_ns	= WAKELAT_TIMER_FLOOR_NS,
	.ldist_max_ns	= WAKELAT_LDIST_CEILING_NS,
	.probe		= deadline_timer_probe,
	.start		= deadline_start,
	.stop		= deadline_stop,
	.arm		= deadline_arm,
	.cancel		= deadline_cancel,
};

static void sample_timer_entry(void *unused, int vector)
{
	u64 tintr_cyc = wakelat_clock();

	wakelat_event(tintr_cyc);
}

static int passive_start(const struct cpumask *cpus, const char **problem)
{
	return register_trace_local_timer_entry(sample_timer_entry, NULL);
}

static void passive_stop(void)
{
	unregister_trace_local_timer_entry(sample_timer_entry, NULL);
}

static struct wakelat_source passive_source = {
	.name		= "passive",
	.arrives	= WAKELAT_BY_TIMER,
	.early		= true,
	.ldist_max_ns	= WAKELAT_LDIST_CEILING_NS,
	.probe		= deadline_probe,
	.start		= passive_start,
	.stop		= passive_stop,
};

static int __init deadline_init(void)
{
	unsigned int cpu;
	int err;

	for_each_possible_cpu(cpu) {
		struct hrtimer *timer = &per_cpu(deadline_timer, cpu);

		hrtimer_setup(timer, deadline_timer_fn, CLOCK_MONOTONIC,
			      HRTIMER_MODE_ABS_PINNED_HARD);
	}

	err = wakelat_source_register(&deadline_source);

	return err ?: wakelat_source_register(&passive_source);
}
device_initcall(deadline_init);
