// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "inputs.h"
#include "message.h"
#include "trace.h"

#define NR_IDS 65536
#define RCU_SOFTIRQ 9
/* Of a kernel with HZ=250, and the shortest that is one. */
#define USUAL_TICK 4000000
#define SHORTEST_TICK 500000
#define OUT_OF_IDLE 0xffffffffU
#define TEN_YEARS (10LL * 365 * 86400 * 1000000000)
/* Events closer than this are counted in steps of so many ns, to find out how long it takes to record one. */
#define COST_STEP 10
#define NR_COSTS 1000
/* TMIGR_NONE */
#define NO_MIGRATOR 0xff
/* About how long the kernel lets the CPU sleep that updates the clock. */
#define LONGEST_SLEEP 880000000000
#define WHEEL_CPU 0x3ffffU	/* bits of timer_start's field flags */
#define WHEEL_DEFERRABLE 0x80000U
#define WHEEL_PINNED 0x100000U
/* A CPU that was busy for this long before it woke another one did so independently of any choice of state. */
#define FREE_NS 10000000

enum role {
	NOTHING, IDLE, SWITCH, START, CANCEL, EXPIRE, EXPIRED, WHEEL_START, WHEEL_CANCEL, WHEEL_EXPIRE, STOP, WAKING, VECTOR,
	VECTOR_EXIT, DEVICE, QOS_REQUEST, QOS_TARGET, REARM, CONSOLE, SOFTIRQ,
	GROUP_ACTIVE, GROUP_INACTIVE, GROUP_NEXT, MIGRATE, MIGRATE_NEW, FUNCTION, NR_ROLES
};

/* Functions that the function tracer may have recorded. */
enum function { SELECT, ASK, TELL, ENTER, IRQ_EXIT, NR_FUNCTIONS };

static const char *const function_names[NR_FUNCTIONS] = {
	"cpuidle_select", "tick_nohz_get_sleep_length", "get_next_timer_interrupt", "tick_nohz_idle_enter",
	"tick_nohz_irq_exit",
};

#define GROUP_FIELDS { "group", "parent", "childmask", "active", "migrator", "lvl" }
#define MOST_FIELDS 6

/* The fields that each role reads. */
static const struct { const char *system, *name, *fields[MOST_FIELDS]; bool needed; } events[NR_ROLES] = {
	[IDLE] = { "power", "cpu_idle", { "state", "cpu_id" }, true },
	[SWITCH] = { "sched", "sched_switch", { "prev_pid", "next_pid" }, true },
	[START] = { "timer", "hrtimer_start", { "hrtimer", "function", "expires", "mode" }, true },
	[CANCEL] = { "timer", "hrtimer_cancel", { "hrtimer" }, true },
	[EXPIRE] = { "timer", "hrtimer_expire_entry", { "hrtimer", "function" }, true },
	[EXPIRED] = { "timer", "hrtimer_expire_exit", { "hrtimer" }, false },
	[WHEEL_START] = { "timer", "timer_start", { "timer", "bucket_expiry", "now", "flags" }, true },
	[WHEEL_CANCEL] = { "timer", "timer_cancel", { "timer" }, true },
	[WHEEL_EXPIRE] = { "timer", "timer_expire_entry", { "timer", "baseclk" }, false },
	[STOP] = { "timer", "tick_stop", { "success" }, true },
	[WAKING] = { "sched", "sched_waking", { "target_cpu" }, false },
	[DEVICE] = { "irq", "irq_handler_entry", { "irq" }, false },
	[SOFTIRQ] = { "irq", "softirq_exit", { "vec" }, false },
	[FUNCTION] = { "ftrace", "function", { "ip" }, false },
	[REARM] = { "timer", "hrtimer_rearm", { "next_event" }, false },
	[GROUP_ACTIVE] = { "timer_migration", "tmigr_group_set_cpu_active", GROUP_FIELDS, false },
	[GROUP_INACTIVE] = { "timer_migration", "tmigr_group_set_cpu_inactive", GROUP_FIELDS, false },
	[GROUP_NEXT] = { "timer_migration", "tmigr_update_events", { "group", "group_next_expiry" }, false },
	[MIGRATE] = { "timer_migration", "tmigr_cpu_idle", { "nextevt", "wakeup" }, false },
	[MIGRATE_NEW] = { "timer_migration", "tmigr_cpu_new_timer_idle", { "nextevt", "wakeup" }, false },
	[CONSOLE] = { "printk", "console", { NULL }, false },
	[QOS_TARGET] = { "power", "pm_qos_update_target", { "curr_value" }, false },
};

struct timer {
	uint64_t address;
	int64_t expires, armed, jiffies;
	uint64_t flags;			/* of the wheel */
	int cpu;
	bool relative;
};

