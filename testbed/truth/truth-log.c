// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "truth-log.h"
#include "truth-states.h"

#define MAX_CPUS 1024

/*
 * Interrupts from other CPUs, by their names in the log: on x86 to schedule, and to call a function
 * on several CPUs or on one; on arm64 to call a function. With a GICv2 the log has no interrupt
 * number.
 */
#define RESCHEDULE "irq:0xfd"
#define CALL_SEVERAL "irq:0xfc"
#define CALL_ONE "irq:0xfb"
#define CALL_FUNCTION "irq:1"
#define SOME_IRQ "irq"

/* A time in which the CPU had to wait for its turn. */
struct wait {
	int64_t to_cyc, from_cyc, ns;
};

/* The idle periods of a CPU, in order of their ends, and its waits, in order. */
struct log {
	struct period *periods;
	size_t nr, room;
	struct wait *waits;
	size_t nr_waits, waits_room;
};

static struct log logs[MAX_CPUS];

/* When the card's interrupts came, virtual ns, ascending. */
static int64_t *card_times;
static size_t nr_card_times, card_times_room;

int64_t cell_number(const struct tsv *tsv, size_t column)
{
	int64_t value;

	if (!tsv_s64(tsv, column, &value))
		die("%s:%" PRIu64 ": %s is absent", tsv->name, tsv->line, tsv->header[column]);

	return value;
}

void *with_room(void *list, size_t nr, size_t *room, size_t size)
{
	if (nr < *room)
		return list;
	*room = 2 * *room + 1024;

	return xrealloc(list, *room, size);
}

struct log *log_of(const struct tsv *tsv, size_t column)
{
	int64_t cpu = cell_number(tsv, column);

	if (cpu < 0 || cpu >= MAX_CPUS)
		die("%s:%" PRIu64 ": no such CPU: %" PRId64, tsv->name, tsv->line, cpu);

	return &logs[cpu];
}

/*
 * Return the index of the first element above LIMIT, or NR. The NR elements are SIZE bytes apart,
 * begin with an int64_t, and are in its order.
 */
static size_t first_above(const void *list, size_t nr, size_t size, int64_t limit)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (*(const int64_t *)((const char *)list + middle * size) <= limit)
			low = middle + 1;
		else
			high = middle;
	}

	return low;
}

static bool card_interrupted_at(int64_t ns)
{
	size_t at = first_above(card_times, nr_card_times, sizeof(*card_times), ns);

	return at && card_times[at - 1] == ns;
}

int64_t log_waited_ns(const struct log *log, int64_t begin_cyc, int64_t end_cyc)
{
	size_t at = first_above(log->waits, log->nr_waits, sizeof(*log->waits), begin_cyc);
	int64_t ns = 0;

	for (; at < log->nr_waits && log->waits[at].from_cyc < end_cyc; at++)
		ns += log->waits[at].ns;

	return ns;
}

bool log_others_wait(const struct log *own, int64_t begin_cyc, int64_t end_cyc)
{
	for (size_t i = 0; i < MAX_CPUS; i++)
		if (&logs[i] != own && log_waited_ns(&logs[i], begin_cyc, end_cyc))
			return true;

	return false;
}

const struct period *log_period(const struct log *log, int64_t begin_cyc, int64_t end_cyc)
{
	size_t at = first_above(log->periods, log->nr, sizeof(*log->periods), end_cyc);

	return at && log->periods[at - 1].enter_cyc >= begin_cyc ? &log->periods[at - 1] : NULL;
}

/* Open NAME in DIR. Return false if it does not exist. */
static bool open_optional(struct tsv *tsv, const char *dir, const char *name)
{
	char *path = xprintf("%s/%s", dir, name);

	if (access(path, R_OK))
		return false;
	tsv_open(tsv, path);

	return true;
}

