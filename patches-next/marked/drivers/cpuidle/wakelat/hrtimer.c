// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement: high resolution timer as the event source.
 */

/**
 * DOC: hrtimer source
 *
 * A pinned high resolution timer, on any CPU that has a timer of its own. Where the
 * architecture can read back when that timer is going to fire, the launch time is what
 * it was told. Elsewhere it is the expiry of the high resolution timer, by the clock
 * of the stamps (unknown: launch).
 *
 * If the clock runs slow, steered by NTP, the timer fires before the high resolution
 * timer is due, and the kernel arms it again. The short sleep that follows
 * is a sample with the taint early.
 *
 * The idle governor knows of the timer and chooses the state accordingly. So may
 * the hardware: some processors begin to wake up before a timer is due, and what
 * is measured then is not the latency of an interrupt that nobody foresaw.
 */

#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/wakelat.h>
#include <linux/wakelat_source.h>

static DEFINE_PER_CPU(struct hrtimer, wakelat_timer);

static enum hrtimer_restart wakelat_timer_fn(struct hrtimer *timer)
{
	u64 tintr_cyc = wakelat_clock();

	wakelat_event(tintr_cyc);

	/* If there is a next event, ->arm() has started the timer already. */
	return HRTIMER_NORESTART;
}

static const char *wakelat_timer_probe(const struct cpumask *cpus)
{
	if (hrtimer_resolution > 1)
		return "high resolution timers are not active";

	return NULL;
}

static int wakelat_timer_arm(u64 ldist, u64 *ltime)
{
	ktime_t expires = ktime_add_ns(ktime_get(), ldist);

	hrtimer_start(this_cpu_ptr(&wakelat_timer), expires, HRTIMER_MODE_ABS_PINNED_HARD);
	*ltime = ktime_to_ns(expires);

	return ktime_before(ktime_get(), expires) ? 0 : -ETIME;
}

static void wakelat_timer_cancel(unsigned int cpu)
{
	hrtimer_cancel(&per_cpu(wakelat_timer, cpu));
}

static struct wakelat_source wakelat_timer_source = {
	.name		= "hrtimer",
	.arrives	= WAKELAT_BY_TIMER,
	.ldist_min_ns	= WAKELAT_TIMER_FLOOR_NS,
	.ldist_max_ns	= WAKELAT_LDIST_CEILING_NS,
	.owner		= THIS_MODULE,
	.probe		= wakelat_timer_probe,
	.arm		= wakelat_timer_arm,
	.cancel		= wakelat_timer_cancel,
};

static int __init wakelat_timer_init(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct hrtimer *timer = &per_cpu(wakelat_timer, cpu);

		hrtimer_setup(timer, wakelat_timer_fn, CLOCK_MONOTONIC,
			      HRTIMER_MODE_ABS_PINNED_HARD);
	}

	return wakelat_source_register(&wakelat_timer_source);
}
module_init(wakelat_timer_init);

static void __exit wakelat_timer_exit(void)
{
	wakelat_source_unregister(&wakelat_timer_source);
}
module_exit(wakelat_timer_exit);

MODULE_DESCRIPTION("CPU wake-up latency measurement: high resolution timer source");
MODULE_LICENSE("GPL");
