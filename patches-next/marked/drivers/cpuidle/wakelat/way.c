// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement: how long the way into an idle state is.
 *
 * An event that comes between the stamp before idle and the idle instruction finds a
 * CPU that is awake. The length of that way is learnt from the first idle periods in each
 * state: an interrupt is pending then when the CPU wants to sleep, so that it does not,
 * and is back at once. Works where the architecture can tell what is pending.
 */

#include <linux/cpuidle.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/wakelat.h>
#include <linux/wakelat_arith.h>

#include "wakelat.h"

/* So many times is a CPU kept awake to learn how long its way into a state is. */
#define WAYS			8

/* So many times is it looked whether the interrupt has arrived. */
#define ARRIVES			1000

/**
 * struct wakelat_ways - how long the way into the idle states is
 * @work: an interrupt that is pending when the CPU wants to sleep, so that it does not
 * @handled_cyc: when that was handled; 0 if it has not been
 * @kept_awake: this is such an idle period
 * @nr: how many there have been, by state
 * @shortest_cyc: shortest time from tbi until the CPU was back without having slept,
 *	by state: the way to the idle instruction is not longer
 * @doubled_cyc: twice that, once it is known
 */
struct wakelat_ways {
	struct irq_work work;
	u64 handled_cyc;
	bool kept_awake;
	u8 nr[CPUIDLE_STATE_MAX];
	u64 shortest_cyc[CPUIDLE_STATE_MAX];
	u64 doubled_cyc[CPUIDLE_STATE_MAX];
};

static void way_is_back(struct irq_work *work);

static DEFINE_PER_CPU(struct wakelat_ways, wakelat_ways) = {
	.work = IRQ_WORK_INIT_HARD(way_is_back),
};

static void way_is_back(struct irq_work *work)
{
	container_of(work, struct wakelat_ways, work)->handled_cyc = wakelat_clock();
}

/**
 * wakelat_way_watch - forget what has been learnt
 *
 * Context: on the CPU meant, interrupts disabled.
 */
void wakelat_way_watch(void)
{
	struct wakelat_ways *ways = this_cpu_ptr(&wakelat_ways);

	memset(ways->nr, 0, sizeof(ways->nr));
	memset(ways->shortest_cyc, 0, sizeof(ways->shortest_cyc));
	memset(ways->doubled_cyc, 0, sizeof(ways->doubled_cyc));
}

/*
 * Interrupts are disabled, and whether the state enables them or not: the CPU does not
 * sleep while one is pending.
 */
static noinline void keep_awake(struct wakelat_ways *ways, struct wakelat_idle *idle)
{
	unsigned int tries, index = idle->state;

	if (idle->unknown & WAKELAT_UNKNOWN_FOREIGN_IRQ)
		return;
	if (ways->nr[index] == WAYS) {
		/* Was not kept awake once? Nothing is known then but that it is short. */
		ways->doubled_cyc[index] = 2 * ways->shortest_cyc[index];
		idle->way_cyc = ways->doubled_cyc[index];
		return;
	}
	ways->nr[index]++;

	ways->handled_cyc = 0;
	ways->kept_awake = true;
	irq_work_queue(&ways->work);
	for (tries = 0; tries < ARRIVES; tries++) {
		if (wakelat_arch_pending() & WAKELAT_PENDING_OTHER)
			return;
		cpu_relax();
	}
	ways->kept_awake = false;
}

/**
 * wakelat_way_before - how long is the way into the state that this CPU enters?
 * @idle: record of the idle period that is about to begin
 *
 * It may take longer than the shortest one, but hardly twice as long.
 *
 * Context: the idle task, interrupts disabled, RCU watching.
 */
void wakelat_way_before(struct wakelat_idle *idle)
{
	struct wakelat_ways *ways = this_cpu_ptr(&wakelat_ways);

	idle->way_cyc = ways->doubled_cyc[idle->state];
	if (!idle->way_cyc)
		keep_awake(ways, idle);
}

/**
 * wakelat_way_after - the CPU is back
 * @idle: record of the idle period that is over
 *
 * Notes how long the way into the state and back was, unless something made it longer.
 *
 * Context: the idle task, interrupts disabled, RCU watching.
 * Return: true if it had been kept awake.
 */
bool wakelat_way_after(const struct wakelat_idle *idle)
{
	struct wakelat_ways *ways = this_cpu_ptr(&wakelat_ways);
	u64 *shortest_cyc = &ways->shortest_cyc[idle->state];
	u64 way_cyc;

	if (!ways->kept_awake)
		return false;
	ways->kept_awake = false;
	way_cyc = (ways->handled_cyc ?: this_cpu_read(wakelat_stamps.tai_cyc)) -
		  this_cpu_read(wakelat_stamps.tbi_cyc);
	if (!*shortest_cyc || way_cyc < *shortest_cyc)
		*shortest_cyc = way_cyc;

	return true;
}

/**
 * wakelat_way_show - print how long the ways into the idle states are
 * @m: where to
 * @cpu: a CPU of the current or the last run
 */
void wakelat_way_show(struct seq_file *m, unsigned int cpu)
{
	const struct wakelat_ways *ways = &per_cpu(wakelat_ways, cpu);
	int i;

	for (i = 0; i < CPUIDLE_STATE_MAX; i++)
		if (ways->doubled_cyc[i])
			seq_printf(m, "cpu%u.no_sleep_ns.%d %llu\n", cpu, i,
				   wakelat_cyc_to_ns(ways->doubled_cyc[i],
						     wakelat_clock_khz()));
}
