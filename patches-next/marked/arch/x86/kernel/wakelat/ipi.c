// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement on x86: another CPU as the event source.
 */

/**
 * DOC: ipi source
 *
 * Most wake-ups are not a timer's or a device's: another CPU has woken a task. Here a
 * timer's handler on another CPU, the sender, reads the clock, which is the launch time,
 * and wakes the CPU that is measured, in one of two ways (setting "method"):
 *
 * * interrupt: by the interrupt by which CPUs tell each other to schedule. The
 *   handler's stamp is taken at its entry (the tracepoint reschedule_entry).
 * * flag: by writing the flag of the idle task that a CPU in MWAIT, or in POLL, watches.
 *   That is how the scheduler does it wherever it can. There is no handler: tintr and
 *   intr_latency are absent. In a state in which the CPU does not watch the flag
 *   the event is lost.
 *
 * So the latency contains what the sender takes from its stamp to the write, some ten
 * instructions, and the way to the other CPU. No package sleeps meanwhile: the sender
 * is awake.
 *
 * The two CPUs' clocks may differ. When a run starts they are compared: each CPU
 * in turn reads its clock and answers the other by a write to memory. Any reading of the
 * one lies between two of the other; what all of them leave is the uncertainty of
 * each sample, and is with the sender in an event of its own, wakelat_ipi.
 *
 * The sender is the first CPU that is not measured, or the one that the user sets
 * ("sender"). The run ends if it goes offline.
 */

#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/wakelat.h>
#include <linux/wakelat_arith.h>
#include <linux/wakelat_source.h>

#include <asm/trace/irq_vectors.h>
#include <asm/trace/wakelat.h>

/* The kernel programs the sender's timer, and an interrupt tells it to. */
#define IPI_LDIST_MIN_NS	(5 * NSEC_PER_USEC)

/* So often are the clocks of two CPUs compared, and so long does one wait for the other. */
#define COMPARISONS		200
#define COMPARE_TIMEOUT_MS	1

#define NO_SENDER		U32_MAX

enum ipi_method {
	IPI_INTERRUPT,
	IPI_FLAG,
};

static const char * const ipi_methods[] = {
	[IPI_INTERRUPT]	= "interrupt",
	[IPI_FLAG]	= "flag",
};

/**
 * struct ipi_settings - what the next run, or the current one, is to do
 * @method: how the CPU is woken
 * @sender: by whom; NO_SENDER: whoever is not measured
 */
struct ipi_settings {
	enum ipi_method method;
	u32 sender;
};

/* Of the next run, and of the current or last one: changed only while none is on. */
static struct ipi_settings next_settings = { .sender = NO_SENDER };
static struct ipi_settings current_settings;
/* The sender goes offline. */
static bool sender_gone;

/**
 * struct ipi_target - a measured CPU
 * @start: queued on the sender: starts @timer there
 * @timer: its handler wakes the CPU
 * @cpu: which CPU it is
 * @ldist: how long after @start it is to do so, ns
 * @sent_cyc: the sender's clock before it did; 0 while no event is on its way
 * @lost: it could not
 * @off_min_cyc: the sender's clock is ahead by this at least
 * @off_max_cyc: and by this at most
 */
struct ipi_target {
	struct irq_work start;
	struct hrtimer timer;
	unsigned int cpu;
	u64 ldist;
	u64 sent_cyc;
	bool lost;
	s64 off_min_cyc;
	s64 off_max_cyc;
};

static DEFINE_PER_CPU(struct ipi_target, ipi_target);

/* The middle of what is possible is the correction, half of the width the uncertainty. */
static u64 offset_error_cyc(const struct ipi_target *target)
{
	return (target->off_max_cyc - target->off_min_cyc + 1) / 2;
}

static u64 in_target_clock(const struct ipi_target *target, u64 cyc)
{
	return cyc - (target->off_min_cyc + (s64)offset_error_cyc(target));
}

