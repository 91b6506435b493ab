// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "periods.h"
#include "taint.h"

/*
 * An interrupt that was pending at the same time as the timer's interrupt is handled within
 * RELATED_NS after it. A later interrupt was not pending, so it had no part in the wake-up.
 */
#define RELATED_NS 10000

/*
 * Limits of the delay from the clock reading at the start of the timer interrupt (field `now`) to the
 * time stamp of hrtimer_expire_entry. If the timer and the time stamps use the same clock, at least
 * one delay in a recording is below LEAST_DELAY_NS. If a delay is above GREATEST_DELAY_NS, the timer
 * uses another clock.
 */
#define LEAST_DELAY_NS 20000
#define GREATEST_DELAY_NS 1000000

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && !strcmp(text + len - end_len, end);
}

static enum role role_of_irq(const struct tep_event *event)
{
	if (!strcmp(event->system, "irq_vectors")) {
		if (!strcmp(event->name, "local_timer_entry"))
			return TIMER_IRQ;
		if (!strcmp(event->name, "local_timer_exit"))
			return TIMER_IRQ_EXIT;
		if (!strcmp(event->name, "reschedule_entry"))
			return RESCHED_IRQ;
		return ends_in(event->name, "_entry") ? FOREIGN_IRQ : NOTHING;
	}
	if (!strcmp(event->system, "irq") && !strcmp(event->name, "irq_handler_entry"))
		return IRQ_BY_NAME;
	if (!strcmp(event->system, "nmi") && !strcmp(event->name, "nmi_handler"))
		return NMI;
	return NOTHING;
}

static void set_role(struct periods *periods, const struct tep_event *event, enum role role)
{
	if (event->id >= 0 && event->id < NR_EVENT_IDS)
		periods->roles[event->id] = role;
}

static struct tep_event *find(struct periods *periods, const char *system, const char *name,
			      enum role role, bool needed)
{
	struct tep_event *event = tep_find_event_by_name(periods->trace->tep, system, name);

	if (event)
		set_role(periods, event, role);
	else if (needed)
		die("%s: no event %s:%s in this recording: record with -e %s:%s too",
		    periods->input, system, name, system, name);
	return event;
}

static struct event_field need_field(const struct periods *periods, struct tep_event *event,
				     const char *name)
{
	struct event_field field = event_find_field(event, name);

	if (!event_has(&field))
		die("%s: event %s:%s has no field %s", periods->input, event->system, event->name,
		    name);
	return field;
}

static void find_timers(struct periods *periods, bool needed)
{
	struct tep_event *start, *expire, *cancel;

	start = find(periods, "timer", "hrtimer_start", TIMER_START, needed);
	expire = find(periods, "timer", "hrtimer_expire_entry", TIMER_EXPIRE, needed);
	periods->timers = start && expire;
	if (!periods->timers) {
		if (start)
			set_role(periods, start, NOTHING);
		if (expire)
			set_role(periods, expire, NOTHING);
		return;
	}
	periods->start_timer = need_field(periods, start, "hrtimer");
	periods->start_expires = need_field(periods, start, "expires");
	periods->expire_timer = need_field(periods, expire, "hrtimer");
	periods->expire_now = need_field(periods, expire, "now");
	cancel = find(periods, "timer", "hrtimer_cancel", TIMER_CANCEL, false);
	if (cancel)
		periods->cancel_timer = need_field(periods, cancel, "hrtimer");
}

/* Find the interrupt events of the recorded kernel; kernels differ in them. */
static void find_irqs(struct periods *periods)
{
	struct tep_event **events = tep_list_events(periods->trace->tep, TEP_EVENT_SORT_ID);

	for (; events && *events; events++) {
		enum role role = role_of_irq(*events);

		if (role == NOTHING)
			continue;
		set_role(periods, *events, role);
		periods->timer_irqs |= role == TIMER_IRQ;
		periods->irqs |= role != TIMER_IRQ && role != TIMER_IRQ_EXIT && role != NMI;
		/* The field is "__data_loc char[] name". Its low 16 bits are the offset of the text. */
		if (role == IRQ_BY_NAME) {
			struct tep_format_field *name = tep_find_field(*events, "name");

			if (name && (name->flags & TEP_FIELD_IS_DYNAMIC) && name->size == 4)
				periods->irq_name = (struct event_field) {
					.offset = name->offset, .size = 4,
				};
		}
	}
}

static void find_prediction(struct periods *periods, const char *predicted)
{
	char *system = xstrdup(predicted), *event_name = strchr(system, ':'), *field;
	struct tep_event *event;

	field = event_name ? strchr(event_name + 1, ':') : NULL;
	if (!field)
		die("--predicted: '%s' is not SYSTEM:EVENT:FIELD", predicted);
	*event_name++ = '\0';
	*field++ = '\0';
	event = find(periods, system, event_name, PREDICTION, true);
	periods->prediction = need_field(periods, event, field);
	free(system);
}

