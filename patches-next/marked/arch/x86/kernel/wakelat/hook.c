// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement on x86: what woke the CPU, and what took it away.
 */

#include <linux/cpufeature.h>
#include <linux/hardirq.h>
#include <linux/kernel_stat.h>
#include <linux/percpu.h>
#include <linux/wakelat_source.h>

#include <asm/apic.h>
#include <asm/hw_irq.h>
#include <asm/irq_vectors.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "wakelat.h"

#define CREATE_TRACE_POINTS
#include <asm/trace/wakelat.h>

/* The vector of the event being measured; 0 if it has none. */
static DEFINE_PER_CPU(u8, event_vector);
/* This CPU counts its SMIs. */
static DEFINE_PER_CPU(bool, has_smi_count);

const char *wakelat_arch_clock_problem(void)
{
	if (!tsc_khz || !boot_cpu_has(X86_FEATURE_CONSTANT_TSC) || check_tsc_unstable())
		return "the TSC is unstable: nothing can be stamped";

	return NULL;
}

static u8 vector_of(enum wakelat_arrival arrives, unsigned int irq)
{
	struct irq_cfg *cfg;

	switch (arrives) {
	case WAKELAT_BY_TIMER:
		return LOCAL_TIMER_VECTOR;
/*@+IPI*/
	case WAKELAT_BY_RESCHEDULE:
		return RESCHEDULE_VECTOR;
	case WAKELAT_BY_FLAG:
		return 0;
/*@-*/
	case WAKELAT_BY_IRQ:
		cfg = irq_cfg(irq);
		return cfg ? cfg->vector : 0;
	}

	return 0;
}

u32 wakelat_arch_watch(enum wakelat_arrival arrives, unsigned int irq)
{
	u64 count;

	this_cpu_write(event_vector, vector_of(arrives, irq));
	this_cpu_write(has_smi_count, !rdmsrq_safe(MSR_SMI_COUNT, &count));
	wakelat_timer_watch();
/*@+COUNTERS*/
	wakelat_counters_watch();
/*@-*/

	return this_cpu_read(has_smi_count) ? 0 : WAKELAT_UNKNOWN_SMI;
}

/*
 * Those of devices, of the local timer and of other CPUs: what wakes an idle CPU.
 * arch_irq_stat_cpu() knows more kinds and takes three times as long.
 */
static u64 irqs_handled(void)
{
	u64 count = this_cpu_read(kstat.irqs_sum) +
		    this_cpu_read(irq_stat.counts[IRQ_COUNT_APIC_TIMER]) +
		    this_cpu_read(irq_stat.counts[IRQ_COUNT_IRQ_WORK]);

#ifdef CONFIG_SMP
	count += this_cpu_read(irq_stat.counts[IRQ_COUNT_RESCHEDULE]) +
		 this_cpu_read(irq_stat.counts[IRQ_COUNT_CALL_FUNCTION]);
#endif

	return count;
}

void wakelat_arch_mark(struct wakelat_marks *marks)
{
	u64 smis = 0;

	if (this_cpu_read(has_smi_count))
		rdmsrq(MSR_SMI_COUNT, smis);
	marks->smis = smis;
	marks->nmis = this_cpu_read(irq_stat.counts[IRQ_COUNT_NMI]);
	marks->irqs = irqs_handled();
	marks->timer_irqs = this_cpu_read(irq_stat.counts[IRQ_COUNT_APIC_TIMER]);
}

/* The interrupts pending on 32 vectors from 32 * @word on. */
static __always_inline u32 irqs_pending(unsigned int word)
{
	return apic_read(APIC_IRR + word * 0x10);
}

/*
 * Is an interrupt pending on the event's vector, and is one on any other? Below 32 there
 * are none. Only if there are no others is the sum of the words, which has room in 64
 * bits, the event's bit. Should the event come in between it is taken for another: it was
 * not what woke the CPU.
 */
u32 wakelat_arch_pending(void)
{
	u8 vector = this_cpu_read(event_vector);
	u32 last = irqs_pending(7), own = 0;
	u64 all = last;

	if (vector)
		own = (vector / 32 == 7 ? last : irqs_pending(vector / 32)) & BIT(vector % 32);
	all += irqs_pending(1);
	all += irqs_pending(2);
	all += irqs_pending(3);
	all += irqs_pending(4);
	all += irqs_pending(5);
	all += irqs_pending(6);

	return (own ? WAKELAT_PENDING_EVENT : 0) | (all != own ? WAKELAT_PENDING_OTHER : 0);
}

void wakelat_arch_show(struct seq_file *m, unsigned int cpu)
{
	wakelat_timer_show(m, cpu);
}

void wakelat_arch_emit(const struct wakelat_sample *s, u64 smi, u32 nmi)
{
	if (smi || nmi)
		trace_wakelat_intrusion(s, smi, nmi);
/*@+COUNTERS*/
	if (trace_wakelat_counters_enabled()) {
		const u64 *diff = wakelat_counters_diff();

		if (diff)
			trace_wakelat_counters(s, diff);
	}
/*@-*/
}
/*@+FACTS*/

static DEFINE_PER_CPU(u64, sink);

static void do_msr(void)
{
	u64 value;

	rdmsrq(MSR_IA32_TSC, value);
	this_cpu_write(sink, value);
}

static const struct wakelat_cost costs[] = {
	{ "msr", do_msr },
	{ }
};

const struct wakelat_cost *wakelat_arch_costs(void)
{
	return costs;
}
/*@-*/
/*@+I210*/

u64 wakelat_arch_intrusions(void)
{
	u64 smis = 0;

	rdmsrq_safe(MSR_SMI_COUNT, &smis);

	return smis + this_cpu_read(irq_stat.counts[IRQ_COUNT_NMI]);
}
/*@-*/