/* Sets the flag if the idle task of the CPU watches it; else returns false. */
static bool set_flag(unsigned int cpu)
{
	struct thread_info *ti = task_thread_info(idle_task(cpu));
	unsigned long flags = READ_ONCE(ti->flags);

	do {
		if (!(flags & _TIF_POLLING_NRFLAG))
			return false;
	} while (!try_cmpxchg(&ti->flags, &flags, flags | _TIF_NEED_RESCHED));

	return true;
}

static enum hrtimer_restart ipi_send(struct hrtimer *timer)
{
	struct ipi_target *target = container_of(timer, struct ipi_target, timer);

	if (current_settings.method == IPI_FLAG) {
		WRITE_ONCE(target->sent_cyc, wakelat_clock());
		if (set_flag(target->cpu))
			return HRTIMER_NORESTART;
		/* So it must be told that there is no event. */
		WRITE_ONCE(target->lost, true);
	} else {
		WRITE_ONCE(target->sent_cyc, wakelat_clock());
	}
	arch_smp_send_reschedule(target->cpu);

	return HRTIMER_NORESTART;
}

static void ipi_start_timer(struct irq_work *work)
{
	struct ipi_target *target = container_of(work, struct ipi_target, start);

	hrtimer_start(&target->timer, ns_to_ktime(target->ldist), HRTIMER_MODE_REL_PINNED_HARD);
}

static int ipi_arm(u64 ldist, u64 *ltime)
{
	struct ipi_target *target = this_cpu_ptr(&ipi_target);

	WRITE_ONCE(target->sent_cyc, 0);
	target->lost = false;
	target->ldist = ldist;
	*ltime = 0;
	if (READ_ONCE(sender_gone))
		return -ENODEV;
	irq_work_queue_on(&target->start, current_settings.sender);

	return 0;
}

static void ipi_cancel(unsigned int cpu)
{
	struct ipi_target *target = &per_cpu(ipi_target, cpu);

	/* What has not started the timer by now does not any more. */
	irq_work_sync(&target->start);
	hrtimer_cancel(&target->timer);
	WRITE_ONCE(target->sent_cyc, 0);
}

static bool ipi_launch(u64 ltime, struct wakelat_launch *launch)
{
	const struct ipi_target *target = this_cpu_ptr(&ipi_target);

	launch->cyc = in_target_clock(target, READ_ONCE(target->sent_cyc));
	launch->uncertainty_cyc = offset_error_cyc(target);
	launch->ns = wakelat_cyc_to_ns(launch->cyc, wakelat_clock_khz());

	return true;
}

static void ipi_emit(const struct wakelat_sample *s)
{
	const struct ipi_target *target = this_cpu_ptr(&ipi_target);

	trace_wakelat_ipi(s, current_settings.sender,
			  wakelat_cyc_to_ns(offset_error_cyc(target), wakelat_clock_khz()));
}

/* Has an event been sent to this CPU that it has not seen yet? Nobody else's counts. */
static bool ipi_has_come(const struct ipi_target *target, u64 now_cyc)
{
	u64 sent_cyc = READ_ONCE(target->sent_cyc);

	return sent_cyc && in_target_clock(target, sent_cyc) <= now_cyc + offset_error_cyc(target);
}

/* The interrupt may be the scheduler's. */
static void stamp_reschedule_entry(void *unused, int vector)
{
	u64 tintr_cyc = wakelat_clock();
	struct ipi_target *target = this_cpu_ptr(&ipi_target);

	if (!ipi_has_come(target, tintr_cyc))
		return;
	if (READ_ONCE(target->lost))
		wakelat_event_lost();
	else if (current_settings.method == IPI_INTERRUPT)
		wakelat_event(tintr_cyc);
}

/* With the flag there is nothing else that would tell. */
static void ipi_woken(void)
{
	struct ipi_target *target = this_cpu_ptr(&ipi_target);

	if (current_settings.method == IPI_FLAG && need_resched() && !READ_ONCE(target->lost) &&
	    READ_ONCE(target->sent_cyc))
		wakelat_event(WAKELAT_ABSENT);
}

