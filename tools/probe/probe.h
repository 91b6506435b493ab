/* SPDX-License-Identifier: GPL-2.0 */
/* Definitions that the BPF program of `wakelat probe` shares with the program that loads it. */
#ifndef WAKELAT_PROBE_H
#define WAKELAT_PROBE_H

#include <linux/types.h>

#define PROBE_MAX_CPUS 1024
#define PROBE_MAX_STATES 16

/*
 * The CPU sleeps at the latest this many ns after the event cpu_idle, unless firmware enters the
 * state.
 */
#define ASLEEP_AFTER_NS 1000

enum probe_source { PROBE_TIMER, PROBE_PASSIVE, PROBE_WAKE, PROBE_NR_SOURCES };

/*
 * Latencies are counted in buckets. There are 32 buckets from each power of two to the next, so no bucket is wider
 * than 1/32 of its latency. Each latency below 32 ns has its own bucket. The last bucket counts latencies from
 * 2^34 ns on.
 */
#define PROBE_SUB_BITS 5
#define PROBE_SUB (1U << PROBE_SUB_BITS)
#define PROBE_TOP_BITS 34
#define PROBE_BUCKETS ((PROBE_TOP_BITS - PROBE_SUB_BITS + 1) * PROBE_SUB + 1)

/* Return the bucket in which NS is counted. It has no builtin for log2(NS), because BPF has none. */
static inline __attribute__((always_inline)) __u64 probe_bucket_of(__u64 ns)
{
	__u32 shift = 0;
	__u64 v = ns >> PROBE_SUB_BITS;

	if (!v)
		return ns;
	if (ns >> PROBE_TOP_BITS)
		return PROBE_BUCKETS;
	if (v >> 16) { v >>= 16; shift += 16; }
	if (v >> 8) { v >>= 8; shift += 8; }
	if (v >> 4) { v >>= 4; shift += 4; }
	if (v >> 2) { v >>= 2; shift += 2; }
	shift += v >> 1;
	return ((__u64)shift << PROBE_SUB_BITS) + (ns >> shift);
}

/* How a CPU was woken by another one. */
enum probe_sent { PROBE_NOT_SENT, PROBE_SENT_IPI, PROBE_SENT_FLAG };

/* One idle period that the source ended. Times: CLOCK_MONOTONIC, ns; 0: not seen. */
struct probe_record {
	__u64 seq;		/* number of the event of our own; if we make no events, number of the idle period */
	__u64 ltime;		/* expiry of the timer; wake: time of the event sched_waking */
	__u64 armed;		/* own events: when the event was armed */
	__u64 enter, exit;	/* times of the events cpu_idle */
	__u64 tintr;		/* when the interrupt that ended the period began */
	__u64 sent;		/* wake: when the waking CPU sent the interrupt or set the flag */
	__u64 function;		/* passive: the timer's function */
	__u32 cpu, state;
	__u32 waker;		/* wake: the CPU that woke this one */
	__u32 how;		/* wake: enum probe_sent */
	__u32 taint;
	__u32 irqs_on;
	__u32 vector;		/* of the last foreign interrupt */
	__u32 unused;
};

/* In probe_record.vector, this plus N means device interrupt N. */
#define PROBE_DEVICE_VECTOR 0x1000

/* Return the wake latency in ns; the interrupt latency if interrupts were on in the state. */
static inline __s64 probe_latency(const struct probe_record *r)
{
	return (r->irqs_on ? r->tintr : r->exit) - r->ltime;
}

/* Counts of the idle periods of a CPU by their result, for run.tsv. */
struct probe_counts {
	__u64 periods;
	__u64 samples;
	__u64 tainted;
	__u64 late;		/* the event came before the CPU was idle */
	__u64 other_clock;	/* ended by a timer whose clock is not CLOCK_MONOTONIC */
	__u64 other_wakeups;	/* ended by something that is not the source */
	__u64 lost;		/* samples for which the buffer had no room */
	__u64 beyond;		/* --threshold: untainted samples that took longer */
};

/* --threshold: the kinds of events that are kept for a CPU. */
enum probe_kind {
	PROBE_NOTHING,
	PROBE_IDLE,		/* number: the state */
	PROBE_EXIT,
	PROBE_VECTOR,		/* number: the interrupt's vector; 2: NMI */
	PROBE_DEVICE,		/* number: of the device interrupt */
	PROBE_EXPIRED,		/* value: the timer's function */
	PROBE_SENT,		/* number: the CPU that woke this one; comm: the task that ran on that CPU */
	PROBE_SWITCH,		/* number: id of the task that runs next; comm: its name */
};

#define PROBE_COMM 16

struct probe_event {
	__u64 time;
	__u64 value;
	__u32 kind;
	__u32 number;
	__u32 how;		/* enum probe_sent */
	__u32 unused;
	char comm[PROBE_COMM];
};

/* The last events of a CPU. Event N is at N % PROBE_EVENTS. */
#define PROBE_EVENTS 32
struct probe_history {
	__u64 nr;
	struct probe_event events[PROBE_EVENTS];
	struct probe_event sent;	/* the last PROBE_SENT, written by another CPU */
};

/* A sample beyond the threshold, and the CPU's events before it and until the CPU was idle again. */
struct probe_outlier {
	struct probe_record record;
	struct probe_history history;
};

/* An event of our own. The thread that makes the event writes this beforehand. */
struct probe_own {
	__u64 seq;
	__u64 armed;
	__u64 target;		/* expiry; wake: unused */
};

/* The BPF program's data of a CPU. It is in one place, because caches and TLB are cold after an idle state. */
struct probe_cpu {
	/* Data of the idle period, set to 0 when a period begins. */
	struct probe_record record;
	__u64 seen_until;	/* time of the last foreign event */
	__u64 related_until;
	__u64 first_expiry;	/* earliest expiry of the expired timers: the hardware was programmed for it */
	__u64 first_function;
	struct probe_own own;	/* if own_timer: the event of our own that expired */
	__u32 seen;		/* taints by foreign events */
	__u8 open, exited;
	__u8 own_timer, other_clock;

	/* Data that outlives the period. */
	struct {} stays;
	__u64 waking;		/* when this CPU last woke a task */
	__u32 waking_task;	/* the id of that task */
	__u32 own_task;		/* wake: our thread that sleeps here; 0: none */
	struct probe_own next_own;	/* set by the thread that makes the events, before each of them */
	struct probe_counts counts;
	__u8 measured;
} __attribute__((aligned(64)));

/*
 * Samples of a state, all CPUs together. bucket, sum and max: untainted samples, in ns. tainted, tainted_sum: number
 * and sum of the tainted ones.
 */
struct probe_hist {
	__u64 sum, max;
	__u64 tainted, tainted_sum;
	__u64 bucket[PROBE_BUCKETS + 1];	/* 32 bits overflow within days */
};

#endif
