/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel could not check: the words of the samples' column `unknown` (scripts/lib/common/unknowns.tsv). */
#ifndef WAKELAT_UNKNOWN_H
#define WAKELAT_UNKNOWN_H

#include <stdbool.h>
#include <stdio.h>

#include "table.h"

/* Return the column of samples, or of counts, by whose cells make_unknowns() wants the samples to be counted. */
const char *unknowns_by(bool counts);
/*
 * Make the table of words from the numbers of samples with each list of words. It has no columns if no sample has a word.
 * Samples of pooled counts that do not say what is unknown are not among its samples.
 */
void make_unknowns(struct table *out, const struct table *lists);
/* Print a line for each word, which begins with HEAD. */
void show_unknowns(const struct table *unknowns, const char *head, FILE *out);
/* Return what is not known in one line, without what follows; "" if all is known. */
const char *unknowns_text(const struct table *unknowns);

#endif