/**
 * struct ipi_comparison - of the clocks of two CPUs
 * @turn: whose turn it is: odd is the sender's
 * @sender_cyc: what the sender has read
 * @timeout_cyc: how long to wait for the other
 * @here: the sender has begun
 * @over: it has done its part
 */
struct ipi_comparison {
	u32 turn;
	u64 sender_cyc;
	u64 timeout_cyc;
	bool here;
	bool over;
};

/* False if the other one did not take its turn. */
static bool wait_for_turn(struct ipi_comparison *cmp, u32 turn)
{
	u64 from_cyc = wakelat_clock();

	/* Pairs with the other CPU's smp_store_release(). */
	while (smp_load_acquire(&cmp->turn) != turn) {
		if (wakelat_clock() - from_cyc > cmp->timeout_cyc)
			return false;
		cpu_relax();
	}

	return true;
}

/* Runs on the sender, interrupts disabled. */
static void answer(void *data)
{
	struct ipi_comparison *cmp = data;
	u32 i;

	/* Pairs with compare_clocks(), as does the last one. */
	smp_store_release(&cmp->here, true);
	for (i = 0; i < COMPARISONS && wait_for_turn(cmp, 2 * i + 1); i++) {
		cmp->sender_cyc = wakelat_clock();
		/* Pairs with wait_for_turn(): the reading is there. */
		smp_store_release(&cmp->turn, 2 * i + 2);
	}
	/* Nothing of @cmp is used from now on. */
	smp_store_release(&cmp->over, true);
}

static bool compare_once(struct ipi_target *target, struct ipi_comparison *cmp, u32 i)
{
	u64 from_cyc, to_cyc;

	from_cyc = wakelat_clock();
	/* Pairs with wait_for_turn(). */
	smp_store_release(&cmp->turn, 2 * i + 1);
	if (!wait_for_turn(cmp, 2 * i + 2))
		return false;
	to_cyc = wakelat_clock();
	target->off_min_cyc = max(target->off_min_cyc, (s64)(cmp->sender_cyc - to_cyc));
	target->off_max_cyc = min(target->off_max_cyc, (s64)(cmp->sender_cyc - from_cyc));

	return true;
}

/* Runs on the CPU that is measured. */
static long compare_clocks(void *data)
{
	struct ipi_target *target = this_cpu_ptr(&ipi_target);
	struct ipi_comparison cmp = {
		.timeout_cyc = wakelat_clock_khz() * COMPARE_TIMEOUT_MS,
	};
	u32 i;

	target->off_min_cyc = S64_MIN;
	target->off_max_cyc = S64_MAX;
	if (smp_call_function_single(current_settings.sender, answer, &cmp, false))
		return -ENODEV;
	/* Pairs with answer(). */
	while (!smp_load_acquire(&cmp.here))
		cpu_relax();
	for (i = 0; i < COMPARISONS; i++) {
		guard(irqsave)();
		if (!compare_once(target, &cmp, i))
			break;
	}
	/* It is on this stack: pairs with answer(). */
	while (!smp_load_acquire(&cmp.over))
		cpu_relax();

	return i && target->off_min_cyc <= target->off_max_cyc ? 0 : -ETIMEDOUT;
}

static int choose_sender(const struct cpumask *cpus, const char **problem)
{
	unsigned int cpu = next_settings.sender;

	if (cpu == NO_SENDER) {
		for_each_cpu_andnot(cpu, cpu_online_mask, cpus)
			break;
		if (cpu >= nr_cpu_ids) {
			*problem = "there is no CPU left that could send";
			return -ENODEV;
		}
	} else if (cpumask_test_cpu(cpu, cpus)) {
		*problem = "the sender is measured itself";
		return -EINVAL;
	} else if (!cpu_online(cpu)) {
		*problem = "the sender is offline";
		return -ENODEV;
	}
	current_settings.sender = cpu;

	return 0;
}

static struct wakelat_source ipi_source;

