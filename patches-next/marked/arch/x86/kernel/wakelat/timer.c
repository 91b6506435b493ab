// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement on x86: when the local timer is going to fire.
 */

/**
 * DOC: local timer
 *
 * When the local timer is going to fire is not when the kernel wants it to: the
 * kernel converts a difference of CLOCK_MONOTONIC to the timer's unit with a constant,
 * while the rate of the clock is steered, and rounds. So it is read back from what was
 * programmed, with interrupts disabled, before each idle period:
 *
 * * In TSC-deadline mode the local APIC has it in TSC cycles (IA32_TSC_DEADLINE).
 * * Elsewhere the local APIC counts down. The counter is read, each time between two
 *   readings of the TSC, until it counts: the timer fires as many counts later as are
 *   left then. This keeps the CPU from going idle for one count, less than a
 *   microsecond. If it counts faster than it can be read, the last reading is taken
 *   and the middle of its count. The rate of the counter against the TSC is determined
 *   when a run starts: the counter is watched while it counts down by one, and then
 *   once more, as much later as the idle CPU can be kept from going to sleep without
 *   delaying anything, for it stops as soon as an interrupt is pending. The
 *   calibration at boot is not used.
 *
 * How far off the launch time may be, in the second case, is reported with each sample
 * (uncertainty): half the time that it took to see the counter count, or to read it and
 * half a count, and what the rate may be off in the time that is left.
 *
 * A timer of any other kind (HPET, PIT, those of hypervisors) is refused. An idle
 * state that stops the timer has the CPU woken by another CPU, which got an interrupt
 * for it: when that was is not known here, and the sample has the taint broadcast.
 */

#include <linux/cleanup.h>
#include <linux/clockchips.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/tick.h>
#include <linux/wakelat_arith.h>
#include <linux/wakelat_source.h>

#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "wakelat.h"

/* So many times is the counter seen to count, for the narrowest bracket of them. */
#define EDGES			8
#define EDGE_READS		2000
/* Between two looks whether it is time to go on: a microsecond or less. */
#define LOOK_LOOPS		1000
/* So many times at most is it read before an idle period. */
#define COUNT_READS		200
/* Time between the two observations: enough, and at most. */
#define OBSERVED_MS		20
#define OBSERVED_MAX_MS		100

enum wakelat_timer_kind {
	WAKELAT_TIMER_NONE,	/* another CPU's wakes it */
	WAKELAT_TIMER_OTHER,	/* cannot be read back */
	WAKELAT_TIMER_DEADLINE,
	WAKELAT_TIMER_COUNTDOWN,
};

/**
 * struct wakelat_timer - the local timer of a measured CPU
 * @kind: how it can be read back
 * @observing: its rate is being determined
 * @span_cyc: TSC cycles in which it was seen to count @span_counts
 * @span_counts: 0 if it has not been seen
 * @error_cyc: how far @span_cyc may be off
 */
struct wakelat_timer {
	enum wakelat_timer_kind kind;
	bool observing;
	u64 span_cyc;
	u64 span_counts;
	u64 error_cyc;
};

static DEFINE_PER_CPU(struct wakelat_timer, local_timer);

static enum wakelat_timer_kind kind_of(const struct clock_event_device *dev)
{
	if (!dev || (dev->features & CLOCK_EVT_FEAT_DUMMY))
		return WAKELAT_TIMER_NONE;
	if (!strcmp(dev->name, "lapic-deadline"))
		return WAKELAT_TIMER_DEADLINE;
	if (!strcmp(dev->name, "lapic"))
		return WAKELAT_TIMER_COUNTDOWN;

	return WAKELAT_TIMER_OTHER;
}

const char *wakelat_arch_timer_problem(unsigned int cpu)
{
	switch (kind_of(tick_cpu_clockevent(cpu))) {
	case WAKELAT_TIMER_DEADLINE:
	case WAKELAT_TIMER_COUNTDOWN:
		return NULL;
	case WAKELAT_TIMER_NONE:
		return "the CPU has no timer of its own";
	default:
		return "the CPU is not woken by its local APIC's timer";
	}
}

/*@+DEADLINE*/
/**
 * wakelat_timer_deadline_problem - why the timer of a CPU is not one with a deadline
 * @cpu: the CPU, online
 *
 * Context: process; CPU hotplug excluded.
 * Return: the reason, or NULL if it is one.
 */
const char *wakelat_timer_deadline_problem(unsigned int cpu)
{
	if (kind_of(tick_cpu_clockevent(cpu)) == WAKELAT_TIMER_COUNTDOWN)
		return "the local timer is not in TSC-deadline mode";

	return NULL;
}

/*@-*/
/**
 * wakelat_timer_watch - get to know the local timer of this CPU
 *
 * Context: on the CPU meant, interrupts disabled.
 */
void wakelat_timer_watch(void)
{
	struct wakelat_timer *timer = this_cpu_ptr(&local_timer);

	timer->kind = kind_of(tick_cpu_clockevent(smp_processor_id()));
	timer->observing = timer->kind == WAKELAT_TIMER_COUNTDOWN;
	timer->span_counts = 0;
}

bool wakelat_arch_timer_observed(unsigned int cpu, bool enough)
{
	struct wakelat_timer *timer = &per_cpu(local_timer, cpu);

	if (enough)
		WRITE_ONCE(timer->observing, false);

	return !READ_ONCE(timer->observing) &&
	       (timer->kind != WAKELAT_TIMER_COUNTDOWN || timer->span_counts);
}

/**
 * struct edge - the counter went down by one
 * @cyc: when, TSC
 * @width_cyc: width of the bracket around it
 * @count: to what
 */
struct edge {
	u64 cyc;
	u64 width_cyc;
	u32 count;
};

