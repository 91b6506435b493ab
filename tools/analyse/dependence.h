/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Do samples depend on those before them, and how many independent samples are they worth?
 *
 * All of it is about the samples above a threshold ("exceedances"): a percentile and a limit are decided by how many
 * there are, and by nothing else. Under independence each choice of K places among N is as likely as any other,
 * whatever the distribution, so that ties and discrete values change nothing.
 *
 * P is the smallest of three p-values, times three (Bonferroni):
 *	runs	exceedances that follow each other (Wald and Wolfowitz 1940, Ann. Math. Stat. 11: exact)
 *	gaps	exceedances closer than a tenth of the mean gap, as in the runs estimator of extreme value theory
 *		(Ferro and Segers 2003, J. R. Stat. Soc. B 65); from 20 samples per exceedance on
 *	blocks	counts in equal blocks that vary too much (index of dispersion, chi square; Fisher 1925), five
 *		exceedances and more in each, at most 50 blocks
 *
 * INFLATION is the variance of their number against that of independent samples, from the counts in blocks (batch means,
 * Schmeiser 1982, Oper. Res. 30): the largest of all block lengths up to a tenth of the recording, raised for the number of
 * blocks as Student's t is. N / INFLATION is the effective number of samples. It is 1 if P is DEPENDENCE_WIDENS or above.
 *
 * DEPENDENCE_WIDENS: of recordings with independent samples, one in 100 at most is taken for one of fewer samples. With 0.05 it was one in
 * 20, and those with as few samples as suffice were undecided then; with 0.001 dependence that matters passes in 100 samples (how-it-works.md).
 * DEPENDENCE_DOUBT: P that a doubt needs. Of recordings with independent samples, one in 1,000 at most gets one.
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
	double p;		/* of independent samples, such clusters or more; -1: too few exceedances for a test */
	double drift_p;		/* so many, or so few, of the exceedances are in the first half; -1: too few */
	double inflation;	/* 1 or more */
	bool unknown;		/* P is below DEPENDENCE_DOUBT, and INFLATION rests on fewer than ten clusters */
};

/* Tests the N samples, in the order of recording, at THRESHOLD. */
struct dependence dependence_above(const int64_t *recorded, size_t n, int64_t threshold);

/*
 * Tests where the percentile PART / WHOLE is decided: at the order statistic which that share of the samples are above, and
 * where these are fewer than DEPENDENCE_FEWEST, at the one which so many are above as well. SORTED: the same samples.
 */
#define DEPENDENCE_FEWEST 50
struct dependence dependence_at(const int64_t *recorded, const struct distribution *sorted, uint64_t part, uint64_t whole);

/* Returns how many independent samples N are worth, rounded down; N if they are independent. */
uint64_t dependence_effective(uint64_t n, const struct dependence *d);

/* Takes the worse of two, as for a decision that rests on both; P and drift_p are those of two tests (Bonferroni). */
struct dependence dependence_worse(struct dependence a, struct dependence b);

#endif
