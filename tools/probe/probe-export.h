/* SPDX-License-Identifier: GPL-2.0 */
/* The histograms of `wakelat probe` as OpenMetrics, for node_exporter's textfile collector. */
#ifndef WAKELAT_PROBE_EXPORT_H
#define WAKELAT_PROBE_EXPORT_H

#include <stdint.h>

struct export {
	const char *source;
	const int *cpus;
	int nr_cpus;
	uint64_t alarm_ns;	/* 0: none */
};

/*
 * Write options.export under a temporary name, and rename it when it is complete. Return how many samples have exceeded the
 * alarm's limit, with the resolution of the histogram's buckets.
 */
uint64_t export_write(const struct export *export, uint64_t elapsed_ns);

#endif
