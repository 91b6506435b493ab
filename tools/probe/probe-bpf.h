/* SPDX-License-Identifier: GPL-2.0 */
/* The BPF program of `wakelat probe`: loading it, and what it has counted. */
#ifndef WAKELAT_PROBE_BPF_H
#define WAKELAT_PROBE_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <linux/types.h>

#include "probe.h"

struct probe_setup {
	enum probe_source source;
	__u32 polling_states;
	bool own_wakeups;	/* source wake: of our threads only */
	bool emit;		/* samples, as RECORD */
	bool histograms;
	__u64 threshold;	/* ns: those that take longer, as OUTLIER; 0: none */
	size_t buffer;		/* bytes, a power of two */
	const int *cpus;
	int nr_cpus;
};

/* What the kernel lacks of tracepoints that one can do without: for run.tsv. NULL: nothing. */
const char *probe_missing(void);

/* Load and attach; die() says what the kernel lacks. RECORD and OUTLIER are called for each by probe_read(). */
void probe_open(const struct probe_setup *setup, void (*record)(const struct probe_record *record),
		void (*outlier)(const struct probe_outlier *outlier));
void probe_read(void);
void probe_close(void);

/* Shared with the program. */
struct probe_own *probe_own(int cpu);
void probe_sleeper(int cpu, int task);
const struct probe_counts *probe_counts(int cpu);
const struct probe_hist *probe_hist(unsigned int state);

/* What the programs cost since bpf_cost_begin(): see bpf_cost(). */
void probe_cost(FILE *out, __u64 *runs, __u64 *ns);

#endif
