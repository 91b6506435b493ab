/* SPDX-License-Identifier: GPL-2.0 */
/* The expiry times of armed timers, found by the timers' addresses. */
#ifndef WAKELAT_HRTIMERS_H
#define WAKELAT_HRTIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hrtimer {
	uint64_t address;
	uint64_t armed;		/* time stamp of hrtimer_start */
	int64_t expires;	/* in the timer's own clock */
	bool active;
};

struct hrtimers {
	struct hrtimer *slots;
	size_t room;		/* a power of two, or 0 */
	size_t used;
};

void hrtimers_arm(struct hrtimers *timers, uint64_t address, uint64_t armed, int64_t expires);

/*
 * Remove the timer at ADDRESS and copy it to TIMER. Return false if no such timer is known to be
 * armed.
 */
bool hrtimers_take(struct hrtimers *timers, uint64_t address, struct hrtimer *timer);

/* Forget all timers, because events were lost. */
void hrtimers_forget(struct hrtimers *timers);

void hrtimers_free(struct hrtimers *timers);

#endif
