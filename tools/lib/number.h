/* SPDX-License-Identifier: GPL-2.0 */
/* Write 64-bit integers and text, parse integers, and sort integers. */
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

/* Parse [s, end). Return false unless all of it is one decimal integer that fits into *V. */
bool parse_s64(const char *s, const char *end, int64_t *v);

/* Read the digits at *P, and move *P behind them. Return false without digits, or if the number is too large. */
bool take_digits(const char **p, uint64_t *value);

/* Sort V in ascending order, in linear time. SCRATCH must have room for N numbers, too. */
void sort_s64(int64_t *v, int64_t *scratch, size_t n);

#endif
