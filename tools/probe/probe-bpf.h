/* SPDX-License-Identifier: GPL-2.0 */
/* Load the BPF program of `wakelat probe`, and read what it has counted. */
#ifndef WAKELAT_PROBE_BPF_H
#define WAKELAT_PROBE_BPF_H

#include <stdbool.h>
#include <stddef.h>

#include "probe.h"

struct probe_setup {
	enum probe_source source;
	bool own_wakeups;	/* source wake: only wake-ups of our own threads */
	bool emit;		/* pass each sample to RECORD */
	bool histograms;
	__u64 threshold;	/* ns: pass samples that take longer to OUTLIER; 0: none */
	size_t buffer;		/* bytes, a power of two */
	const int *cpus;
	int nr_cpus;
};

/* Called with DATA that the BPF program has emitted. Return 0. */
typedef int probe_take(void *unused, void *data, size_t size);

/* Return the optional tracepoints that the kernel lacks, for run.tsv, or NULL if it has them all. */
const char *probe_missing(void);

/*
 * Load and attach; die() says what the kernel lacks. probe_read() calls RECORD for each sample,
 * with a struct probe_record, and OUTLIER for each outlier, with a struct probe_outlier.
 */
void probe_open(const struct probe_setup *setup, probe_take *record, probe_take *outlier);
void probe_read(void);

/* Access memory that is shared with the BPF program. */
struct probe_cpu *probe_cpu(int cpu);
const struct probe_hist *probe_hist(unsigned int state);

#endif
