/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM wakelat

#if !defined(_ASM_X86_TRACE_WAKELAT_H) || defined(TRACE_HEADER_MULTI_READ)
#define _ASM_X86_TRACE_WAKELAT_H

#include <linux/tracepoint.h>
#include <linux/wakelat_source.h>

/*
 * What the CPU was taken away by meanwhile that nothing can mask. Comes before the
 * sample of that run and number; there is none if there was nothing.
 */
TRACE_EVENT(wakelat_intrusion,

	TP_PROTO(const struct wakelat_sample *s, u64 smi, u64 nmi),

	TP_ARGS(s, smi, nmi),

	TP_STRUCT__entry(
		__field(u64, seq)
		__field(u64, smi)
		__field(u64, nmi)
		__field(u32, run)
	),

	TP_fast_assign(
		__entry->seq		= s->seq;
		__entry->smi		= smi;
		__entry->nmi		= nmi;
		__entry->run		= s->run;
	),

	TP_printk("run=%u seq=%llu smi=%llu nmi=%llu",
		  __entry->run, __entry->seq, __entry->smi, __entry->nmi)
);

/*@+COUNTERS*/
/*
 * What these counters have counted from before the CPU went idle until after it came
 * back: cycles of the TSC, but for MPERF and APERF. One that the CPU does not have, or
 * that is not chosen, is 2^64 - 1. Comes before the sample of that run and number.
 */
TRACE_EVENT(wakelat_counters,

	TP_PROTO(const struct wakelat_sample *s, const u64 *c),

	TP_ARGS(s, c),

	TP_STRUCT__entry(
		__field(u64, seq)
		__field(u64, tsc_cyc)
		__field(u64, mperf_cyc)
		__field(u64, aperf_cyc)
		__field(u64, cc1_cyc)
		__field(u64, cc3_cyc)
		__field(u64, cc6_cyc)
		__field(u64, cc7_cyc)
		__field(u64, pc2_cyc)
		__field(u64, pc3_cyc)
		__field(u64, pc6_cyc)
		__field(u64, pc7_cyc)
		__field(u64, pc8_cyc)
		__field(u64, pc9_cyc)
		__field(u64, pc10_cyc)
		__field(u32, run)
	),

	TP_fast_assign(
		__entry->seq		= s->seq;
		__entry->tsc_cyc	= c[WAKELAT_TSC];
		__entry->mperf_cyc	= c[WAKELAT_MPERF];
		__entry->aperf_cyc	= c[WAKELAT_APERF];
		__entry->cc1_cyc	= c[WAKELAT_CC1];
		__entry->cc3_cyc	= c[WAKELAT_CC3];
		__entry->cc6_cyc	= c[WAKELAT_CC6];
		__entry->cc7_cyc	= c[WAKELAT_CC7];
		__entry->pc2_cyc	= c[WAKELAT_PC2];
		__entry->pc3_cyc	= c[WAKELAT_PC3];
		__entry->pc6_cyc	= c[WAKELAT_PC6];
		__entry->pc7_cyc	= c[WAKELAT_PC7];
		__entry->pc8_cyc	= c[WAKELAT_PC8];
		__entry->pc9_cyc	= c[WAKELAT_PC9];
		__entry->pc10_cyc	= c[WAKELAT_PC10];
		__entry->run		= s->run;
	),

	TP_printk("run=%u seq=%llu tsc_cyc=%llu mperf_cyc=%llu aperf_cyc=%llu cc1_cyc=%llu cc3_cyc=%llu cc6_cyc=%llu cc7_cyc=%llu pc2_cyc=%llu pc3_cyc=%llu pc6_cyc=%llu pc7_cyc=%llu pc8_cyc=%llu pc9_cyc=%llu pc10_cyc=%llu",
		  __entry->run, __entry->seq,
		  __entry->tsc_cyc, __entry->mperf_cyc, __entry->aperf_cyc,
		  __entry->cc1_cyc, __entry->cc3_cyc, __entry->cc6_cyc,
		  __entry->cc7_cyc, __entry->pc2_cyc, __entry->pc3_cyc,
		  __entry->pc6_cyc, __entry->pc7_cyc, __entry->pc8_cyc,
		  __entry->pc9_cyc, __entry->pc10_cyc)
);

/*@-*/
/*@+IPI*/
/*
 * Which CPU has sent the event, and how far the launch time may be off, ns, because its
 * clock and that of the CPU that was woken may differ. Comes before the sample of that
 * run and number.
 */
TRACE_EVENT(wakelat_ipi,

	TP_PROTO(const struct wakelat_sample *s, u64 sender, u64 offset_max),

	TP_ARGS(s, sender, offset_max),

	TP_STRUCT__entry(
		__field(u64, seq)
		__field(u64, sender)
		__field(u64, offset_max)
		__field(u32, run)
	),

	TP_fast_assign(
		__entry->seq		= s->seq;
		__entry->sender		= sender;
		__entry->offset_max	= offset_max;
		__entry->run		= s->run;
	),

	TP_printk("run=%u seq=%llu sender=%llu offset_max=%llu ns",
		  __entry->run, __entry->seq, __entry->sender, __entry->offset_max)
);

/*@-*/
#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH asm/trace/
#define TRACE_INCLUDE_FILE wakelat
#endif /* _ASM_X86_TRACE_WAKELAT_H */

/* This part must be outside protection */
#include <trace/define_trace.h>
