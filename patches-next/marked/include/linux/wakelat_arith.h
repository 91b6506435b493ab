/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wake-up latency measurement: arithmetic that nothing can make trap.
 *
 * What hardware returned may be any number. A division whose result does not fit
 * raises an exception on x86, in an interrupt handler.
 */
#ifndef _LINUX_WAKELAT_ARITH_H
#define _LINUX_WAKELAT_ARITH_H

#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/types.h>

/* @a * @b / @c, rounded down; U64_MAX if that does not fit, or if @c is 0. */
static inline u64 wakelat_mul_div(u64 a, u64 b, u64 c)
{
	if (mul_u64_u64_shr(a, b, 64) >= c)
		return U64_MAX;
	/* The divisor would be in the register of the quotient on x86, if gcc knows this. */
	if (a == c)
		return b;

	return mul_u64_u64_div_u64(a, b, c);
}

/* Cycles of a clock of @khz in ns, rounded down; U64_MAX if that does not fit. */
static inline u64 wakelat_cyc_to_ns(u64 cyc, u32 khz)
{
	if (likely(cyc <= U64_MAX / USEC_PER_SEC && khz))
		return div_u64(cyc * USEC_PER_SEC, khz);

	return wakelat_mul_div(cyc, USEC_PER_SEC, khz);
}

/* @later - @earlier, cycles of a clock of @khz, in ns. */
static inline s64 wakelat_cyc_between(u64 later, u64 earlier, u32 khz)
{
	if (later >= earlier)
		return wakelat_cyc_to_ns(later - earlier, khz);

	return -wakelat_cyc_to_ns(earlier - later, khz);
}

#endif /* _LINUX_WAKELAT_ARITH_H */
