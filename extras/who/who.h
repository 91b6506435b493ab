/* SPDX-License-Identifier: GPL-2.0 */
/* Definitions that the BPF program of `wakelat who` shares with the program that loads it. */
#ifndef WAKELAT_WHO_H
#define WAKELAT_WHO_H

#include "probe.h"

/* How wake-ups are grouped. */
enum who_by { WHO_PROGRAM, WHO_THREAD, WHO_CGROUP };

/* Where a wake-up landed: an idle state's index, or one of these. */
enum who_class {
	WHO_AWAKE = PROBE_MAX_STATES,	/* the CPU had left its idle state, or had not entered it yet */
	WHO_BUSY,			/* the CPU ran something */
	WHO_MOVED,			/* the scheduler moved the waiting thread to another CPU */
	WHO_NR_CLASSES,
};

/* WHO_NR_CLASSES, rounded up to a power of two for the verifier. */
#define WHO_CLASSES 32

/*
 * A thread's slot is its id modulo this. If two waiting threads have the same slot, the wait of the first is lost, and
 * counted in who_counts.lost.
 */
#define WHO_SLOTS 32768

#define WHO_MAX_GROUPS 4096
#define WHO_MAX_CELLS 4096
#define WHO_MAX_PIDS 16
#define WHO_OTHERS 0	/* the group of all threads for which there is no other group */

/*
 * Numbers of free groups, or of free cells. User space adds numbers (who-room.c), the BPF program takes them.
 * Number N of the list is at N % WHO_MAX_FREE.
 */
#define WHO_MAX_FREE 4096
struct who_free {
	__u32 taken, given;
	__u32 nr[WHO_MAX_FREE];
};

struct who_group {
	__u64 id;		/* of the thread or cgroup; 0 if grouped by program */
	char comm[PROBE_COMM];
	__u64 worst;		/* ns: the longest wait for a sleeping CPU */
	__u64 last;		/* when its last wake-up was counted, CLOCK_MONOTONIC; 0: none yet */
	__u32 cell[WHO_CLASSES];	/* number of its counts; 0: none yet */
} __attribute__((aligned(64)));

/*
 * The wake-ups of a group in one class. If the CPU slept, hist counts the wait from the event to the first
 * instruction after the idle state. In the other classes, hist counts the wait from the event until the thread runs.
 */
struct who_cell {
	__u64 run_sum;		/* ns, from the event until the thread runs */
	__u64 stolen_sum;	/* ns, steal time, at most the wait of each wake-up */
	__u64 stolen_more;	/* wake-ups whose steal time was longer than their wait */
	__u64 timers;		/* wake-ups by a timer of the thread */
	struct probe_hist hist;
} __attribute__((aligned(64)));

/* The longest wait of a group so far. Times: CLOCK_MONOTONIC, ns. */
struct who_worst {
	__u64 event, enter, exit, run;
	__u64 stolen;
	__u32 group, pid;
	__u32 cpu, state;
	__u32 waker_cpu, waker_pid;	/* waker_pid 0: an interrupt in idle */
	__u32 timer;			/* the event is the expiry of the thread's timer */
	char comm[PROBE_COMM];
};

struct who_cpu {
	__u64 enter, exit;
	__u64 steal, stolen;	/* steal time before idle, and its increase until a thread runs */
	__u64 due, due_seen;	/* a thread's timer: its expiry, and when the CPU ran its function */
	__u64 due_task;
	__u32 periods;
	__u32 state;
	__u32 spare_group, spare_cell;	/* numbers that were taken but not used; 0: none */
	__u8 steal_known;		/* steal has been read */
} __attribute__((aligned(64)));

struct who_counts {
	__u64 lost;		/* waits that another thread in the same slot replaced */
	__u64 unseen;		/* longest waits for which the buffer had no room */
};

#endif
