// SPDX-License-Identifier: GPL-2.0
/*
 * The BPF program of `wakelat probe`. It follows each idle period of the measured CPUs by tracepoints. Every kernel
 * since 5.10 has these tracepoints, except ipi_send_cpu, which exists since 6.4. For each idle period that an event of
 * the source ended, the program emits a record.
 *
 *	cpu_idle (entry)	emit the last period's record, which is complete now, and begin a new one
 *	cpu_idle (exit)		set exit
 *	local_timer_entry	set tintr. If this comes before the exit, interrupts are on in the state. On arm64 this
 *				is irq_handler_entry with the timer's number
 *	hrtimer_expire_entry	a timer was due: set ltime, or note a foreign timer
 *	sched_waking, ipi_send_cpu, sched_wake_idle_without_ipi
 *				another CPU wakes this one: set ltime and how, or note a foreign wake-up
 *	all other vectors, irq_handler_entry, nmi_handler
 *				note a foreign interrupt
 *
 * Each program reads the clock before it does anything else. The programs wake no reader: the reader polls the buffer.
 */
#include "bpf-hist.h"
#include "bpf-kernel.h"
#include "bpf-outliers.h"
#include "probe.h"
#include "taint.h"

/* If the time that the timer interrupt read differs more from CLOCK_MONOTONIC than this, it is from another clock. */
#define GREATEST_DELAY_NS 1000000

/* Set before the program is loaded. */
const volatile __u32 source = PROBE_TIMER;
const volatile bool emit = true;	/* emit a record of each sample */
const volatile bool histograms = true;
const volatile __u32 own_process;	/* wake: only wake-ups of this process's threads count; 0: all count */
const volatile __u32 timer_number;	/* number of the local timer's interrupt; 0: it has a vector */
/*
 * ns: the CPU sleeps at the latest this long after the event cpu_idle. An event that comes sooner may find the CPU
 * still on the entry path.
 */
const volatile __u64 asleep_after;

struct probe_cpu cpus[PROBE_MAX_CPUS];
struct probe_hist hists[PROBE_MAX_STATES];

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
} records SEC(".maps");

static __always_inline struct probe_cpu *cpu_of(__u32 nr)
{
	return nr < PROBE_MAX_CPUS && cpus[nr].measured ? &cpus[nr] : NULL;
}

static __always_inline bool is_related(const struct probe_cpu *cpu, __u64 now)
{
	return cpu->open && (!cpu->exited || now <= cpu->related_until);
}

static __always_inline void foreign(struct probe_cpu *cpu, __u64 now, __u32 taint, __u32 vector)
{
	if (!is_related(cpu, now))
		return;
	cpu->seen |= taint;
	cpu->seen_until = now;
	cpu->record.vector = vector;
}

static __always_inline void count_sample(const struct probe_record *r)
{
	struct probe_hist *hist;
	__s64 ns = probe_latency(r);

	if (r->state >= PROBE_MAX_STATES)
		return;
	hist = &hists[r->state];
	if (ns < 0)
		ns = 0;
	if (!r->taint) {
		count_latency(hist, ns);
		return;
	}
	__sync_fetch_and_add(&hist->tainted, 1);
	__sync_fetch_and_add(&hist->tainted_sum, ns);
}

static __always_inline void sample(struct probe_cpu *cpu, struct probe_counts *count)
{
	struct probe_record *r = &cpu->record;

	/* A polling loop continues after an interrupt, so an interrupt long before the event did not end the period. */
	if (cpu->seen && (!is_polling(r->state) || cpu->seen_until + RELATED_NS > r->ltime))
		r->taint |= cpu->seen;
	count->samples++;
	count->tainted += r->taint != 0;
	if (histograms)
		count_sample(r);
	if (threshold)
		emit_outlier(r, count);
	if (emit && bpf_ringbuf_output(&records, r, sizeof(*r), BPF_RB_NO_WAKEUP))
		count->lost++;
}

