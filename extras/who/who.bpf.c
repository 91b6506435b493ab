// SPDX-License-Identifier: GPL-2.0
/*
 * The BPF program of `wakelat who`. It counts how long threads waited for sleeping CPUs, by program, thread or cgroup.
 *
 *	cpu_idle		a CPU begins or ends an idle state
 *	hrtimer_expire_entry	a thread's timer: the wait begins at its expiry
 *	sched_waking		another event: the wait begins here
 *	sched_wakeup_new	a new thread
 *	sched_migrate_task	the scheduler moves a waiting thread to another CPU
 *	sched_switch		the thread runs: its wait is counted
 *	task_rename, cgroup_attach_task
 *				a thread may belong to another group now
 *
 * A thread's id is its index in the array slots[], modulo WHO_SLOTS. A hash table would take longer than the rest of
 * the program. Of each group, only the longest wait is sent to user space, each time that a longer one occurs.
 */
#include "bpf-hist.h"
#include "bpf-kernel.h"
#include "who.h"

/* Set before the program is loaded. */
const volatile __u32 by = WHO_PROGRAM;
const volatile bool has_steal;
const volatile __u32 nr_pids;
const volatile __u32 pids[WHO_MAX_PIDS];
const volatile __u64 wakeup_function;	/* hrtimer_wakeup */

struct slot {
	__u64 event;		/* 0: the thread does not wait */
	__u32 pid;
	__u32 generation;
	__u32 waker_pid;
	__u16 waker_cpu;
	__u16 group;
	__u8 moved, timer;
} __attribute__((aligned(32)));	/* never in two cache lines */

static struct slot slots[WHO_SLOTS];
struct who_cpu cpus[PROBE_MAX_CPUS];
struct who_group groups[WHO_MAX_GROUPS];
struct who_counts counts;
struct who_free free_groups, free_cells;
/* Increases when a thread may belong to another group, and when user space takes groups back. */
__u32 generation = 1;

struct group_key {
	__u64 id;
	char comm[PROBE_COMM];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, WHO_MAX_GROUPS);
	__type(key, struct group_key);
	__type(value, __u32);
} group_numbers SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, WHO_MAX_CELLS + 1);
	__type(key, __u32);
	__type(value, struct who_cell);
} cells SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 17);
} worsts SEC(".maps");

/*
 * Return the steal time of TASK's CPU, as of the last update of its run queue's clock. The scheduler updates this clock
 * before each switch. The hypervisor's own value is in a variable that BPF finds only with CONFIG_KALLSYMS_ALL.
 */
static __always_inline __u64 steal_clock(const struct task_struct *task)
{
	if (!bpf_core_field_exists(task->se.cfs_rq->rq->prev_steal_time_rq))
		return 0;
	return task->se.cfs_rq->rq->prev_steal_time_rq;
}

/*
 * The mask is for the verifier. Without the barrier, the compiler would drop the mask, or test a copy that the
 * verifier does not follow.
 */
static __always_inline struct who_cpu *cpu_of(__u32 nr)
{
	if (nr >= PROBE_MAX_CPUS)
		return NULL;
	barrier_var(nr);
	return &cpus[nr & (PROBE_MAX_CPUS - 1)];
}

static __always_inline struct who_group *group_of(__u32 nr)
{
	if (nr >= WHO_MAX_GROUPS)
		nr = WHO_OTHERS;
	barrier_var(nr);
	return &groups[nr & (WHO_MAX_GROUPS - 1)];
}

/* Note that the CPU executes instructions, so its idle state has ended. */
static __always_inline void awake(struct who_cpu *cpu, __u64 now)
{
	if (cpu->enter && !cpu->exit)
		cpu->exit = now;
}

