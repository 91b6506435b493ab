// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the launch distance sequences.
 */

#include <kunit/test.h>
#include <linux/wakelat_source.h>

#include "ldist.h"

static void uniform_stays_in_range(struct kunit *test)
{
	const struct wakelat_ldist_params params = {
		.mode = WAKELAT_LDIST_UNIFORM,
		.min_ns = 50000, .max_ns = 8000000, .seed = 1,
	};
	u64 lowest = U64_MAX, highest = 0, sum = 0, mean;
	struct wakelat_ldist ld;
	int i;

	wakelat_ldist_start(&ld, 0, &params);
	for (i = 0; i < 100000; i++) {
		u64 ldist = wakelat_ldist_next(&ld);

		lowest = min(lowest, ldist);
		highest = max(highest, ldist);
		sum += ldist;
	}
	mean = div_u64(sum, 100000);

	KUNIT_EXPECT_GE(test, lowest, 50000);
	KUNIT_EXPECT_LE(test, highest, 8000000);
	/* Each end is missed by 1 % with a probability of 0.99^100000. */
	KUNIT_EXPECT_LT(test, lowest, 50000 + 79500);
	KUNIT_EXPECT_GT(test, highest, 8000000 - 79500);
	/* Mean 4025000, standard error 7258: five of them. */
	KUNIT_EXPECT_GT(test, mean, 4025000 - 36290);
	KUNIT_EXPECT_LT(test, mean, 4025000 + 36290);
}

static void uniform_range_of_one(struct kunit *test)
{
	const struct wakelat_ldist_params params = {
		.mode = WAKELAT_LDIST_UNIFORM,
		.min_ns = WAKELAT_LDIST_CEILING_NS,
		.max_ns = WAKELAT_LDIST_CEILING_NS, .seed = U64_MAX,
	};
	struct wakelat_ldist ld;
	int i;

	wakelat_ldist_start(&ld, 3, &params);
	for (i = 0; i < 100; i++)
		KUNIT_EXPECT_EQ(test, wakelat_ldist_next(&ld), WAKELAT_LDIST_CEILING_NS);
}

/* How many of the first 100 launch distances do two sequences share? */
static int shared(u64 seed_a, unsigned int cpu_a, u64 seed_b, unsigned int cpu_b)
{
	struct wakelat_ldist_params a = {
		.mode = WAKELAT_LDIST_UNIFORM,
		.min_ns = WAKELAT_LDIST_FLOOR_NS,
		.max_ns = WAKELAT_LDIST_CEILING_NS, .seed = seed_a,
	};
	struct wakelat_ldist_params b = a;
	struct wakelat_ldist ld_a, ld_b;
	int i, same = 0;

	b.seed = seed_b;
	wakelat_ldist_start(&ld_a, cpu_a, &a);
	wakelat_ldist_start(&ld_b, cpu_b, &b);
	for (i = 0; i < 100; i++)
		same += wakelat_ldist_next(&ld_a) == wakelat_ldist_next(&ld_b);

	return same;
}

static void seed_determines_the_sequence(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, shared(42, 0, 42, 0), 100);
	KUNIT_EXPECT_LT(test, shared(42, 0, 43, 0), 2);
	KUNIT_EXPECT_LT(test, shared(42, 0, 42ULL << 32, 0), 2);
	KUNIT_EXPECT_LT(test, shared(42, 0, 42, 1), 2);
}

/* Walks a sweep to its end; @total and @last get what it went through. */
static int sweep_steps(const struct wakelat_ldist_params *params, u64 *total, u64 *last)
{
	struct wakelat_ldist ld;
	u64 ldist, before = 0;
	int steps = 0;

	*total = 0;
	wakelat_ldist_start(&ld, 0, params);
	while ((ldist = wakelat_ldist_next(&ld))) {
		steps += ldist != before;
		before = ldist;
		++*total;
		wakelat_ldist_sampled(&ld, true);
	}
	*last = before;

	return steps;
}

