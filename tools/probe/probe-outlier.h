/* SPDX-License-Identifier: GPL-2.0 */
/* Samples beyond the threshold of `wakelat probe`, with what was around them: outliers.tsv. */
#ifndef WAKELAT_PROBE_OUTLIER_H
#define WAKELAT_PROBE_OUTLIER_H

#include <stddef.h>
#include <linux/types.h>

#include "outfile.h"
#include "probe.h"

void outlier_header(struct outfile *out);

/* Outlier NR, from 1: a row for each event, by time. */
void outlier_write(struct outfile *out, const struct probe_outlier *outlier, __u64 nr);

/* What woke the CPU and what ran then, in words. */
void outlier_words(const struct probe_outlier *outlier, char *buf, size_t size);

#endif
