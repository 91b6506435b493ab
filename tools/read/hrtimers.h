/* SPDX-License-Identifier: GPL-2.0 */
/* When each armed timer is to expire, by its address. */
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

/* False if it is not known to be armed. It is not, afterwards. */
bool hrtimers_take(struct hrtimers *timers, uint64_t address, struct hrtimer *timer);

/* Nothing is known any more: events were lost. */
void hrtimers_forget(struct hrtimers *timers);

void hrtimers_free(struct hrtimers *timers);

#endif
