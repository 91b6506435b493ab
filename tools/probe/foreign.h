/* SPDX-License-Identifier: GPL-2.0 */
/* Count which interrupts tainted samples. */
#ifndef WAKELAT_FOREIGN_H
#define WAKELAT_FOREIGN_H

#include <stdint.h>
#include <stdio.h>

/* Count a sample that VECTOR (probe_record.vector) tainted. */
void foreign_count(uint32_t vector);

/* Write the most frequent of them to OUT as a line of run.tsv, foreign_interrupts, or nothing if there were none. */
void foreign_fact(FILE *out);

#endif