/*
 * Of some edges the one that is known best: no SMI and no NMI was in its bracket. If
 * there is none, @best is the last reading, with a bracket around it.
 */
static bool find_edge(struct edge *best, unsigned int edges, unsigned int reads)
{
	u64 from = rdtsc_ordered(), next, to;
	u32 count, last = apic_read(APIC_TMCCT);

	to = rdtsc_ordered();
	best->width_cyc = U64_MAX;
	while (edges && reads--) {
		next = rdtsc_ordered();
		count = apic_read(APIC_TMCCT);
		to = rdtsc_ordered();
		if (last - count == 1) {
			edges--;
			if (to - from < best->width_cyc) {
				best->cyc = from + (to - from) / 2;
				best->width_cyc = to - from;
				best->count = count;
			}
		}
		last = count;
		from = next;
	}
	if (best->width_cyc != U64_MAX)
		return true;

	best->cyc = from + (to - from) / 2;
	best->width_cyc = to - from;
	best->count = last;

	return false;
}

/*
 * Watches the counter instead of going idle, until half of the time is over or there
 * is something to do.
 */
static void observe(struct wakelat_timer *timer)
{
	u64 span_cyc, error_cyc;
	struct edge first, last;
	unsigned int i;

	if (!find_edge(&first, EDGES, EDGE_READS))
		return;
	while (apic_read(APIC_TMCCT) > first.count / 2 &&
	       rdtsc_ordered() - first.cyc < (u64)tsc_khz * OBSERVED_MAX_MS &&
	       !need_resched() && !wakelat_arch_pending())
		for (i = 0; i < LOOK_LOOPS; i++)
			barrier();
	if (!find_edge(&last, EDGES, EDGE_READS) || last.count >= first.count)
		return;

	span_cyc = last.cyc - first.cyc;
	error_cyc = first.width_cyc / 2 + last.width_cyc / 2 + 1;
	if (timer->span_counts && wakelat_mul_div(error_cyc, NSEC_PER_SEC, span_cyc) >=
				  wakelat_mul_div(timer->error_cyc, NSEC_PER_SEC, timer->span_cyc))
		return;
	timer->span_cyc = span_cyc;
	timer->error_cyc = error_cyc;
	timer->span_counts = first.count - last.count;
	if (span_cyc > (u64)tsc_khz * OBSERVED_MS)
		timer->observing = false;
}

static noinline void read_countdown(struct wakelat_timer *timer, struct wakelat_launch *launch)
{
	u64 halves, left_cyc, error_cyc;
	struct edge edge;

	if (READ_ONCE(timer->observing))
		observe(timer);
	if (!timer->span_counts)
		return;

	if (find_edge(&edge, 1, COUNT_READS)) {
		halves = 2 * (u64)edge.count;
		error_cyc = 0;
	} else if (edge.count) {
		halves = 2 * (u64)edge.count - 1;
		error_cyc = wakelat_mul_div(1, timer->span_cyc, 2 * timer->span_counts);
	} else {
		return;
	}

	left_cyc = wakelat_mul_div(halves, timer->span_cyc, 2 * timer->span_counts);
	launch->cyc = edge.cyc + left_cyc;
	launch->uncertainty_cyc = error_cyc + edge.width_cyc / 2 +
				  wakelat_mul_div(left_cyc, timer->error_cyc, timer->span_cyc) + 3;
}

void wakelat_arch_timer_launch(struct clock_event_device *dev, struct wakelat_launch *launch)
{
	struct wakelat_timer *timer = this_cpu_ptr(&local_timer);
	u64 deadline;

	if (timer->kind == WAKELAT_TIMER_DEADLINE) {
		rdmsrq(MSR_IA32_TSC_DEADLINE, deadline);
		if (deadline)
			launch->cyc = deadline;
	} else if (timer->kind == WAKELAT_TIMER_COUNTDOWN) {
		read_countdown(timer, launch);
	}
}

/*
 * A deadline reads 0 once the timer has fired (Intel SDM vol. 3, "TSC-Deadline
 * Mode"), and so does a count.
 */
bool wakelat_arch_timer_armed(void)
{
	u64 deadline = 0;

	switch (this_cpu_read(local_timer.kind)) {
	case WAKELAT_TIMER_DEADLINE:
		rdmsrq(MSR_IA32_TSC_DEADLINE, deadline);
		return deadline;
	case WAKELAT_TIMER_COUNTDOWN:
		return apic_read(APIC_TMCCT);
	default:
		return false;
	}
}

/**
 * wakelat_timer_show - print what is known about a CPU's timer
 * @m: where to
 * @cpu: a CPU of the current or the last run
 *
 * Context: process; CPU hotplug excluded.
 */
void wakelat_timer_show(struct seq_file *m, unsigned int cpu)
{
	const struct clock_event_device *dev = tick_cpu_clockevent(cpu);
	const struct wakelat_timer *timer = &per_cpu(local_timer, cpu);

	seq_printf(m, "cpu%u.timer %s\n", cpu, dev ? dev->name : "-");
	if (timer->kind != WAKELAT_TIMER_COUNTDOWN || !timer->span_counts)
		return;
	seq_printf(m, "cpu%u.timer_hz %llu\n", cpu,
		   wakelat_mul_div(timer->span_counts, tsc_khz * 1000ULL, timer->span_cyc));
	seq_printf(m, "cpu%u.timer_error_ppb %llu\n", cpu,
		   wakelat_mul_div(timer->error_cyc, NSEC_PER_SEC, timer->span_cyc));
	seq_printf(m, "cpu%u.timer_span_ns %llu\n", cpu,
		   wakelat_cyc_to_ns(timer->span_cyc, tsc_khz));
}
