/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM wakelat

#if !defined(_WAKELAT_I210_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _WAKELAT_I210_TRACE_H

#include <linux/tracepoint.h>
#include <linux/wakelat_source.h>

/*
 * What the card's clock read, ns: the launch time as the card was told; before the CPU
 * went idle; after it had come back, or in the handler if that ran inside the idle
 * state. And how wide the brackets around the two readings were, ns. What could not be
 * read is 2^64 - 1. Comes before the sample of that run and number.
 */
TRACE_EVENT(wakelat_clock,

	TP_PROTO(const struct wakelat_sample *s, u64 before, u64 after, u64 before_width,
		 u64 after_width),

	TP_ARGS(s, before, after, before_width, after_width),

	TP_STRUCT__entry(
		__field(u64, seq)
		__field(u64, ltime_gross)
		__field(u64, tbi_gross)
		__field(u64, tai_gross)
		__field(u64, tbi_latch)
		__field(u64, tai_latch)
		__field(u32, run)
	),

	TP_fast_assign(
		__entry->seq		= s->seq;
		__entry->ltime_gross	= s->ltime;
		__entry->tbi_gross	= before;
		__entry->tai_gross	= after;
		__entry->tbi_latch	= before_width;
		__entry->tai_latch	= after_width;
		__entry->run		= s->run;
	),

	TP_printk("run=%u seq=%llu ltime_gross=%llu ns tbi_gross=%llu ns tai_gross=%llu ns tbi_latch=%llu ns tai_latch=%llu ns",
		  __entry->run, __entry->seq, __entry->ltime_gross, __entry->tbi_gross,
		  __entry->tai_gross, __entry->tbi_latch, __entry->tai_latch)
);

#endif /* _WAKELAT_I210_TRACE_H */

/* This part must be outside protection */
#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE i210_trace
#include <trace/define_trace.h>