SEC("tp_btf/cpu_idle")
int BPF_PROG(idle, unsigned int state, unsigned int nr)
{
	__u64 now = bpf_ktime_get_ns();
	struct who_cpu *cpu = cpu_of(nr);

	if (!cpu)
		return 0;
	if (state == IDLE_EXIT) {
		awake(cpu, now);
		return 0;
	}
	cpu->state = state;
	cpu->exit = 0;
	cpu->enter = now;
	cpu->periods++;
	return 0;
}

SEC("tp_btf/hrtimer_expire_entry")
int BPF_PROG(expired, struct hrtimer *timer, __s64 *timer_now)
{
	struct who_cpu *cpu = cpu_of(bpf_get_smp_processor_id());
	__u64 expires, now;

	if (!cpu || (__u64)timer->function != wakeup_function)
		return 0;
	now = bpf_ktime_get_ns();
	if (!is_polling(cpu->state))
		awake(cpu, now);
	expires = timer->node.expires;
	/*
	 * Leave out timers of other clocks. CLOCK_REALTIME and CLOCK_TAI differ by decades, CLOCK_BOOTTIME by the
	 * time that the machine was suspended.
	 */
	if (expires > now || now - expires > 60000000000ULL)
		return 0;
	/* The field task is beyond the end of struct hrtimer, so the verifier does not allow a direct load. */
	cpu->due_task = (__u64)BPF_CORE_READ((struct hrtimer_sleeper *)timer, task);
	cpu->due = expires;
	cpu->due_seen = now;
	return 0;
}

static __always_inline bool is_wanted(const struct task_struct *task)
{
	if (!nr_pids)
		return true;
	for (int i = 0; i < WHO_MAX_PIDS; i++)
		if (i < nr_pids && pids[i] == task->tgid)
			return true;
	return false;
}

