/* SPDX-License-Identifier: GPL-2.0 */
/* Count a latency in a histogram, in a BPF program. */
#ifndef WAKELAT_BPF_HIST_H
#define WAKELAT_BPF_HIST_H

#include "bpf-kernel.h"

static __always_inline void count_latency(struct probe_hist *hist, __u64 ns)
{
	__u64 at = probe_bucket_of(ns);

	/* The verifier knows the bound only of the register that was compared: use this register as the index. */
	barrier_var(at);
	if (at > PROBE_BUCKETS)
		at = PROBE_BUCKETS;
	__sync_fetch_and_add(&hist->bucket[at], 1);
	__sync_fetch_and_add(&hist->sum, ns);
	if (ns > hist->max)
		hist->max = ns;
}

#endif
