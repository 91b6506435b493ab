/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reasons to distrust a sample: the kernel's bits and names. scripts/lib/common/taints.tsv says what they mean, and has
 * two more taints, which have no bit. tests/host/facts.t compares both with the kernel.
 */
#ifndef WAKELAT_TAINT_H
#define WAKELAT_TAINT_H

#include <stddef.h>

#define TAINT_FOREIGN_IRQ	(1U << 0)
#define TAINT_FOREIGN_TIMER	(1U << 1)
#define TAINT_RESCHED		(1U << 2)
#define TAINT_NMI		(1U << 3)
#define TAINT_SMI		(1U << 4)
#define TAINT_SPURIOUS		(1U << 5)
#define TAINT_BROADCAST		(1U << 6)
#define TAINT_EARLY		(1U << 7)
#define TAINT_UNCERTAIN		(1U << 8)
#define TAINT_OTHER_STATE	(1U << 9)
#define TAINT_NO_SLEEP		(1U << 10)

#define TAINT_NAMES \
	{ TAINT_FOREIGN_IRQ, "foreign_irq" }, \
	{ TAINT_FOREIGN_TIMER, "foreign_timer" }, \
	{ TAINT_RESCHED, "resched" }, \
	{ TAINT_NMI, "nmi" }, \
	{ TAINT_SMI, "smi" }, \
	{ TAINT_SPURIOUS, "spurious" }, \
	{ TAINT_BROADCAST, "broadcast" }, \
	{ TAINT_EARLY, "early" }, \
	{ TAINT_UNCERTAIN, "uncertain" }, \
	{ TAINT_OTHER_STATE, "other_state" }, \
	{ TAINT_NO_SLEEP, "no_sleep" }

/* Write the names of TAINT, joined by commas, or "-". Return the end; write no NUL. */
char *put_taint(char *p, unsigned int taint);

/* Return the name of the taint with the I-th bit; NULL if there are not so many. */
const char *taint_name(size_t i);

/* Return how a verdict counts wake-ups with the taint NAME: "measured", "unknown" or "other" (column machine of taints.tsv). */
const char *taint_class(const char *name);

/* Return the name of the I-th taint of a class, from 0; NULL if there are not so many. */
const char *taint_of_class(size_t i, const char *class);

#endif
