// SPDX-License-Identifier: GPL-2.0
/*
 * truth - compare each sample of a testbed run with the record of its idle period in the truth log
 *
 * usage: truth [--bound SOURCE=NS]... RUNDIR
 *
 * Reads samples.tsv, run.tsv and truth.tsv of RUNDIR, and truth-i210.tsv and truth-turns.tsv if
 * they exist. A sample belongs to the idle period that began after its tbi and was the last
 * to end before its tai (before its tintr, if the handler ran inside the state).
 *
 * Prints a table, one row per source and state:
 *   source state metric n median_ns min_ns max_ns spread_ns tainted foreign wrong_state unmatched slipped
 *   silent_median_ns silent_min_ns silent_max_ns intr_median_ns intr_min_ns intr_max_ns beyond waited
 * metric is wake_latency, or intr_latency if the state is entered with interrupts on.
 * The errors are metric minus the injected exit latency, ns, of the n untainted samples:
 * median (the lower one of two), minimum, maximum, and maximum minus minimum.
 *   tainted      samples that carry a taint
 *   foreign      samples, tainted or not, whose idle period was not ended by the local timer's
 *                interrupt (source i210: the card's interrupt; ipi: another CPU's interrupt, or
 *                a write to the monitored address). If an event was pending at MWAIT, the CPU
 *                did not sleep. The sample is not foreign then and its true latency is 0. If the
 *                pending event was another source's, the sample's error shows it
 *   wrong_state  untainted samples whose `state` is not the state that the CPU entered, and
 *                samples, tainted or not, whose `entered` is not that state
 *   unmatched    untainted samples without an idle period in the log
 *   slipped      untainted samples that are foreign or whose error is out of bounds. OWN is the
 *                sample's uncertainty plus half of its tai_latch (i210: plus 8 ns). The error must
 *                not be below -OWN, and not above OWN plus the source's bound (see bounds below)
 *   silent_*     silent_time minus the time from MWAIT to the event, of the same samples
 *   intr_*       intr_latency minus the injected exit latency; "-" if no handler ran
 *   beyond       samples whose wake_latency errs by more than 8 ns (the step of the card's clock)
 *                plus half of their own tai_latch; "-" if no sample has both values
 *   waited       samples, tainted or not, in which the CPU had to wait for its turn between tbi
 *                and tintr (truth-turns.tsv): the testbed's CPUs take turns on one host thread.
 *                No other column counts these samples
 * Exit status: 0 if wrong_state, unmatched and slipped are 0 in every row, 3 if not, 1 on an
 * error, 2 on wrong usage.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "number.h"
#include "tsv.h"

#define MAX_CPUS 1024
#define MAX_STATES 16
#define CLOCK_STEP_NS 8

/*
 * The code path from the interrupt's delivery to the handler, including the exit from the idle
 * loop.
 */
#define INTR_BOUND_NS 2000

/* The largest error of a source's samples, in addition to each sample's own uncertainty. */
static struct bound {
	const char *source;
	int64_t ns;
} bounds[] = {
	/* From the idle instruction to the stamp after it. */
	{ "hrtimer", 16 },
	{ "tsc_deadline", 16 },
	{ "passive", 16 },
	/* The same, and from the sender's stamp to its write. */
	{ "ipi", 64 },
	/*
	 * Names that the tests give to sources of wakelat probe: from the idle instruction to the
	 * tracepoint, and into the BPF program.
	 */
	{ "probe_timer", 700 },
	{ "probe_passive", 700 },
	/* Recorded by trace-cmd. */
	{ "probe_stock", 700 },
	{ "i210", 16 },
};

/*
 * Added on arm64, where an idle period begins and ends in firmware. PSCI_BOUND_NS is the path from
 * firmware through the kernel's PSCI driver to the stamp. RESUME_BOUND_NS is the same for a state
 * that loses the core's context, which is restored before the stamp. SGI_BOUND_NS is the path from
 * the sender's stamp to its write to the GIC.
 */
#define PSCI_BOUND_NS 480
#define RESUME_BOUND_NS 1080
#define SGI_BOUND_NS 340

/*
 * Interrupts from other CPUs, by their names in the log: to schedule on x86, to call a function on
 * arm64. With a GICv2 the log has no interrupt number.
 */