static void sweep_of_the_thesis(struct kunit *test)
{
	const struct wakelat_ldist_params params = {
		.mode = WAKELAT_LDIST_SWEEP,
		.min_ns = 300000, .max_ns = 8000000,
		.factor_permille = 1100, .step_samples = 1500,
	};
	u64 total, last;

	KUNIT_EXPECT_EQ(test, sweep_steps(&params, &total, &last), 35);
	KUNIT_EXPECT_EQ(test, total, 35 * 1500);
	/* 300 us * 1.1^34, but for the rounding of each step. */
	KUNIT_EXPECT_GE(test, last, 7664000);
	KUNIT_EXPECT_LE(test, last, 7664400);
}

static void sweep_always_moves_on(struct kunit *test)
{
	const struct wakelat_ldist_params params = {
		.mode = WAKELAT_LDIST_SWEEP,
		.min_ns = 1, .max_ns = 100,
		.factor_permille = WAKELAT_SWEEP_FACTOR_MIN, .step_samples = 1,
	};
	u64 total, last;

	KUNIT_EXPECT_EQ(test, sweep_steps(&params, &total, &last), 100);
	KUNIT_EXPECT_EQ(test, last, 100);
}

static void sweep_holds_a_step_until_sampled(struct kunit *test)
{
	const struct wakelat_ldist_params params = {
		.mode = WAKELAT_LDIST_SWEEP,
		.min_ns = 1000, .max_ns = 4000,
		.factor_permille = 2000, .step_samples = 2,
	};
	struct wakelat_ldist ld;
	int i;

	wakelat_ldist_start(&ld, 0, &params);
	/* Events that missed the idle CPU do not use the step up. */
	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_EQ(test, wakelat_ldist_next(&ld), 1000);
	wakelat_ldist_sampled(&ld, true);
	KUNIT_EXPECT_EQ(test, wakelat_ldist_next(&ld), 1000);
	wakelat_ldist_sampled(&ld, true);
	KUNIT_EXPECT_EQ(test, wakelat_ldist_next(&ld), 2000);
}

static void sweep_evades_what_spoils_it(struct kunit *test)
{
	const struct wakelat_ldist_params params = {
		.mode = WAKELAT_LDIST_SWEEP,
		.min_ns = 300000, .max_ns = 340000,
		.factor_permille = 1100, .step_samples = 1,
	};
	u64 ldist, lowest = U64_MAX, highest = 0;
	struct wakelat_ldist ld;
	int i;

	wakelat_ldist_start(&ld, 0, &params);
	for (i = 0; i < 1000; i++) {
		wakelat_ldist_sampled(&ld, false);
		ldist = wakelat_ldist_next(&ld);
		lowest = min(lowest, ldist);
		highest = max(highest, ldist);
	}
	/* All over the step, and not beyond it: 30 us, missed by 1 with 0.967^1000. */
	KUNIT_EXPECT_GE(test, lowest, 300000);
	KUNIT_EXPECT_LT(test, lowest, 301000);
	KUNIT_EXPECT_GE(test, highest, 329000);
	KUNIT_EXPECT_LT(test, highest, 330000);

	/* Once only. */
	KUNIT_EXPECT_EQ(test, wakelat_ldist_next(&ld), 300000);

	/* Not beyond the end of the sweep. */
	wakelat_ldist_sampled(&ld, true);
	for (i = 0; i < 1000; i++) {
		KUNIT_EXPECT_GE(test, wakelat_ldist_next(&ld), 330000);
		wakelat_ldist_sampled(&ld, false);
		KUNIT_EXPECT_LE(test, wakelat_ldist_next(&ld), 340000);
	}
}

static struct kunit_case wakelat_ldist_cases[] = {
	KUNIT_CASE(uniform_stays_in_range),
	KUNIT_CASE(uniform_range_of_one),
	KUNIT_CASE(seed_determines_the_sequence),
	KUNIT_CASE(sweep_of_the_thesis),
	KUNIT_CASE(sweep_always_moves_on),
	KUNIT_CASE(sweep_holds_a_step_until_sampled),
	KUNIT_CASE(sweep_evades_what_spoils_it),
	{}
};

static struct kunit_suite wakelat_ldist_suite = {
	.name = "wakelat_ldist",
	.test_cases = wakelat_ldist_cases,
};

kunit_test_suite(wakelat_ldist_suite);

MODULE_DESCRIPTION("KUnit tests of the launch distance sequences");
MODULE_LICENSE("GPL");