void periods_open(struct periods *periods, struct trace *trace, const char *input,
		  bool need_timers, const char *predicted)
{
	struct tep_event *event;

	*periods = (struct periods) {
		.trace = trace, .input = input, .least_delay = INT64_MAX,
		.nr_cpus = tep_get_cpus(trace->tep),
	};
	if (periods->nr_cpus < 1)
		die("%s: damaged recording: it has no CPU", input);
	periods->cpus = xrealloc(NULL, periods->nr_cpus, sizeof(*periods->cpus));
	memset(periods->cpus, 0, periods->nr_cpus * sizeof(*periods->cpus));
	find_irqs(periods);
	event = find(periods, "power", "cpu_idle", IDLE, true);
	periods->idle_state = need_field(periods, event, "state");
	event = find(periods, "power", "cpu_idle_miss", IDLE_MISS, false);
	periods->misses = event;
	if (event)
		periods->miss_below = need_field(periods, event, "below");
	find_timers(periods, need_timers);
	if (predicted)
		find_prediction(periods, predicted);
}

void periods_close(struct periods *periods)
{
	hrtimers_free(&periods->hrtimers);
	free(periods->cpus);
}

static bool is_related(const struct cpu_periods *cpu, uint64_t ts)
{
	return cpu->open && (!cpu->exited || ts <= cpu->related_until);
}

static void timer_irq(struct cpu_periods *cpu, uint64_t ts)
{
	if (!is_related(cpu, ts))
		return;
	if (!cpu->period.tintr) {
		cpu->period.tintr = ts;
		cpu->period.irqs_on = !cpu->exited;
	}
	cpu->related_until = ts + RELATED_NS;
}

static void taint(struct cpu_periods *cpu, uint64_t ts, unsigned int kind)
{
	if (is_related(cpu, ts))
		cpu->period.taint |= kind;
}

/* Only x86 has events of the local timer. Without them, the name of the interrupt shows that it is the timer's. */
static bool is_timers_irq(const struct periods *periods, const struct tep_record *record)
{
	static const char word[] = "timer";
	uint64_t offset;

	if (periods->timer_irqs || !event_has(&periods->irq_name))
		return false;
	offset = event_read(&periods->irq_name, record) & 0xffff;
	return offset < (uint64_t)record->size &&
	       memmem((const char *)record->data + offset, record->size - offset, word,
		      sizeof(word) - 1);
}

static void expired(struct periods *periods, struct cpu_periods *cpu,
		    const struct tep_record *record)
{
	int64_t now = event_read(&periods->expire_now, record);
	int64_t delay = (int64_t)(record->ts - (uint64_t)now);
	struct hrtimer timer;
	bool known = hrtimers_take(&periods->hrtimers,
				   event_read(&periods->expire_timer, record), &timer);

	periods->nr_expired++;
	if (delay >= 0 && delay < periods->least_delay)
		periods->least_delay = delay;
	if (!cpu->open)
		return;
	if (delay < 0 || delay > GREATEST_DELAY_NS) {
		cpu->other_clock |= is_related(cpu, record->ts);
		return;
	}
	if (!known) {
		cpu->unknown_timer |= is_related(cpu, record->ts);
		return;
	}
	/* The timer was due after the CPU had woken up, so it did not cause the wake-up. */
	if (timer.expires > (int64_t)(cpu->exited ? cpu->period.exit : record->ts))
		return;
	if (!cpu->period.tintr && !periods->timer_irqs) {
		cpu->period.tintr = now;
		cpu->period.irqs_on = !cpu->exited;
	}
	cpu->related_until = record->ts + RELATED_NS;
	/* Keep the earliest timer, because the hardware is programmed for it. */
	if (cpu->has_timer && timer.expires >= cpu->period.ltime)
		return;
	cpu->has_timer = true;
	cpu->period.ltime = timer.expires;
	cpu->period.armed = timer.armed;
}

static enum wakeup wakeup_of(const struct cpu_periods *cpu)
{
	if (cpu->has_timer)
		return cpu->period.ltime < (int64_t)cpu->period.enter ? WAKEUP_LATE : WAKEUP_TIMER;
	if (cpu->unknown_timer)
		return WAKEUP_UNKNOWN_TIMER;
	return cpu->other_clock ? WAKEUP_OTHER_CLOCK : WAKEUP_OTHER;
}

/*
 * Close the CPU's open period and copy it to PERIOD. Return false if there is none, or if it has no
 * end.
 */
static bool finish(struct periods *periods, struct cpu_periods *cpu, struct period *period)
{
	if (!cpu->open)
		return false;
	cpu->open = false;
	if (!cpu->exited) {
		periods->cut++;
		return false;
	}
	cpu->period.wakeup = wakeup_of(cpu);
	/* A timer whose due time is not known may have been due before this timer. */
	if (cpu->has_timer && (cpu->unknown_timer || cpu->other_clock))
		cpu->period.taint |= TAINT_FOREIGN_TIMER;
	/* No timer interrupt was seen, so another interrupt ran the timers. */
	if (cpu->has_timer && periods->timer_irqs && !cpu->period.tintr)
		cpu->period.taint |= TAINT_FOREIGN_IRQ;
	*period = cpu->period;
	return true;
}

