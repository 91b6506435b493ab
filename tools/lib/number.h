/* SPDX-License-Identifier: GPL-2.0 */
/* Exact 64-bit integers as decimal text, other text beside them, and sorting integers. */
#ifndef WAKELAT_NUMBER_H
#define WAKELAT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_DIGITS 20 /* of the longest, with its sign */

/* Write the digits of V at P, and return the end. P must have room for NUMBER_DIGITS. Writes no NUL. */
char *put_u64(char *p, uint64_t v);
char *put_s64(char *p, int64_t v);

/* Write TEXT at P; returns the end. No NUL. */
char *put_text(char *p, const char *text);

/* All of [s, end) must be one decimal integer that fits. */
bool parse_s64(const char *s, const char *end, int64_t *v);

/* Sort V in ascending order, in linear time. SCRATCH must have room for N numbers, too. */
void sort_s64(int64_t *v, int64_t *scratch, size_t n);

#endif
