// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "hist.h"

__u64 hist_n(const struct probe_hist *hist)
{
	__u64 n = 0;

	for (unsigned int i = 0; i <= PROBE_BUCKETS; i++)
		n += hist->bucket[i];
	return n;
}

void hist_bucket(unsigned int bucket, double *low, double *high)
{
	unsigned int shift;

	if (bucket < PROBE_SUB) {
		*low = bucket;
		*high = bucket + 1;
		return;
	}
	shift = (bucket >> PROBE_SUB_BITS) - 1;
	*low = ldexp(PROBE_SUB + (bucket & (PROBE_SUB - 1)), shift);
	*high = *low + ldexp(1, shift);
}

double hist_quantile(const struct probe_hist *hist, unsigned int per_mille)
{
	double low, high, rank, before = 0;
	double p = per_mille / 1000.0;
	__u64 n = hist_n(hist);

	/* With fewer samples, the probability that none is above the quantile exceeds 5 %. stats has the same limit. */
	if (!n || n < log(0.05) / log(p))
		return -1;
	rank = p * n;
	for (unsigned int i = 0; i <= PROBE_BUCKETS; i++) {
		if (before + hist->bucket[i] < rank) {
			before += hist->bucket[i];
			continue;
		}
		hist_bucket(i, &low, &high);
		/* Interpolate as if the samples of a bucket were spread evenly. */
		low += (high - low) * (rank - before) / hist->bucket[i];
		return low < hist->max ? low : hist->max;
	}
	return hist->max;
}