#define RESCHEDULE "irq:0xfd"
#define CALL_FUNCTION "irq:1"
#define SOME_IRQ "irq"

struct period {
	int64_t enter_cyc;
	int64_t run_cyc;
	int64_t silent_ns;
	int64_t latency_ns;
	long hint;
	bool timer, card, cpu;	/* ended by an event of this source; all true if the event was pending */
};

/* A time in which the CPU had to wait for its turn. */
struct wait {
	int64_t from_cyc, to_cyc;
};

/* The idle periods of a CPU, in order of their ends, and its waits, in order. */
struct log {
	struct period *periods;
	size_t nr, room;
	struct wait *waits;
	size_t nr_waits, waits_room;
};

struct errors {
	int64_t *list;
	size_t nr, room;
};

struct row {
	char *source;
	int64_t state;
	bool irqs_on;
	struct errors errors, silent, intr;
	uint64_t tainted, foreign, wrong_state, unmatched, slipped, bracketed, beyond, waited;
};

/* When the card's interrupts came, virtual ns, ascending. */
struct times {
	int64_t *list;
	size_t nr, room;
};

static struct log logs[MAX_CPUS];
static struct times card_times;
static struct row *rows;
static size_t nr_rows;
static char *state_names[MAX_STATES];
static long state_hints[MAX_STATES];

static char *cell_text(const struct tsv *tsv, size_t column)
{
	const struct tsv_cell *cell = &tsv->cells[column];

	return xprintf("%.*s", (int)(cell->end - cell->start), cell->start);
}

static int64_t cell_number(const struct tsv *tsv, size_t column)
{
	int64_t value;

	if (!tsv_s64(tsv, column, &value))
		die("%s:%" PRIu64 ": %s is absent", tsv->name, tsv->line, tsv->header[column]);

	return value;
}

static struct log *log_of(const struct tsv *tsv, size_t column)
{
	int64_t cpu = cell_number(tsv, column);

	if (cpu < 0 || cpu >= MAX_CPUS)
		die("%s:%" PRIu64 ": no such CPU: %" PRId64, tsv->name, tsv->line, cpu);

	return &logs[cpu];
}

/*
 * How a state is entered: MWAIT's hint, IO_PORT plus a port number, or HLT; on arm64 WFI, or
 * PSCI plus the power_state of CPU_SUSPEND.
 */
#define IO_PORT 0x10000
#define PSCI 0x100000000
#define HLT -1
#define DEFAULT_IDLE -2
#define WFI -3

/*
 * Parse a state's description. The kernel has "MWAIT 0x20", "ACPI FFH MWAIT 0x20", "ACPI IOPORT 0x814",
 * "ACPI HLT" and "ARM WFI". The testbed's device trees have "PSCI 0x00010000".
 */
static long hint_of_desc(const char *desc)
{
	static const struct { const char *name; long base; } numbered[] = {
		{ "MWAIT ", 0 }, { "IOPORT ", IO_PORT }, { "PSCI ", PSCI },
	};

	for (size_t i = 0; i < sizeof(numbered) / sizeof(numbered[0]); i++) {
		const char *at = strstr(desc, numbered[i].name);

		if (at)
			return numbered[i].base + strtol(at + strlen(numbered[i].name), NULL, 0);
	}
	if (strstr(desc, "WFI"))
		return WFI;

	/* cpuidle-haltpoll enters the kernel's default idle, which is HLT or MWAIT with hint 0. */
	return strcmp(desc, "default architecture idle") ? HLT : DEFAULT_IDLE;
}

/* True if the state whose hint is ASKED is entered by HINT, which is from the log. */
static bool is_entered(long hint, long asked)
{
	return asked == DEFAULT_IDLE ? hint == HLT || hint == 0x00 : hint == asked;
}

/* Parse a hint of the log: "0x20", "io:0x0814", "hlt"; on arm64 "wfi", "0x00010000". */
static long hint_of_log(const struct tsv_cell *cell)
{
	if (cell_is(cell, "hlt"))
		return HLT;
	if (cell_is(cell, "wfi"))
		return WFI;
	if (cell->end - cell->start == strlen("0x00010000"))
		return PSCI + strtol(cell->start, NULL, 16);
	if (!strncmp(cell->start, "io:", 3))
		return IO_PORT + strtol(cell->start + 3, NULL, 16);

	return strtol(cell->start, NULL, 16);
}

