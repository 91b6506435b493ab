// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement: what the measurement itself costs on this machine.
 *
 * Each thing that is done around an idle period is done some thousands of times,
 * between two readings of the clock with interrupts disabled. The result contains one
 * such reading, which is the first thing to be timed. The procedure is that of
 * V. Govtva, "Intel Xeon Server CPU Maximum Wake Latency Measurement", Metropolia
 * UAS, 2019, section 4.5. What follows from the timings is left to who reads them.
 */

#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/wakelat.h>
#include <linux/wakelat_arch.h>
#include <linux/workqueue.h>

#include "wakelat.h"

#define TIMES			5000
#define MAX_COSTS		16

/**
 * struct wakelat_timings - how long something took, each time
 * @name: what
 * @cyc: in cycles of the clock of the stamps
 */
struct wakelat_timings {
	char name[16];
	u32 cyc[TIMES];
};

/**
 * struct wakelat_characterisation - what has been found out, together
 * @cpu: on which CPU
 * @source: its costs are timed as well, unless it is NULL
 * @nr: how many things were timed
 * @list: they
 */
struct wakelat_characterisation {
	unsigned int cpu;
	const struct wakelat_source *source;
	unsigned int nr;
	struct wakelat_timings list[MAX_COSTS];
};

/* The last one; NULL if there was none. */
static struct wakelat_characterisation *last;
static DEFINE_MUTEX(last_lock);

static DEFINE_PER_CPU(u64, sink);

static void do_nothing(void)
{
}

static void do_stamp(void)
{
	this_cpu_write(sink, wakelat_clock());
}

static void do_time_of_day(void)
{
	this_cpu_write(sink, ktime_get_real_ns());
}

static const struct wakelat_cost common_costs[] = {
	{ "clock", do_nothing },
	{ "stamp", do_stamp },
	{ "time_of_day", do_time_of_day },
	{ }
};

static u32 time_once(const struct wakelat_cost *cost)
{
	unsigned long flags;
	u64 from, to;

	local_irq_save(flags);
	from = wakelat_clock();
	cost->fn();
	to = wakelat_clock();
	local_irq_restore(flags);

	return min(to - from, U32_MAX);
}

static void time_costs(struct wakelat_characterisation *ch, const struct wakelat_cost *cost)
{
	struct wakelat_timings *timings;
	unsigned int i;

	for (; cost && cost->name && ch->nr < MAX_COSTS; cost++) {
		timings = &ch->list[ch->nr++];
		strscpy(timings->name, cost->name);
		for (i = 0; i < TIMES; i++) {
			timings->cyc[i] = time_once(cost);
			cond_resched();
		}
	}
}

static long characterise(void *data)
{
	struct wakelat_characterisation *ch = data;

	time_costs(ch, common_costs);
	time_costs(ch, wakelat_arch_costs());
	if (ch->source)
		time_costs(ch, ch->source->costs);

	return 0;
}

/**
 * wakelat_characterise - time what the measurement does
 * @cpu: the CPU to do it on
 * @source: what this source does is timed, too, unless it is NULL
 *
 * Context: process; may sleep. No run is on, and none is started or ended meanwhile.
 * Return: 0; -ENODEV if the CPU is not online; -ENOMEM.
 */
int wakelat_characterise(unsigned int cpu, const struct wakelat_source *source)
{
	struct wakelat_characterisation *ch = kvzalloc(sizeof(*ch), GFP_KERNEL);
	long err;

	if (!ch)
		return -ENOMEM;
	ch->cpu = cpu;
	ch->source = source;
	scoped_guard(cpus_read_lock)
		err = cpu_online(cpu) ? work_on_cpu(cpu, characterise, ch) : -ENODEV;
	if (!err) {
		guard(mutex)(&last_lock);
		swap(last, ch);
	}
	kvfree(ch);

	return err;
}

/**
 * wakelat_characterisation_show - print the last timings
 * @m: where to: a line for each thing, what it took each time separated by blanks
 */
void wakelat_characterisation_show(struct seq_file *m)
{
	const struct wakelat_timings *timings;
	unsigned int i, j;

	guard(mutex)(&last_lock);
	seq_puts(m, "what\tcpu\tcyc\n");
	for (i = 0; last && i < last->nr; i++) {
		timings = &last->list[i];
		seq_printf(m, "%s\t%u\t", timings->name, last->cpu);
		for (j = 0; j < TIMES; j++)
			seq_printf(m, "%u%c", timings->cyc[j], j + 1 < TIMES ? ' ' : '\n');
	}
}
