// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "hrtimers.h"
#include "message.h"

/* Return the slot of ADDRESS, or the free slot where it belongs. There is always a free slot. */
static struct hrtimer *slot_of(const struct hrtimers *timers, uint64_t address)
{
	/* Knuth's multiplicative hash, because addresses share their low bits and many high bits. */
	size_t at = (address * 11400714819323198485ULL) >> 32;

	for (;; at++) {
		struct hrtimer *slot = &timers->slots[at & (timers->room - 1)];

		if (!slot->address || slot->address == address)
			return slot;
	}
}

static void grow(struct hrtimers *timers)
{
	struct hrtimers old = *timers;

	timers->room = old.room ? 2 * old.room : 256;
	timers->slots = xrealloc(NULL, timers->room, sizeof(*timers->slots));
	memset(timers->slots, 0, timers->room * sizeof(*timers->slots));
	timers->used = 0;
	/* Copy only armed timers. Timers on stacks leave slots that nobody uses again. */
	for (size_t i = 0; i < old.room; i++) {
		if (!old.slots[i].active)
			continue;
		*slot_of(timers, old.slots[i].address) = old.slots[i];
		timers->used++;
	}
	free(old.slots);
}

void hrtimers_arm(struct hrtimers *timers, uint64_t address, uint64_t armed, int64_t expires)
{
	struct hrtimer *slot;

	if (!address)
		return;
	if (timers->used * 2 >= timers->room)
		grow(timers);
	slot = slot_of(timers, address);
	timers->used += !slot->address;
	*slot = (struct hrtimer) {
		.address = address, .armed = armed, .expires = expires, .active = true,
	};
}

bool hrtimers_take(struct hrtimers *timers, uint64_t address, struct hrtimer *timer)
{
	struct hrtimer *slot;

	if (!timers->room || !address)
		return false;
	slot = slot_of(timers, address);
	if (!slot->active)
		return false;
	*timer = *slot;
	slot->active = false;
	return true;
}

void hrtimers_forget(struct hrtimers *timers)
{
	if (timers->room)
		memset(timers->slots, 0, timers->room * sizeof(*timers->slots));
	timers->used = 0;
}

void hrtimers_free(struct hrtimers *timers)
{
	free(timers->slots);
	*timers = (struct hrtimers) { 0 };
}
