/* SPDX-License-Identifier: GPL-2.0 */
/* Write outliers.tsv: samples beyond the threshold of `wakelat probe`, with the events around them. */
#ifndef WAKELAT_PROBE_OUTLIER_H
#define WAKELAT_PROBE_OUTLIER_H

#include <stddef.h>

#include "outfile.h"
#include "probe.h"

void outlier_header(struct outfile *out);

/* Write a row for each event of outlier NR (from 1), in the order of time. */
void outlier_write(struct outfile *out, const struct probe_outlier *outlier, __u64 nr);

/* Describe in words what woke the CPU and what ran then. */
void outlier_words(const struct probe_outlier *outlier, char *buf, size_t size);

#endif
