/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM wakelat

#if !defined(_TRACE_WAKELAT_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_WAKELAT_H

#include <linux/tracepoint.h>
#include <linux/wakelat_source.h>

struct wakelat_counts;

/*
 * One armed event that found the CPU idle. Times without a suffix are ns in the
 * clock of the source, those with _cyc are cycles of the clock of the stamps. What is
 * absent is 2^64 - 1, or -2^63 in a signed field: tai, tai_cyc and wake_latency if the
 * handler ran inside the idle state; ltime, silent_time and the latencies if the
 * timer stopped (taint broadcast); entered, the state that was entered in the place of
 * state, as long as the CPU is inside it. uncertainty is how far ltime may be off.
 * unknown is what could not be looked at: no taint does not speak for it.
 */
TRACE_EVENT(wakelat_sample,

	TP_PROTO(const struct wakelat_sample *s),

	TP_ARGS(s),

	TP_STRUCT__entry(
		__field(u64, ltime)
		__field(u64, tbi)
		__field(u64, tai)
		__field(u64, tintr)
		__field(u64, ltime_cyc)
		__field(u64, tbi_cyc)
		__field(u64, tai_cyc)
		__field(u64, tintr_cyc)
		__field(s64, silent_time)
		__field(s64, wake_latency)
		__field(s64, intr_latency)
		__field(u64, uncertainty)
		__field(u64, ldist)
		__field(u64, seq)
		__field(u64, entered)
		__field(u32, run)
		__field(u32, state)
		__field(u32, taint)
		__field(u32, unknown)
		__array(char, source, WAKELAT_SOURCE_NAME_LEN)
	),

	TP_fast_assign(
		__entry->ltime		= s->ltime;
		__entry->tbi		= s->tbi;
		__entry->tai		= s->tai;
		__entry->tintr		= s->tintr;
		__entry->ltime_cyc	= s->ltime_cyc;
		__entry->tbi_cyc	= s->tbi_cyc;
		__entry->tai_cyc	= s->tai_cyc;
		__entry->tintr_cyc	= s->tintr_cyc;
		__entry->silent_time	= s->silent_time;
		__entry->wake_latency	= s->wake_latency;
		__entry->intr_latency	= s->intr_latency;
		__entry->uncertainty	= s->uncertainty;
		__entry->ldist		= s->ldist;
		__entry->seq		= s->seq;
		__entry->entered	= s->entered;
		__entry->run		= s->run;
		__entry->state		= s->state;
		__entry->taint		= s->taint;
		__entry->unknown	= s->unknown;
		memcpy(__entry->source, s->source, WAKELAT_SOURCE_NAME_LEN);
	),

	TP_printk("run=%u source=%s seq=%llu state=%u taint=%s unknown=%s ldist=%llu ns silent_time=%lld ns wake_latency=%lld ns intr_latency=%lld ns ltime=%llu ns tbi=%llu ns tai=%llu ns tintr=%llu ns ltime_cyc=%llu tbi_cyc=%llu tai_cyc=%llu tintr_cyc=%llu uncertainty=%llu ns",
		  __entry->run, __entry->source, __entry->seq, __entry->state,
		  __print_flags(__entry->taint, ",",
				{ WAKELAT_TAINT_FOREIGN_IRQ, "foreign_irq" },
				{ WAKELAT_TAINT_FOREIGN_TIMER, "foreign_timer" },
				{ WAKELAT_TAINT_RESCHED, "resched" },
				{ WAKELAT_TAINT_NMI, "nmi" },
				{ WAKELAT_TAINT_SMI, "smi" },
				{ WAKELAT_TAINT_SPURIOUS, "spurious" },
				{ WAKELAT_TAINT_BROADCAST, "broadcast" },
				{ WAKELAT_TAINT_EARLY, "early" },
				{ WAKELAT_TAINT_UNCERTAIN, "uncertain" },
				{ WAKELAT_TAINT_OTHER_STATE, "other_state" },
				{ WAKELAT_TAINT_NO_SLEEP, "no_sleep" }),
		  __print_flags(__entry->unknown, ",",
				{ WAKELAT_UNKNOWN_FOREIGN_IRQ, "foreign_irq" },
				{ WAKELAT_UNKNOWN_NMI, "nmi" },
				{ WAKELAT_UNKNOWN_SMI, "smi" },
				{ WAKELAT_UNKNOWN_LAUNCH, "launch" }),
		  __entry->ldist, __entry->silent_time, __entry->wake_latency,
		  __entry->intr_latency, __entry->ltime, __entry->tbi,
		  __entry->tai, __entry->tintr, __entry->ltime_cyc,
		  __entry->tbi_cyc, __entry->tai_cyc, __entry->tintr_cyc,
		  __entry->uncertainty)
);

/*
 * What became of the armed events of one CPU in a run that has ended. The CPU
 * is a field because it need not be the one that ends the run.
 */
TRACE_EVENT(wakelat_end,

	TP_PROTO(u32 run, u32 cpu, u32 reason, const struct wakelat_counts *c),

	TP_ARGS(run, cpu, reason, c),

	TP_STRUCT__entry(
		__field(u64, armed)
		__field(u64, samples)
		__field(u64, tainted)
		__field(u64, not_idle)
		__field(u64, late)
		__field(u64, order)
		__field(u64, limited)
		__field(u64, lost)
		__field(u32, run)
		__field(u32, cpu)
		__field(u32, reason)
	),

	TP_fast_assign(
		__entry->armed		= c->armed;
		__entry->samples	= c->samples;
		__entry->tainted	= c->tainted;
		__entry->not_idle	= c->not_idle;
		__entry->late		= c->late;
		__entry->order		= c->order;
		__entry->limited	= c->limited;
		__entry->lost		= c->lost;
		__entry->run		= run;
		__entry->cpu		= cpu;
		__entry->reason		= reason;
	),

	TP_printk("run=%u cpu=%u reason=%s armed=%llu samples=%llu tainted=%llu not_idle=%llu late=%llu order=%llu limited=%llu lost=%llu",
		  __entry->run, __entry->cpu,
		  __print_symbolic(__entry->reason,
				   { WAKELAT_END_SAMPLES, "samples" },
				   { WAKELAT_END_SWEEP, "sweep" },
				   { WAKELAT_END_DURATION, "duration" },
				   { WAKELAT_END_STOPPED, "stopped" },
				   { WAKELAT_END_CPU_OFFLINE, "cpu_offline" },
				   { WAKELAT_END_SUSPEND, "suspend" },
				   { WAKELAT_END_CLOCK, "clock" },
				   { WAKELAT_END_SOURCE_GONE, "source_gone" },
				   { WAKELAT_END_SOURCE_CLOCK, "source_clock" },
				   { WAKELAT_END_BARREN, "barren" }),
		  __entry->armed, __entry->samples, __entry->tainted,
		  __entry->not_idle, __entry->late, __entry->order,
		  __entry->limited, __entry->lost)
);

#endif /* _TRACE_WAKELAT_H */

/* This part must be outside protection */
#include <trace/define_trace.h>
