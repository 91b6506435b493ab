/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wake-up latency measurement: how far ahead each event is armed.
 */
#ifndef _WAKELAT_LDIST_H
#define _WAKELAT_LDIST_H

#include <linux/prandom.h>
#include <linux/types.h>

#define WAKELAT_LDIST_FLOOR_NS		1ULL
/*@+SWEEP*/
#define WAKELAT_SWEEP_FACTOR_MIN	1001
#define WAKELAT_SWEEP_FACTOR_MAX	10000

enum wakelat_ldist_mode {
	WAKELAT_LDIST_UNIFORM,
	WAKELAT_LDIST_SWEEP,
};
/*@-*/

/**
 * struct wakelat_ldist_params - the launch distances that are wanted
/*@+SWEEP*/
 * @mode: how they follow one another
/*@-*/
 * @min_ns: the smallest; of a sweep, the first
 * @max_ns: the largest; of a sweep, none is beyond it
 * @seed: uniform: the same seed yields the same sequence
/*@+SWEEP*/
 * @factor_permille: sweep: ratio of a step to the one before, thousandths
 * @step_samples: sweep: samples per step
/*@-*/
 */
struct wakelat_ldist_params {
/*@+SWEEP*/
	enum wakelat_ldist_mode mode;
/*@-*/
	u64 min_ns;
	u64 max_ns;
	u64 seed;
/*@+SWEEP*/
	u64 factor_permille;
	u64 step_samples;
/*@-*/
};

/**
 * struct wakelat_ldist - where one CPU is in its sequence of launch distances
 * @params: what was asked for
 * @rnd: state of the generator
/*@+SWEEP*/
 * @step_ns: sweep: the current step
 * @step_left: sweep: samples that the current step still lacks
 * @spoilt: sweep: the last event did not count
/*@-*/
 */
struct wakelat_ldist {
	const struct wakelat_ldist_params *params;
	struct rnd_state rnd;
/*@+SWEEP*/
	u64 step_ns;
	u64 step_left;
	bool spoilt;
/*@-*/
};

void wakelat_ldist_start(struct wakelat_ldist *ld, unsigned int cpu,
			 const struct wakelat_ldist_params *params);
u64 wakelat_ldist_next(struct wakelat_ldist *ld);
/*@+SWEEP*/
void wakelat_ldist_sampled(struct wakelat_ldist *ld, bool counts);
/*@-*/

#endif /* _WAKELAT_LDIST_H */
