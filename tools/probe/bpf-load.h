/* SPDX-License-Identifier: GPL-2.0 */
/* Functions for loading BPF programs: report in one line what the kernel lacks, and measure what the programs cost. */
#ifndef WAKELAT_BPF_LOAD_H
#define WAKELAT_BPF_LOAD_H

#include <stdbool.h>
#include <stdio.h>
#include <linux/types.h>

struct bpf_object;

/* Keep libbpf's first complaint for bpf_load_failed(), in place of many lines on stderr. */
void bpf_load_quietly(void);

/* die() with the reason for ERROR, a positive errno. */
void bpf_load_failed(int error) __attribute__((noreturn));

/* Return whether this kernel has the tracepoint NAME. */
bool bpf_has_tracepoint(const char *name);

/* Let the kernel time the programs of OBJECT until the end of this process; die() if it cannot. */
void bpf_cost_begin(struct bpf_object *object);

/*
 * Write lines of run.tsv to OUT: how often these programs ran and for how long, each of them,
 * together, and for each of PERIODS. Write nothing if the programs are not timed.
 */
void bpf_cost_facts(FILE *out, __u64 periods);

#endif
