// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the rate of one clock against another, with readings that no sane
 * hardware returns.
 */

#include <kunit/test.h>
#include <linux/time64.h>
#include <linux/wakelat.h>

#include "rate.h"

static const u64 extremes[] = {
	0, 1, 2, 1000, NSEC_PER_SEC, U32_MAX, 1ULL << 32, 1ULL << 52, S64_MAX - 1, S64_MAX,
	1ULL << 63, U64_MAX - 1, U64_MAX,
};

#define NR ARRAY_SIZE(extremes)

static u64 distance(s64 x)
{
	return x < 0 ? -x : x;
}

static void rate_of_any_readings(struct kunit *test)
{
	for (int i = 0; i < NR; i++) {
		for (int j = 0; j < NR; j++) {
			const struct wakelat_reading first = {
				.ns = extremes[i], .from_cyc = extremes[j], .to_cyc = extremes[i],
			};

			for (int k = 0; k < NR; k++) {
				const struct wakelat_reading last = {
					.ns = extremes[k], .from_cyc = extremes[i],
					.to_cyc = extremes[k],
				};
				struct wakelat_rate rate;

				wakelat_rate_start(&rate, &first);
				wakelat_rate_add(&rate, &last);
				/* Whatever they are: none of these may trap. */
				wakelat_rate_to_cyc(&rate, extremes[j], &last);
				wakelat_rate_to_cyc(&rate, ~extremes[j], &first);
				wakelat_rate_ppb(&rate);
				wakelat_rate_error_ppb(&rate);
				wakelat_rate_span_ns(&rate);
			}
		}
	}
	KUNIT_SUCCEED(test);
}

/* A clock that is faster by 50 ppm, read twice, 1 s apart. */
static void rate_of_two_readings(struct kunit *test)
{
	const u64 s = wakelat_clock_khz() * 1000ULL;
	const struct wakelat_reading first = { .ns = 0, .from_cyc = s, .to_cyc = s + 2 };
	const struct wakelat_reading last = { .ns = 1000050000, .from_cyc = 2 * s,
					      .to_cyc = 2 * s + 2 };
	struct wakelat_rate rate;

	if (!wakelat_clock_khz())
		kunit_skip(test, "the frequency of the clock is not known");
	wakelat_rate_start(&rate, &first);
	KUNIT_EXPECT_EQ(test, wakelat_rate_error_ppb(&rate), U64_MAX);
	KUNIT_EXPECT_TRUE(test, wakelat_rate_add(&rate, &last));
	KUNIT_EXPECT_LE(test, distance(wakelat_rate_ppb(&rate) - 50000), 1);
	KUNIT_EXPECT_EQ(test, wakelat_rate_to_cyc(&rate, last.ns, &last), 2 * s + 1);
	KUNIT_EXPECT_LE(test, distance(wakelat_rate_to_cyc(&rate, 0, &last) - (s + 1)), 1);
	/* A reading that jumps is told, and changes nothing. */
	KUNIT_EXPECT_FALSE(test, wakelat_rate_add(&rate, &first));
	KUNIT_EXPECT_LE(test, distance(wakelat_rate_ppb(&rate) - 50000), 1);
}

static struct kunit_case wakelat_rate_cases[] = {
	KUNIT_CASE(rate_of_any_readings),
	KUNIT_CASE(rate_of_two_readings),
	{}
};

static struct kunit_suite wakelat_rate_suite = {
	.name = "wakelat_rate",
	.test_cases = wakelat_rate_cases,
};

kunit_test_suite(wakelat_rate_suite);

MODULE_DESCRIPTION("KUnit tests of the rate of a source's own clock");
MODULE_LICENSE("GPL");