/* Take a state's name, or its hint: key "state.3.desc", value "MWAIT 0x20". */
static void learn_state(const char *key, char *value)
{
	char field[8];
	int state;

	if (sscanf(key, "state.%d.%7s", &state, field) != 2 || state < 0 || state >= MAX_STATES)
		return;
	if (!strcmp(field, "name"))
		state_names[state] = value;
	else if (!strcmp(field, "desc"))
		state_hints[state] = hint_of_desc(value);
}

static void read_states(const char *dir)
{
	struct tsv tsv;
	size_t key, value;
	int i;

	for (i = 0; i < MAX_STATES; i++)
		state_hints[i] = HLT;

	tsv_open(&tsv, xprintf("%s/run.tsv", dir));
	key = tsv_column(&tsv, "key");
	value = tsv_column(&tsv, "value");
	while (tsv_next_row(&tsv))
		learn_state(cell_text(&tsv, key), cell_text(&tsv, value));
	tsv_close(&tsv);
}

static bool exists(const char *name)
{
	FILE *f = fopen(name, "r");

	if (f)
		fclose(f);

	return f;
}

static void read_card(const char *dir)
{
	char *name = xprintf("%s/truth-i210.tsv", dir);
	size_t event, ns;
	struct tsv tsv;

	if (!exists(name))
		return;
	tsv_open(&tsv, name);
	event = tsv_column(&tsv, "event");
	ns = tsv_column(&tsv, "ns");
	while (tsv_next_row(&tsv)) {
		struct times *t = &card_times;

		if (!cell_is(&tsv.cells[event], "msi") && !cell_is(&tsv.cells[event], "intx"))
			continue;
		if (t->nr == t->room) {
			t->room = 2 * t->room + 1024;
			t->list = xrealloc(t->list, t->room, sizeof(*t->list));
		}
		t->list[t->nr++] = cell_number(&tsv, ns);
		if (t->nr > 1 && t->list[t->nr - 1] < t->list[t->nr - 2])
			die("%s:%" PRIu64 ": not in order of ns", tsv.name, tsv.line);
	}
	tsv_close(&tsv);
}

static bool card_interrupted_at(int64_t ns)
{
	size_t low = 0, high = card_times.nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (card_times.list[middle] < ns)
			low = middle + 1;
		else
			high = middle;
	}

	return low < card_times.nr && card_times.list[low] == ns;
}

static void read_truth(const char *dir)
{
	size_t cpu, hint, enter, run, latency, cause, enter_ns, wake_ns;
	struct tsv tsv;

	tsv_open(&tsv, xprintf("%s/truth.tsv", dir));
	cpu = tsv_column(&tsv, "cpu");
	hint = tsv_column(&tsv, "hint");
	enter = tsv_column(&tsv, "enter_cyc");
	run = tsv_column(&tsv, "run_cyc");
	latency = tsv_column(&tsv, "latency_ns");
	cause = tsv_column(&tsv, "cause");
	enter_ns = tsv_column(&tsv, "enter_ns");
	wake_ns = tsv_column(&tsv, "wake_ns");
	while (tsv_next_row(&tsv)) {
		struct log *log = log_of(&tsv, cpu);
		bool pending = cell_is(&tsv.cells[cause], "pending");
		struct period *p;

		if (log->nr == log->room) {
			log->room = 2 * log->room + 1024;
			log->periods = xrealloc(log->periods, log->room, sizeof(*p));
		}
		p = &log->periods[log->nr++];
		p->enter_cyc = cell_number(&tsv, enter);
		p->run_cyc = cell_number(&tsv, run);
		p->latency_ns = cell_number(&tsv, latency);
		p->silent_ns = cell_number(&tsv, wake_ns) - cell_number(&tsv, enter_ns);
		p->timer = pending || cell_is(&tsv.cells[cause], "timer");
		p->cpu = pending || cell_is(&tsv.cells[cause], RESCHEDULE) ||
			 cell_is(&tsv.cells[cause], CALL_FUNCTION) || cell_is(&tsv.cells[cause], SOME_IRQ) ||
			 cell_is(&tsv.cells[cause], "monitor");
		p->card = pending || card_interrupted_at(cell_number(&tsv, wake_ns));
		p->hint = hint_of_log(&tsv.cells[hint]);
		if (log->nr > 1 && p->run_cyc < p[-1].run_cyc)
			die("%s:%" PRIu64 ": not in order of run_cyc", tsv.name, tsv.line);
	}
	tsv_close(&tsv);
}

