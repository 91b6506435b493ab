/* SPDX-License-Identifier: GPL-2.0 */
/* Read the histograms in which latencies are counted (struct probe_hist). Latencies are in ns. */
#ifndef WAKELAT_HIST_H
#define WAKELAT_HIST_H

#include "probe.h"

/* Return the number of untainted samples in HIST. */
__u64 hist_n(const struct probe_hist *hist);

/* Return the quantile PER_MILLE of HIST, or -1 if it has too few samples. */
double hist_quantile(const struct probe_hist *hist, unsigned int per_mille);

/* Store the range of BUCKET, [low, high). */
void hist_bucket(unsigned int bucket, double *low, double *high);

#endif
