/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wake-up latency measurement: the clock of the stamps is the TSC, in which the local
 * APIC's timer can be programmed.
 */
#ifndef _ASM_X86_WAKELAT_H
#define _ASM_X86_WAKELAT_H

#ifdef CONFIG_X86_64

#include <linux/types.h>

#include <asm/tsc.h>

#define WAKELAT_CLOCK		"TSC"

static __always_inline u64 wakelat_clock(void)
{
	return rdtsc_ordered();
}

static inline u32 wakelat_clock_khz(void)
{
	return tsc_khz;
}

#else

#include <asm-generic/wakelat.h>

#endif

#endif /* _ASM_X86_WAKELAT_H */