static void read_turns(const char *dir)
{
	char *name = xprintf("%s/truth-turns.tsv", dir);
	size_t cpu, from, to;
	struct tsv tsv;

	if (!exists(name))
		return;
	tsv_open(&tsv, name);
	cpu = tsv_column(&tsv, "cpu");
	from = tsv_column(&tsv, "from_cyc");
	to = tsv_column(&tsv, "to_cyc");
	while (tsv_next_row(&tsv)) {
		struct log *log = log_of(&tsv, cpu);
		struct wait *w;

		if (log->nr_waits == log->waits_room) {
			log->waits_room = 2 * log->waits_room + 1024;
			log->waits = xrealloc(log->waits, log->waits_room, sizeof(*w));
		}
		w = &log->waits[log->nr_waits++];
		w->from_cyc = cell_number(&tsv, from);
		w->to_cyc = cell_number(&tsv, to);
		if (w->to_cyc < w->from_cyc || (log->nr_waits > 1 && w->from_cyc < w[-1].to_cyc))
			die("%s:%" PRIu64 ": not in order of time", tsv.name, tsv.line);
	}
	tsv_close(&tsv);
}

/* Did the CPU wait for its turn at any time from BEGIN_CYC to END_CYC? */
static bool has_waited(const struct log *log, int64_t begin_cyc, int64_t end_cyc)
{
	size_t low = 0, high = log->nr_waits;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (log->waits[middle].to_cyc <= begin_cyc)
			low = middle + 1;
		else
			high = middle;
	}

	return low < log->nr_waits && log->waits[low].from_cyc < end_cyc;
}

/* Return the last period that ended by END_CYC; NULL if it began before BEGIN_CYC. */
static const struct period *find_period(const struct log *log, int64_t begin_cyc, int64_t end_cyc)
{
	size_t low = 0, high = log->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (log->periods[middle].run_cyc <= end_cyc)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || log->periods[low - 1].enter_cyc < begin_cyc)
		return NULL;

	return &log->periods[low - 1];
}

static struct row *row_of(const struct tsv_cell *source, int64_t state, bool irqs_on)
{
	struct row *row;
	size_t i;

	for (i = 0; i < nr_rows; i++)
		if (rows[i].state == state && rows[i].irqs_on == irqs_on &&
		    cell_is(source, rows[i].source))
			return &rows[i];

	rows = xrealloc(rows, nr_rows + 1, sizeof(*rows));
	row = &rows[nr_rows++];
	*row = (struct row) {
		.source = xprintf("%.*s", (int)(source->end - source->start), source->start),
		.state = state,
		.irqs_on = irqs_on,
	};

	return row;
}

static void add_error(struct errors *errors, int64_t error)
{
	if (errors->nr == errors->room) {
		errors->room = 2 * errors->room + 1024;
		errors->list = xrealloc(errors->list, errors->room, sizeof(*errors->list));
	}
	errors->list[errors->nr++] = error;
}

/* Return the index of column NAME; -1 if there is none. */
static int optional_column(const struct tsv *tsv, const char *name)
{
	for (size_t i = 0; i < tsv->nr_columns; i++)
		if (!strcmp(tsv->header[i], name))
			return i;

	return -1;
}

/* Compare ERROR with half of the sample's tai_latch. LATCH: the column, -1 if there is none. */
static void check_bracket(struct row *row, const struct tsv *tsv, int latch, int64_t error)
{
	int64_t width;

	if (latch < 0 || row->irqs_on || !tsv_s64(tsv, latch, &width))
		return;
	row->bracketed++;
	row->beyond += llabs(error) > width / 2 + CLOCK_STEP_NS;
}

static struct bound *bound_of(const struct tsv_cell *source)
{
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
		if (cell_is(source, bounds[i].source))
			return &bounds[i];

	return NULL;
}

/* Return the number in an optional column; 0 if it is absent. */
static int64_t number_or_0(const struct tsv *tsv, int column)
{
	int64_t value;

	return column >= 0 && tsv_s64(tsv, column, &value) ? value : 0;
}