static void enter(struct cpu_periods *cpu, const struct tep_record *record, uint32_t state)
{
	*cpu = (struct cpu_periods) {
		.open = true, .nr = cpu->nr + 1,
		.period = {
			.cpu = record->cpu, .nr = cpu->nr + 1, .state = state, .enter = record->ts,
			.has_prediction = cpu->has_prediction, .prediction = cpu->prediction,
		},
	};
}

/* Handle cpu_idle. If the event completes a period of the CPU, copy it to PERIOD and return true. */
static bool idle(struct periods *periods, struct cpu_periods *cpu,
		 const struct tep_record *record, struct period *period)
{
	uint32_t state = event_read(&periods->idle_state, record);
	bool finished;

	if (state == UINT32_MAX) {
		if (cpu->open && !cpu->exited) {
			cpu->exited = true;
			cpu->period.exit = record->ts;
			cpu->related_until = record->ts + RELATED_NS;
		}
		return false;
	}
	finished = finish(periods, cpu, period);
	enter(cpu, record, state);
	return finished;
}

static void lost(struct periods *periods)
{
	for (int i = 0; i < periods->nr_cpus; i++) {
		periods->cut += periods->cpus[i].open;
		periods->cpus[i].open = false;
	}
	hrtimers_forget(&periods->hrtimers);
}

static bool take(struct periods *periods, const struct tep_record *record, struct period *period)
{
	struct cpu_periods *cpu;
	int id;

	if (record->cpu < 0 || record->cpu >= periods->nr_cpus)
		die("%s: damaged recording: an event of CPU %d, which is not in its header", periods->input, record->cpu);
	cpu = &periods->cpus[record->cpu];
	if (record->missed_events)
		lost(periods);
	id = trace_event_id(periods->trace, (struct tep_record *)record);
	if (id < 0 || id >= NR_EVENT_IDS || periods->roles[id] == NOTHING)
		return false;
	/* Each buffer has its own clock, and may have only some of the events. */
	if (!periods->buffer)
		periods->buffer = periods->trace->buffer;
	if (periods->buffer != periods->trace->buffer)
		die("%s: idle, timer or interrupt events in several buffer instances: "
		    "record them in one", periods->input);
	switch ((enum role)periods->roles[id]) {
	case IDLE:
		return idle(periods, cpu, record, period);
	case IDLE_MISS:
		if (cpu->open && cpu->exited)
			cpu->period.miss = event_read(&periods->miss_below, record) & 1 ?
					   MISS_TOO_SHALLOW : MISS_TOO_DEEP;
		break;
	case TIMER_START:
		hrtimers_arm(&periods->hrtimers, event_read(&periods->start_timer, record),
			     record->ts, event_read(&periods->start_expires, record));
		break;
	case TIMER_EXPIRE:
		expired(periods, cpu, record);
		break;
	case TIMER_CANCEL: {
		struct hrtimer unused;

		hrtimers_take(&periods->hrtimers, event_read(&periods->cancel_timer, record),
			      &unused);
		break;
	}
	case TIMER_IRQ:
		timer_irq(cpu, record->ts);
		break;
	case TIMER_IRQ_EXIT:
		if (cpu->period.tintr && is_related(cpu, record->ts))
			cpu->related_until = record->ts + RELATED_NS;
		break;
	case IRQ_BY_NAME:
		if (!is_timers_irq(periods, record))
			taint(cpu, record->ts, TAINT_FOREIGN_IRQ);
		break;
	case FOREIGN_IRQ:
		taint(cpu, record->ts, TAINT_FOREIGN_IRQ);
		break;
	case RESCHED_IRQ:
		taint(cpu, record->ts, TAINT_RESCHED);
		break;
	case NMI:
		taint(cpu, record->ts, TAINT_NMI);
		break;
	case PREDICTION:
		cpu->has_prediction = true;
		cpu->prediction = event_read(&periods->prediction, record);
		break;
	case NOTHING:
		break;
	}
	return false;
}

static void check_clock(const struct periods *periods)
{
	if (!periods->nr_expired || periods->least_delay < LEAST_DELAY_NS)
		return;
	die("%s: time stamps do not use the timers' clock, CLOCK_MONOTONIC: record with -C mono", periods->input);
}

bool periods_next(struct periods *periods, struct period *period)
{
	struct tep_record *record;

	while ((record = trace_next(periods->trace)))
		if (take(periods, record, period))
			return true;
	check_clock(periods);
	while (periods->flushed < periods->nr_cpus)
		if (finish(periods, &periods->cpus[periods->flushed++], period))
			return true;
	return false;
}
