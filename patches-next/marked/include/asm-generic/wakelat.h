/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wake-up latency measurement: the clock of the stamps.
 *
 * An architecture whose clock is told in finer steps, or is the one in which its
 * timers are programmed, defines these itself.
 */
#ifndef _ASM_GENERIC_WAKELAT_H
#define _ASM_GENERIC_WAKELAT_H

#include <linux/sched/clock.h>
#include <linux/types.h>

#define WAKELAT_CLOCK		"local_clock"

/**
 * wakelat_clock - read the clock of the stamps
 *
 * It does not go back on a CPU, and goes on while the CPU is idle. It is not read
 * before what precedes it in the program has been executed.
 *
 * Context: any, noinstr included; preemption disabled.
 * Return: the time in cycles, here ns.
 */
static __always_inline u64 wakelat_clock(void)
{
	return local_clock_noinstr();
}

/**
 * wakelat_clock_khz - how fast the clock of the stamps counts
 *
 * Return: its frequency, kHz; 0 if it is not known.
 */
static inline u32 wakelat_clock_khz(void)
{
	return 1000000;
}

#endif /* _ASM_GENERIC_WAKELAT_H */
