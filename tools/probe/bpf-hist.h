/* SPDX-License-Identifier: GPL-2.0 */
/* Count a latency in a histogram, in a BPF program. */
#ifndef WAKELAT_BPF_HIST_H
#define WAKELAT_BPF_HIST_H

#include "bpf-kernel.h"

static __always_inline __u32 log2_of(__u64 v)
{
	__u32 bits = 0;

	if (v >> 32) { v >>= 32; bits += 32; }
	if (v >> 16) { v >>= 16; bits += 16; }
	if (v >> 8) { v >>= 8; bits += 8; }
	if (v >> 4) { v >>= 4; bits += 4; }
	if (v >> 2) { v >>= 2; bits += 2; }
	return bits + (v >> 1);
}

static __always_inline void count_latency(struct probe_hist *hist, __u64 ns)
{
	__u64 at = ns;

	if (ns >= PROBE_SUB) {
		__u32 shift = log2_of(ns) - PROBE_SUB_BITS;

		at = ((__u64)shift << PROBE_SUB_BITS) + (ns >> shift);
	}
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
