/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the BPF programs share, also those of extras: helpers, the kernel's
 * structures, and constants. The structures have only the fields that are read; their offsets are
 * from the kernel's BTF.
 */
#ifndef WAKELAT_BPF_KERNEL_H
#define WAKELAT_BPF_KERNEL_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "probe.h"

struct timerqueue_node {
	__s64 expires;
} __attribute__((preserve_access_index));

struct hrtimer {
	struct timerqueue_node node;
	__s64 _softexpires;
	void *function;
} __attribute__((preserve_access_index));

struct irqaction {
	const char *name;
} __attribute__((preserve_access_index));

struct kernfs_node {
	__u64 id;
} __attribute__((preserve_access_index));

struct cgroup {
	struct kernfs_node *kn;
} __attribute__((preserve_access_index));

struct css_set {
	struct cgroup *dfl_cgrp;
} __attribute__((preserve_access_index));

struct rq {
	__u64 prev_steal_time_rq;
} __attribute__((preserve_access_index));

struct cfs_rq {
	struct rq *rq;
} __attribute__((preserve_access_index));

struct sched_entity {
	struct cfs_rq *cfs_rq;
	unsigned char sched_delayed;
} __attribute__((preserve_access_index));

struct signal_struct {
	int nr_threads;
} __attribute__((preserve_access_index));

struct task_struct {
	int on_rq;
	struct sched_entity se;
	int pid, tgid;
	struct task_struct *group_leader;
	struct css_set *cgroups;
	struct signal_struct *signal;
	char comm[PROBE_COMM];
} __attribute__((preserve_access_index));

struct hrtimer_sleeper {
	struct hrtimer timer;
	struct task_struct *task;
} __attribute__((preserve_access_index));

char LICENSE[] SEC("license") = "GPL";

/* The argument state of the tracepoint cpu_idle when the CPU leaves an idle state. */
#define IDLE_EXIT 0xffffffffU

/*
 * An interrupt that was pending together with the event's interrupt is handled directly after it.
 * What comes later than this had no part in the wake-up.
 */
#define RELATED_NS 10000

/* Set before the program is loaded. Bit N: state N is a loop, with interrupts on. */
const volatile __u32 polling_states;

static __always_inline bool is_polling(__u32 state)
{
	return (polling_states >> (state & 31)) & 1;
}

#endif
