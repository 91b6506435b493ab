// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include <libkshark.h>

#include "bars.h"

struct bars *all_bars;

int64_t bars_excess(const struct bars *bars, const struct bar *bar)
{
	if (bar->latency < 0 || bar->state >= MAX_STATES || bars->states.list[bar->state].latency_ns < 0)
		return INT64_MIN;
	return bar->latency - bars->states.list[bar->state].latency_ns;
}

static void add_to_block(const struct bars *bars, struct cpu_bars *of_cpu, size_t i)
{
	struct block *block = &of_cpu->blocks[i / BLOCK];
	const struct bar *list = of_cpu->list, *bar = &list[i];

	if (i % BLOCK == 0) {
		*block = (struct block) { bar->tbi, bar_last(bar), i, i };
		return;
	}
	if (bar->tbi < block->first)
		block->first = bar->tbi;
	if (bar_last(bar) > block->last)
		block->last = bar_last(bar);
	if (bar->latency > list[block->longest].latency)
		block->longest = i;
	if (bars_excess(bars, bar) > bars_excess(bars, &list[block->excess]))
		block->excess = i;
}

static bool grow(struct cpu_bars *of_cpu)
{
	size_t room = of_cpu->room ? 2 * of_cpu->room : 1024;
	struct bar *list = reallocarray(of_cpu->list, room, sizeof(*list));
	struct block *blocks;

	if (!list)
		return false;
	of_cpu->list = list;
	blocks = reallocarray(of_cpu->blocks, room / BLOCK, sizeof(*blocks));
	if (!blocks)
		return false;
	of_cpu->blocks = blocks;
	of_cpu->room = room;
	return true;
}

bool bars_add(struct bars *bars, int cpu, const struct bar *bar)
{
	struct cpu_bars *of_cpu;

	if (cpu < 0 || cpu >= bars->nr_cpus)
		return true;
	of_cpu = &bars->cpus[cpu];
	if (of_cpu->nr == of_cpu->room && !grow(of_cpu))
		return false;
	of_cpu->list[of_cpu->nr] = *bar;
	add_to_block(bars, of_cpu, of_cpu->nr++);
	return true;
}

struct bars *bars_of(int stream)
{
	struct bars *bars = all_bars;

	while (bars && bars->stream != stream)
		bars = bars->next;
	return bars;
}

const struct bar *bars_find(const struct bars *bars, int cpu, int64_t event)
{
	const struct cpu_bars *of_cpu;
	size_t low = 0, high;

	if (cpu < 0 || cpu >= bars->nr_cpus)
		return NULL;
	of_cpu = &bars->cpus[cpu];
	high = of_cpu->nr;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (of_cpu->list[middle].event < event)
			low = middle + 1;
		else
			high = middle;
	}
	return low < of_cpu->nr && of_cpu->list[low].event == event ? &of_cpu->list[low] : NULL;
}

int64_t bars_shift(const struct bars *bars, int cpu)
{
	const struct cpu_bars *of_cpu = &bars->cpus[cpu];

	for (size_t i = 0; i < of_cpu->nr; i++)
		if (of_cpu->list[i].entry)
			return of_cpu->list[i].entry->ts - of_cpu->list[i].event;
	return 0;
}

static bool is_longer(const struct bar *a, const struct bar *b)
{
	if (!b || !a->taint != !b->taint)
		return !b || b->taint;
	return a->latency > b->latency;
}

const struct bar *bars_longest(void)
{
	const struct bar *longest = NULL;

	for (struct bars *bars = all_bars; bars; bars = bars->next)
		for (int cpu = 0; cpu < bars->nr_cpus; cpu++)
			for (size_t i = 0; i < bars->cpus[cpu].nr; i++) {
				const struct bar *bar = &bars->cpus[cpu].list[i];

				if (bar->entry && bar->latency >= 0 && is_longer(bar, longest))
					longest = bar;
			}
	return longest;
}