/* Take the source's event that ended the period. Return false if there is none. */
static __always_inline bool take_event(struct probe_cpu *cpu, const struct probe_counts *count)
{
	struct probe_record *r = &cpu->record;

	if (source == PROBE_TIMER) {
		if (!cpu->own_timer)
			return false;
		r->ltime = cpu->own.target;
		r->seq = cpu->own.seq;
		r->armed = cpu->own.armed;
		if (cpu->first_expiry < r->ltime)
			r->taint |= TAINT_FOREIGN_TIMER;
	} else if (source == PROBE_PASSIVE) {
		if (!cpu->first_expiry)
			return false;
		r->ltime = cpu->first_expiry;
		r->function = cpu->first_function;
		r->seq = count->periods;
	} else {
		if (!r->ltime)
			return false;
		if (!own_process)
			r->seq = count->periods;
		/* A timer that was due may have begun the wake-up. */
		if (cpu->first_expiry)
			r->taint |= TAINT_FOREIGN_TIMER;
	}
	if (cpu->other_clock)
		r->taint |= TAINT_FOREIGN_TIMER;
	return true;
}

/*
 * Count the last period. If an event of the source ended the period, make a sample of it. This runs when the next
 * period begins, so all events that are related to the last one have been seen.
 */
static __always_inline void finish(struct probe_cpu *cpu, struct probe_counts *count)
{
	struct probe_record *r = &cpu->record;

	if (!cpu->open || !cpu->exited)
		return;
	count->periods++;
	if (!take_event(cpu, count)) {
		if (cpu->other_clock)
			count->other_clock++;
		else
			count->other_wakeups++;
		return;
	}
	if (r->ltime < r->enter) {
		count->late++;
		return;
	}
	if (r->ltime < r->enter + asleep_after && !is_polling(r->state))
		r->taint |= TAINT_NO_SLEEP;
	/* No timer interrupt was seen, so another interrupt ran the timers. */
	if (source != PROBE_WAKE && !r->tintr)
		r->taint |= TAINT_FOREIGN_IRQ;
	sample(cpu, count);
}

SEC("raw_tp/cpu_idle")
int idle(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 now = bpf_ktime_get_ns();
	__u32 state = ctx->args[0], nr = ctx->args[1];
	struct probe_cpu *cpu = cpu_of(nr);

	if (!cpu)
		return 0;
	if (state == IDLE_EXIT) {
		if (cpu->open && !cpu->exited) {
			cpu->record.exit = now;
			cpu->related_until = now + RELATED_NS;
			cpu->exited = true;
			keep(nr, now, PROBE_EXIT, 0);
		}
		return 0;
	}
	finish(cpu, &cpu->counts);
	keep(nr, now, PROBE_IDLE, state);
	__builtin_memset(cpu, 0, offsetof(struct probe_cpu, stays));
	cpu->record.cpu = nr;
	cpu->record.state = state;
	cpu->record.enter = now;
	cpu->open = true;
	return 0;
}

/* Note the interrupt of the source's event. */
static __always_inline void own_irq(struct probe_cpu *cpu, __u64 now)
{
	if (!is_related(cpu, now))
		return;
	if (!cpu->record.tintr) {
		cpu->record.tintr = now;
		cpu->record.irqs_on = !cpu->exited;
	}
	cpu->related_until = now + RELATED_NS;
}

/*
 * Handle an interrupt: add it to the CPU's history, with KIND and NUMBER. OWN: it may be the interrupt of the source's
 * event. Any other interrupt taints the sample with TAINT.
 */
static __always_inline int interrupt(__u64 now, enum probe_kind kind, __u32 number, bool own,
				     __u32 taint)
{
	__u32 nr = bpf_get_smp_processor_id();
	struct probe_cpu *cpu = cpu_of(nr);

	if (!cpu)
		return 0;
	keep(nr, now, kind, number);
	/* Source wake: the interrupt belongs to the event only if another CPU has woken this one. */
	if (own && (source != PROBE_WAKE || cpu->record.ltime))
		own_irq(cpu, now);
	else
		foreign(cpu, now, taint, number + (kind == PROBE_DEVICE ? PROBE_DEVICE_VECTOR : 0));
	return 0;
}

