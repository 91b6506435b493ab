/* SPDX-License-Identifier: GPL-2.0 */
/* Decimal fractions as exact integers. */
#ifndef WAKELAT_DECIMAL_H
#define WAKELAT_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * All of TEXT, such as "-12.5" or "1e-05", times 10^DIGITS, to the nearest integer (halves
 * away from 0). False if it is no number, or does not fit. *ROUNDED is set if it was none.
 */
bool parse_decimal(const char *text, int digits, int64_t *value, bool *rounded);

#endif
