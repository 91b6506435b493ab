// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "figures.h"
#include "message.h"

static void grow(struct numbers *numbers, size_t room)
{
	if (numbers->small)
		numbers->small = xrealloc(numbers->small, room, sizeof(*numbers->small));
	if (numbers->wide)
		numbers->wide = xrealloc(numbers->wide, room, sizeof(*numbers->wide));
}

static void make_room(struct samples *all)
{
	struct numbers *const columns[] = {
		&all->latency, &all->intr_latency, &all->silent_time, &all->ldist, &all->residency, &all->high, &all->count,
	};

	if (all->nr < all->room)
		return;
	all->room = all->room ? all->room * 2 : 16384;
	all->is = xrealloc(all->is, all->room, sizeof(*all->is));
	all->cpu = xrealloc(all->cpu, all->room, sizeof(*all->cpu));
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		grow(columns[i], all->room);
}

/* Give 64 bits to the numbers of a column. */
static void widen(const struct samples *all, struct numbers *numbers)
{
	numbers->wide = xrealloc(NULL, all->room, sizeof(*numbers->wide));
	for (size_t i = 0; i < all->nr; i++)
		numbers->wide[i] = numbers->small ? numbers->small[i] : 0;
	free(numbers->small);
	numbers->small = NULL;
}

/* Inline for speed: each sample has seven numbers. */
static inline void put(const struct samples *all, struct numbers *numbers, size_t i, int64_t value)
{
	if (numbers->small && value == (int32_t)value) {
		numbers->small[i] = value;
		return;
	}
	if (value != (int32_t)value && !numbers->wide)
		widen(all, numbers);
	if (!numbers->small && !numbers->wide) {
		if (!value)
			return;
		numbers->small = calloc(all->room, sizeof(*numbers->small));
		if (!numbers->small)
			die("out of memory");
	}
	if (numbers->wide)
		numbers->wide[i] = value;
	else
		numbers->small[i] = value;
}

void samples_set(const struct samples *all, struct numbers *numbers, size_t i, int64_t value)
{
	put(all, numbers, i, value);
}

void samples_add(struct samples *all, const struct sample *s)
{
	size_t i = all->nr;

	make_room(all);
	all->is[i] = s->is;
	all->cpu[i] = s->cpu;
	put(all, &all->latency, i, s->latency);
	put(all, &all->intr_latency, i, s->intr_latency);
	put(all, &all->silent_time, i, s->silent_time);
	put(all, &all->ldist, i, s->ldist);
	put(all, &all->residency, i, s->residency);
	put(all, &all->high, i, s->high);
	put(all, &all->count, i, s->count);
	all->nr++;
}
