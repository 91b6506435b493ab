/* SPDX-License-Identifier: GPL-2.0 */
/* Write a distribution in HdrHistogram's format, for its plotters. */
#ifndef WAKELAT_HGRM_H
#define WAKELAT_HGRM_H

#include "distribution.h"

/*
 * Write SORTED, which has at least one value (in ns), to NAME in us; die() if NAME cannot be
 * written.
 */
void hgrm_write(const char *name, const struct distribution *sorted);

#endif
