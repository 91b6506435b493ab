/* SPDX-License-Identifier: GPL-2.0 */
/* A distribution as HdrHistogram prints it, for its plotters. */
#ifndef WAKELAT_HGRM_H
#define WAKELAT_HGRM_H

#include "distribution.h"

/* NR ascending values in ns, at least one, as us; dies with NAME if it cannot be written. */
void hgrm_write(const char *name, const struct distribution *sorted);

#endif
