/* SPDX-License-Identifier: GPL-2.0 */
/* The histograms of `wakelat probe` as OpenMetrics, for node_exporter's textfile collector. */
#ifndef WAKELAT_PROBE_EXPORT_H
#define WAKELAT_PROBE_EXPORT_H

#include <stdint.h>

/*
 * Write options.export under a temporary name, and rename it when it is complete. ALARM_NS: a
 * limit, 0: none. Return how many samples have exceeded it, with the resolution of the histogram's
 * buckets.
 */
uint64_t export_write(const char *source, const int *cpus, int nr_cpus, uint64_t alarm_ns,
		      uint64_t elapsed_ns);

#endif