/*
 * If bit 16 of PSCI's power_state is set, the core loses its context (Arm DEN 0022, CPU_SUSPEND).
 */
static bool loses_context(long hint)
{
	return hint >= PSCI && (hint - PSCI) & 0x10000;
}

/* Return what the path through firmware adds to a source's bound, in ns. */
static int64_t bound_of_hint(long hint, const struct tsv_cell *source)
{
	int64_t sender = cell_is(source, "ipi") ? SGI_BOUND_NS : 0;

	if (hint == WFI)
		return sender;
	if (hint < PSCI)
		return 0;

	return sender + (loses_context(hint) ? RESUME_BOUND_NS : PSCI_BOUND_NS);
}

/*
 * True if ERROR is within the sample's bounds. UNCERTAINTY and LATCH: columns, -1 if there are
 * none.
 */
static bool within_bound(const struct tsv *tsv, size_t source, int uncertainty, int latch, bool on,
			 long hint, int64_t error)
{
	const struct bound *bound = bound_of(&tsv->cells[source]);
	int64_t own;

	if (!bound)
		die("%s:%" PRIu64 ": a source without a bound", tsv->name, tsv->line);
	/* A reading of a clock may be off by half of its bracket, and i210's clock has steps. */
	own = number_or_0(tsv, uncertainty) + number_or_0(tsv, latch) / 2;
	if (cell_is(&tsv->cells[source], "i210"))
		own += CLOCK_STEP_NS;

	return error >= -own &&
	       error <= own + (on ? INTR_BOUND_NS : bound->ns + bound_of_hint(hint, &tsv->cells[source]));
}

/* True if HINT, from the log, matches the sample's `entered`, or if the sample has none. */
static bool told_state(const struct tsv *tsv, int entered, long hint)
{
	int64_t index;

	if (entered < 0 || !tsv_s64(tsv, entered, &index))
		return true;

	return index >= 0 && index < MAX_STATES && is_entered(hint, state_hints[index]);
}

/* Did the source's event end the period? */
static bool is_own(const struct tsv_cell *source, const struct period *p)
{
	if (cell_is(source, "i210"))
		return p->card;

	return cell_is(source, "ipi") ? p->cpu : p->timer;
}

static void compare_samples(const char *dir)
{
	size_t cpu, source, state, tbi, tai, tintr, silent, wake, intr, irqs_on, taint;
	int latch, uncertainty, entered;
	struct tsv tsv;

	tsv_open(&tsv, xprintf("%s/samples.tsv", dir));
	cpu = tsv_column(&tsv, "cpu");
	source = tsv_column(&tsv, "source");
	state = tsv_column(&tsv, "state");
	tbi = tsv_column(&tsv, "tbi_cyc");
	tai = tsv_column(&tsv, "tai_cyc");
	tintr = tsv_column(&tsv, "tintr_cyc");
	silent = tsv_column(&tsv, "silent_time");
	wake = tsv_column(&tsv, "wake_latency");
	intr = tsv_column(&tsv, "intr_latency");
	irqs_on = tsv_column(&tsv, "irqs_on");
	taint = tsv_column(&tsv, "taint");
	latch = optional_column(&tsv, "tai_latch");
	uncertainty = optional_column(&tsv, "uncertainty");
	entered = optional_column(&tsv, "entered");
	while (tsv_next_row(&tsv)) {
		bool on = cell_number(&tsv, irqs_on);
		int64_t index = cell_number(&tsv, state);
		struct row *row = row_of(&tsv.cells[source], index, on);
		bool tainted = !tsv_absent(&tsv, taint);
		const struct log *log = log_of(&tsv, cpu);
		const struct period *p;
		int64_t error, end, intr_latency;
		bool foreign;

		if (index < 0 || index >= MAX_STATES)
			die("%s:%" PRIu64 ": no such state: %" PRId64, tsv.name, tsv.line, index);
		end = cell_number(&tsv, on || !tsv_absent(&tsv, tintr) ? tintr : tai);
		if (has_waited(log, cell_number(&tsv, tbi), end)) {
			row->waited++;
			continue;
		}
		row->tainted += tainted;
		p = find_period(log, cell_number(&tsv, tbi), cell_number(&tsv, on ? tintr : tai));
		if (!p) {
			row->unmatched += !tainted;
			continue;
		}
		foreign = !is_own(&tsv.cells[source], p);
		row->foreign += foreign;
		row->wrong_state += !told_state(&tsv, entered, p->hint) ||
				    (!tainted && !is_entered(p->hint, state_hints[index]));
		if (tainted)
			continue;
		error = cell_number(&tsv, on ? intr : wake) - p->latency_ns;
		row->slipped += foreign ||
				!within_bound(&tsv, source, uncertainty, latch, on, p->hint, error);
		add_error(&row->errors, error);
		check_bracket(row, &tsv, latch, error);
		add_error(&row->silent, cell_number(&tsv, silent) - p->silent_ns);
		if (tsv_s64(&tsv, intr, &intr_latency))
			add_error(&row->intr, intr_latency - p->latency_ns);
	}
	tsv_close(&tsv);
}

