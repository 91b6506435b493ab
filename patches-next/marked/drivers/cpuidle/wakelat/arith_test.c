// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the arithmetic on what hardware returned, with numbers that no sane
 * hardware returns.
 */

#include <kunit/test.h>
#include <linux/wakelat_arith.h>

static const u64 extremes[] = {
	0, 1, 2, 1000, NSEC_PER_SEC, U32_MAX, 1ULL << 32, 1ULL << 52, S64_MAX - 1, S64_MAX,
	1ULL << 63, U64_MAX - 1, U64_MAX,
};

#define NR ARRAY_SIZE(extremes)

/* An exact answer, or U64_MAX where that is not enough, and no trap. */
static void expect_mul_div(struct kunit *test, u64 a, u64 b, u64 c)
{
	u64 q = wakelat_mul_div(a, b, c);
	u128 product = (u128)a * b;
	u128 low = (u128)q * c;

	KUNIT_EXPECT_TRUE(test, low <= product);
	if (q != U64_MAX)
		KUNIT_EXPECT_TRUE(test, product - low < c);
}

static void mul_div_of_any_numbers(struct kunit *test)
{
	for (int i = 0; i < NR; i++)
		for (int j = 0; j < NR; j++)
			for (int k = 0; k < NR; k++)
				expect_mul_div(test, extremes[i], extremes[j], extremes[k]);

	KUNIT_EXPECT_EQ(test, wakelat_mul_div(10, 10, 3), 33);
	/* As the compiler knows them. */
	KUNIT_EXPECT_EQ(test, wakelat_mul_div(10, 77, 10), 77);
	KUNIT_EXPECT_EQ(test, wakelat_mul_div(10, 10, 0), U64_MAX);
}

static void cyc_to_ns_of_any_number(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, wakelat_cyc_to_ns(2000, 2000000), 1000);
	KUNIT_EXPECT_EQ(test, wakelat_cyc_to_ns(U64_MAX, 1000000), U64_MAX);
	/* Below 1 GHz there are more ns than cycles. */
	KUNIT_EXPECT_EQ(test, wakelat_cyc_to_ns(U64_MAX, 999999), U64_MAX);
	KUNIT_EXPECT_EQ(test, wakelat_cyc_to_ns(1, 0), U64_MAX);
}

/* An hour of cycles and one cycle more, at the rates of clocks there are. */
static void cyc_to_ns_at_any_rate(struct kunit *test)
{
	static const u32 rates_khz[] = {
		1000, 1193, 19200, 24000, 100000, 1000000, 2999998, 6000000,
	};

	for (int i = 0; i < ARRAY_SIZE(rates_khz); i++) {
		const u32 khz = rates_khz[i];
		const u64 hour_cyc = 3600ULL * 1000 * khz;

		KUNIT_EXPECT_EQ(test, wakelat_cyc_to_ns(hour_cyc, khz), 3600 * NSEC_PER_SEC);
		KUNIT_EXPECT_EQ(test, wakelat_cyc_to_ns(hour_cyc + 1, khz),
				3600 * NSEC_PER_SEC + USEC_PER_SEC / khz);
		KUNIT_EXPECT_EQ(test, wakelat_cyc_to_ns(0, khz), 0);
		/* The short way and the long one meet. */
		KUNIT_EXPECT_LE(test, wakelat_cyc_to_ns(U64_MAX / USEC_PER_SEC + 1, khz) -
				wakelat_cyc_to_ns(U64_MAX / USEC_PER_SEC, khz),
				USEC_PER_SEC / khz + 1);
	}
}

static void between_has_a_sign(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, wakelat_cyc_between(3000, 1000, 2000000), 1000);
	KUNIT_EXPECT_EQ(test, wakelat_cyc_between(1000, 3000, 2000000), -1000);
	KUNIT_EXPECT_EQ(test, wakelat_cyc_between(7, 7, 1), 0);
	KUNIT_EXPECT_EQ(test, wakelat_cyc_between(1ULL << 63, (1ULL << 63) - 6000, 6000000), 1000);
}

static struct kunit_case wakelat_arith_cases[] = {
	KUNIT_CASE(mul_div_of_any_numbers),
	KUNIT_CASE(cyc_to_ns_of_any_number),
	KUNIT_CASE(cyc_to_ns_at_any_rate),
	KUNIT_CASE(between_has_a_sign),
	{}
};

static struct kunit_suite wakelat_arith_suite = {
	.name = "wakelat_arith",
	.test_cases = wakelat_arith_cases,
};

kunit_test_suite(wakelat_arith_suite);

MODULE_DESCRIPTION("KUnit tests of the arithmetic on what hardware returned");
MODULE_LICENSE("GPL");