struct timers {
	struct timer *list;
	size_t nr, room;
};

/* A group of CPUs, or of groups, of which one member serves the timers of the sleeping ones (kernel/time/timer_migration.c). */
struct group {
	uint64_t address, parent, active, migrator;
	int64_t next;			/* the first timer of the sleeping members */
};

struct cpu {
	struct timers hrtimers, wheel;
	size_t open;			/* 1 + its step without an end */
	int64_t begun, entry_tick, tick, entry_device, device, busy_since;
	bool idle, stopped, entry_stopped, stops, interrupted, asked_qos, kept_time, after_task, in_idle, ticked, got_tick;
	int64_t last_event, stopped_until, last_tick;
	int64_t exact;			/* when the kernel read the clock for idle_entrytime; 0: not recorded */
	bool asked, told;		/* get_next_timer_interrupt() */
	int64_t selected;		/* when cpuidle_select() was called */
	uint64_t chosen;		/* calls of cpuidle_select() without a state */
	int waker;			/* the CPU that wakes this one, or -1 */
	bool free_waker;
	uint64_t tick_address;
	uint64_t not_armed;		/* the timer of the wheel that was just removed, if it was armed before the recording */
	uint64_t group, mask;		/* which member of which group; 0: of none */
	bool looked;			/* LONELY and GROUP_NEXT hold, although the group has changed since */
	bool lonely;
	int64_t group_next;
	int64_t wakeup, own_next;
};

struct reader {
	struct inputs *inputs;
	struct trace trace;
	unsigned char roles[NR_IDS];
	struct event_field fields[NR_ROLES][MOST_FIELDS];
	uint64_t tick_function;
	uint64_t functions[NR_FUNCTIONS];	/* their addresses in the function events */
	struct cpu *cpus;
	int64_t limit;
	struct timers unseen;		/* of the wheel, armed before the recording */
	struct group *groups;
	size_t nr_groups, room_groups;
	int timekeeper;			/* the CPU whose tick updates the clock, or -1 */
	int64_t first_jiffy;
	int64_t least_tick;		/* the least time between two ticks of a CPU */
	/* How often the time between two events of a CPU was so many steps. */
	uint64_t costs[NR_COSTS], nr_costs;
	int64_t *gaps;
	size_t nr_gaps, room_gaps;
};

static void find_events(struct reader *reader, const char *name)
{
	struct tep_handle *tep = reader->trace.tep;
	struct tep_event **all = tep_list_events(tep, TEP_EVENT_SORT_ID);
	bool vectors = false;

	for (int role = 0; role < NR_ROLES; role++) {
		struct tep_event *event;

		if (!events[role].name)
			continue;
		event = tep_find_event_by_name(tep, events[role].system, events[role].name);
		if (!event || event->id < 0 || event->id >= NR_IDS) {
			if (events[role].needed)
				die("%s: no event %s:%s: record as wakelat replay --how says", name, events[role].system,
				    events[role].name);
			if (role == WAKING || role == SOFTIRQ || role == CONSOLE || (role == MIGRATE && tep_get_cpus(tep) > 1))
				reader->inputs->missing[reader->inputs->nr_missing++] = events[role].system;
			continue;
		}
		reader->roles[event->id] = role;
		for (int i = 0; i < MOST_FIELDS && events[role].fields[i]; i++) {
			reader->fields[role][i] = event_find_field(event, events[role].fields[i]);
			if (!event_has(&reader->fields[role][i]))
				die("%s: event %s has no field %s", name, events[role].name, events[role].fields[i]);
		}
	}
	reader->inputs->missing[reader->inputs->nr_missing] = "irq_vectors";
	for (; all && *all; all++) {
		const char *end = strrchr((*all)->name, '_');

		if ((*all)->id < 0 || (*all)->id >= NR_IDS)
			continue;
		if (!strcmp((*all)->system, "irq_vectors") && end && !strcmp(end, "_exit")) {
			reader->roles[(*all)->id] = VECTOR_EXIT;
			vectors = true;
		} else if (!strcmp((*all)->system, "irq_vectors") && end && !strcmp(end, "_entry") &&
			   strcmp((*all)->name, "local_timer_entry")) {
			reader->roles[(*all)->id] = VECTOR;
		} else if (!strcmp((*all)->system, "power") && !strncmp((*all)->name, "pm_qos_", 7) && end &&
			   !strcmp(end, "_request")) {
			reader->roles[(*all)->id] = QOS_REQUEST;
		}
	}
	reader->inputs->nr_missing += vectors ? 0 : 1;
}