static __always_inline struct slot *wait_begins(struct task_struct *task, __u64 now)
{
	struct slot *slot = &slots[task->pid & (WHO_SLOTS - 1)];

	if (slot->pid != task->pid) {
		if (slot->event)
			__sync_fetch_and_add(&counts.lost, 1);
		slot->pid = task->pid;
		slot->generation = 0;
	}
	slot->event = now;
	slot->moved = 0;
	slot->timer = 0;
	slot->waker_cpu = bpf_get_smp_processor_id();
	slot->waker_pid = bpf_get_current_pid_tgid();
	return slot;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(waking, struct task_struct *task)
{
	__u64 now = bpf_ktime_get_ns();
	struct who_cpu *cpu = cpu_of(bpf_get_smp_processor_id());
	struct slot *slot;
	__u64 due;

	if (!cpu)
		return 0;
	if (!is_polling(cpu->state))
		awake(cpu, now);
	due = cpu->due;
	cpu->due = 0;
	/* With on_rq the thread runs or already waits. But since 6.12 a sleeping thread may have on_rq and sched_delayed. */
	if (task->on_rq && !(bpf_core_field_exists(task->se.sched_delayed) && task->se.sched_delayed))
		return 0;
	if (!is_wanted(task))
		return 0;
	slot = wait_begins(task, now);
	/* The timer's function only wakes this task, so the expiry is the event. */
	if (due && cpu->due_task == (__u64)task && now - cpu->due_seen < RELATED_NS) {
		slot->event = due;
		slot->timer = 1;
	}
	return 0;
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(new_thread, struct task_struct *task)
{
	if (!is_wanted(task))
		return 0;
	/* An older thread may have had this id, so find the group again. */
	wait_begins(task, bpf_ktime_get_ns())->generation = 0;
	return 0;
}

SEC("tp_btf/sched_migrate_task")
int BPF_PROG(moved, struct task_struct *task)
{
	struct slot *slot = &slots[task->pid & (WHO_SLOTS - 1)];

	/* If the thread is not in a queue yet, the scheduler only chooses its CPU. */
	if (slot->event && slot->pid == task->pid && task->on_rq)
		slot->moved = 1;
	return 0;
}

/*
 * A thread has a new name, as after each exec: find its group again. The other threads keep their groups, unless they
 * belong to this process and are grouped by its name.
 */
SEC("tp_btf/task_rename")
int BPF_PROG(renamed, struct task_struct *task)
{
	struct slot *slot = &slots[task->pid & (WHO_SLOTS - 1)];

	if (slot->pid == task->pid)
		slot->generation = 0;
	if (by == WHO_PROGRAM && task->pid == task->tgid && task->signal->nr_threads > 1)
		__sync_fetch_and_add(&generation, 1);
	return 0;
}

SEC("tp_btf/cgroup_attach_task")
int BPF_PROG(attached)
{
	__sync_fetch_and_add(&generation, 1);
	return 0;
}

/* Take a number from FREE, or the spare one. Return 0 if there is none, or if other CPUs take numbers at the same time. */
static __always_inline __u32 take_free(struct who_free *free, __u32 *spare)
{
	__u32 nr = *spare, taken;

	*spare = 0;
	for (int i = 0; !nr && i < 4; i++) {
		taken = free->taken;
		if (taken == free->given)
			break;
		if (__sync_val_compare_and_swap(&free->taken, taken, taken + 1) == taken)
			nr = free->nr[taken & (WHO_MAX_FREE - 1)];
	}
	return nr;
}

static __always_inline __u32 find_group(struct task_struct *task, struct who_cpu *cpu)
{
	struct group_key key = { 0 };
	struct who_group *group;
	__u32 *known, nr;

	if (by == WHO_CGROUP) {
		key.id = task->cgroups->dfl_cgrp->kn->id;
	} else {
		struct task_struct *named = by == WHO_PROGRAM ? task->group_leader : task;

		if (by == WHO_THREAD)
			key.id = task->pid;
		bpf_probe_read_kernel_str(key.comm, sizeof(key.comm), named->comm);
	}
	known = bpf_map_lookup_elem(&group_numbers, &key);
	if (known)
		return *known;
	nr = take_free(&free_groups, &cpu->spare_group);
	if (!nr)
		return WHO_OTHERS;
	group = group_of(nr);
	group->id = key.id;
	__builtin_memcpy(group->comm, key.comm, sizeof(group->comm));
	if (bpf_map_update_elem(&group_numbers, &key, &nr, BPF_NOEXIST)) {
		/* Another CPU has added this group meanwhile: use its number. */
		cpu->spare_group = nr;
		known = bpf_map_lookup_elem(&group_numbers, &key);
		return known ? *known : WHO_OTHERS;
	}
	return nr;
}

static __always_inline struct who_cell *cell_of(struct who_group *group, __u32 class, struct who_cpu *cpu)
{
	__u32 nr, other;

	if (class >= WHO_NR_CLASSES)
		return NULL;
	barrier_var(class);
	class &= 31;
	nr = group->cell[class];
	if (!nr) {
		nr = take_free(&free_cells, &cpu->spare_cell);
		if (!nr)
			return NULL;
		other = __sync_val_compare_and_swap(&group->cell[class], 0, nr);
		if (other) {
			cpu->spare_cell = nr;
			nr = other;
		}
	}
	return bpf_map_lookup_elem(&cells, &nr);
}

static __always_inline void longest(struct who_group *group, __u32 group_nr, const struct slot *slot, const struct who_cpu *cpu,
				    __u32 cpu_nr, __u64 now, struct task_struct *task)
{
	__u64 wait = cpu->exit - slot->event;
	struct who_worst *worst;

	group->worst = wait;
	worst = bpf_ringbuf_reserve(&worsts, sizeof(*worst), 0);
	if (!worst) {
		__sync_fetch_and_add(&counts.unseen, 1);
		return;
	}
	*worst = (struct who_worst) {
		.event = slot->event, .enter = cpu->enter, .exit = cpu->exit, .run = now,
		.stolen = cpu->stolen < wait ? cpu->stolen : wait, .group = group_nr, .pid = slot->pid,
		.cpu = cpu_nr, .state = cpu->state, .timer = slot->timer,
		.waker_cpu = slot->waker_cpu, .waker_pid = slot->waker_pid,
	};
	bpf_probe_read_kernel_str(worst->comm, sizeof(worst->comm), task->comm);
	bpf_ringbuf_submit(worst, BPF_RB_NO_WAKEUP);
}

/*
 * Return where the wake-up landed. A thread that was moved, or that waited behind another thread, does not count as a
 * wait for a sleeping CPU, although the CPU on which it was woken may have slept.
 */
static __always_inline __u32 class_of(const struct slot *slot, const struct who_cpu *cpu, bool from_idle)
{
	if (slot->moved)
		return WHO_MOVED;
	if (cpu->enter && cpu->exit && slot->event < cpu->exit && cpu->state < PROBE_MAX_STATES &&
	    slot->event >= cpu->enter + (is_polling(cpu->state) ? 0 : ASLEEP_AFTER_NS))
		return cpu->state;
	return from_idle ? WHO_AWAKE : WHO_BUSY;
}

static __always_inline void count(struct who_cell *cell, const struct slot *slot, const struct who_cpu *cpu, __u32 class, __u64 now)
{
	__u64 wait = now - slot->event;

	__sync_fetch_and_add(&cell->run_sum, wait);
	if (class < PROBE_MAX_STATES) {
		wait = cpu->exit - slot->event;
		if (has_steal && cpu->stolen) {
			__sync_fetch_and_add(&cell->stolen_sum, cpu->stolen < wait ? cpu->stolen : wait);
			if (cpu->stolen > wait)
				__sync_fetch_and_add(&cell->stolen_more, 1);
		}
	}
	if (slot->timer)
		__sync_fetch_and_add(&cell->timers, 1);
	count_latency(&cell->hist, wait);
}

/*
 * When CPU goes idle, note its steal time; when it runs a thread after that, note the increase. The first switch may end
 * an idle period that began before the measurement: then the increase is not known.
 */
static __always_inline void note_steal(struct who_cpu *cpu, const struct task_struct *prev, const struct task_struct *next)
{
	if (!next->pid) {
		cpu->steal = steal_clock(next);
		cpu->steal_known = 1;
	} else if (!prev->pid) {
		cpu->stolen = cpu->steal_known ? steal_clock(next) - cpu->steal : 0;
	}
}

SEC("tp_btf/sched_switch")
int BPF_PROG(switched, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u32 pid = next->pid, nr, class, group_nr, seen;
	struct who_group *group;
	struct who_cell *cell;
	struct who_cpu *cpu;
	struct slot *slot;
	__u64 now;

	nr = bpf_get_smp_processor_id();
	cpu = cpu_of(nr);
	if (!cpu)
		return 0;
	if (has_steal)
		note_steal(cpu, prev, next);
	if (!pid)
		return 0;
	slot = &slots[pid & (WHO_SLOTS - 1)];
	if (!slot->event || slot->pid != pid)
		return 0;
	now = bpf_ktime_get_ns();
	seen = generation;
	if (slot->generation != seen) {
		slot->group = find_group(next, cpu);
		/* If there was no room, try again at the next wake-up. */
		slot->generation = slot->group == WHO_OTHERS ? 0 : seen;
	}
	group_nr = slot->group;
	group = group_of(group_nr);
	class = class_of(slot, cpu, !prev->pid);
	cell = cell_of(group, class, cpu);
	if (!cell) {
		/* User space has given the others a cell for each class. */
		group_nr = WHO_OTHERS;
		group = group_of(group_nr);
		cell = cell_of(group, class, cpu);
	}
	if (cell)
		count(cell, slot, cpu, class, now);
	group->last = now;
	if (class < PROBE_MAX_STATES && cpu->exit - slot->event > group->worst)
		longest(group, group_nr, slot, cpu, nr, now, next);
	slot->event = 0;
	return 0;
}
