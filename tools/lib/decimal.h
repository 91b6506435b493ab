/* SPDX-License-Identifier: GPL-2.0 */
/* Decimal fractions as exact integers. */
#ifndef WAKELAT_DECIMAL_H
#define WAKELAT_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Parse all of TEXT, such as "-12.5" or "1e-05". VALUE is the number times 10^DIGITS, rounded to
 * the nearest integer (halves away from 0). *ROUNDED is set to true if it was not an integer.
 * Return false if TEXT is not a number or does not fit.
 */
bool parse_decimal(const char *text, int digits, int64_t *value, bool *rounded);

#endif
