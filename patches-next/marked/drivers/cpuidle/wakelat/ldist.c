// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement: how far ahead each event is armed.
 *
 * Launch distances are independent, uniformly distributed in [min, max]. The CPU
 * cannot learn them and every silent time in the range is met.
 *
/*@+SWEEP*/
 * Or they are a sweep, a geometric sequence that starts at min, grows by a constant
 * factor and ends before it exceeds max, each step held until it has yielded its
 * number of samples. 300 us, 1.1, 8 ms and 1500 samples per step is the
 * experiment of "Intel Xeon Server CPU maximum wake latency measurement"
 * (Metropolia University of Applied Sciences, 2019), section 4.7. After
 * an event that something periodic has spoilt, one launch distance is
 * longer by a random part of the way to the next step: else the next
 * event, armed in its wake, might meet it again, and so on for ever.
 *
/*@-*/
 * Plain arithmetic without side effects, so that KUnit can test it.
 */

#include <linux/hash.h>
#include <linux/math64.h>
#include <linux/prandom.h>

#include "ldist.h"

/**
 * wakelat_ldist_start - begin a sequence of launch distances
 * @ld: the sequence
 * @cpu: CPU it is for: CPUs measured at once differ in their random sequences,
 *	or they would all wake at the same instants
 * @params: what is wanted; must stay valid and unchanged while @ld is in use
 */
void wakelat_ldist_start(struct wakelat_ldist *ld, unsigned int cpu,
			 const struct wakelat_ldist_params *params)
{
	int i;

	ld->params = params;
	prandom_seed_state(&ld->rnd, hash_64(params->seed + cpu, 64));
	/* A fresh state needs ten draws before its recurrence has mixed it. */
	for (i = 0; i < 10; i++)
		prandom_u32_state(&ld->rnd);
/*@+SWEEP*/
	ld->step_ns = params->min_ns;
	ld->step_left = params->step_samples;
	ld->spoilt = false;
/*@-*/
}

/* Uniformly distributed from 0 to @span - 1. */
static u64 random_below(struct wakelat_ldist *ld, u64 span)
{
	u64 rnd = (u64)prandom_u32_state(&ld->rnd) << 32;

	rnd |= prandom_u32_state(&ld->rnd);

	return mul_u64_u64_shr(rnd, span, 64);
}

static u64 uniform_next(struct wakelat_ldist *ld)
{
	return ld->params->min_ns +
	       random_below(ld, ld->params->max_ns - ld->params->min_ns + 1);
}

/*@+SWEEP*/
/* Rounds to the nearest, and up where that would stand still. */
static u64 step_after(const struct wakelat_ldist *ld)
{
	u64 next = div_u64(ld->step_ns * ld->params->factor_permille + 500, 1000);

	return max(next, ld->step_ns + 1);
}

static u64 sweep_next(struct wakelat_ldist *ld)
{
	u64 ldist;

	if (!ld->step_left) {
		ld->step_ns = step_after(ld);
		ld->step_left = ld->params->step_samples;
	}
	if (ld->step_ns > ld->params->max_ns)
		return 0;

	ldist = ld->step_ns;
	if (ld->spoilt)
		ldist += random_below(ld, step_after(ld) - ld->step_ns);
	ld->spoilt = false;

	return min(ldist, ld->params->max_ns);
}

/*@-*/
/**
 * wakelat_ldist_next - the launch distance of the next event
 * @ld: the sequence
 *
 * Return: launch distance in ns; 0 when there are no more.
 */
u64 wakelat_ldist_next(struct wakelat_ldist *ld)
{
/*@+SWEEP*/
	if (ld->params->mode == WAKELAT_LDIST_SWEEP)
		return sweep_next(ld);

/*@-*/
	return uniform_next(ld);
}
/*@+SWEEP*/

/**
 * wakelat_ldist_sampled - the last event has yielded a sample
 * @ld: the sequence
 * @counts: nothing has spoilt it
 */
void wakelat_ldist_sampled(struct wakelat_ldist *ld, bool counts)
{
	ld->spoilt = !counts;
	if (counts && ld->step_left)
		ld->step_left--;
}
/*@-*/