static int ipi_start(const struct cpumask *cpus, const char **problem)
{
	unsigned int cpu;
	int err;

	guard(cpus_read_lock)();
	err = choose_sender(cpus, problem);
	if (err)
		return err;
	current_settings.method = next_settings.method;
	ipi_source.arrives = current_settings.method == IPI_FLAG ? WAKELAT_BY_FLAG :
								   WAKELAT_BY_RESCHEDULE;
	for_each_cpu(cpu, cpus) {
		err = cpu_online(cpu) ? work_on_cpu(cpu, compare_clocks, NULL) : -ENODEV;
		if (err) {
			*problem = "its clock cannot be compared with the sender's";
			return err;
		}
	}
	WRITE_ONCE(sender_gone, false);

	return register_trace_reschedule_entry(stamp_reschedule_entry, NULL);
}

static void ipi_stop(void)
{
	unregister_trace_reschedule_entry(stamp_reschedule_entry, NULL);
}

static const char *ipi_probe(const struct cpumask *cpus)
{
	return num_online_cpus() < 2 ? "there is no other CPU" : NULL;
}

static void ipi_show_settings(struct seq_file *m)
{
	seq_printf(m, "method %s\n", ipi_methods[next_settings.method]);
	if (next_settings.sender == NO_SENDER)
		seq_puts(m, "sender auto\n");
	else
		seq_printf(m, "sender %u\n", next_settings.sender);
}

static int set_sender(const char *value)
{
	u32 cpu;

	if (!strcmp(value, "auto")) {
		next_settings.sender = NO_SENDER;
		return 0;
	}
	if (kstrtou32(value, 10, &cpu) || cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return -EINVAL;
	next_settings.sender = cpu;

	return 0;
}

static int ipi_set(const char *key, const char *value)
{
	int method;

	if (!strcmp(key, "sender"))
		return set_sender(value);
	method = match_string(ipi_methods, ARRAY_SIZE(ipi_methods), value);
	if (strcmp(key, "method") || method < 0)
		return -EINVAL;
	next_settings.method = method;

	return 0;
}

static struct wakelat_source ipi_source = {
	.name		= "ipi",
	.arrives	= WAKELAT_BY_RESCHEDULE,
	.early		= true,
	.ldist_min_ns	= IPI_LDIST_MIN_NS,
	.ldist_max_ns	= WAKELAT_LDIST_CEILING_NS,
	.probe		= ipi_probe,
	.start		= ipi_start,
	.stop		= ipi_stop,
	.arm		= ipi_arm,
	.cancel		= ipi_cancel,
	.launch		= ipi_launch,
	.emit		= ipi_emit,
	.woken		= ipi_woken,
	.show_settings	= ipi_show_settings,
	.set		= ipi_set,
};

/*
 * The sender goes offline. Each CPU that waits for it is told that its event is lost; it
 * finds no sender then, and the run ends.
 */
static int ipi_cpu_offline(unsigned int cpu)
{
	struct ipi_target *target;
	unsigned int other;

	if (cpu != current_settings.sender || READ_ONCE(sender_gone))
		return 0;
	WRITE_ONCE(sender_gone, true);
	/* Who has seen a sender has queued its work by then. */
	synchronize_rcu();
	for_each_online_cpu(other) {
		target = &per_cpu(ipi_target, other);
		irq_work_sync(&target->start);
		if (hrtimer_cancel(&target->timer)) {
			WRITE_ONCE(target->lost, true);
			WRITE_ONCE(target->sent_cyc, wakelat_clock());
			arch_smp_send_reschedule(other);
		}
	}

	return 0;
}

static int __init ipi_init(void)
{
	struct ipi_target *target;
	unsigned int cpu;
	int err;

	sender_gone = true;
	for_each_possible_cpu(cpu) {
		target = &per_cpu(ipi_target, cpu);
		target->cpu = cpu;
		init_irq_work(&target->start, ipi_start_timer);
		hrtimer_setup(&target->timer, ipi_send, CLOCK_MONOTONIC,
			      HRTIMER_MODE_REL_PINNED_HARD);
	}
	err = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "x86/wakelat:ipi", NULL,
					ipi_cpu_offline);

	return err < 0 ? err : wakelat_source_register(&ipi_source);
}
device_initcall(ipi_init);
