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

/* Let the kernel time BPF programs until the end of this process. Return false and set errno if it cannot. */
bool bpf_cost_begin(void);

/* Sum how often the programs of OBJECT ran and for how long. With OUT: write a line of run.tsv for each of them as well. */
void bpf_cost(struct bpf_object *object, FILE *out, __u64 *runs, __u64 *ns);

#endif
