/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel could not check: the words of the samples' column `unknown` (scripts/lib/common/unknowns.tsv). */
#ifndef WAKELAT_UNKNOWN_H
#define WAKELAT_UNKNOWN_H

#include <stdio.h>

#include "table.h"

/* Make the table of words from the numbers of samples with each list of words. It has no columns if no sample has a word. */
void make_unknowns(struct table *out, const struct table *lists);
/* Print a line for each word. */
void show_unknowns(const struct table *unknowns, FILE *out);
/* Return what is not known in one line, without what follows; "" if all is known. */
const char *unknowns_text(const struct table *unknowns);

#endif