static void timers_put(struct timers *timers, const struct timer *timer)
{
	size_t i = 0;

	while (i < timers->nr && timers->list[i].address != timer->address)
		i++;
	if (i == timers->nr)
		timers->list = xgrow(timers->list, timers->nr++, &timers->room, sizeof(*timers->list));
	timers->list[i] = *timer;
}

/* Remove the timer at ADDRESS. Return false if it is not known. */
static bool timers_take(struct timers *timers, uint64_t address, struct timer *taken)
{
	for (size_t i = 0; i < timers->nr; i++) {
		if (timers->list[i].address != address)
			continue;
		*taken = timers->list[i];
		timers->list[i] = timers->list[--timers->nr];
		return true;
	}
	return false;
}

/* Take a timer of CPU, or of the other CPU where it is queued. */
static bool take(struct reader *reader, int cpu, bool wheel, uint64_t address, struct timer *taken)
{
	for (int i = 0; i < reader->inputs->nr_cpus; i++) {
		struct cpu *other = &reader->cpus[(cpu + i) % reader->inputs->nr_cpus];

		if (timers_take(wheel ? &other->wheel : &other->hrtimers, address, taken))
			return true;
	}
	return false;
}

/* From here on the kernel may choose a state: remember what is set before the choice changes it. */
static void begin(struct cpu *cpu, int64_t now)
{
	cpu->begun = now;
	cpu->entry_tick = cpu->tick;
	cpu->entry_device = cpu->device;
	cpu->entry_stopped = cpu->stopped;
	cpu->stops = false;
	cpu->stopped_until = cpu->own_next = NOT_KNOWN;
	cpu->looked = false;
	cpu->interrupted = true;
}

static struct group *find_group(struct reader *reader, uint64_t address)
{
	for (size_t i = 0; i < reader->nr_groups; i++)
		if (reader->groups[i].address == address)
			return &reader->groups[i];
	return NULL;
}

static bool one_at_most(uint64_t mask)
{
	return !(mask & (mask - 1));
}

/* As tmigr_quick_check(): find out whether this CPU serves all others' timers, and when the first of them is due. */
static void look_at_group(struct reader *reader, int nr)
{
	struct cpu *cpu = &reader->cpus[nr];
	struct group *group = find_group(reader, cpu->group);

	if (cpu->looked)
		return;
	cpu->looked = true;
	cpu->group_next = NEVER;
	cpu->lonely = true;
	if (!reader->nr_groups) {
		for (int i = 0; i < reader->inputs->nr_cpus; i++)
			if (i != nr && !reader->cpus[i].stopped && reader->cpus[i].begun)
				cpu->lonely = false;
	} else if (group) {
		cpu->lonely = group->migrator == cpu->mask || group->migrator == NO_MIGRATOR;
		/* A damaged recording may have a group that is its own parent. */
		for (size_t i = 0; group && i < reader->nr_groups; group = find_group(reader, group->parent), i++) {
			cpu->lonely &= one_at_most(group->active);
			if (group->next < cpu->group_next)
				cpu->group_next = group->next;
		}
	}
}

static void take_group(struct reader *reader, int nr, const uint64_t *value, bool inactive)
{
	struct group *group = find_group(reader, value[0]);
	struct cpu *cpu = &reader->cpus[nr];

	if (inactive && cpu->idle)
		look_at_group(reader, nr);
	if (!value[5]) {
		cpu->group = value[0];
		cpu->mask = value[2];
	}
	if (!group) {
		reader->groups = xgrow(reader->groups, reader->nr_groups, &reader->room_groups, sizeof(*reader->groups));
		group = &reader->groups[reader->nr_groups++];
		group->next = NEVER;
	}
	group->address = value[0];
	group->parent = value[1];
	group->active = value[3];
	group->migrator = value[4];
}

static struct step *open_step(struct reader *reader, struct cpu *cpu)
{
	return cpu->open ? &reader->inputs->steps[cpu->open - 1] : NULL;
}

static void ended_by(struct reader *reader, struct cpu *cpu, enum ended ended)
{
	struct step *step = open_step(reader, cpu);

	if (step && step->ended == BY_NOTHING)
		step->ended = ended;
}

static struct step *choice(struct reader *reader, int nr, int64_t now)
{
	struct inputs *inputs = reader->inputs;
	struct cpu *cpu = &reader->cpus[nr];
	struct step *step;

