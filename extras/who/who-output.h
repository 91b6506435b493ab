/* SPDX-License-Identifier: GPL-2.0 */
/* Write the counts of `wakelat who` as files: who.tsv, worst.tsv, OpenMetrics. */
#ifndef WAKELAT_WHO_OUTPUT_H
#define WAKELAT_WHO_OUTPUT_H

#include <stdbool.h>

#include "who.h"

/* By enum who_by. */
extern const char *const who_by_names[];

struct who_view {
	enum who_by by;
	const struct who_group *groups;
	const struct who_cell *cells;
	const struct who_worst *worsts;	/* by group; event 0: no longest wait */
	bool has_steal;
	double elapsed_s;
	__u64 lost;		/* wake-ups that were not counted */
	__u64 dropped;		/* groups that were added to (others) */
};

/* Find the names of new cgroups. Call this often: a cgroup that is removed before has no name. */
void who_name_groups(const struct who_view *view);

/* Write a row for each group and class that has wake-ups. */
void who_write(const struct who_view *view, const char *file);

/* Write a row for the longest wait of each group. */
void who_write_worst(const struct who_view *view, const char *file);

void who_export(const struct who_view *view, const char *file);

/*
 * Draw on terminal FD the groups that waited the most time in total for sleeping CPUs. Overwrite
 * the previous view.
 */
void who_draw(const struct who_view *view, const char *head, int fd);

#endif
