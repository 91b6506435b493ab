/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keep room for new groups in the tables of who's BPF program. When few rows are free, the groups that have had no
 * wake-up for the longest time are added to (others), and their rows are free again.
 */
#ifndef WAKELAT_WHO_ROOM_H
#define WAKELAT_WHO_ROOM_H

#include "who.h"

/* The tables of the BPF program, and what user space keeps of them. */
struct who_room {
	struct who_group *groups;
	struct who_cell *cells;
	struct who_worst *worsts;
	struct who_free *free_groups, *free_cells;
	__u32 *generation;
	void (*unlink)(const struct who_group *group, __u32 nr);	/* remove GROUP's key, if its number is NR */
	void (*drain)(void);		/* read the longest waits that the BPF program has sent */
	__u64 dropped;			/* how many groups were added to (others) */
};

/* Give all rows to the BPF program, before it runs. */
void who_room_begin(struct who_room *room);

/* Call this regularly. NOW: CLOCK_MONOTONIC, ns. */
void who_room_keep(struct who_room *room, __u64 now);

#endif