	inputs->steps = xgrow(inputs->steps, inputs->nr, &inputs->room, sizeof(*inputs->steps));
	step = &inputs->steps[inputs->nr++];
	look_at_group(reader, nr);
	*step = (struct step) {
		.cpu = nr, .enter = now, .entry = cpu->begun, .tick = cpu->entry_tick, .device = cpu->entry_device,
		.hrtimer = NEVER,
		.local = NEVER, .global = NEVER, .unseen_local = NEVER, .unseen_global = NEVER, .stopped = cpu->entry_stopped, .stops = cpu->stops,
		.limit = reader->limit, .same_entry = !cpu->interrupted,
		.after_task = cpu->after_task, .due = NEVER,
		.stopped_until = cpu->stopped_until, .exact = cpu->exact, .latest = cpu->selected,
		.own_next = cpu->own_next, .wakeup = cpu->wakeup, .lonely = cpu->lonely, .group_next = cpu->group_next,
		.held = cpu->asked && !cpu->told, .keeps_time = reader->timekeeper == nr || (reader->timekeeper < 0 && cpu->kept_time),
	};
	for (size_t i = 0; i < cpu->hrtimers.nr; i++)
		if (cpu->hrtimers.list[i].expires < step->hrtimer) {
			step->hrtimer = cpu->hrtimers.list[i].expires;
			step->relative = cpu->hrtimers.list[i].relative &&
				cpu->hrtimers.list[i].armed > cpu->busy_since;
		}
	for (size_t i = 0; i < cpu->wheel.nr; i++) {
		const struct timer *timer = &cpu->wheel.list[i];
		int64_t *first = timer->flags & WHEEL_PINNED ? &step->local : &step->global;

		if (timer->jiffies < *first)
			*first = timer->jiffies;
	}
	return step;
}

/* The choice before NOW was refused. The kernel may have started the tick again since. */
static void refused(struct reader *reader, int nr, int64_t now)
{
	struct step *step = choice(reader, nr, now);

	step->state = REFUSED;
	step->stopped_until = NOT_KNOWN;
	reader->inputs->refused++;
}

static void take_idle(struct reader *reader, int nr, uint32_t state, int64_t now)
{
	struct inputs *inputs = reader->inputs;
	struct cpu *cpu = &reader->cpus[nr];
	struct step *step = open_step(reader, cpu);

	if (state == OUT_OF_IDLE) {
		if (step)
			step->exit = now;
		cpu->interrupted = false;
		cpu->entry_tick = cpu->tick;
		cpu->entry_device = cpu->device;
		cpu->entry_stopped = cpu->stopped;
		cpu->stops = false;
		cpu->stopped_until = cpu->own_next = NOT_KNOWN;
		cpu->looked = false;
		return;
	}
	if (!cpu->begun)
		return;
	step = choice(reader, nr, now);
	step->state = state < INT32_MAX ? state : INT32_MAX;
	step->got_tick = cpu->got_tick;
	cpu->got_tick = cpu->after_task = false;
	cpu->chosen = 0;
	cpu->open = inputs->nr;
	cpu->waker = -1;
	if (cpu->interrupted) {
		reader->gaps = xgrow(reader->gaps, reader->nr_gaps, &reader->room_gaps, sizeof(*reader->gaps));
		reader->gaps[reader->nr_gaps++] = now - cpu->begun;
	}
}

static void take_switch(struct reader *reader, int nr, bool from_idle, bool to_idle, int64_t now)
{
	struct cpu *cpu = &reader->cpus[nr];

	if (from_idle) {
		/* The tick was stopped, but no state was entered: the choice was refused. */
		if (cpu->idle && (cpu->stops || cpu->chosen))
			refused(reader, nr, now);
		cpu->chosen = 0;
		if (cpu->waker >= 0)
			ended_by(reader, cpu, cpu->free_waker ? BY_FREE_CPU : BY_CPU);
		cpu->open = 0;
		cpu->stopped = false;
		cpu->busy_since = now;
	}
	cpu->idle = to_idle;
	cpu->in_idle = false;
	if (to_idle) {
		begin(cpu, now);
		cpu->after_task = true;
	}
}

static void take_start(struct reader *reader, int nr, const uint64_t *value, int64_t now)
{
	struct cpu *cpu = &reader->cpus[nr];
	struct timer timer = { .address = value[0], .expires = value[2], .armed = now, .cpu = nr,
		.relative = value[3] & 1 };

	if (value[1] == reader->tick_function) {
		/* The timer of each CPU's tick is pinned. */
		if (cpu->last_tick && timer.expires - cpu->last_tick >= SHORTEST_TICK &&
		    timer.expires - cpu->last_tick < reader->least_tick)
			reader->least_tick = timer.expires - cpu->last_tick;
		cpu->last_tick = timer.expires;
		cpu->tick = timer.expires;
		cpu->tick_address = timer.address;
		if (!cpu->stopped)
			cpu->entry_tick = timer.expires;
		if (cpu->idle && cpu->stopped)
			cpu->stopped_until = timer.expires;
		if (!cpu->stopped && timer.expires - now < TEN_YEARS)
			reader->inputs->tick_phase = timer.expires;
		return;
	}
	/* A timer of another clock is as if it were due in decades. */
	if (timer.expires - now <= TEN_YEARS)
		timers_put(&cpu->hrtimers, &timer);
}