static const char *state_name(int64_t state)
{
	return state_names[state] ? state_names[state] : xprintf("%" PRId64, state);
}

/* Print median, minimum and maximum; all "-" if there are no errors. */
static void print_errors(struct errors *errors)
{
	int64_t *scratch;

	if (!errors->nr) {
		printf("\t-\t-\t-");
		return;
	}
	scratch = xrealloc(NULL, errors->nr, sizeof(*scratch));
	sort_s64(errors->list, scratch, errors->nr);
	free(scratch);
	printf("\t%" PRId64 "\t%" PRId64 "\t%" PRId64, errors->list[(errors->nr - 1) / 2],
	       errors->list[0], errors->list[errors->nr - 1]);
}

/* Print a row. Return false if it shows an error of the measurement. */
static bool print_row(struct row *row)
{
	struct errors *errors = &row->errors;

	printf("%s\t%s\t%s\t%zu", row->source, state_name(row->state),
	       row->irqs_on ? "intr_latency" : "wake_latency", errors->nr);
	print_errors(errors);
	if (errors->nr)
		printf("\t%" PRId64, errors->list[errors->nr - 1] - errors->list[0]);
	else
		printf("\t-");
	printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, row->tainted,
	       row->foreign, row->wrong_state, row->unmatched, row->slipped);
	print_errors(&row->silent);
	print_errors(&row->intr);
	if (row->bracketed)
		printf("\t%" PRIu64, row->beyond);
	else
		printf("\t-");
	printf("\t%" PRIu64 "\n", row->waited);

	return !row->wrong_state && !row->unmatched && !row->slipped;
}

/* SOURCE=NS */
static bool set_bound(const char *text)
{
	const char *ns = strchr(text, '=');
	struct tsv_cell source = { .start = text, .end = ns };
	struct bound *bound = ns ? bound_of(&source) : NULL;
	char *end;

	if (!bound || !ns[1])
		return false;
	errno = 0;
	bound->ns = strtoll(ns + 1, &end, 10);

	return !errno && !*end && bound->ns >= 0;
}

static const char *parse(int argc, char **argv)
{
	int i;

	for (i = 1; i + 1 < argc && !strcmp(argv[i], "--bound"); i += 2) {
		if (!set_bound(argv[i + 1])) {
			message("--bound %s: not SOURCE=NS of a source of this program", argv[i + 1]);
			exit(2);
		}
	}
	if (i + 1 != argc) {
		message("usage: truth [--bound SOURCE=NS]... RUNDIR");
		exit(2);
	}

	return argv[i];
}

int main(int argc, char **argv)
{
	bool right = true;
	const char *dir;
	size_t i;

	message_init("truth");
	dir = parse(argc, argv);
	read_states(dir);
	read_card(dir);
	read_truth(dir);
	read_turns(dir);
	compare_samples(dir);

	printf("source\tstate\tmetric\tn\tmedian_ns\tmin_ns\tmax_ns\tspread_ns\t");
	printf("tainted\tforeign\twrong_state\tunmatched\tslipped\t");
	printf("silent_median_ns\tsilent_min_ns\tsilent_max_ns\t");
	printf("intr_median_ns\tintr_min_ns\tintr_max_ns\tbeyond\twaited\n");
	for (i = 0; i < nr_rows; i++)
		right = print_row(&rows[i]) && right;
	if (fflush(stdout) || ferror(stdout))
		die("cannot write the table: %s", strerror(errno));

	return right ? 0 : 3;
}
