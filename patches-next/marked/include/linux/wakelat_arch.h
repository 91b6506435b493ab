/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wake-up latency measurement: what only an architecture can tell.
 *
 * Each function has a weak default that knows nothing. What is not known is said in
 * each sample (WAKELAT_UNKNOWN_*).
 */
#ifndef _LINUX_WAKELAT_ARCH_H
#define _LINUX_WAKELAT_ARCH_H

#include <linux/bits.h>
#include <linux/types.h>

struct clock_event_device;
struct seq_file;
/*@+FACTS*/
struct wakelat_cost;
/*@-*/
struct wakelat_sample;

/* What could not be looked at. The values are ABI, they appear in the trace event. */
#define WAKELAT_UNKNOWN_FOREIGN_IRQ	0x1	/* which interrupts are pending */
#define WAKELAT_UNKNOWN_NMI		0x2	/* how many NMIs came in between */
#define WAKELAT_UNKNOWN_SMI		0x4	/* how many SMIs */
#define WAKELAT_UNKNOWN_LAUNCH		0x8	/* when the hardware is going to fire */
#define WAKELAT_UNKNOWN_ALL		0xf

/* Which interrupts are pending. */
#define WAKELAT_PENDING_EVENT		BIT(0)	/* that of the event being measured */
#define WAKELAT_PENDING_OTHER		BIT(1)	/* any other */
#define WAKELAT_PENDING_FLAG		BIT(2)	/* none: the event is a flag, which is set */

/* How the event arrives at the CPU. */
enum wakelat_arrival {
	WAKELAT_BY_TIMER,	/* the CPU's own timer, its clock event device */
	WAKELAT_BY_IRQ,		/* the interrupt of a device */
/*@+IPI*/
	WAKELAT_BY_RESCHEDULE,	/* the interrupt by which CPUs tell each other to schedule */
	WAKELAT_BY_FLAG,	/* no interrupt: another CPU writes what this one polls */
/*@-*/
};

/*@+COUNTERS*/
/* The two readings of which counters make a difference. */
enum wakelat_counters_when {
	WAKELAT_COUNTERS_BEFORE,
	WAKELAT_COUNTERS_AFTER,
	WAKELAT_NR_COUNTERS_WHEN
};

/*@-*/
/**
 * struct wakelat_marks - what a CPU has counted since boot
 * @irqs: interrupts it has handled
 * @smis: SMIs it has taken; 0 if it does not count them
 * @nmis: NMIs it has handled
 * @timer_irqs: interrupts of its own timer that it has handled
 */
struct wakelat_marks {
	u64 irqs;
	u64 smis;
	u32 nmis;
	u32 timer_irqs;
};

/**
 * struct wakelat_launch - when the event is to happen, or was to
 * @cyc: launch time in the clock of the stamps; WAKELAT_ABSENT if it is not known
 * @uncertainty_cyc: how far that may be off
 * @ns: launch time in the source's own clock, if it has one
 */
struct wakelat_launch {
	u64 cyc;
	u64 uncertainty_cyc;
	u64 ns;
};

const char *wakelat_arch_clock_problem(void);
u32 wakelat_arch_watch(enum wakelat_arrival arrives, unsigned int irq);
void wakelat_arch_mark(struct wakelat_marks *marks);
u32 wakelat_arch_pending(void);
const char *wakelat_arch_timer_problem(unsigned int cpu);
void wakelat_arch_timer_launch(struct clock_event_device *dev, struct wakelat_launch *launch);
bool wakelat_arch_timer_armed(void);
/*@+HOOK*/
bool wakelat_arch_timer_observed(unsigned int cpu, bool enough);
void wakelat_arch_show(struct seq_file *m, unsigned int cpu);
void wakelat_arch_emit(const struct wakelat_sample *s, u64 smi, u32 nmi);
/*@-*/
/*@+COUNTERS*/
void wakelat_arch_read_counters(enum wakelat_counters_when when);
void wakelat_arch_show_counters(struct seq_file *m);
int wakelat_arch_choose_counters(char *sets);
/*@-*/
/*@+FACTS*/
const struct wakelat_cost *wakelat_arch_costs(void);
/*@-*/
/*@+I210*/
u64 wakelat_arch_intrusions(void);
/*@-*/

#endif /* _LINUX_WAKELAT_ARCH_H */