static void take_expire(struct reader *reader, int nr, const uint64_t *value)
{
	struct cpu *cpu = &reader->cpus[nr];
	struct step *step = open_step(reader, cpu);
	struct timer timer;
	bool known;

	if (value[1] == reader->tick_function) {
		if (reader->timekeeper < 0)
			reader->timekeeper = nr;
		cpu->ticked = cpu->in_idle && !step;
		/* A timer that was due only after the period did not end it. */
		if (step && (!step->exit || cpu->tick <= step->exit || cpu->tick == NEVER)) {
			step->got_tick = true;
			/* A stopped tick's timer stands for the next timer of the wheel. */
			if (step->ended == BY_NOTHING) {
				step->ended = cpu->stopped ? BY_TIMER : BY_TICK;
				step->due = cpu->tick;
			}
		}
		cpu->tick = NEVER;
		return;
	}
	known = take(reader, nr, false, value[0], &timer);
	if (!step)
		return;
	/* The tick's interrupt served this timer, too, which would have ended the period a little later. */
	step->with_tick = known && step->ended == BY_TICK;
	if (!step->with_tick && (step->ended != BY_NOTHING || (known && step->exit && timer.expires > step->exit)))
		return;
	step->ended = BY_TIMER;
	step->unknown_timer = !known;
	if (known) {
		step->due = timer.expires;
		step->due_relative = step->relative && timer.expires == step->hrtimer;
	}
}

static void take_waking(struct reader *reader, int nr, int target, int64_t now)
{
	struct cpu *cpu;

	if (target < 0 || target >= reader->inputs->nr_cpus || target == nr)
		return;
	cpu = &reader->cpus[target];
	cpu->waker = nr;
	cpu->free_waker = !reader->cpus[nr].idle && now - reader->cpus[nr].busy_since > FREE_NS;
}

/* The kernel's message about a new governor, whose history begins here. */
static void take_console(struct reader *reader, const struct tep_record *record)
{
	static const char words[] = "using governor ";
	struct inputs *inputs = reader->inputs;
	const char *end = (const char *)record->data + record->size, *at;
	size_t n;

	at = memmem(record->data, record->size, words, sizeof(words) - 1);
	if (!at)
		return;
	at += sizeof(words) - 1;
	for (n = 0; at + n < end && at[n] > ' '; n++)
		;
	free(inputs->governor);
	inputs->governor = strndup(at, n);
	for (size_t i = 0; i < inputs->nr; i++)
		if (inputs->steps[i].exit)
			inputs->before[inputs->steps[i].cpu] = inputs->steps[i];
	inputs->nr = 0;
	for (int i = 0; i < inputs->nr_cpus; i++)
		reader->cpus[i].open = 0;
}

/* Find which function has address IP. The address of one is its symbol's or a few bytes above. */
static enum function find_function(struct reader *reader, uint64_t ip)
{
	const char *name;
	int i;

	for (i = 0; i < NR_FUNCTIONS; i++)
		if (reader->functions[i] == ip)
			return i;
	name = tep_find_function(reader->trace.tep, ip);
	for (i = 0; i < NR_FUNCTIONS; i++)
		if (name && !strcmp(name, function_names[i])) {
			reader->functions[i] = ip;
			break;
		}
	return i;
}

static void take_function(struct reader *reader, int nr, enum function function, int64_t now)
{
	struct cpu *cpu = &reader->cpus[nr];

	reader->inputs->functions |= function == SELECT;
	switch (function) {
	case SELECT:
		if (cpu->chosen++)
			refused(reader, nr, now);
		cpu->selected = now;
		cpu->asked = cpu->told = false;
		break;
	case ASK:
		cpu->asked = true;
		break;
	case TELL:
		cpu->told = true;
		break;
	case ENTER:
		/* The idle loop begins anew, with a running tick. If no task ran, another CPU called a function. */
		ended_by(reader, cpu, BY_CPU);
		cpu->open = 0;
		cpu->in_idle = true;
		cpu->ticked = false;
		cpu->stopped = false;
		cpu->after_task = true;
		/* fall through */
	case IRQ_EXIT:
		/* A tick in the idle loop, before a choice. The governor hears of it when it hears of a period. */
		cpu->got_tick |= cpu->ticked;
		begin(cpu, now);
		cpu->exact = now;
		break;
	default:
		break;
	}
}

