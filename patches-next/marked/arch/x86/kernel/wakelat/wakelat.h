/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wake-up latency measurement on x86: what its files share.
 */
#ifndef _X86_WAKELAT_H
#define _X86_WAKELAT_H

#include <linux/types.h>

struct seq_file;

/* timer.c */
void wakelat_timer_watch(void);
void wakelat_timer_show(struct seq_file *m, unsigned int cpu);
/*@+DEADLINE*/
const char *wakelat_timer_deadline_problem(unsigned int cpu);
/*@-*/
/*@+COUNTERS*/

enum wakelat_counter {
	WAKELAT_TSC,
	WAKELAT_MPERF,
	WAKELAT_APERF,
	WAKELAT_CC1,
	WAKELAT_CC3,
	WAKELAT_CC6,
	WAKELAT_CC7,
	WAKELAT_PC2,
	WAKELAT_PC3,
	WAKELAT_PC6,
	WAKELAT_PC7,
	WAKELAT_PC8,
	WAKELAT_PC9,
	WAKELAT_PC10,
	WAKELAT_NR_COUNTERS
};

/* counters.c */
void wakelat_counters_watch(void);
const u64 *wakelat_counters_diff(void);
/*@-*/

#endif /* _X86_WAKELAT_H */
