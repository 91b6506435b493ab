/* SPDX-License-Identifier: GPL-2.0 */
/* What the BPF program of `wakelat probe` and the program that loads it have in common. */
#ifndef WAKELAT_PROBE_H
#define WAKELAT_PROBE_H

#define PROBE_MAX_CPUS 1024
#define PROBE_MAX_STATES 16

/* Sources. */
enum probe_source { PROBE_TIMER, PROBE_PASSIVE, PROBE_WAKE, PROBE_NR_SOURCES };

/*
 * Latencies are counted in buckets of which 32 follow each other between a power of two and the next:
 * none is wider than 1/32 of its latency. Those below 32 ns have one each; the last one has what is longer
 * than 2^34 ns.
 */
#define PROBE_SUB_BITS 5
#define PROBE_SUB (1U << PROBE_SUB_BITS)
#define PROBE_TOP_BITS 34
#define PROBE_BUCKETS ((PROBE_TOP_BITS - PROBE_SUB_BITS + 1) * PROBE_SUB + 1)

/* How a CPU was woken by another one. */
enum probe_sent { PROBE_NOT_SENT, PROBE_SENT_IPI, PROBE_SENT_FLAG };

/* One idle period that the source ended. Times: CLOCK_MONOTONIC, ns; 0: not seen. */
struct probe_record {
	__u64 seq;		/* own events: of the event; passive: of the idle period */
	__u64 ltime;		/* expiry of the timer; sched_waking */
	__u64 armed;		/* own timers: when they were */
	__u64 enter, exit;	/* cpu_idle */
	__u64 tintr;		/* first statement of the interrupt that ended it */
	__u64 sent;		/* wake: when the interrupt or the flag was, by the CPU that sent it */
	__u64 function;		/* passive: of the timer */
	__u32 cpu, state;
	__u32 waker;		/* wake: the CPU */
	__u32 how;		/* wake: enum probe_sent */
	__u32 taint;
	__u32 irqs_on;
	__u32 vector;		/* of the last other interrupt; 0x1000 + N: device interrupt N */
	__u32 unused;
};

/* What became of the idle periods of a CPU, for run.tsv. */
struct probe_counts {
	__u64 periods;
	__u64 samples;
	__u64 tainted;
	__u64 late;		/* the event was before the CPU was idle */
	__u64 other_clock;	/* ended by a timer whose clock is not CLOCK_MONOTONIC */
	__u64 other_wakeups;	/* ended by something that is not the source */
	__u64 lost;		/* samples for which the buffer had no room */
	__u64 beyond;		/* --threshold: samples without taint that took longer */
};

/* --threshold: what happened on a CPU. */
enum probe_kind {
	PROBE_NOTHING,
	PROBE_IDLE,		/* number: the state */
	PROBE_EXIT,
	PROBE_VECTOR,		/* number: of the interrupt; 2: NMI */
	PROBE_DEVICE,		/* number: of the device interrupt */
	PROBE_EXPIRED,		/* value: function of the timer */
	PROBE_SENT,		/* number: the CPU that woke this one; how; comm: what ran there */
	PROBE_SWITCH,		/* number: id of the task that runs from here on; comm: its name */
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

/* The last ones; event N is at N % PROBE_EVENTS. */
#define PROBE_EVENTS 32
struct probe_history {
	__u64 nr;
	struct probe_event events[PROBE_EVENTS];
	struct probe_event sent;	/* by another CPU: the last one */
};

/* A sample beyond the threshold, and what was before it and until the CPU was idle again. */
struct probe_outlier {
	struct probe_record record;
	struct probe_history history;
};

/* An event of our own, as the thread that makes it says it beforehand. */
struct probe_own {
	__u64 seq;
	__u64 armed;
	__u64 target;		/* expiry; wake: unused */
};

/* All that the BPF program knows of a CPU, in one place: after an idle state caches and TLB are cold. */
struct probe_cpu {
	/* Of the idle period, which begins with zeros. */
	struct probe_record record;
	__u64 seen_until;	/* the last time of a foreign event */
	__u64 related_until;
	__u64 first_expiry;	/* of the timers that expired: the hardware was told of the earliest */
	__u64 first_function;
	struct probe_own own;	/* own_timer: which of ours it was */
	__u32 seen;		/* foreign: taints */
	__u8 open, exited;
	__u8 own_timer, other_clock;

	/* What stays. */
	struct {} stays;
	__u64 waking;		/* when this CPU has last woken a task */
	__u32 waking_task;	/* which */
	__u32 own_task;		/* wake: our thread that sleeps here; 0: none */
	struct probe_own next_own;	/* set by the thread that makes the events, before each of them */
	struct probe_counts counts;
	__u8 measured;
} __attribute__((aligned(64)));

/* Of a state, all CPUs together: the untainted samples, sum and max in ns; of the tainted ones two sums. */
struct probe_hist {
	__u64 sum, max;
	__u64 tainted, tainted_sum;
	__u32 bucket[PROBE_BUCKETS + 1];
};

#endif