static void take_record(struct reader *reader, const struct tep_record *record, int id)
{
	enum role role = reader->roles[id];
	int64_t now = record->ts;
	uint64_t value[MOST_FIELDS];
	struct timer timer;
	int nr = record->cpu;
	struct cpu *cpu = &reader->cpus[nr];

	if (now - cpu->last_event < COST_STEP * NR_COSTS && now >= cpu->last_event) {
		reader->costs[(now - cpu->last_event) / COST_STEP]++;
		reader->nr_costs++;
	}
	cpu->last_event = now;
	for (int i = 0; i < MOST_FIELDS && event_has(&reader->fields[role][i]); i++)
		value[i] = event_read(&reader->fields[role][i], record);
	switch (role) {
	case IDLE:
		take_idle(reader, nr, value[0], now);
		break;
	case SWITCH:
		take_switch(reader, nr, !value[0], !value[1], now);
		break;
	case START:
		take_start(reader, nr, value, now);
		break;
	case CANCEL:
		if (value[0] == cpu->tick_address)
			cpu->tick = NEVER;
		else
			take(reader, nr, false, value[0], &timer);
		break;
	case EXPIRE:
		take_expire(reader, nr, value);
		break;
	case WHEEL_START:
		reader->first_jiffy = now - (int64_t)value[2] * reader->inputs->tick_ns < reader->first_jiffy ?
			now - (int64_t)value[2] * reader->inputs->tick_ns : reader->first_jiffy;
		take(reader, nr, true, value[0], &timer);
		for (size_t i = 0; i < reader->unseen.nr; i++)
			if (reader->unseen.list[i].address == value[0])
				reader->unseen.list[i].flags = value[3];
		timer = (struct timer) {
			.address = value[0], .jiffies = value[1], .armed = now, .flags = value[3],
			.cpu = value[3] & WHEEL_CPU,
		};
		if (!(value[3] & WHEEL_DEFERRABLE) && timer.cpu < reader->inputs->nr_cpus)
			timers_put(&reader->cpus[timer.cpu].wheel, &timer);
		break;
	case WHEEL_CANCEL:
		cpu->not_armed = take(reader, nr, true, value[0], &timer) ? 0 : value[0];
		break;
	case WHEEL_EXPIRE:
		if (value[0] == cpu->not_armed)
			timers_put(&reader->unseen, &(struct timer) {
				.address = value[0], .jiffies = value[1], .cpu = nr, .armed = now });
		break;
	case STOP:
		if (value[0] == 1) {
			cpu->stopped = true;
			cpu->stops = true;
			cpu->stopped_until = NEVER;
			if (reader->timekeeper == nr) {
				reader->timekeeper = -1;
				cpu->kept_time = true;
			} else if (reader->timekeeper >= 0) {
				cpu->kept_time = false;
			}
		}
		break;
	case WAKING:
		take_waking(reader, nr, value[0], now);
		break;
	case VECTOR:
		ended_by(reader, cpu, cpu->waker < 0 ? BY_CPU : cpu->free_waker ? BY_FREE_CPU : BY_CPU);
		break;
	case DEVICE:
		ended_by(reader, cpu, BY_DEVICE);
		break;
	case VECTOR_EXIT:
	case EXPIRED:
		if (cpu->idle)
			begin(cpu, now);
		break;
	case QOS_REQUEST:
		cpu->asked_qos = true;
		break;
	case QOS_TARGET:
		if (cpu->asked_qos)
			reader->limit = (int64_t)(int32_t)value[0] * 1000;
		cpu->asked_qos = false;
		break;
	case SOFTIRQ:
		if (value[0] == RCU_SOFTIRQ && open_step(reader, cpu))
			open_step(reader, cpu)->rcu = true;
		if (cpu->idle)
			begin(cpu, now);
		break;
	case REARM:
		cpu->device = value[0];
		if (!cpu->stops)
			cpu->entry_device = value[0];
		break;
	case GROUP_ACTIVE:
	case GROUP_INACTIVE:
		take_group(reader, nr, value, role == GROUP_INACTIVE);
		break;
	case GROUP_NEXT:
		if (find_group(reader, value[0]))
			find_group(reader, value[0])->next = value[1];
		break;
	case MIGRATE:
	case MIGRATE_NEW:
		cpu->own_next = value[0];
		cpu->wakeup = value[1];
		break;
	case FUNCTION:
		take_function(reader, nr, find_function(reader, value[0]), now);
		break;
	case CONSOLE:
		take_console(reader, record);
		break;
	default:
		break;
	}
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t from_jiffies(const struct inputs *inputs, int64_t jiffies)
{
	return jiffies == NEVER ? NEVER : inputs->jiffies_offset + jiffies * inputs->tick_ns;
}

/* Sort the steps by CPU, in order of time, and drop those without an end. */
static void by_cpu(struct inputs *inputs)
{
	size_t *at = xrealloc(NULL, inputs->nr_cpus + 1, sizeof(*at)), nr = 0;
	struct step *sorted = xrealloc(NULL, inputs->nr, sizeof(*sorted));

	memset(at, 0, (inputs->nr_cpus + 1) * sizeof(*at));
	for (size_t i = 0; i < inputs->nr; i++)
		at[inputs->steps[i].cpu + 1]++;
	for (int i = 0; i < inputs->nr_cpus; i++)
		at[i + 1] += at[i];
	for (size_t i = 0; i < inputs->nr; i++)
		sorted[at[inputs->steps[i].cpu]++] = inputs->steps[i];
	for (size_t i = 0; i < inputs->nr; i++)
		if (sorted[i].exit || sorted[i].state == REFUSED)
			inputs->steps[nr++] = sorted[i];
	inputs->nr = nr;
	free(sorted);
	free(at);
}

static int64_t base_of(const struct inputs *inputs, int64_t time)
{
	return time - ((time - inputs->tick_phase) % inputs->tick_ns + inputs->tick_ns) % inputs->tick_ns;
}

/* Return when the next timer of the wheel is due, as get_next_timer_interrupt() does. */
static int64_t wheel_of(const struct inputs *inputs, const struct step *step)
{
	int64_t base = base_of(inputs, step->entry);
	int64_t local = least(step->local, step->unseen_local), global = least(step->global, step->unseen_global);
	int64_t next = least(local, global);

	if (next - base > inputs->tick_ns) {
		if (step->stopped)
			next = least(local, step->wakeup);
		else if (step->lonely)
			next = least(next, step->group_next);
		else
			next = local;
	}
	if (step->keeps_time)
		next = least(next, base + LONGEST_SLEEP);
	return next < base ? base : next;
}

/* Add the timers that were armed before the recording and expired after STEP. When they were armed again, their flags were seen. */
static void expire_unseen(struct reader *reader, struct step *step)
{
	for (size_t i = 0; i < reader->unseen.nr; i++) {
		const struct timer *timer = &reader->unseen.list[i];
		int64_t *first = timer->flags & WHEEL_PINNED ? &step->unseen_local : &step->unseen_global;

		if (timer->cpu == step->cpu && timer->armed > step->enter && !(timer->flags & WHEEL_DEFERRABLE))
			*first = least(*first, from_jiffies(reader->inputs, timer->jiffies));
	}
}

/* The kernel said that the first timer is due at TIME. A timer of the recording is due at KNOWN. */
static void learn(int64_t *unseen, int64_t time, int64_t known)
{
	if (time < known)
		*unseen = time;
	else if (*unseen < time)
		*unseen = NEVER;
}

/*
 * Find timers of the wheel that were armed before the recording: the kernel names them when it stops the tick. They are
 * also there in the periods before it (DIRECTION -1), and after it until they expire (1).
 */
static void see_unseen(struct inputs *inputs, int direction)
{
	int64_t local = NEVER, global = NEVER;
	int cpu = -1;

	for (size_t n = 0; n < inputs->nr; n++) {
		struct step *step = &inputs->steps[direction > 0 ? n : inputs->nr - 1 - n];

		if (step->cpu != cpu)
			local = global = NEVER;
		cpu = step->cpu;
		if (step->own_next != NOT_KNOWN && step->own_next != NEVER)
			learn(&global, step->own_next, step->global);
		if (step->stopped_until != NOT_KNOWN)
			learn(&local, step->stopped_until, least(step->local, step->own_next == NOT_KNOWN ?
			      least(step->global, global) : step->wakeup));
		if (local > step->entry && local < step->unseen_local)
			step->unseen_local = local;
		if (global > step->entry && global < step->unseen_global)
			step->unseen_global = global;
	}
}

/* Convert jiffies to times, and estimate the kernel's idle_entrytime, now that clock and gaps are known. */
static void finish(struct reader *reader)
{
	struct inputs *inputs = reader->inputs;
	int64_t *last;	/* of each CPU */

	if (!reader->nr_gaps || !inputs->nr)
		return;
	qsort(reader->gaps, reader->nr_gaps, sizeof(*reader->gaps), compare);
	inputs->usual_gap = reader->gaps[reader->nr_gaps / 2];
	inputs->tick_phase %= inputs->tick_ns;
	/* One in fifty follows the one before directly. */
	for (uint64_t i = 0, sum = 0; i < NR_COSTS && sum <= reader->nr_costs / 50; sum += reader->costs[i++])
		inputs->event_cost = i * COST_STEP;
	if (reader->first_jiffy != NEVER)
		inputs->jiffies_offset = base_of(inputs, reader->first_jiffy);
	by_cpu(inputs);
	last = xrealloc(NULL, inputs->nr_cpus, sizeof(*last));
	memset(last, 0, inputs->nr_cpus * sizeof(*last));
	for (size_t i = 0; i < inputs->nr; i++) {
		struct step *step = &inputs->steps[i];

		if (step->exact)
			step->entry = step->exact + inputs->event_cost / 2;
		else if (step->same_entry && last[step->cpu])
			step->entry = last[step->cpu];
		else if (step->enter - inputs->usual_gap * 2 / 3 > step->entry)
			step->entry = step->enter - inputs->usual_gap * 2 / 3;
		last[step->cpu] = step->entry;
		if (step->latest < step->entry)
			step->latest = step->entry;
		step->local = from_jiffies(inputs, step->local);
		step->global = from_jiffies(inputs, step->global);
	}
	for (size_t i = 0; i < inputs->nr; i++)
		expire_unseen(reader, &inputs->steps[i]);
	see_unseen(inputs, -1);
	see_unseen(inputs, 1);
	for (size_t i = 0; i < inputs->nr; i++) {
		struct step *step = &inputs->steps[i];

		step->wheel = wheel_of(inputs, step);
		if (!step->stopped && step->tick == NEVER)
			step->tick = base_of(inputs, step->entry) + inputs->tick_ns;
		if (!step->device)
			step->device = step->tick < step->hrtimer ? step->tick : step->hrtimer;
	}
	free(last);
}

/* Read all, with the length of a tick as far as it is known. Return the length that the recording shows. */
static int64_t read_with(struct inputs *inputs, const char *name, int64_t limit, int64_t tick_ns)
{
	struct reader *reader = xrealloc(NULL, 1, sizeof(*reader));
	struct tep_record *record;
	struct tep_handle *tep;

	memset(reader, 0, sizeof(*reader));
	*inputs = (struct inputs) { .tick_ns = tick_ns };
	reader->least_tick = NEVER;
	reader->inputs = inputs;
	reader->limit = limit;
	reader->first_jiffy = NEVER;
	trace_open(&reader->trace, name);
	tep = reader->trace.tep;
	find_events(reader, name);
	inputs->nr_cpus = tep_get_cpus(tep);
	reader->cpus = xrealloc(NULL, inputs->nr_cpus, sizeof(*reader->cpus));
	memset(reader->cpus, 0, inputs->nr_cpus * sizeof(*reader->cpus));
	inputs->before = xrealloc(NULL, inputs->nr_cpus, sizeof(*inputs->before));
	for (int i = 0; i < inputs->nr_cpus; i++)
		inputs->before[i] = (struct step) { .state = REFUSED };
	for (int i = 0; i < inputs->nr_cpus; i++)
		reader->cpus[i].tick = reader->cpus[i].entry_tick = reader->cpus[i].wakeup = NEVER;
	while ((record = trace_next(&reader->trace))) {
		int id = tep_data_type(tep, record);

		if (id < 0 || id >= NR_IDS || !reader->roles[id])
			continue;
		if (!reader->tick_function && (reader->roles[id] == START || reader->roles[id] == EXPIRE)) {
			uint64_t function = event_read(&reader->fields[reader->roles[id]][1], record);
			const char *symbol = tep_find_function(tep, function);

			if (symbol && (!strcmp(symbol, "tick_nohz_handler") || !strcmp(symbol, "tick_sched_timer")))
				reader->tick_function = function;
		}
		take_record(reader, record, id);
	}
	if (!reader->tick_function)
		die("%s: no timer of the tick (tick_nohz_handler): no high-resolution timers, or a recording without kallsyms",
		    name);
	finish(reader);
	inputs->lost = trace_losses(&reader->trace);
	tick_ns = reader->least_tick;
	for (int i = 0; i < inputs->nr_cpus; i++) {
		free(reader->cpus[i].hrtimers.list);
		free(reader->cpus[i].wheel.list);
	}
	free(reader->unseen.list);
	free(reader->groups);
	free(reader->gaps);
	free(reader->cpus);
	free(reader);
	return tick_ns;
}

void inputs_read(struct inputs *inputs, const char *name, int64_t limit)
{
	int64_t tick_ns = read_with(inputs, name, limit, USUAL_TICK);

	if (tick_ns != USUAL_TICK && tick_ns != NEVER)
		read_with(inputs, name, limit, tick_ns);
}
