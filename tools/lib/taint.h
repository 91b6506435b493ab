/* SPDX-License-Identifier: GPL-2.0 */
/* Reasons to distrust a sample: the bits and names of scripts/lib/common/taints.tsv, which has two more taints, without a bit. */
#ifndef WAKELAT_TAINT_H
#define WAKELAT_TAINT_H

#include <stddef.h>

/* TAINT_FOREIGN_IRQ = 1, ... */
enum {
#define TAINT(bit, constant, name, class) TAINT_##constant = 1 << (bit),
#define TAINT_WITHOUT_BIT(name, class)
#include "taints.inc"
#undef TAINT
};

/* Write the names of TAINT, joined by commas, or "-". Return the end; write no NUL. */
char *put_taint(char *p, unsigned int taint);

/* Return the name of the taint with the I-th bit; NULL if there are not so many. */
const char *taint_name(size_t i);

/* Return how a verdict counts wake-ups with the taint NAME: "measured", "unknown" or "other" (column machine of taints.tsv). */
const char *taint_class(const char *name);

/* Return the name of the I-th taint of a class, from 0; NULL if there are not so many. */
const char *taint_of_class(size_t i, const char *class);

#endif
