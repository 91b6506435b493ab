/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pool recordings (pool-counts.c).
 *
 *	pool-counts.c	the command line, the input, and counts.tsv
 *	pool-facts.c	run.tsv of all recordings together
 */
#ifndef WAKELAT_POOL_H
#define WAKELAT_POOL_H

#include "counts.h"

/* The name of the input, for messages. */
extern const char *input;

/* Add V to SUM; die() if the result does not fit. */
void add(int64_t *sum, int64_t v);

/* Add the run.tsv of a recording; die() if a value differs that must be the same in all. */
void run_add(const struct counts_block *block);
/* Note that the last recording is incomplete, and why. */
void run_incomplete(const struct tsv_cell *why);
void run_write(const char *name);

#endif
