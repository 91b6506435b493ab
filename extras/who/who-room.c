// SPDX-License-Identifier: GPL-2.0
/*
 * The BPF program uses a group's number without a lock. So a group leaves in three steps: its key is removed, the threads
 * forget its number (*generation), and its counts are added to (others). Between two steps, every BPF program that was
 * running ends.
 */
#include <linux/membarrier.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "measuring.h"
#include "who-room.h"

/* Fewer free rows than this: make room. */
#define LOW_FREE 512

static __u32 leaving[WHO_MAX_GROUPS];
static unsigned int nr_leaving;
static const struct who_group *sorted_groups;

static unsigned int nr_free(const struct who_free *free)
{
	return free->given - __atomic_load_n(&free->taken, __ATOMIC_ACQUIRE);
}

static void give(struct who_free *free, __u32 nr)
{
	free->nr[free->given % WHO_MAX_FREE] = nr;
	__atomic_store_n(&free->given, free->given + 1, __ATOMIC_RELEASE);
}

void who_room_begin(struct who_room *room)
{
	__u32 cell = 1;

	for (unsigned int class = 0; class < WHO_NR_CLASSES; class++)
		room->groups[WHO_OTHERS].cell[class] = cell++;
	while (cell <= WHO_MAX_CELLS)
		give(room->free_cells, cell++);
	for (__u32 group = WHO_OTHERS + 1; group < WHO_MAX_GROUPS; group++)
		give(room->free_groups, group);
}

/* Wait until every BPF program that runs now has ended. */
static void wait_for_programs(void)
{
	/* The kernel waits for RCU; with nohz_full= it refuses this. */
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		sleep_ns(LOOK_NS);
}

static void add_cell(struct who_cell *to, const struct who_cell *from)
{
	__sync_fetch_and_add(&to->run_sum, from->run_sum);
	__sync_fetch_and_add(&to->stolen_sum, from->stolen_sum);
	__sync_fetch_and_add(&to->stolen_more, from->stolen_more);
	__sync_fetch_and_add(&to->timers, from->timers);
	__sync_fetch_and_add(&to->hist.sum, from->hist.sum);
	for (unsigned int i = 0; i <= PROBE_BUCKETS; i++)
		if (from->hist.bucket[i])
			__sync_fetch_and_add(&to->hist.bucket[i], from->hist.bucket[i]);
	if (from->hist.max > to->hist.max)
		to->hist.max = from->hist.max;
}

static void take_back(struct who_room *room, __u32 nr)
{
	struct who_group *group = &room->groups[nr], *others = &room->groups[WHO_OTHERS];
	struct who_worst *worst = &room->worsts[nr], *worst_other = &room->worsts[WHO_OTHERS];

	for (unsigned int class = 0; class < WHO_NR_CLASSES; class++) {
		struct who_cell *cell = &room->cells[group->cell[class]];

		if (!group->cell[class])
			continue;
		add_cell(&room->cells[others->cell[class]], cell);
		memset(cell, 0, sizeof(*cell));
		give(room->free_cells, group->cell[class]);
	}
	if (group->worst > others->worst)
		others->worst = group->worst;
	if (worst->event && (!worst_other->event || worst->exit - worst->event > worst_other->exit - worst_other->event)) {
		*worst_other = *worst;
		worst_other->group = WHO_OTHERS;
	}
	memset(worst, 0, sizeof(*worst));
	memset(group, 0, sizeof(*group));
	give(room->free_groups, nr);
	room->dropped++;
}

static int by_last(const void *a, const void *b)
{
	__u64 x = sorted_groups[*(const __u32 *)a].last, y = sorted_groups[*(const __u32 *)b].last;

	return x < y ? -1 : x > y;
}

/* Set leaving[] to the groups that have been inactive for the longest time, as many as are needed. */
static void choose(const struct who_room *room, __u64 now)
{
	static __u32 order[WHO_MAX_GROUPS];
	unsigned int groups = nr_free(room->free_groups), cells = nr_free(room->free_cells), nr = 0;

	for (__u32 i = WHO_OTHERS + 1; i < WHO_MAX_GROUPS; i++) {
		__u64 last = room->groups[i].last;

		if (last && last + LOOK_NS <= now)
			order[nr++] = i;
	}
	sorted_groups = room->groups;
	qsort(order, nr, sizeof(*order), by_last);
	for (unsigned int i = 0; i < nr && (groups < 2 * LOW_FREE || cells < 2 * LOW_FREE); i++) {
		leaving[nr_leaving++] = order[i];
		groups++;
		for (unsigned int class = 0; class < WHO_NR_CLASSES; class++)
			cells += room->groups[order[i]].cell[class] != 0;
	}
}

void who_room_keep(struct who_room *room, __u64 now)
{
	if (nr_leaving) {
		wait_for_programs();
		room->drain();
		while (nr_leaving)
			take_back(room, leaving[--nr_leaving]);
	}
	if (nr_free(room->free_groups) >= LOW_FREE && nr_free(room->free_cells) >= LOW_FREE)
		return;
	choose(room, now);
	for (unsigned int i = 0; i < nr_leaving; i++)
		room->unlink(&room->groups[leaving[i]], leaving[i]);
	if (nr_leaving) {
		wait_for_programs();
		__sync_fetch_and_add(room->generation, 1);
	}
}
