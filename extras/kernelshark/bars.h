/* SPDX-License-Identifier: GPL-2.0 */
/* The bars that KernelShark draws for the samples of a recording, for each CPU in the order of time. A bar begins at tbi. */
#ifndef WAKELAT_PLUGIN_BARS_H
#define WAKELAT_PLUGIN_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "states.h"

struct kshark_entry;

/*
 * A sample's stamps are TSC times, but KernelShark's times are those of the recording's clock. So a bar ends at the
 * time of the event, which the handler emits directly after tintr. Distances within the bar are those of the stamps.
 */
struct bar {
	int64_t event;			/* recorded time stamp of ENTRY's event */
	struct kshark_entry *entry;	/* NULL: not loaded yet */
	int64_t tbi, ltime, tai, tintr;	/* without launch time LTIME is TINTR, without wake latency TAI is LTIME */
	int64_t latency;		/* wake_latency, or else intr_latency; -1: neither is known */
	uint32_t state;
	uint32_t taint;
};

/*
 * If BLOCK bars share a pixel, only the two that this struct names are used. It has indexes instead of pointers, because
 * the list of bars moves when it grows.
 */
#define BLOCK 64
struct block {
	int64_t first, last;	/* time */
	size_t longest;		/* the bar with the longest latency */
	size_t excess;		/* the bar that exceeds its state's advertised exit latency the most */
};

struct cpu_bars {
	struct bar *list;
	struct block *blocks;	/* of BLOCK bars each; the last may have fewer */
	size_t nr, room;
	size_t at;	/* index of the next bar that gets its entry */
};

struct bars {
	struct bars *next;
	int stream;
	struct states states;
	struct cpu_bars *cpus;
	int nr_cpus;
	void *reader;	/* private data of kshark.c */
};

extern struct bars *all_bars;

struct bars *bars_of(int stream);

/* Add a bar. Return false if there is no memory. */
bool bars_add(struct bars *bars, int cpu, const struct bar *bar);

/* Return the bar on CPU whose entry has the time stamp EVENT, or NULL. */
const struct bar *bars_find(const struct bars *bars, int cpu, int64_t event);

/* Return the difference of the times of CPU's entries and the recorded times, in ns. KernelShark can shift a recording. */
int64_t bars_shift(const struct bars *bars, int cpu);

/* Return the longest untainted bar of all streams, or the longest tainted one if there is no other, or NULL. */
const struct bar *bars_longest(void);

/* Return by how much the bar exceeds its state's advertised exit latency, or INT64_MIN if this is not known. */
int64_t bars_excess(const struct bars *bars, const struct bar *bar);

static inline int64_t bar_last(const struct bar *bar)
{
	return bar->tintr > bar->tai ? bar->tintr : bar->tai;
}

#endif