SEC("raw_tp/local_timer_entry")
int timer_irq(struct bpf_raw_tracepoint_args *ctx)
{
	return interrupt(bpf_ktime_get_ns(), PROBE_VECTOR, ctx->args[0], source != PROBE_WAKE,
			 TAINT_FOREIGN_IRQ);
}

/*
 * Store in NOW when the kernel runs the timers. ARG points to the time that the kernel has read from the timers' clock
 * after the interrupt began. If this clock is CLOCK_MONOTONIC, use that time: it saves reading the clock again. Return
 * false if it is another clock.
 */
static __always_inline bool run_time(const struct probe_cpu *cpu, const void *arg, __u64 *now)
{
	__u64 base_now = 0;

	bpf_probe_read_kernel(&base_now, sizeof(base_now), arg);
	*now = base_now;
	if (cpu->record.tintr && base_now - cpu->record.tintr < GREATEST_DELAY_NS)
		return true;
	*now = bpf_ktime_get_ns();
	return *now - base_now < GREATEST_DELAY_NS;
}

/* With BTF the verifier knows the argument's type. So fields are loaded directly, without a call of a helper. */
SEC("tp_btf/hrtimer_expire_entry")
int BPF_PROG(expired, struct hrtimer *timer, __s64 *base_now)
{
	__u32 nr = bpf_get_smp_processor_id();
	struct probe_cpu *cpu = cpu_of(nr);
	__u64 expires, now;
	bool ours, is_own;

	if (!cpu || !cpu->open)
		return 0;
	ours = run_time(cpu, base_now, &now);
	keep_timer(nr, timer);
	if (!is_related(cpu, now))
		return 0;
	/* Interrupts that were pending together with this one come after it. */
	if (cpu->exited)
		cpu->related_until = now + RELATED_NS;
	if (!ours) {
		cpu->other_clock = true;
		return 0;
	}
	is_own = source == PROBE_TIMER && (__u64)timer->_softexpires == cpu->next_own.target;
	expires = is_own ? cpu->next_own.target : (__u64)timer->node.expires;
	/* The timer was due only after the CPU was awake, so it did not wake the CPU. */
	if (expires > (cpu->exited ? cpu->record.exit : now))
		return 0;
	if (is_own) {
		cpu->own_timer = true;
		cpu->own = cpu->next_own;
	}
	if (!cpu->first_expiry || expires < cpu->first_expiry) {
		cpu->first_expiry = expires;
		cpu->first_function = source == PROBE_PASSIVE ? (__u64)timer->function : 0;
	}
	return 0;
}

/* Attached to all vectors except those of the timer and of wake-ups. */
SEC("raw_tp/call_function_entry")
int other_irq(struct bpf_raw_tracepoint_args *ctx)
{
	return interrupt(bpf_ktime_get_ns(), PROBE_VECTOR, ctx->args[0], false, TAINT_FOREIGN_IRQ);
}

SEC("raw_tp/reschedule_entry")
int resched_irq(struct bpf_raw_tracepoint_args *ctx)
{
	return interrupt(bpf_ktime_get_ns(), PROBE_VECTOR, ctx->args[0], source == PROBE_WAKE,
			 TAINT_RESCHED);
}

SEC("raw_tp/call_function_single_entry")
int single_irq(struct bpf_raw_tracepoint_args *ctx)
{
	return interrupt(bpf_ktime_get_ns(), PROBE_VECTOR, ctx->args[0], source == PROBE_WAKE,
			 TAINT_FOREIGN_IRQ);
}

