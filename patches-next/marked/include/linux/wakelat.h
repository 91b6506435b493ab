/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wake-up latency measurement: the hooks in the idle path.
 *
 * See Documentation/admin-guide/pm/wakelat.rst.
 */
#ifndef _LINUX_WAKELAT_H
#define _LINUX_WAKELAT_H

#ifdef CONFIG_WAKELAT

#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <asm/wakelat.h>

/**
 * struct wakelat_stamps - the clock around the ->enter() of an idle state
 * @tbi_cyc: time before idle, the last thing read before ->enter()
 * @tai_cyc: time after idle, the first thing read after ->enter(); 0 while the
 *	CPU is inside the state
 *
 * Per CPU. Written by the CPU itself with interrupts disabled.
 */
struct wakelat_stamps {
	u64 tbi_cyc;
	u64 tai_cyc;
};

DECLARE_PER_CPU(struct wakelat_stamps, wakelat_stamps);
DECLARE_STATIC_KEY_FALSE(wakelat_key);

/*@+CORE*/
void __wakelat_idle_prepare(int index);
void __wakelat_idle_finish(int entered);

/**
 * wakelat_idle_prepare - note what could wake this CPU, before it idles
 * @index: index of the idle state asked for
 *
 * Context: the idle task, interrupts disabled, RCU watching.
 */
static inline void wakelat_idle_prepare(int index)
{
	if (static_branch_unlikely(&wakelat_key))
		__wakelat_idle_prepare(index);
}

/*@-*/
/**
 * wakelat_stamp_before - take the time before idle
 *
 * Nothing may come between this and the call of ->enter().
 *
 * Context: noinstr, interrupts disabled, RCU not watching.
 */
static __always_inline void wakelat_stamp_before(void)
{
	if (static_branch_unlikely(&wakelat_key)) {
		this_cpu_write(wakelat_stamps.tai_cyc, 0);
		this_cpu_write(wakelat_stamps.tbi_cyc, wakelat_clock());
	}
}

/**
 * wakelat_stamp_after - take the time after idle
 *
 * Nothing may come between the return of ->enter() and this.
 *
 * Context: noinstr, interrupts disabled, RCU not watching.
 */
static __always_inline void wakelat_stamp_after(void)
{
	if (static_branch_unlikely(&wakelat_key))
		this_cpu_write(wakelat_stamps.tai_cyc, wakelat_clock());
}

/*@+CORE*/
/**
 * wakelat_idle_finish - note what woke this CPU, before it handles it
 * @entered: index of the idle state that ->enter() says it has entered, or an error
 *
 * Context: the idle task, interrupts still disabled, RCU watching.
 */
static inline void wakelat_idle_finish(int entered)
{
	if (static_branch_unlikely(&wakelat_key))
		__wakelat_idle_finish(entered);
}

/*@-*/
#else /* !CONFIG_WAKELAT */

/*@+CORE*/
static inline void wakelat_idle_prepare(int index) { }
/*@-*/
static __always_inline void wakelat_stamp_before(void) { }
static __always_inline void wakelat_stamp_after(void) { }
/*@+CORE*/
static inline void wakelat_idle_finish(int entered) { }
/*@-*/

#endif /* CONFIG_WAKELAT */

#endif /* _LINUX_WAKELAT_H */