static void read_card(const char *dir)
{
	size_t event, ns;
	struct tsv tsv;

	if (!open_optional(&tsv, dir, "truth-i210.tsv"))
		return;
	event = tsv_column(&tsv, "event");
	ns = tsv_column(&tsv, "ns");
	while (tsv_next_row(&tsv)) {
		int64_t *last;

		if (!cell_is(&tsv.cells[event], "msi") && !cell_is(&tsv.cells[event], "intx"))
			continue;
		card_times = with_room(card_times, nr_card_times, &card_times_room, sizeof(*last));
		last = &card_times[nr_card_times++];
		*last = cell_number(&tsv, ns);
		if (nr_card_times > 1 && last[0] < last[-1])
			die("%s:%" PRIu64 ": not in order of ns", tsv.name, tsv.line);
	}
	tsv_close(&tsv);
}

static bool is_from_cpu(const struct tsv_cell *cause)
{
	return cell_is(cause, RESCHEDULE) || cell_is(cause, CALL_SEVERAL) ||
	       cell_is(cause, CALL_ONE) || cell_is(cause, CALL_FUNCTION) ||
	       cell_is(cause, SOME_IRQ) || cell_is(cause, "monitor");
}

static void read_periods(const char *dir)
{
	size_t cpu, hint, enter, wake, run, latency, cause, enter_ns, wake_ns;
	struct tsv tsv;

	tsv_open(&tsv, xprintf("%s/truth.tsv", dir));
	cpu = tsv_column(&tsv, "cpu");
	hint = tsv_column(&tsv, "hint");
	enter = tsv_column(&tsv, "enter_cyc");
	wake = tsv_column(&tsv, "wake_cyc");
	run = tsv_column(&tsv, "run_cyc");
	latency = tsv_column(&tsv, "latency_ns");
	cause = tsv_column(&tsv, "cause");
	enter_ns = tsv_column(&tsv, "enter_ns");
	wake_ns = tsv_column(&tsv, "wake_ns");
	while (tsv_next_row(&tsv)) {
		struct log *log = log_of(&tsv, cpu);
		bool pending = cell_is(&tsv.cells[cause], "pending");
		struct period *p;

		log->periods = with_room(log->periods, log->nr, &log->room, sizeof(*p));
		p = &log->periods[log->nr++];
		p->enter_cyc = cell_number(&tsv, enter);
		p->wake_cyc = cell_number(&tsv, wake);
		p->run_cyc = cell_number(&tsv, run);
		p->latency_ns = cell_number(&tsv, latency);
		p->silent_ns = cell_number(&tsv, wake_ns) - cell_number(&tsv, enter_ns);
		p->timer = pending || cell_is(&tsv.cells[cause], "timer");
		p->cpu = pending || is_from_cpu(&tsv.cells[cause]);
		p->card = pending || card_interrupted_at(cell_number(&tsv, wake_ns));
		p->hint = hint_of_log(&tsv.cells[hint]);
		if (log->nr > 1 && p->run_cyc < p[-1].run_cyc)
			die("%s:%" PRIu64 ": not in order of run_cyc", tsv.name, tsv.line);
	}
	tsv_close(&tsv);
}

static void read_turns(const char *dir)
{
	size_t cpu, from, to, from_ns, to_ns;
	struct tsv tsv;

	if (!open_optional(&tsv, dir, "truth-turns.tsv"))
		return;
	cpu = tsv_column(&tsv, "cpu");
	from = tsv_column(&tsv, "from_cyc");
	to = tsv_column(&tsv, "to_cyc");
	from_ns = tsv_column(&tsv, "from_ns");
	to_ns = tsv_column(&tsv, "to_ns");
	while (tsv_next_row(&tsv)) {
		struct log *log = log_of(&tsv, cpu);
		struct wait *w;

		log->waits = with_room(log->waits, log->nr_waits, &log->waits_room, sizeof(*w));
		w = &log->waits[log->nr_waits++];
		w->from_cyc = cell_number(&tsv, from);
		w->to_cyc = cell_number(&tsv, to);
		/* The first and the last of these ns may have begun before, or end after. */
		w->ns = cell_number(&tsv, to_ns) - cell_number(&tsv, from_ns) + 1;
		if (w->to_cyc < w->from_cyc || (log->nr_waits > 1 && w->from_cyc < w[-1].to_cyc))
			die("%s:%" PRIu64 ": not in order of time", tsv.name, tsv.line);
	}
	tsv_close(&tsv);
}

void log_read(const char *dir)
{
	read_card(dir);
	read_periods(dir);
	read_turns(dir);
}