/* Return true for an interrupt from another CPU (IPI). Where the timer's interrupt has a number, IPIs are named "IPI". */
static __always_inline bool is_ipi(const struct irqaction *action)
{
	char name[4] = "";

	bpf_probe_read_kernel_str(name, sizeof(name), BPF_CORE_READ(action, name));
	return name[0] == 'I' && name[1] == 'P' && name[2] == 'I' && !name[3];
}

SEC("raw_tp/irq_handler_entry")
int device_irq(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 now = bpf_ktime_get_ns();
	__u32 number = ctx->args[0];
	bool own = false;

	if (timer_number)
		own = source == PROBE_WAKE ? is_ipi((void *)ctx->args[1]) : number == timer_number;
	return interrupt(now, PROBE_DEVICE, number, own, TAINT_FOREIGN_IRQ);
}

SEC("raw_tp/nmi_handler")
int nmi(struct bpf_raw_tracepoint_args *ctx)
{
	return interrupt(bpf_ktime_get_ns(), PROBE_VECTOR, 2, false, TAINT_NMI);
}

/* Source wake: a task is about to be woken. With own_process, only our threads count. */
SEC("tp_btf/sched_waking")
int BPF_PROG(task_waking, struct task_struct *task)
{
	__u64 now = bpf_ktime_get_ns();
	__u32 here = bpf_get_smp_processor_id();

	if (here >= PROBE_MAX_CPUS)
		return 0;
	if (own_process && (__u32)task->tgid != own_process)
		return 0;
	cpus[here].waking = now;
	cpus[here].waking_task = task->pid;
	return 0;
}

/* Add each task switch to the CPU's history. This program is loaded only with a threshold. */
SEC("tp_btf/sched_switch")
int BPF_PROG(switched, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 now = bpf_ktime_get_ns();
	__u32 nr = bpf_get_smp_processor_id();
	struct probe_event *event;

	if (!cpu_of(nr))
		return 0;
	event = keep(nr, now, PROBE_SWITCH, next->pid);
	if (event)
		bpf_probe_read_kernel_str(event->comm, sizeof(event->comm), next->comm);
	return 0;
}

/*
 * This CPU wakes CPU NR. If this CPU woke a task less than RELATED_NS ago, that task is the reason: after sched_waking,
 * the scheduler only chooses the task's CPU before it sends the wake-up.
 */
static __always_inline int sent(__u32 nr, __u32 how)
{
	__u64 now = bpf_ktime_get_ns();
	__u32 here = bpf_get_smp_processor_id();
	struct probe_cpu *cpu = cpu_of(nr);
	struct probe_record *r;

	if (!cpu || here >= PROBE_MAX_CPUS || here == nr)
		return 0;
	keep_sent(nr, now, here, how);
	r = &cpu->record;
	/* CPU NR may have seen the flag and left idle before this program runs. */
	if (source == PROBE_WAKE && !r->ltime && cpu->open && cpus[here].waking &&
	    (!own_process || cpus[here].waking_task == cpu->own_task) &&
	    now - cpus[here].waking < RELATED_NS && (!cpu->exited || cpus[here].waking < r->exit)) {
		r->ltime = cpus[here].waking;
		r->waker = here;
		r->sent = now;
		r->how = how;
		if (own_process) {
			r->seq = cpu->next_own.seq;
			r->armed = cpu->next_own.armed;
		}
		cpus[here].waking = 0;
		return 0;
	}
	/* An interrupt is also seen on the CPU where it arrives, but a flag is not: note it here. */
	if (source == PROBE_WAKE || how == PROBE_SENT_FLAG)
		foreign(cpu, now, TAINT_RESCHED, 0);
	return 0;
}

SEC("raw_tp/ipi_send_cpu")
int ipi_sent(struct bpf_raw_tracepoint_args *ctx)
{
	return sent(ctx->args[0], PROBE_SENT_IPI);
}

SEC("raw_tp/sched_wake_idle_without_ipi")
int flag_set(struct bpf_raw_tracepoint_args *ctx)
{
	return sent(ctx->args[0], PROBE_SENT_FLAG);
}
