/* SPDX-License-Identifier: GPL-2.0 */
/* Load the BPF program of `wakelat probe`, and read what it has counted. */
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
	bool own_wakeups;	/* source wake: only wake-ups of our own threads */
	bool emit;		/* pass each sample to RECORD */
	bool histograms;
	__u64 threshold;	/* ns: pass samples that take longer to OUTLIER; 0: none */
	size_t buffer;		/* bytes, a power of two */
	const int *cpus;
	int nr_cpus;
};

/* Return the optional tracepoints that the kernel lacks, for run.tsv, or NULL if it has them all. */
const char *probe_missing(void);

/* Load and attach; die() says what the kernel lacks. probe_read() calls RECORD for each sample, OUTLIER for each outlier. */
void probe_open(const struct probe_setup *setup, void (*record)(const struct probe_record *record),
		void (*outlier)(const struct probe_outlier *outlier));
void probe_read(void);
void probe_close(void);

/* Access memory that is shared with the BPF program. TASK: id of our thread that sleeps on CPU. */
struct probe_own *probe_own(int cpu);
void probe_sleeper(int cpu, int task);
const struct probe_counts *probe_counts(int cpu);
const struct probe_hist *probe_hist(unsigned int state);

/* Sum what the programs have cost since bpf_cost_begin(). See bpf_cost(). */
void probe_cost(FILE *out, __u64 *runs, __u64 *ns);

#endif
