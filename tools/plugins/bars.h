/* SPDX-License-Identifier: GPL-2.0 */
/* What KernelShark draws of a recording: each sample from tbi to tintr, by CPU, in order of time. */
#ifndef WAKELAT_PLUGIN_BARS_H
#define WAKELAT_PLUGIN_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "states.h"

struct kshark_entry;

/*
 * Stamps of samples are of the TSC, and KernelShark's times of the clock that was recorded with: a bar ends where the
 * event is, which the handler writes right after tintr, and the distances in it are those of the stamps.
 */
struct bar {
	int64_t event;			/* time stamp of what ENTRY is, as recorded */
	struct kshark_entry *entry;	/* NULL: not loaded yet */
	int64_t tbi, ltime, tai, tintr;	/* without launch time LTIME is TINTR, without wake latency TAI is LTIME */
	int64_t latency;		/* wake_latency, or else intr_latency; -1: neither is known */
	uint32_t state;
	uint32_t taint;
};

/* Of so many bars that share a pixel only these count. Indices, for the list moves while it grows. */
#define BLOCK 64
struct block {
	int64_t first, last;	/* time */
	size_t longest;		/* the longest latency */
	size_t excess;		/* that which is the most above its state's advertised exit latency */
};

struct cpu_bars {
	struct bar *list;
	struct block *blocks;	/* of BLOCK bars each, but for the last */
	size_t nr, room;
	size_t at;	/* of the next that gets its entry */
};

struct bars {
	struct bars *next;
	int stream;
	struct states states;
	struct cpu_bars *cpus;
	int nr_cpus;
	void *reader;	/* what kshark.c needs */
};

extern struct bars *all_bars;

struct bars *bars_of(int stream);

/* False: no memory. */
bool bars_add(struct bars *bars, int cpu, const struct bar *bar);

/* The one on CPU whose entry has the time stamp EVENT. NULL: there is none. */
const struct bar *bars_find(const struct bars *bars, int cpu, int64_t event);

/* By how much the times of CPU's entries are later than they were recorded: KernelShark can move a recording. */
int64_t bars_shift(const struct bars *bars, int cpu);

/* The longest of all streams; if none is without a taint, of those with one. NULL: there is none. */
const struct bar *bars_longest(void);

/* By how much it has taken longer than its state's advertised exit latency; INT64_MIN: not known. */
int64_t bars_excess(const struct bars *bars, const struct bar *bar);

static inline int64_t bar_last(const struct bar *bar)
{
	return bar->tintr > bar->tai ? bar->tintr : bar->tai;
}

#endif
