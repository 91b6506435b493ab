/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Test whether samples depend on earlier samples, and compute how many independent samples they are worth.
 *
 * All tests use the samples above a threshold ("exceedances"), because only their number decides a percentile or a
 * limit. If samples are independent, each choice of K places among N is equally likely for any distribution. So ties
 * and discrete values change nothing.
 *
 * P is the smallest of three p-values, times three (Bonferroni):
 *	runs	exceedances that follow each other (Wald and Wolfowitz 1940, Ann. Math. Stat. 11: exact)
 *	gaps	exceedances closer than a tenth of the mean gap, as in the runs estimator of extreme value theory
 *		(Ferro and Segers 2003, J. R. Stat. Soc. B 65); from 20 samples per exceedance on
 *	blocks	counts in equal blocks that vary too much (index of dispersion, chi square; Fisher 1925), five
 *		exceedances and more in each, at most 50 blocks
 *
 * INFLATION is the variance of the number of exceedances, divided by that of independent samples. It is computed from the
 * counts in blocks (batch means, Schmeiser 1982, Oper. Res. 30), as the largest ratio of all block lengths up to a tenth of
 * the recording. A ratio does not count if longer blocks refute it (at a level of 0.001): the clusters of a periodic series
 * compensate each other, so its percentiles are not less certain. If no ratio above 1 remains, P is that of the blocks.
 * With fewer blocks the ratio is raised more, by Student's t. If the ratio grows with the length up to a tenth, as with
 * samples that are never independent of earlier ones, its growth is extrapolated to the whole recording.
 * N / INFLATION is the effective number of samples. INFLATION is 1 if P is DEPENDENCE_WIDENS or above.
 *
 * DEPENDENCE_WIDENS: at most one in 100 recordings of independent samples has an INFLATION above 1 by chance. With 0.05 it
 * was one in 20, and recordings with just enough samples became undecided. With 0.001, dependence that matters is not found
 * in 100 samples (how-it-works.md).
 * DEPENDENCE_DOUBT: a P below this is a doubt. At most one in 1,000 recordings of independent samples gets one.
 */
#ifndef WAKELAT_DEPENDENCE_H
#define WAKELAT_DEPENDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "distribution.h"

#define DEPENDENCE_WIDENS 0.01
#define DEPENDENCE_DOUBT 0.001

struct dependence {
	double p;		/* probability of such clusters in independent samples; -1: too few exceedances */
	double drift_p;		/* probability that the halves differ so much in exceedances; -1: too few */
	double inflation;	/* 1 or more */
	bool unknown;		/* P is below DEPENDENCE_DOUBT, and INFLATION rests on few clusters */
};

/* Test N samples, in recorded order, for dependence at THRESHOLD. */
struct dependence dependence_above(const int64_t *recorded, size_t n, int64_t threshold);

/*
 * Remember results for the samples RECORDED from now on, until the next call. Call this again with NULL before the samples change or
 * are freed.
 */
void dependence_remember(const int64_t *recorded);

/*
 * Test for dependence at the order statistic that is the percentile PART / WHOLE. If fewer than DEPENDENCE_FEWEST samples
 * are above it, also test at a lower order statistic, which DEPENDENCE_FEWEST samples exceed. Also test where dependence
 * shows best: episodes at the threshold that a twentieth of the samples exceeds, slow changes at the median. SORTED: the
 * same samples.
 */
#define DEPENDENCE_FEWEST 50
struct dependence dependence_at(const int64_t *recorded, const struct distribution *sorted, uint64_t part, uint64_t whole);

/* Return how many independent samples N samples are worth, rounded down, but at least 1; N if they are independent. */
uint64_t dependence_effective(uint64_t n, const struct dependence *d);

/*
 * Combine two results for one decision: the larger inflation, and twice the smaller p-values
 * (Bonferroni).
 */
struct dependence dependence_worse(struct dependence a, struct dependence b);

#endif
